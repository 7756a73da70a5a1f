"""The page of a benchmark and its versions: reported numbers, each in its clause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from classifier.site import issues, paths
from classifier.site.quotes import quote_place, quoted
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
from classifier.text.normalise import display, tokens
from classifier.text.result import Result
from classifier.text.result_words import kind_of, metric_of, what_is_saved

_RAISED = re.compile(r"(?<=\w)[²³⁴ᶜ]")
"""A raised sign, which tells a version: τ²-bench, τᶜ-Bench."""
_NOUNS = frozenset(["benchmark", "dataset"])
_SORTS = (
    ("Levels", "A score or rate as printed.", ("level",)),
    ("Gains", "A rise or fall over what the clause names.", ("absolute gain", "relative gain")),
    ("Costs", "What it took or saved: time, money, tokens, steps.", ("cost",)),
    ("Other numbers", "Effects and errors.", ("effect", "error")),
)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One number that a paper reports."""

    version: str
    """The benchmark as the text names it."""
    value: str
    kind: str
    whose: str
    system: str
    """What was measured, where the clause names it."""
    split: str
    """The part of the benchmark, where the clause names it."""
    metric: str
    """The metric of a level, if the clause names one."""
    title: str
    page: str
    date: str
    before: str
    """The clause before the number, the number, the clause after it."""
    number: str
    after: str
    place: str
    """Place of the clause in the abstract, as `data-quote` states it."""
    correction: str
    """Where to tell the editors that it is wrong, or ""."""


ClaimRow = tuple[str, str, str]
"""A claim, how many papers are placed where, its anchor."""


@dataclass(frozen=True, slots=True)
class BenchmarkPage:
    """A benchmark with all that is reported on it and on its versions."""

    name: str
    path: str
    board: str
    """Its own page on the web, where the lexicon has one, or ""."""
    versions: tuple[tuple[str, int, str], ...]
    """Itself and its versions that papers name: name, how many do, where they are listed or ""."""
    naming: Mapping[str, Sequence[SurveyPaper]]
    """The same -> the papers."""
    reporting_on: Mapping[str, int]
    """Of each version, in how many papers a number was recognised."""
    unreported: tuple[tuple[str, str, str], ...]
    """Papers that name it, or a version, and report no number on it: title, page, and the sentence
    that names it, "" where only the title does; with the figures of a paper that names no other."""
    leveled: int
    """In how many of them a level of their own on the whole, on `on_versions` versions."""
    on_versions: int
    sorts: tuple[tuple[str, str, tuple[ResultRow, ...]], ...]
    """(heading, description, rows); rows by version, the newest paper first."""
    introduced: tuple[tuple[str, str], ...]
    """Papers that introduce it or a version: title, page."""
    claims: tuple[ClaimRow, ...]
    """Claims of the editors on which a sentence bears that names it."""


def benchmark_pages(survey: Survey) -> dict[str, BenchmarkPage]:
    """Return benchmark -> its page, for each on which some number was recognised.

    Versions share the page of the benchmark whose name theirs begins with: OSWorld-Verified is on
    that of OSWorld.
    """
    reported = _reported(survey)
    family = families(reported, survey)
    differing = {
        id(result): each.system
        for each in disagreements(survey.entries)
        for _, result in (each.own, each.other)
    }
    finder = NameFinder(survey.taxonomy.lexicons, survey.roles)
    naming, titled = _naming(survey, finder, reported), _titled(survey)
    claims = _claims(survey, finder)
    versions: dict[str, list[str]] = {}
    for name, its_base in sorted(families(naming, survey).items()):
        versions.setdefault(its_base, []).append(name)
    pages: dict[str, BenchmarkPage] = {}
    used_paths: set[str] = set()
    ordered = sorted(reported, key=lambda name: (family[name], name))
    for base, members in groupby(ordered, family.__getitem__):
        path = _path(base)
        if path not in used_paths:
            used_paths.add(path)
            names = list(members)
            found = [item for name in names for item in reported[name]]
            named = {name: naming[name] for name in versions.get(base, ())}
            introduced = [entry for name in named for entry in titled.get(name.casefold(), ())]
            introduced += [
                entry
                for name, entries in named.items()
                for entry in entries
                if introduces(finder, entry, name)
            ]
            page = _page(survey, base, path, found, differing, named, introduced, claims, finder)
            pages |= dict.fromkeys([base, *names], page)
    return pages


