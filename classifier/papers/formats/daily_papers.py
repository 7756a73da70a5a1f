"""Saved pages of Hugging Face "Daily Papers", as text or as HTML.

Of text three layouts occur: bare pairs of lines (title, abstract) with `Subscribe` glued to the
first title; the same separated by blank lines; and that with, behind each abstract, the number of
authors or the organisation, a `·`, and the date with the number of comments. The page never says
its own year, and prints the year of an entry only where it is not the page's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.clean import find_code_urls
from classifier.papers.fields import MOST_ABSTRACT, read_fields
from classifier.papers.formats.json_paths import Object, object_of, objects_of
from classifier.papers.formats.json_sources import source_named
from classifier.papers.formats.xml_elements import Element, line_of
from classifier.papers.paper import Paper, Published, Source
from classifier.papers.reader import Reader, Record, quarantined, shown

_SUBSCRIBE = "Subscribe"
_BANNERS = frozenset({
    "new", _SUBSCRIBE, "Daily Papers", "byAK and the research community",
    "Get trending papers in your email inbox!",
    "Get trending papers in your email inbox once a day!",
})  # fmt: skip
_FACES = _BANNERS - {"new", _SUBSCRIBE}

_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
# "Oct 15, 2025 2", "Apr 13", "Sep 26 4": only a number behind a comma is a year.
_DATE = re.compile(
    rf"(?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}})(?:, (?P<year>\d{{4}}))?"
    r"(?: (?P<comments>\d{1,6}))?",
    re.ASCII,
)
_AUTHORS = re.compile(r"[•*-]?\s*(\d{1,6}) authors?", re.ASCII)
_DOT = "·"

# No title is as long, hardly an abstract as short (the shortest seen has 727 characters).
_LONG = 250
_WANTED_DATE = "a date such as Oct 15, 2025 or Oct 15, then the number of comments"

Kind = Literal["text", "abstract", "authors", "organisation", "dot", "date"]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


@dataclass(slots=True)
class _Entry:
    """One paper of the page, gathered line by line."""

    title: _Line
    abstract: str = ""
    details: dict[Kind, str] = field(default_factory=dict)
    """What stands behind the abstract, by kind."""
    date_line: int = 0


def why_not(content: Content) -> str:
    """Say why a file is no such page: none of the page's banners stands among its first lines."""
    first = [line.strip() for line in content.start[:4_000].split("\n") if line.strip()][:8]
    return "" if any(line in _FACES for line in first) else "no banner of a Daily Papers page"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a saved page in order."""
    name = content.name
    lines = _body(content.text())
    year = _page_year(lines)
    undated = 0
    last: Paper | None = None
    for item in _entries(name, lines):
        if isinstance(item, Fault):
            yield item
            continue
        published, fault = _published(name, item, year)
        if fault:
            yield fault
        undated += "date" in item.details and not fault and not published.date
        last = _paper(name, item, published)
        yield last
    if undated:
        found = f"{undated} date(s) without a year on a page that prints none"
        yield Fault(
            "notice", name, None, found, "at least one entry with a year", "They are left out."
        )
    if last and _is_cut(last, lines):
        yield Fault(
            "warning", name, lines[-1].number, "a last abstract that breaks off in a sentence",
            "a page saved to its end",
        )  # fmt: skip


def _body(text: str) -> list[_Line]:
    """Return the lines behind the page's head, blank ones dropped, `Subscribe` unglued."""
    lines = [_Line(n, line.strip()) for n, line in enumerate(text.split("\n"), start=1)]
    lines = [line for line in lines if line.text]
    subscribed = False
    for index, line in enumerate(lines):
        if line.text in _BANNERS or _DATE.fullmatch(line.text):
            subscribed = subscribed or line.text == _SUBSCRIBE
        elif line.text.startswith(_SUBSCRIBE) and not subscribed:
            title = line.text.removeprefix(_SUBSCRIBE).lstrip()
            return [_Line(line.number, title), *lines[index + 1 :]]
        else:
            return lines[index:]
    return []


