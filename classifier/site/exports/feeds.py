"""Feeds of new and moved papers as Atom (RFC 4287): one for all papers, one per category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from markupsafe import escape

from classifier.site import paths
from classifier.site.exports.citation import make_citation, one_line
from classifier.site.listing import category_name, newest_first
from classifier.survey.entry import SurveyPaper
from classifier.survey.survey import Survey
from classifier.survey.wording import count_in_digits, date_in_words
from classifier.taxonomy.model import Category

_MAX_ITEMS = 60
_MAX_AUTHORS = 30


@dataclass(frozen=True, slots=True)
class FeedItem:
    """An entry in a feed: a paper that entered the survey, or that was moved."""

    id: str
    title: str
    page: str
    """Path of the page of the paper from the top of the site."""
    address: str
    """Address of the paper itself, or ""."""
    updated: str
    """Date of the event in RFC 3339, at midnight UTC; a month or a year counts from its first
    day. The text has the date as far as it is known."""
    authors: tuple[str, ...]
    topics: tuple[tuple[str, str], ...]
    """(id, name) of the categories of the first facet, the primary first."""
    text: str
    """The contribution of the paper, its topic, and its dates."""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed: its metadata, and its items with the newest first."""

    base: str
    """Path from the top of the site, without ending: `feed`, `c/safety`."""
    title: str
    subtitle: str
    page: str
    """Path of the page that it belongs to."""
    editors: tuple[str, ...]
    base_url: str
    items: tuple[FeedItem, ...]

    @property
    def atom_path(self) -> str:
        """Path of the Atom file: `feed.atom`, `c/safety.atom`."""
        return f"{self.base}.atom"


def feeds(survey: Survey, categories: Sequence[Category]) -> Iterator[Feed]:
    """Yield the feed of all papers, then one per category; feeds without dated items are omitted.

    A paper is dated by its entry into the survey if the lock records it, else by its publication.
    """
    newest = [entry for entry in newest_first(survey.entries) if entry_date(entry)]
    items_of = {entry.paper.id: [*_paper_items(survey, entry)] for entry in newest}
    title, subtitle = survey.document.title, one_line(survey.document.subtitle)
    groups = [("feed", title, "index.html", survey.entries)]
    for each in categories:
        page = paths.category_page_path(each.id)
        groups.append((f"c/{each.id}", f"{title}: {each.name}", page, survey.papers_with(each)))
    for base, name, page, entries in groups:
        members = {entry.paper.id for entry in entries}
        dated = [each for each in newest if each.paper.id in members]
        if not dated:
            continue
        items = [item for entry in dated for item in items_of[entry.paper.id]]
        items.sort(key=lambda item: item.updated, reverse=True)
        listed = count_in_digits(len(dated), "paper")
        if len(items) > _MAX_ITEMS:
            listed = f"The {_MAX_ITEMS} newest of {len(items)} entries"
        is_recorded = any(entry.history.entered_on for entry in dated)
        dates = "by date of entry, else of publication" if is_recorded else "by publication date"
        undated = len(members) - len(dated)
        left_out = f"; {undated} without a date left out" if undated else ""
        yield Feed(
            base=base,
            title=one_line(name),
            subtitle=" ".join(filter(None, (subtitle, f"({listed}, {dates}{left_out})"))),
            page=page,
            editors=tuple(map(one_line, survey.document.editors)),
            base_url=survey.taxonomy.survey.base_url,
            items=tuple(items[:_MAX_ITEMS]),
        )


def entry_date(entry: SurveyPaper) -> str:
    """Return the date of entry into the survey; if the lock does not record it, of publication."""
    return entry.history.entered_on or entry.paper.published.date


def atom_xml(feed: Feed) -> str:
    """Return a feed as Atom; without a base URL, its links are relative, as RFC 4287 allows."""
    own = paths.canonical_address(feed.base_url, feed.atom_path)
    parts = [
        _xml_element("title", feed.title),
        _xml_element("subtitle", feed.subtitle),
        _xml_element("id", own or _urn("feed", f"{feed.title}/{feed.atom_path}")),
        _link_element("self", own or feed.atom_path.rpartition("/")[2], "application/atom+xml"),
        _link_element("alternate", _page_address(feed, feed.page), "text/html"),
        _xml_element("updated", feed.items[0].updated),
        # An entry without authors takes those of the feed; Atom requires one.
        *_author_elements(feed.editors or (feed.title,)),
        _xml_element("generator", "Fieldguide"),
    ]
    for item in feed.items:
        topics = (
            f'<category term="{escape(topic)}" label="{escape(name)}"/>\n'
            for topic, name in item.topics
        )
        parts += [
            "<entry>\n",
            _xml_element("title", item.title),
            _xml_element("id", item.id),
            _link_element("alternate", _page_address(feed, item.page), "text/html"),
            _link_element("related", item.address) if item.address else "",
            _xml_element("updated", item.updated),
            *_author_elements(item.authors),
            *topics,
            f'<content type="text">{escape(item.text)}</content>\n</entry>\n',
        ]
    head = '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
    return f"{head}{''.join(parts)}</feed>\n"


def _paper_items(survey: Survey, entry: SurveyPaper) -> Iterator[FeedItem]:
    """Yield a paper's entry into the survey, and its last move to another category."""
    cited, history = make_citation(entry.paper), entry.history
    topics = dict.fromkeys((entry.first.primary, *entry.first.categories))
    named = tuple((topic, one_line(category_name(survey, topic))) for topic in topics)
    facts = [f"Filed under {named[0][1]}."]
    if cited.date:
        facts.append(f"Published {date_in_words(cited.date)}.")
    if history.entered_on:
        facts.append(f"In the survey since {date_in_words(history.entered_on)}.")
    item = FeedItem(
        id=_urn("paper", entry.paper.id),
        title=cited.title,
        page=paths.paper_page_path(entry),
        address=cited.url,
        updated=_timestamp(entry_date(entry)),
        authors=tuple(map(one_line, entry.paper.authors[:_MAX_AUTHORS])),
        topics=named,
        text="\n\n".join(filter(None, (one_line(entry.contribution), " ".join(facts)))),
    )
    yield item
    if history.moved_on:
        before = one_line(category_name(survey, history.moved_from))
        move = f"Moved from {before} to {named[0][1]} on {date_in_words(history.moved_on)}."
        yield replace(
            item,
            id=_urn("move", f"{entry.paper.id}/{history.moved_on}"),
            title=f"Moved to {named[0][1]}: {cited.title}",
            updated=_timestamp(history.moved_on),
            text=move,
        )


def _timestamp(date: str) -> str:
    """Return a date as a timestamp."""
    return f"{date}{'-01' * (2 - date.count('-'))}T00:00:00Z"


def _page_address(feed: Feed, path: str) -> str:
    """Return the address of a page for a feed."""
    return paths.canonical_address(feed.base_url, path) or paths.path_to_root(feed.base) + path


def _urn(kind: str, name: str) -> str:
    """Return an identifier that stays the same when the site moves to another address."""
    return f"urn:fieldguide:{kind}:{quote(name, safe=':/.')}"


def _xml_element(tag: str, text: str) -> str:
    """Return an XML element."""
    return f"<{tag}>{escape(text)}</{tag}>\n"


def _link_element(relation: str, address: str, media_type: str = "") -> str:
    """Return a link element."""
    media = f' type="{media_type}"' if media_type else ""
    return f'<link rel="{relation}" href="{escape(address)}"{media}/>\n'


def _author_elements(names: Sequence[str]) -> list[str]:
    """Return author elements."""
    return [f"<author><name>{escape(name)}</name></author>\n" for name in names]
