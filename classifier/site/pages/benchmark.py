"""The page of a benchmark and its versions: reported numbers, each with its quoted clause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from classifier.site import issues, paths
from classifier.site.quotes import quote_place, quote_sentences
from classifier.survey.claims import sentences_with, tally
from classifier.survey.entry import SurveyPaper
from classifier.survey.keys import UNDATED
from classifier.survey.landmarks import introduces
from classifier.survey.names import NameFinder
from classifier.survey.paper_names import name_of, short_name
from classifier.survey.sections.category.section import prints_claims
from classifier.survey.sections.category.subject import top_subject
from classifier.survey.side_by_side import disagreements, own_levels
from classifier.survey.survey import Survey
from classifier.taxonomy.names import slug
from classifier.text.links import without_dead_links
from classifier.text.normalise import format_for_display, tokens
from classifier.text.result import Result
from classifier.text.result_words import result_kind, result_measure, saved_resource, stated_text

_SUPERSCRIPT = re.compile(r"(?<=\w)[²³⁴ᶜ]")
"""A superscript that marks a version: τ²-bench, τᶜ-Bench."""
_GENERIC_NOUNS = frozenset(["benchmark", "dataset"])
_TABLES = (
    ("Levels", "Scores and rates, as printed.", ("level",)),
    (
        "Gains",
        "Rises and falls relative to what the clause names.",
        ("absolute gain", "relative gain"),
    ),
    ("Costs", "Time, money, tokens or steps that were used or saved.", ("cost",)),
    ("Other numbers", "Effects and errors.", ("effect", "error")),
)
"""(heading, description, kinds of result) of each table."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A number that a paper reports."""

    version: str
    """The benchmark or version that the text names."""
    value: str
    kind: str
    whose: str
    system: str
    """The measured system; "" if the clause does not name it."""
    split: str
    """The part of the benchmark; "" if the clause does not name it."""
    metric: str
    """The metric of a level; "" if the clause does not name it."""
    title: str
    page: str
    date: str
    before: str
    """Text of the clause before the number."""
    number: str
    after: str
    """Text of the clause after the number."""
    place: str
    """Position of the clause in the abstract, in the form of `data-quote`."""
    correction: str
    """Address for corrections; "" without one."""


ClaimRow = tuple[str, str, str]
"""A claim, its tally of papers, its anchor."""


@dataclass(frozen=True, slots=True)
class BenchmarkPage:
    """A benchmark with its versions and the numbers reported on it."""

    name: str
    path: str
    board: str
    """Address of the benchmark's website; "" if the lexicon has none."""
    versions: tuple[tuple[str, int, str], ...]
    """The benchmark and each version that papers name: name, number of papers, address of their
    list or ""."""
    naming: Mapping[str, Sequence[SurveyPaper]]
    """Papers that name the benchmark or a version, by name."""
    reporting_on: Mapping[str, int]
    """Number of papers with a recognised number on the benchmark or a version, by name."""
    unreported: tuple[tuple[str, str, str], ...]
    """Papers that name the benchmark without a recognised number: title, page, and the quoted
    sentence with the name, or "" if only the title has it."""
    leveled: int
    """Number of papers with an own level on the whole benchmark."""
    on_versions: int
    """Number of benchmark versions with these scores."""
    tables: tuple[tuple[str, str, tuple[ResultRow, ...]], ...]
    """(heading, description, rows). Rows are sorted by version, then from new to old."""
    introduced: tuple[tuple[str, str], ...]
    """Papers that introduce the benchmark or a version: title, page."""
    claims: tuple[ClaimRow, ...]
    """Claims with a piece of evidence that names the benchmark."""


def benchmark_pages(survey: Survey) -> dict[str, BenchmarkPage]:
    """Return the pages of all benchmarks with a recognised number, by benchmark.

    A version shares the page of the benchmark with which its name begins: OSWorld-Verified is on
    the page of OSWorld.
    """
    reported = _numbers_by_benchmark(survey)
    base_of = find_base_names(reported, survey)
    disputed = {
        id(result): each.system
        for each in disagreements(survey.entries)
        for _, result in (each.own, each.other)
    }
    finder = NameFinder(survey.taxonomy.lexicons, survey.roles)
    naming, titled = _papers_by_version(survey, finder, reported), _papers_by_name(survey)
    claims = _claims_with_names(survey, finder)
    versions: dict[str, list[str]] = {}
    for name, its_base in sorted(find_base_names(naming, survey).items()):
        versions.setdefault(its_base, []).append(name)
    pages: dict[str, BenchmarkPage] = {}
    used_paths: set[str] = set()
    ordered = sorted(reported, key=lambda name: (base_of[name], name))
    for base, members in groupby(ordered, base_of.__getitem__):
        path = _page_path(base)
        if path in used_paths:
            continue
        used_paths.add(path)
        names = list(members)
        numbers = [item for name in names for item in reported[name]]
        papers = {name: naming[name] for name in versions.get(base, ())}
        introduced: list[SurveyPaper] = []
        for name, entries in papers.items():
            introduced += titled.get(name.casefold(), ())
            introduced += [entry for entry in entries if introduces(finder, entry, name)]
        page = _make_page(survey, base, path, numbers, disputed, papers, introduced, claims, finder)
        pages |= dict.fromkeys([base, *names], page)
    return pages


