"""The papers month by month, those of which the month is not known by their year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from classifier.site.listing import Catalogue, ListPage, PaperItem, list_pages, newest_first
from classifier.site.wording import MONTHS, date_in_words
from classifier.survey.entry import Entry

PAPERS_ON_A_PAGE = 120
UNDATED = "undated"


@dataclass(frozen=True, slots=True)
class Month:
    """The papers of a month, or of a year without one, as far as they stand on one page."""

    anchor: str
    """`month-2025-08`, `month-2025`; "" where the month began on the page before."""
    heading: str
    total: int
    items: tuple[PaperItem, ...]


@dataclass(frozen=True, slots=True)
class YearRow:
    """How many papers a year has, month by month."""

    year: str
    months: tuple[tuple[int, str], ...]
    """(papers, address of the month on these pages) of January to December."""
    total: int
    """Papers of the year, those included that tell no month."""


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """One page of the timeline."""

    months: tuple[Month, ...]
    years: tuple[YearRow, ...]
    """On the first page only."""
    names: tuple[str, ...]
    """Of the months."""
    dated: int
    """Papers of which the month is known."""
    total: int
    page: ListPage[Entry]
    """Where it stands among the others; without its entries, which `months` holds as items."""


def timeline_pages(catalogue: Catalogue) -> list[TimelinePage]:
    """Return the timeline, the newest month first; papers without a month end their year."""
    entries = sorted(newest_first(catalogue.edition.entries), key=_month, reverse=True)
    totals = {month: len(list(found)) for month, found in groupby(entries, key=_month)}
    pages = list_pages("timeline.html", entries, PAPERS_ON_A_PAGE)
    months = [tuple(_months(catalogue, page.items, totals)) for page in pages]
    seen: dict[str, str] = {}
    for page, found in zip(pages, months, strict=True):
        for month in found:
            seen.setdefault(month.anchor, page.path)
    years = tuple(_years(entries, totals, seen))
    return [
        TimelinePage(
            tuple(_begun_before(found, page, seen)),
            years if page.number == 1 else (),
            MONTHS,
            sum(number for month, number in totals.items() if _is_month(month)),
            len(entries),
            replace(page, items=()),
        )
        for page, found in zip(pages, months, strict=True)
    ]


def _month(entry: Entry) -> str:
    """Return `2025-08`, or `2025` where the month is not known, or ""."""
    return entry.paper.published.month or entry.paper.published.year


def _is_month(key: str) -> bool:
    return "-" in key


def _heading(key: str, totals: dict[str, int]) -> str:
    if not key:
        return "Date not known"
    if _is_month(key):
        return date_in_words(key)
    return f"{key}, month not known" if any(map(_is_month, totals)) else key


def _months(
    catalogue: Catalogue, entries: Sequence[Entry], totals: dict[str, int]
) -> Iterator[Month]:
    for month, found in groupby(entries, key=_month):
        items = tuple(catalogue.papers[entry.paper.id] for entry in found)
        anchor = f"month-{month or UNDATED}"
        yield Month(anchor, _heading(month, totals), totals[month], items)


def _begun_before(
    months: Sequence[Month], page: ListPage[Entry], seen: dict[str, str]
) -> Iterator[Month]:
    for month in months:
        begins = seen[month.anchor] == page.path
        heading = month.heading if begins else f"{month.heading}, continued"
        yield Month(month.anchor if begins else "", heading, month.total, month.items)


def _years(
    entries: Sequence[Entry], totals: dict[str, int], seen: dict[str, str]
) -> Iterator[YearRow]:
    years = sorted({entry.paper.published.year for entry in entries} - {""}, reverse=True)
    for year in years:
        cells = []
        for number in range(1, 13):
            month = f"{year}-{number:02}"
            anchor = f"month-{month}"
            cells.append((totals.get(month, 0), f"{seen.get(anchor, '')}#{anchor}"))
        total = sum(entry.paper.published.year == year for entry in entries)
        yield YearRow(year, tuple(cells), total)
