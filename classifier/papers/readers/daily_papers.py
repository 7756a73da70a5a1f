"""Read saved pages of Hugging Face "Daily Papers", as text or as HTML.

The text has one of three layouts: pairs of lines (title, abstract), with `Subscribe` joined to the
first title; the same pairs separated by blank lines; or pairs followed by the number of authors or
the organisation, a `·`, and the date with the number of comments. The page does not print its own
year. It prints the year of an entry only if it differs from the year of the page.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.code_links import find_code_urls
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record, display_value, quarantine_fault
from classifier.papers.readers.json_paths import Object, object_of, objects_of
from classifier.papers.readers.json_sources import source_by_name

_SUBSCRIBE = "Subscribe"
_SIGNATURES = frozenset({
    "Daily Papers", "byAK and the research community", "Get trending papers in your email inbox!",
    "Get trending papers in your email inbox once a day!",
})  # fmt: skip
_BANNERS = _SIGNATURES | {"new", _SUBSCRIBE}
# "Oct 15, 2025 2", "Apr 13", "Sep 26 4": only a number after a comma is a year.
_DATE = re.compile(
    r"(?P<day>(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2})(?:, (?P<year>\d{4}))?"
    r"(?: (?P<comments>\d{1,6}))?",
    re.ASCII,
)
_AUTHORS = re.compile(r"[•*-]?\s*(\d{1,6}) authors?", re.ASCII)
_DOT = "·"
_LONG = 250
"""Number of characters from which a line is an abstract and not a title."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]}]*$|https?://\S+$")
_EXPECTED_DATE = "a date such as Oct 15, 2025 or Oct 15, then the number of comments"

Kind = Literal["text", "abstract", "authors", "organisation", "dot", "date"]


class _Line(NamedTuple):
    number: int
    text: str
    kind: Kind = "text"


def reject_reason(content: Content) -> str:
    """Return the reason if a file is no Daily Papers page: no known banner in its first lines."""
    first = [line.strip() for line in content.start[:4_000].split("\n") if line.strip()][:8]
    return "" if any(line in _SIGNATURES for line in first) else "no banner of a Daily Papers page"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a saved page in order; a title without an abstract is quarantined."""
    name = content.name
    lines = _body_lines(content.text())
    years = [int(date["year"]) for date in map(_match_date, lines) if date and date["year"]]
    # The page omits exactly its own year, the one after the latest year that it prints.
    page_year = str(max(years) + 1) if years else ""
    undated = 0
    entry: list[_Line] = []
    for line in (*lines, _Line(0, "")):
        if not (line.kind == "text" or (line.kind == "abstract" and not entry)):
            entry.append(line)
            continue
        if entry:
            date = next((_match_date(each) for each in entry if each.kind == "date"), None)
            undated += bool(date and not date["year"] and not page_year)
            yield from _read_entry(name, entry, page_year)
        entry = [line]
    if undated:
        found = f"{undated} date(s) without a year on a page without any year"
        expected, hint = "at least one entry with a year", "These dates were dropped."
        yield Fault("notice", name, None, found, expected, hint)
    if lines and lines[-1].kind == "abstract" and not _SENTENCE_END.search(lines[-1].text):
        found = "an abstract at the end that stops within a sentence"
        yield Fault("warning", name, lines[-1].number, found, "a complete page")


def _body_lines(text: str) -> list[_Line]:
    """Return the lines after the page header, without blank lines, each with its kind."""
    numbered = ((number, line.strip()) for number, line in enumerate(text.split("\n"), start=1))
    lines = [_Line(*pair) for pair in numbered if pair[1]]
    body = (
        at
        for at, line in enumerate(lines)
        if line.text not in _BANNERS and not _DATE.fullmatch(line.text)
    )
    start = next(body, len(lines))
    if start < len(lines) and _SUBSCRIBE not in (line.text for line in lines[:start]):
        first = lines[start]
        lines[start] = first._replace(text=first.text.removeprefix(_SUBSCRIBE).lstrip())
    lines = lines[start:]
    for at in range(len(lines)):
        lines[at] = lines[at]._replace(kind=_line_kind(lines, at))
    return lines


def _line_kind(lines: Sequence[_Line], index: int) -> Kind:
    """Return the kind of a line, judged by its form and its neighbours."""
    number, text, _ = lines[index]
    before = lines[index - 1] if index else _Line(0, "")
    after = lines[index + 1] if index + 1 < len(lines) else _Line(0, "")
    if text == _DOT:
        return "dot"
    if len(text) >= _LONG:
        return "abstract"
    if _AUTHORS.fullmatch(text):
        return "authors"
    if after[:2] == (number + 1, _DOT):
        return "organisation"
    if before[:2] == (number - 1, _DOT) and len(after.text) < _LONG:
        return "date"
    # A short abstract is a sentence below a title, without a longer abstract after it.
    ends = text.endswith((".", "!", "…")) and len(after.text) < _LONG
    return "abstract" if ends and index and before.kind == "text" else "text"


def _match_date(line: _Line) -> re.Match[str] | None:
    return _DATE.fullmatch(line.text) if line.kind == "date" else None


def _read_entry(name: str, entry: Sequence[_Line], page_year: str) -> Iterator[Record]:
    """Yield the paper of an entry; further abstracts are quarantined, since they have no title."""
    title, *rest = entry
    source = Source(name, DAILY_PAPERS.name, title.number)
    of_kind = {line.kind: line for line in reversed(rest)}

    def text_of_kind(kind: Kind) -> str:
        return of_kind[kind].text if kind in of_kind else ""

    if title.kind == "text" and "abstract" not in of_kind:
        reason = "found a title without an abstract; expected its abstract on the next line"
        yield quarantine_fault(source, title.text, reason)
    elif title.kind == "text":
        published = ""
        dated, abstract = of_kind.get("date"), text_of_kind("abstract")
        date, count = (
            _DATE.fullmatch(text_of_kind("date")),
            _AUTHORS.fullmatch(text_of_kind("authors")),
        )
        if dated and not (date and not date["year"] and not page_year):
            published = _publication_date(date, page_year)
            if not published:
                found, hint = display_value(dated.text), "The date was dropped."
                yield Fault("notice", name, dated.number, found, _EXPECTED_DATE, hint)
        handle, _, full = text_of_kind("organisation").partition(" ")  # a single word is both
        yield from read_fields(
            {
                "title": title.text,
                "abstract": abstract,
                "author_count": int(count[1]) if count else None,
                "organisation": full.strip() or handle,
                "published": published,
                "code_urls": list(find_code_urls(abstract)),
                "comment_count": int(date["comments"]) if date and date["comments"] else None,
            },
            source,
        )
    for line in entry:
        if line.kind == "abstract" and line is not of_kind.get("abstract"):
            reason = "found an abstract without a title; expected a title on the line before"
            yield quarantine_fault(Source(name, DAILY_PAPERS.name, line.number), line.text, reason)


def _publication_date(date: re.Match[str] | None, page_year: str) -> str:
    """Return the ISO date of an entry, or ""; a year in place of the comments is ambiguous."""
    if date is None or (
        not date["year"] and re.fullmatch(r"(?:19|20)\d\d", date["comments"] or "")
    ):
        return ""
    found = read_date(f"{date['day']}, {date['year'] or page_year}")
    return found if len(found) == 10 else ""


DAILY_PAPERS = Reader(
    name="daily-papers",
    reject_reason=reject_reason,
    read=read,
    description=(
        "a saved Daily Papers page with its banner ('Get trending papers in your email inbox!')"
    ),
    examples=("Daily Papers\nbyAK and the research community\n\n@@",),
)

# --- The page as HTML ---------------------------------------------------------------------------
# The page has its data as JSON in the attributes `data-props` of its components.

_COMPONENT = re.compile(r"""data-target=["'](?:DailyPapers|PaperPage|PaperContent)\b""")
_HUGGING_FACE = source_by_name("hugging-face")
# Most components (menus, buttons) have no papers, and so no title.
_PROPS = re.compile(r"\bdata-props=\"([^\"]*&quot;title&quot;[^\"]*)\"")
# Keys of lists of papers in the data of a component.
_LISTS = ("dailyPapers", "papers", "results", "items")
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|meta|div)\b", re.IGNORECASE)