def find_base_names(names: Iterable[str], survey: Survey) -> dict[str, str]:
    """Return for each name the shortest known benchmark whose words begin the name."""
    known = survey.taxonomy.lexicons.get(survey.roles.benchmarks, {})
    words = {name: _benchmark_words(name) for name in {*known, *names}}
    by_words = {value: name for name, value in sorted(words.items(), reverse=True)}
    bases: dict[str, str] = {}
    for name in names:
        bases[name] = name
        for length in range(1, len(words[name]) + 1):
            if (start := words[name][:length]) in by_words:
                bases[name] = by_words[start]
                break
    return bases


def _benchmark_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, without a generic noun at the end and with superscripts last.

    Thus "AIME benchmark" and "AIME 2024" begin with the same word, and so do τ-bench and τ²-bench.
    """
    words = tuple(tokens(format_for_display(_SUPERSCRIPT.sub("", name))))
    if len(words) > 1 and words[-1] in _GENERIC_NOUNS:
        words = words[:-1]
    return (*words, *_SUPERSCRIPT.findall(name))


def _numbers_by_benchmark(survey: Survey) -> dict[str, list[tuple[SurveyPaper, Result]]]:
    """Return the numbers recognised on each benchmark, with their papers."""
    reported: dict[str, list[tuple[SurveyPaper, Result]]] = {}
    for entry in survey.entries:
        for result in entry.results:
            if result.benchmark:
                reported.setdefault(result.benchmark, []).append((entry, result))
    return reported


def _page_path(name: str) -> str:
    """Return the path of a benchmark's page."""
    return f"b/{slug(name) or 'benchmark'}.html"


def _make_page(
    survey: Survey,
    base: str,
    path: str,
    results: Sequence[tuple[SurveyPaper, Result]],
    disputes: Mapping[int, str],
    papers_naming: Mapping[str, Sequence[SurveyPaper]],
    introducing: Iterable[SurveyPaper],
    claims: Sequence[tuple[ClaimRow, frozenset[str]]],
    finder: NameFinder,
) -> BenchmarkPage:
    """Return the page of a benchmark.

    disputes: the system for which another paper reports another number, by result id.
    papers_naming: the papers that name a version, by version. introducing: the papers that
    introduce a version. claims: each claim with the names in its evidence.
    """
    newest = sorted(results, key=lambda item: item[0].paper.published.date, reverse=True)
    ordered = sorted(newest, key=lambda item: item[1].benchmark)
    rows = [
        replace(_result_row(survey, entry, result), system=disputes[id(result)])
        for entry, result in ordered
        if id(result) in disputes
    ]
    heading, note = "Two numbers for one system", "One from its own paper, one from another."
    tables = [(heading, note, tuple(rows))] if rows else []
    for heading, note, kinds in _TABLES:
        rows = [
            _result_row(survey, e, result) for e, result in ordered if _table_kind(result) in kinds
        ]
        if rows:
            tables.append((heading, note, tuple(rows)))
    spellings = survey.taxonomy.lexicons.get(survey.roles.benchmarks, {}).get(base, ())
    own = own_levels(list({entry.number: entry for entry, _ in results}.values()))
    levels = [level for name in {r.benchmark for _, r in results} for level in own.get(name, ())]
    return BenchmarkPage(
        name=base,
        path=path,
        board=next((each for each in spellings if each.startswith("https://")), ""),
        versions=tuple(
            (name, len(entries), list_address(name, entries))
            for name, entries in papers_naming.items()
        ),
        naming=papers_naming,
        unreported=_papers_without_results(finder, papers_naming, results),
        reporting_on=Counter(
            name for name, _ in {(result.benchmark, entry.number) for entry, result in results}
        ),
        leveled=len({entry.number for entry, _ in levels}),
        on_versions=len({result.benchmark for _, result in levels}),
        tables=tuple(tables),
        introduced=_titles_and_pages(introducing),
        claims=tuple(row for row, names in claims if not names.isdisjoint(papers_naming)),
    )


def _claims_with_names(survey: Survey, finder: NameFinder) -> list[tuple[ClaimRow, frozenset[str]]]:
    """Return the printed claims, each with the names that occur in its evidence."""
    rows: list[tuple[ClaimRow, frozenset[str]]] = []
    for claim in survey.claims.claims:
        category = survey.first.get(claim.topic)
        if category is None or not prints_claims(top_subject(survey, category)):
            continue
        names: set[str] = set()
        for placement in claim.placements:
            entry = survey.paper(placement.paper_id)
            if entry and placement.side != "beside":
                for text in sentences_with(placement.words, entry.paper.abstract_display):
                    names.update(mention.name for mention in finder.mentions(text))
        text = without_dead_links(claim.text)
        row = (text, tally(claim, survey.paper), f"{claim.topic}-{claim.name}")
        rows.append((row, frozenset(names)))
    return rows