def _page_year(lines: Sequence[_Line]) -> int | None:
    """Return the year of entries that print none: the one behind the latest that is printed.

    The page leaves out exactly its own year; None where it prints no year at all.
    """
    matches = [
        _DATE.fullmatch(line.text)
        for index, line in enumerate(lines)
        if _kind(lines, index) == "date"
    ]
    years = [int(match["year"]) for match in matches if match and match["year"]]
    return max(years) + 1 if years else None


def _kind(lines: Sequence[_Line], index: int) -> Kind:
    """Say what a line is, by its form and its neighbours."""
    line = lines[index]
    if line.text == _DOT:
        return "dot"
    if len(line.text) >= _LONG:
        return "abstract"
    if _AUTHORS.fullmatch(line.text):
        return "authors"
    if _is_dot(lines, index + 1, line.number + 1):
        return "organisation"
    if _is_dot(lines, index - 1, line.number - 1) and not _is_long(lines, index + 1):
        return "date"
    return "text"


def _is_dot(lines: Sequence[_Line], index: int, number: int) -> bool:
    """Say whether the line at `index` is a lone dot right on line `number`."""
    return 0 <= index < len(lines) and lines[index] == _Line(number, _DOT)


def _is_long(lines: Sequence[_Line], index: int) -> bool:
    return index < len(lines) and len(lines[index].text) >= _LONG


def _entries(name: str, lines: Sequence[_Line]) -> Iterator[_Entry | Fault]:
    """Yield the entries of a page; titles without abstract, and the reverse, are quarantined."""
    entry: _Entry | None = None
    for index, line in enumerate(lines):
        kind = _kind(lines, index)
        if kind == "text" and not _is_short_abstract(entry, lines, index):
            if entry:
                yield _closed(name, entry)
            entry = _Entry(line)
        elif kind in ("text", "abstract"):
            if entry is None or entry.abstract or entry.details:
                reason = "found an abstract without a title; wanted a title on the line before"
                yield quarantined(_source(name, line), line.text, reason)
            else:
                entry.abstract = line.text
        elif entry:
            entry.details.setdefault(kind, line.text)
            entry.date_line = line.number
    if entry:
        yield _closed(name, entry)


def _is_short_abstract(entry: _Entry | None, lines: Sequence[_Line], index: int) -> bool:
    """Say whether a line of a title's length is the abstract of the open entry.

    It is where it ends as a sentence and no longer abstract follows it.
    """
    awaited = entry is not None and not entry.abstract and not entry.details
    return (
        awaited and lines[index].text.endswith((".", "!", "…")) and not _is_long(lines, index + 1)
    )


def _closed(name: str, entry: _Entry) -> _Entry | Fault:
    title = entry.title
    if not entry.abstract:
        reason = "found a title without an abstract; wanted the abstract on the line behind it"
        return quarantined(_source(name, title), title.text, reason)
    if len(entry.abstract) > MOST_ABSTRACT:
        reason = (
            f"found an abstract of {len(entry.abstract):,} characters; "
            f"wanted at most {MOST_ABSTRACT:,}"
        )
        return quarantined(_source(name, title), title.text, reason)
    return entry


def _published(name: str, entry: _Entry, page_year: int | None) -> tuple[Published, Fault | None]:
    """Return the date of an entry, and the warning where it cannot be one."""
    text = entry.details.get("date", "")
    match = _DATE.fullmatch(text)
    if not text or (match and not match["year"] and page_year is None):
        return Published(), None
    # "Sep 26 2025" may be a year without its comma or many comments: neither is believed.
    if match and (match["year"] or not re.fullmatch(r"(?:19|20)\d\d", match["comments"] or "")):
        year = int(match["year"] or page_year or 0)
        try:
            day = date(year, _MONTHS.index(match["month"]) + 1, int(match["day"]))
            return Published(day.isoformat()), None
        except ValueError:
            pass
    place = entry.date_line
    fault = Fault("notice", name, place, shown(text), _WANTED_DATE, "The date is left out.")
    return Published(), fault


