"""The list of benchmarks, with the papers that name each of them, by topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifier.site import paths
from classifier.site.listing import ListPage, category_name, list_pages
from classifier.site.pages.benchmark import BenchmarkPage, list_address, papers_by_benchmark
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import name_of
from classifier.survey.survey import Survey

MAX_ROWS = 140
"""Maximum number of benchmarks per page."""
_MAX_PAPERS = 10
"""Maximum number of papers per benchmark."""


@dataclass(frozen=True, slots=True)
class NamingTopic:
    """The papers of one topic that name a benchmark."""

    topic: str
    number: int
    """Number of its papers that name the benchmark."""
    papers: tuple[tuple[str, str], ...]
    """(short title, path of its page)."""


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """A benchmark with the papers that name it."""

    name: str
    number: int
    """Number of papers that name the benchmark."""
    address: str
    """Address of the list of all these papers."""
    page: str
    """Path of the benchmark's page; "" if no paper reports a number."""
    reporting: int
    """Number of papers with a recognised number on the benchmark."""
    topics: tuple[NamingTopic, ...]
    """The topic with the most papers first."""
    more: int
    """Number of papers that this row leaves out."""


def benchmark_lists(
    survey: Survey, pages: Mapping[str, BenchmarkPage]
) -> list[ListPage[BenchmarkRow]]:
    """Return the pages of the list of benchmarks, starting with those that most papers name.

    The list is empty if no paper names a benchmark.
    """
    naming: dict[str, Sequence[SurveyPaper]] = {**papers_by_benchmark(survey)}
    for page in pages.values():
        naming.update(page.naming)
    ranked = sorted(naming.items(), key=lambda item: (-len(item[1]), item[0].lower(), item[0]))
    rows = [_list_row(survey, name, entries, pages.get(name)) for name, entries in ranked]
    return list_pages("benchmarks.html", rows, MAX_ROWS) if rows else []


def _list_row(
    survey: Survey, name: str, entries: Sequence[SurveyPaper], page: BenchmarkPage | None
) -> BenchmarkRow:
    """Return the row of a benchmark."""
    by_topic: dict[str, list[SurveyPaper]] = {}
    for entry in entries:
        by_topic.setdefault(entry.first.primary, []).append(entry)
    topics: list[NamingTopic] = []
    room = _MAX_PAPERS
    for category_id, group in sorted(by_topic.items(), key=lambda item: -len(item[1])):
        papers = tuple((name_of(each), paths.paper_page_path(each)) for each in group[:room])
        room -= len(papers)
        topics.append(NamingTopic(category_name(survey, category_id), len(group), papers))
    return BenchmarkRow(
        name=name,
        number=len(entries),
        address=list_address(name, entries) or (page.path if page else ""),
        topics=tuple(topics),
        page=page.path if page else "",
        reporting=page.reporting_on.get(name, 0) if page else 0,
        more=max(0, len(entries) - _MAX_PAPERS),
    )