def _table_kind(result: Result) -> str:
    """Return the kind of table in which a result is printed."""
    return "cost" if saved_resource(result) else result.kind


def _titles_and_pages(entries: Iterable[SurveyPaper]) -> tuple[tuple[str, str], ...]:
    """Return short title and page of each distinct paper, in the order of the survey."""
    by_number = {entry.number: entry for entry in entries}
    return tuple(
        (name_of(entry), paths.paper_page_path(entry)) for _, entry in sorted(by_number.items())
    )


def _papers_without_results(
    finder: NameFinder,
    papers_naming: Mapping[str, Sequence[SurveyPaper]],
    results: Sequence[tuple[SurveyPaper, Result]],
) -> tuple[tuple[str, str, str], ...]:
    """Return the papers that name the benchmark, but have no recognised number on it."""
    unreported = {entry.number: entry for entries in papers_naming.values() for entry in entries}
    for entry, _ in results:
        unreported.pop(entry.number, None)
    return tuple(
        (
            name_of(entry),
            paths.paper_page_path(entry),
            _naming_sentence(finder, entry, papers_naming),
        )
        for _, entry in sorted(unreported.items())
    )


def _naming_sentence(finder: NameFinder, entry: SurveyPaper, names: Container[str]) -> str:
    """Quote a sentence of a paper with one of the names, preferably about results; "" without one.

    If the sentence reports no result and the paper names no other benchmark, the paper's numbers
    are probably on this benchmark, so their sentences are quoted too.
    """
    candidates = [
        sentence
        for sentence in entry.sentences
        if any(mention.name in names for mention in finder.mentions(sentence.span.text))
    ]
    if not candidates:
        return ""
    first = min(candidates, key=lambda sentence: sentence.role != "result")
    sentences = [first.span.text]
    benchmarks = entry.names.get(finder.benchmarks, ())
    if first.role != "result" and all(name in names for name in benchmarks):
        sentences += [each.sentence.text for each in entry.results if not each.benchmark]
    return quote_sentences(entry, *dict.fromkeys(sentences))


def _papers_by_version(
    survey: Survey, finder: NameFinder, results_by_name: Mapping[str, object]
) -> dict[str, list[SurveyPaper]]:
    """Return the papers that name each benchmark, by benchmark.

    A name of another lexicon, such as an environment, counts if a number is reported on it.
    """
    naming = papers_by_benchmark(survey)
    for entry in survey.entries:
        text = f"{entry.paper.title_display}. {entry.paper.abstract_display}"
        others = {name for names in entry.names.values() for name in names} & results_by_name.keys()
        known = entry.names.get(finder.benchmarks, ())
        names: list[str] = []
        if others.difference(known) or finder.exact_mentions(text):
            names += [mention.name for mention in finder.mentions(text)]
        names += [result.benchmark for result in entry.results]
        for name in dict.fromkeys(names):
            if name in results_by_name and name not in known:
                naming.setdefault(name, []).append(entry)
    return naming


def papers_by_benchmark(survey: Survey) -> dict[str, list[SurveyPaper]]:
    """Return the papers that the browse page lists under each benchmark."""
    papers: dict[str, list[SurveyPaper]] = {}
    for entry in survey.entries:
        for name in entry.names.get(survey.roles.benchmarks, ()):
            papers.setdefault(name, []).append(entry)
    return papers


def list_address(name: str, entries: Sequence[SurveyPaper]) -> str:
    """Return the browse address that lists exactly the papers that name a benchmark, or ""."""
    for lexicon in entries[0].names:
        if all(name in entry.names.get(lexicon, ()) for entry in entries):
            return paths.browse_address((lexicon, name))
    return ""


def _papers_by_name(survey: Survey) -> dict[str, list[SurveyPaper]]:
    """Return the papers whose title begins with each short name."""
    titled: dict[str, list[SurveyPaper]] = {}
    for entry in survey.entries:
        titled.setdefault(short_name(entry.paper.title_display).casefold(), []).append(entry)
    return titled


def _result_row(survey: Survey, entry: SurveyPaper, result: Result) -> ResultRow:
    """Return the row of a result."""
    before, number, after = result.split_clause
    return ResultRow(
        version=result.benchmark,
        value=stated_text(replace(result, benchmark="")),
        kind=result_kind(result),
        whose=result.whose,
        system=result.system,
        split=result.split,
        metric=result_measure(result),
        title=name_of(entry),
        page=paths.paper_page_path(entry),
        date=entry.paper.published.date[:7] or UNDATED,
        before=before,
        number=number,
        after=after,
        place=quote_place(entry, result.clause.start, result.clause.end),
        correction=issues.label_report(survey.taxonomy, entry),
    )