def families(names: Iterable[str], survey: Survey) -> dict[str, str]:
    """Return name -> the shortest known benchmark whose words its name begins with."""
    known = survey.taxonomy.lexicons.get(survey.roles.benchmarks, {})
    words = {name: _words(name) for name in {*known, *names}}
    by_words = {value: name for name, value in sorted(words.items(), reverse=True)}

    def base(name: str) -> str:
        own = words[name]
        starts = (own[:length] for length in range(1, len(own) + 1))
        return next((by_words[start] for start in starts if start in by_words), name)

    return {name: base(name) for name in names}


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name; "AIME benchmark" and "AIME 2024" begin alike, so do τ and τ²."""
    words = tuple(tokens(display(_RAISED.sub("", name))))
    words = words[:-1] if len(words) > 1 and words[-1] in _NOUNS else words
    return (*words, *_RAISED.findall(name))


def _reported(survey: Survey) -> dict[str, list[tuple[SurveyPaper, Result]]]:
    """Return benchmark -> the numbers that are recognised on it, with their papers."""
    reported: dict[str, list[tuple[SurveyPaper, Result]]] = {}
    for entry in survey.entries:
        for result in entry.results:
            if result.benchmark:
                reported.setdefault(result.benchmark, []).append((entry, result))
    return reported


def _path(name: str) -> str:
    return f"b/{slug(name) or 'benchmark'}.html"


def _page(
    survey: Survey,
    base: str,
    path: str,
    reported: Sequence[tuple[SurveyPaper, Result]],
    differing: Mapping[int, str],
    naming: Mapping[str, Sequence[SurveyPaper]],
    introduced: Iterable[SurveyPaper],
    claims: Sequence[tuple[ClaimRow, frozenset[str]]],
    finder: NameFinder,
) -> BenchmarkPage:
    """Return a page; naming: version -> the papers that name it; introduced: by which papers."""
    newest = sorted(reported, key=lambda item: item[0].paper.published.date, reverse=True)
    ordered = sorted(newest, key=lambda item: item[1].benchmark)
    disputed = (
        "Two numbers for one system",
        "Its own paper's, and another's.",
        tuple(
            replace(_row(survey, e, r), system=differing[id(r)])
            for e, r in ordered
            if id(r) in differing
        ),
    )
    sorts = (
        (heading, what, tuple(_row(survey, e, r) for e, r in ordered if _sort(r) in kinds))
        for heading, what, kinds in _SORTS
    )
    spellings = survey.taxonomy.lexicons.get(survey.roles.benchmarks, {}).get(base, ())
    own = own_levels(list({entry.number: entry for entry, _ in reported}.values()))
    levels = [level for name in {r.benchmark for _, r in reported} for level in own.get(name, ())]
    return BenchmarkPage(
        name=base,
        path=path,
        board=next((each for each in spellings if each.startswith("https://")), ""),
        versions=tuple(
            (name, len(entries), listed_at(name, entries)) for name, entries in naming.items()
        ),
        naming=naming,
        unreported=_unreported(finder, naming, reported),
        reporting_on=Counter(
            name for name, _ in {(result.benchmark, entry.number) for entry, result in reported}
        ),
        leveled=len({entry.number for entry, _ in levels}),
        on_versions=len({result.benchmark for _, result in levels}),
        sorts=tuple(item for item in (disputed, *sorts) if item[2]),
        introduced=_linked(introduced),
        claims=tuple(row for row, names in claims if not names.isdisjoint(naming)),
    )


def _claims(survey: Survey, finder: NameFinder) -> list[tuple[ClaimRow, frozenset[str]]]:
    """Return the claims, each with what is named in the sentences that stand under it."""
    found = []
    for claim in survey.claims.claims:
        category = survey.first.get(claim.topic)
        if category is None or not prints_claims(top_subject(survey, category)):
            continue
        placed = [
            (each, survey.paper(each.paper_id))
            for each in claim.placements
            if each.side != "beside"
        ]
        said = (
            sentence
            for each, entry in placed
            for sentence in (
                sentences_with(each.words, entry.paper.abstract_display) if entry else ()
            )
        )
        names = frozenset(mention.name for text in said for mention in finder.mentions(text))
        row = (
            without_dead_links(claim.text),
            tally(claim, survey.paper),
            f"{claim.topic}-{claim.name}",
        )
        found.append((row, names))
    return found


def _sort(result: Result) -> str:
    return "cost" if what_is_saved(result) else result.kind


def _linked(entries: Iterable[SurveyPaper]) -> tuple[tuple[str, str], ...]:
    """Return the short title and the page of papers, each once, in the order of the survey."""
    by_number = {entry.number: entry for entry in entries}
    return tuple(
        (name_of(entry), paths.paper_page(entry)) for _, entry in sorted(by_number.items())
    )


def _unreported(
    finder: NameFinder,
    naming: Mapping[str, Sequence[SurveyPaper]],
    reported: Sequence[tuple[SurveyPaper, Result]],
) -> tuple[tuple[str, str, str], ...]:
    silent = {entry.number: entry for entries in naming.values() for entry in entries}
    for entry, _ in reported:
        silent.pop(entry.number, None)
    return tuple(
        (name_of(entry), paths.paper_page(entry), _naming_sentence(finder, entry, naming))
        for _, entry in sorted(silent.items())
    )


def _naming_sentence(finder: NameFinder, entry: SurveyPaper, names: Container[str]) -> str:
    """Return the sentence of a paper that has one of these names: one on results before others.

    Behind another stand the figures of a paper that names nothing else on which they could be.
    """
    said = [
        sentence
        for sentence in entry.sentences
        if any(mention.name in names for mention in finder.mentions(sentence.span.text))
    ]
    if not said:
        return ""
    first = min(said, key=lambda sentence: sentence.role != "result")
    sentences = [first.span.text]
    benchmarks = entry.names.get(finder.benchmarks, ())
    if first.role != "result" and all(name in names for name in benchmarks):
        sentences += [each.sentence.text for each in entry.results if not each.benchmark]
    return quoted(entry, *dict.fromkeys(sentences))


def _naming(
    survey: Survey, finder: NameFinder, reported: Mapping[str, object]
) -> dict[str, list[SurveyPaper]]:
    """Return benchmark -> the papers that name it; an environment is one if reported on."""
    naming = listed(survey)
    for entry in survey.entries:
        text = f"{entry.paper.title_display}. {entry.paper.abstract_display}"
        others = {name for names in entry.names.values() for name in names} & reported.keys()
        known = entry.names.get(finder.benchmarks, ())
        is_more = others.difference(known) or finder.exact_mentions(text)
        named = [mention.name for mention in finder.mentions(text)] if is_more else []
        for name in dict.fromkeys([*named, *(result.benchmark for result in entry.results)]):
            if name in reported and name not in known:
                naming.setdefault(name, []).append(entry)
    return naming


def listed(survey: Survey) -> dict[str, list[SurveyPaper]]:
    """Return benchmark -> the papers that the browse page lists under it."""
    found: dict[str, list[SurveyPaper]] = {}
    for entry in survey.entries:
        for name in entry.names.get(survey.roles.benchmarks, ()):
            found.setdefault(name, []).append(entry)
    return found


def listed_at(name: str, entries: Sequence[SurveyPaper]) -> str:
    """Return where the browse page lists just these papers, which name a benchmark, or ""."""
    for lexicon in entries[0].names:
        if all(name in entry.names.get(lexicon, ()) for entry in entries):
            return paths.browse((lexicon, name))
    return ""


def _titled(survey: Survey) -> dict[str, list[SurveyPaper]]:
    """Return short name -> the papers whose title begins with it."""
    titled: dict[str, list[SurveyPaper]] = {}
    for entry in survey.entries:
        titled.setdefault(short_name(entry.paper.title_display).casefold(), []).append(entry)
    return titled


def _row(survey: Survey, entry: SurveyPaper, result: Result) -> ResultRow:
    before, number, after = result.marked
    return ResultRow(
        version=result.benchmark,
        value=result.short.removesuffix(f" on {result.benchmark}"),
        kind=kind_of(result),
        whose=result.whose,
        system=result.system,
        split=result.split,
        metric=metric_of(result),
        title=name_of(entry),
        page=paths.paper_page(entry),
        date=entry.paper.published.date[:7] or UNDATED,
        before=before,
        number=number,
        after=after,
        place=quote_place(entry, result.clause.start, result.clause.end),
        correction=issues.correction(survey.taxonomy, entry),
    )
