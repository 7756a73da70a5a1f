"""A page a benchmark: what the papers at hand report on it, each number with its clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classifier.site import issues, paths
from classifier.site.listing import Catalogue
from classifier.site.wording import date_in_words, short_title
from classifier.survey.entry import Entry
from classifier.taxonomy.names import slug
from classifier.text.results import Result

LEXICON = "benchmarks"
_SORTS = (
    ("Levels", "A score or rate as printed.", ("level",)),
    ("Gains", "A rise or fall over what the clause names.", ("absolute gain", "relative gain")),
    ("Other numbers", "Effects, errors and costs.", ("effect", "error", "cost")),
)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One number that a paper reports."""

    value: str
    kind: str
    whose: str
    title: str
    page: str
    date: str
    before: str
    """The clause before the number, the number, the clause behind it."""
    number: str
    after: str
    correction: str
    """Where to tell the editors that it is wrong, or ""."""


@dataclass(frozen=True, slots=True)
class BenchmarkPage:
    """A benchmark with all that is reported on it."""

    name: str
    path: str
    naming: int
    """How many papers name it."""
    reporting: int
    """In how many of them a number on it was recognised."""
    address: str
    """Where all papers that name it are listed."""
    sorts: tuple[tuple[str, str, tuple[ResultRow, ...]], ...]
    """Heading, what it holds, rows: the newest paper first."""


def benchmark_pages(catalogue: Catalogue) -> dict[str, BenchmarkPage]:
    """Return benchmark -> its page, for each on which some number was recognised."""
    reported: dict[str, list[tuple[Entry, Result]]] = {}
    for entry in catalogue.edition.entries:
        for result in entry.results:
            if result.benchmark:
                reported.setdefault(result.benchmark, []).append((entry, result))
    pages: dict[str, BenchmarkPage] = {}
    taken: set[str] = set()
    for name in sorted(reported):
        path = f"b/{slug(name) or 'benchmark'}.html"
        if path not in taken:
            taken.add(path)
            pages[name] = _page(catalogue, name, path, reported[name])
    return pages


def _page(
    catalogue: Catalogue, name: str, path: str, reported: Sequence[tuple[Entry, Result]]
) -> BenchmarkPage:
    newest = sorted(reported, key=lambda item: item[0].paper.published.date, reverse=True)
    naming = [e for e in catalogue.edition.entries if name in e.names.get(LEXICON, ())]
    sorts = (
        (heading, what, tuple(_row(catalogue, e, r) for e, r in newest if r.kind in kinds))
        for heading, what, kinds in _SORTS
    )
    return BenchmarkPage(
        name=name,
        path=path,
        naming=len(naming),
        reporting=len({entry.number for entry, _ in reported}),
        address=paths.browse(f"{LEXICON}={name}"),
        sorts=tuple(item for item in sorts if item[2]),
    )


def _row(catalogue: Catalogue, entry: Entry, result: Result) -> ResultRow:
    before, number, after = result.marked
    return ResultRow(
        value=result.short.removesuffix(f" on {result.benchmark}"),
        kind=result.kind,
        whose=result.whose,
        title=short_title(entry.paper),
        page=paths.paper_page(entry),
        date=date_in_words(entry.paper.published.date),
        before=before,
        number=number,
        after=after,
        correction=issues.correction(catalogue.edition.taxonomy, entry),
    )