def _html_reject_reason(content: Content) -> str:
    if content.start.lstrip()[:1] != "<" or not _HTML.search(content.start):
        return "not an HTML page"
    is_known = _COMPONENT.search(content.start)
    return "" if is_known else "not a page of papers of huggingface.co with its data"


def _read_html(content: Content) -> Iterator[Record]:
    """Yield the distinct papers of a page, in the order of the page."""
    known: set[str] = set()
    for line, item in _paper_objects(content.text()):
        fields = _HUGGING_FACE.read(item)
        identity = str(fields.get("arxiv_id") or fields.get("title"))
        if identity not in known:
            known.add(identity)
            # An abstract is one line on the page.
            abstract = " ".join(str(fields.get("abstract", "")).split())
            source = Source(content.name, HUGGING_FACE_HTML.name, line)
            yield from read_fields({**fields, "abstract": abstract}, source)


def _paper_objects(page: str) -> list[tuple[int, Object]]:
    """Return line and data of all entries of a list page, or of the one paper of its page."""
    listed: list[tuple[int, Object]] = []
    for match in _PROPS.finditer(page):
        try:
            data = object_of(json.loads(html.unescape(match[1])))
        except (ValueError, RecursionError):
            continue
        line = page.count("\n", 0, match.start()) + 1
        if "title" in object_of(data.get("paper")):
            return [(line, data)]  # the page of a paper also lists similar papers
        items = (item for name in _LISTS for item in objects_of(data.get(name)))
        listed += [(line, item) for item in items if _HUGGING_FACE.is_record(item)]
    return listed


HUGGING_FACE_HTML = Reader(
    name="hugging-face-html",
    reject_reason=_html_reject_reason,
    read=_read_html,
    description="a page of huggingface.co/papers, saved as HTML source",
    examples=(
        '<!DOCTYPE html><html><body><div data-target="DailyPapers" data-props="{&quot;title&quot;:'
        '1,&quot;papers&quot;:[{&quot;title&quot;:&quot;Bees&quot;,&quot;upvotes&quot;:1}]}">@@',
    ),
)
