"""Feeds of the newest papers as Atom (RFC 4287): one for all papers, one for each category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import escape

from classifier.site import paths
from classifier.site.exports.citation import citation, one_line
from classifier.site.listing import category_name, dated
from classifier.survey.entry import SurveyPaper
from classifier.survey.survey import Survey
from classifier.survey.wording import date_in_words, in_figures
from classifier.taxonomy.model import Category

_MAX_ITEMS = 60
_MAX_AUTHORS = 30


@dataclass(frozen=True, slots=True)
class FeedItem:
    """A paper as an entry of a feed."""

    id: str
    title: str
    page: str
    """Path of its page from the top of the site."""
    address: str
    """Where the paper itself is found, or ""."""
    updated: str
    """Its date in RFC 3339, at midnight UTC; a month or a year counts from its first
    day. The text says what is known."""
    authors: tuple[str, ...]
    topics: tuple[tuple[str, str], ...]
    """(id, name) of the categories of the first facet, the one that it is filed under first."""
    text: str
    """What it does, the topic, and the date as far as it is known."""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed: what its head says, and its items, the newest first."""

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
        """Where the Atom feed lies: `feed.atom`, `c/safety.atom`."""
        return f"{self.base}.atom"


def feeds(survey: Survey, categories: Sequence[Category]) -> Iterator[Feed]:
    """Yield the feed of all papers, then that of each category, each if a paper has a date."""
    newest = dated(survey.entries)
    title, subtitle = survey.document.title, one_line(survey.document.subtitle)
    groups = [("feed", title, "index.html", survey.entries)]
    for each in categories:
        page = paths.category_page(each.id)
        groups.append((f"c/{each.id}", f"{title}: {each.name}", page, survey.with_category(each)))
    for base, name, page, entries in groups:
        members = {entry.paper.id for entry in entries}
        dated_entries = [entry for entry in newest if entry.paper.id in members]
        if not dated_entries:
            continue
        total = len(dated_entries)
        shown = (
            f"The {_MAX_ITEMS} newest of {total} papers"
            if total > _MAX_ITEMS
            else in_figures(total, "paper")
        )
        undated = len(members) - total
        left_out = f"; {undated} without a date left out" if undated else ""
        yield Feed(
            base=base,
            title=one_line(name),
            subtitle=" ".join(filter(None, (subtitle, f"({shown}{left_out})"))),
            page=page,
            editors=tuple(map(one_line, survey.document.editors)),
            base_url=survey.taxonomy.survey.base_url,
            items=tuple(_item(survey, entry) for entry in dated_entries[:_MAX_ITEMS]),
        )


def atom(feed: Feed) -> str:
    """Return a feed as Atom. Without a base URL its links are relative, as RFC 4287 allows."""
    own = paths.canonical(feed.base_url, feed.atom_path)
    parts = [
        _element("title", feed.title),
        _element("subtitle", feed.subtitle),
        _element("id", own or _urn("feed", f"{feed.title}/{feed.atom_path}")),
        _link("self", own or feed.atom_path.rpartition("/")[2], "application/atom+xml"),
        _link("alternate", _address(feed, feed.page), "text/html"),
        _element("updated", feed.items[0].updated),
        # Who wrote no paper still answers for the feed: every entry needs an author.
        *_authors(feed.editors or (feed.title,)),
        _element("generator", "Fieldguide"),
    ]
    for item in feed.items:
        topics = (
            f'<category term="{escape(topic)}" label="{escape(name)}"/>\n'
            for topic, name in item.topics
        )
        parts += [
            "<entry>\n",
            _element("title", item.title),
            _element("id", item.id),
            _link("alternate", _address(feed, item.page), "text/html"),
            _link("related", item.address) if item.address else "",
            _element("updated", item.updated),
            *_authors(item.authors),
            *topics,
            f'<content type="text">{escape(item.text)}</content>\n</entry>\n',
        ]
    head = '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
    return f"{head}{''.join(parts)}</feed>\n"


def _item(survey: Survey, entry: SurveyPaper) -> FeedItem:
    cited = citation(entry.paper)
    primary = entry.first.primary
    topics = dict.fromkeys((primary, *entry.first.categories))
    named = tuple((topic, one_line(category_name(survey, topic))) for topic in topics)
    contribution = one_line(entry.contribution)
    facts = f"Filed under {named[0][1]}. Dated {date_in_words(cited.date)}."
    return FeedItem(
        id=_urn("paper", entry.paper.id),
        title=cited.title,
        page=paths.paper_page(entry),
        address=cited.url,
        updated=f"{cited.date}{'-01' * (2 - cited.date.count('-'))}T00:00:00Z",
        authors=tuple(map(one_line, entry.paper.authors[:_MAX_AUTHORS])),
        topics=named,
        text=f"{contribution}\n\n{facts}" if contribution else facts,
    )


def _address(feed: Feed, path: str) -> str:
    return paths.canonical(feed.base_url, path) or paths.root_of(feed.base) + path


def _urn(kind: str, name: str) -> str:
    """Return an identifier that stays when the site moves to another address."""
    return f"urn:fieldguide:{kind}:{quote(name, safe=':/.')}"


def _element(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>\n"


def _link(relation: str, address: str, media_type: str = "") -> str:
    media = f' type="{media_type}"' if media_type else ""
    return f'<link rel="{relation}" href="{escape(address)}"{media}/>\n'


def _authors(names: Sequence[str]) -> list[str]:
    return [f"<author><name>{escape(name)}</name></author>\n" for name in names]
