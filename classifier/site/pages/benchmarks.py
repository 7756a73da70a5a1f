"""The list of benchmarks: which papers name which, topic by topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifier.site import paths
from classifier.site.listing import ListPage, category_name, list_pages
from classifier.site.pages.benchmark import BenchmarkPage, listed, listed_at
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import name_of
from classifier.survey.survey import Survey

ROWS_ON_A_PAGE = 140
_MAX_PAPERS = 10


@dataclass(frozen=True, slots=True)
class NamedIn:
    """The papers of one topic that name a benchmark."""

    topic: str
    papers: tuple[tuple[str, str], ...]
    """(short title, path of its page)."""


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """A benchmark with the papers that name it."""

    name: str
    number: int
    address: str
    """Where all of them are listed."""
    page: str
    """Address of the numbers on it, or ""."""
    reporting: int
    """In how many papers a number on it was recognised."""
    topics: tuple[NamedIn, ...]
    """The topic with the most papers first."""
    more: int
    """How many papers are not shown here."""


def benchmark_lists(
    survey: Survey, reported: Mapping[str, BenchmarkPage]
) -> list[ListPage[BenchmarkRow]]:
    """Return the benchmarks page by page, the one that most papers name first; none, no page."""
    naming: dict[str, Sequence[SurveyPaper]] = {**listed(survey)}
    for page in reported.values():
        naming.update(page.naming)
    ranked = sorted(naming.items(), key=lambda item: (-len(item[1]), item[0].lower(), item[0]))
    rows = [_list_row(survey, name, entries, reported.get(name)) for name, entries in ranked]
    return list_pages("benchmarks.html", rows, ROWS_ON_A_PAGE) if rows else []


def _list_row(
    survey: Survey, name: str, entries: Sequence[SurveyPaper], reported: BenchmarkPage | None
) -> BenchmarkRow:
    by_topic: dict[str, list[SurveyPaper]] = {}
    for entry in entries:
        by_topic.setdefault(entry.first.primary, []).append(entry)
    ordered = sorted(by_topic.items(), key=lambda item: -len(item[1]))
    topics: list[NamedIn] = []
    left = _MAX_PAPERS
    for category_id, found in ordered:
        shown, left = found[:left], max(0, left - len(found))
        if shown:
            papers = tuple((name_of(e), paths.paper_page(e)) for e in shown)
            topics.append(NamedIn(category_name(survey, category_id), papers))
    return BenchmarkRow(
        name=name,
        number=len(entries),
        address=listed_at(name, entries) or (reported.path if reported else ""),
        topics=tuple(topics),
        page=reported.path if reported else "",
        reporting=reported.reporting_on.get(name, 0) if reported else 0,
        more=max(0, len(entries) - _MAX_PAPERS),
    )