def _paper(name: str, entry: _Entry, published: Published) -> Paper:
    authors = _AUTHORS.fullmatch(entry.details.get("authors", ""))
    dated = _DATE.fullmatch(entry.details.get("date", ""))
    comments = dated["comments"] if dated else None
    return Paper(
        title=entry.title.text,
        abstract=entry.abstract,
        abstract_kind="abstract",
        author_count=int(authors.group(1)) if authors else None,
        organisation=_organisation(entry.details.get("organisation", "")),
        published=published,
        code_urls=find_code_urls(entry.abstract),
        comment_count=int(comments) if comments else None,
        sources=(_source(name, entry.title),),
    )


def _organisation(line: str) -> str:
    """Return the name in `handle name …`; a lone word is both.

    >>> _organisation("GAIR SII - GAIR")
    'SII - GAIR'
    """
    handle, _, name = line.partition(" ")
    return name.strip() or handle


def _is_cut(last: Paper, lines: Sequence[_Line]) -> bool:
    """Say whether the page's last line is an abstract that does not end as a sentence does."""
    end = lines[-1].text
    return last.abstract == end and not re.search(r"[.!?…][\"'”’)\]}]*$|https?://\S+$", end)


def _source(name: str, line: _Line) -> Source:
    return Source(name, DAILY_PAPERS.name, line.number)


DAILY_PAPERS = Reader(
    name="daily-papers",
    why_not=why_not,
    read=read,
    wants="a saved Daily Papers page with its banner ('Get trending papers in your email inbox!')",
)

# --- The page as HTML ---------------------------------------------------------------------------
# The server puts what it shows as JSON into `data-props` of the page's components.

_COMPONENT = re.compile(r"""data-target=["'](?:DailyPapers|PaperPage|PaperContent)\b""")
_HUGGING_FACE = source_named("hugging-face")
# What a list of papers may be called in the data of a component.
_LISTS = ("dailyPapers", "papers", "results", "items")
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|meta|div)\b", re.IGNORECASE)


def _html_page(content: Content) -> Element | None:
    """Return the root element of a page, or None where there is no element."""
    from lxml import etree

    # With `huge_tree` elements may be 2,048 deep; the page of a person easily is beyond 256.
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    try:
        return etree.fromstring(content.text().encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:  # nothing but blanks or comments
        return None


def _why_no_html(content: Content) -> str:
    """Say why a file is no such page."""
    if content.start.lstrip()[:1] != "<" or not _HTML.search(content.start):
        return "no HTML page"
    is_known = _COMPONENT.search(content.start)
    return "" if is_known else "no page of papers of huggingface.co with its data"


def _read_html(content: Content) -> Iterator[Record]:
    """Yield the papers of a page in its order, each once."""
    page = _html_page(content)
    seen: set[str] = set()
    for element, item in () if page is None else _stated(page):
        fields = _HUGGING_FACE.read(item)
        identity = str(fields.get("arxiv_id") or fields.get("title"))
        if identity not in seen:
            seen.add(identity)
            # The page shows an abstract as one line.
            abstract = " ".join(str(fields.get("abstract", "")).split())
            source = Source(content.name, HUGGING_FACE_HTML.name, line_of(element))
            yield from read_fields({**fields, "abstract": abstract}, source)


def _stated(page: Element) -> list[tuple[Element, Object]]:
    """Return what the data of the components states: entries of a list, or the one paper."""
    components = [(element, _data(element)) for element in page.xpath("//*[@data-props]")]
    single = [(e, data) for e, data in components if "title" in object_of(data.get("paper"))]
    listed = [
        (element, item)
        for element, data in components
        for name in _LISTS
        for item in objects_of(data.get(name))
        if _HUGGING_FACE.is_record(item)
    ]
    # A paper's page also lists others that are like it; they are not what was saved.
    return single[:1] or listed


def _data(element: Element) -> Object:
    props = element.get("data-props")
    # Most components (menus, buttons) hold no papers.
    if '"title"' not in props:
        return {}
    try:
        return object_of(json.loads(props))
    except (ValueError, RecursionError):
        return {}


HUGGING_FACE_HTML = Reader(
    name="hugging-face-html",
    why_not=_why_no_html,
    read=_read_html,
    wants="a page of huggingface.co/papers, saved as HTML source",
)
