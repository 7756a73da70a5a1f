"""The figures at the top of the first page: claims, benchmark scores, designs.

Each function returns None if there is no data for its figure, or if `figures` in taxonomy.yaml
turns it off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from classifier.survey.claims import Evidence, evidence_on
from classifier.survey.document import Figure, Point
from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import STATED
from classifier.survey.figures import heat_map, most_frequent
from classifier.survey.paper_names import name_of
from classifier.survey.side_by_side import own_levels
from classifier.survey.survey import Survey, current_categories
from classifier.survey.wording import (
    capitalise,
    count_with_noun,
    date_in_words,
    escape_cell,
    join_words,
    name_in_prose,
    quotation,
)
from classifier.taxonomy.claims import SIDES, Claim
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import without_dead_links
from classifier.text.model_size import model_size_of
from classifier.text.result import Result

MIN_CLAIMS, MIN_EVIDENCE = 3, 2
"""Minimum number of claims in the figure of claims, and of papers per claim."""
MIN_LEVELS, MIN_PAPERS = 5, 3
"""Minimum number of dated scores, and of papers with them, per version of a benchmark."""
MIN_IN_MATRIX = 5
"""Minimum number of papers that have a value of both facets of the matrix."""
_TO_MONTH = len("2025-08")


def claims_figure(survey: Survey) -> Figure | None:
    """Return the claims with one dot per paper on the side of its evidence, disputed first."""
    if not survey.taxonomy.figures.claims:
        return None
    found = [(claim, evidence_on(claim, survey.paper)) for claim in survey.claims.claims]
    found = [(claim, evidence) for claim, evidence in found if len(evidence) >= MIN_EVIDENCE]
    if len(found) < MIN_CLAIMS:
        return None
    found.sort(key=lambda each: _dispute_size(each[1]), reverse=True)
    disputed = sum(_dispute_size(evidence)[0] > 0 for _, evidence in found)
    papers = {each.entry.number for _, evidence in found for each in evidence}
    meaning = f"claims with {MIN_EVIDENCE} papers or more"
    survey.facts.add("claims.drawn", len(found), STATED, meaning)
    survey.facts.add(
        "claims.disputed", disputed, STATED, "of these, claims with papers for and against"
    )
    survey.facts.add(
        "claims.papers", len(papers), STATED, "distinct papers with evidence on these claims"
    )
    return Figure(
        "claims",
        f"Papers are both for and against {disputed or 'none'} of "
        f"{count_with_noun(len(found), 'claim')}",
        "One dot per paper: against the proposition on the left, mixed in the middle, for it on "
        f"the right; n\u00a0=\u00a0{len(papers)} papers.",
        f"Dot chart of {count_with_noun(len(found), 'claim')}.",
        ("Claim", "Proposition", *SIDES.values()),
        tuple(_claim_row(claim, evidence) for claim, evidence in found),
        "sides",
        points=tuple(tuple(map(_evidence_point, evidence)) for _, evidence in found),
        anchors=tuple(f"{claim.topic}-{claim.name}" for claim, _ in found),
    )


def _dispute_size(evidence: Sequence[Evidence]) -> tuple[int, int]:
    """Return the smaller number of papers for and against, and the number of all papers."""
    sides = Counter(each.placement.side for each in evidence)
    return min(sides["for"], sides["against"]), len(evidence)


def _claim_row(claim: Claim, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the table row of a claim."""
    sides = Counter(each.placement.side for each in evidence)
    texts = (without_dead_links(claim.heading), without_dead_links(claim.text))
    return (*texts, *(str(sides[side]) for side in SIDES))


def _evidence_point(evidence: Evidence) -> Point:
    """Return the dot of a paper."""
    side = evidence.placement.side
    label = f"{SIDES[side]}: {_dated_name(evidence.entry)}"
    return Point(
        side, label, _page_address(evidence.entry), quotation(evidence.entry, evidence.sentence)
    )


def _dated_name(entry: SurveyPaper) -> str:
    """Return the name of a paper with its date."""
    date = date_in_words(entry.paper.published.date[:_TO_MONTH])
    return f"{name_of(entry)}, {date}" if date else name_of(entry)


def _page_address(entry: SurveyPaper) -> str:
    """Return the address of a paper's page."""
    return f"p/{entry.slug}.html"


def levels_figure(survey: Survey) -> Figure | None:
    """Return the scores of papers' own systems over time, one panel per version of a benchmark.

    A version is shown if enough papers that are dated to the month report a level on it.
    """
    if not survey.taxonomy.figures.levels:
        return None
    found = []
    for name, levels in own_levels(survey.entries).items():
        dated = list(filter(_is_dated_share, levels))
        n_papers = len({entry.number for entry, _ in dated})
        if len(dated) >= MIN_LEVELS and n_papers >= MIN_PAPERS:
            found += [(name, entry, result, model_size_of(result)) for entry, result in dated]
    if not found:
        return None
    names = list(dict.fromkeys(name for name, *_ in found))
    values = [result.number for _, _, result, _ in found]
    papers = {entry.number for _, entry, _, _ in found}
    sized = sum(size > 0 for *_, size in found)
    survey.facts.add(
        "levels.drawn", len(found), STATED, "dated own levels on benchmarks with enough levels"
    )
    survey.facts.add(
        "levels.papers", len(papers), STATED, "distinct papers that report these levels"
    )
    survey.facts.add(
        "levels.sized", sized, STATED, "of these levels, those whose text states a model size"
    )
    where = escape_cell(names[0]) if len(names) == 1 else f"{len(names)} benchmarks"
    return Figure(
        "levels",
        f"Levels on {where} are between {min(values):g} % and {max(values):g} %",
        "One mark per level that a paper reports of its own system; the area is the number of "
        f"parameters, a ring if the clause states no size; n\u00a0=\u00a0{len(found)} levels of "
        f"{len(papers)} "
        "papers, dated to the month. Systems and budgets differ: do not rank.",
        f"Scatter plot of {count_with_noun(len(found), 'level')}.",
        ("Benchmark", "Date", "Level in %", "Parameters in billions", "Paper"),
        tuple(_level_row(*each) for each in found),
        "levels",
        points=tuple((_level_point(entry, result),) for _, entry, result, _ in found),
    )


def _is_dated_share(level: tuple[SurveyPaper, Result]) -> bool:
    """Return whether a level is a percentage, and its paper is dated to the month."""
    entry, result = level
    is_share = result.unit in ("%", "") and 1 < result.number <= 100
    return is_share and len(entry.paper.published.date) >= _TO_MONTH


def _level_row(name: str, entry: SurveyPaper, result: Result, size: float) -> tuple[str, ...]:
    """Return the table row of a level."""
    date = entry.paper.published.date[:_TO_MONTH]
    return name, date, f"{result.number:g}", f"{size:g}" if size else "", name_of(entry)


def _level_point(entry: SurveyPaper, result: Result) -> Point:
    """Return the point of the chart for a score that a paper reports of its own system."""
    sentence = quotation(entry, result.sentence.text)
    return Point("level", _dated_name(entry), _page_address(entry), sentence)


def designs_figure(survey: Survey) -> Figure | None:
    """Return the papers by two facets, such as the training method and the source of rewards."""
    matrix = survey.taxonomy.figures.matrix
    facets = survey.taxonomy.facets
    if matrix is None or matrix.rows not in facets or matrix.columns not in facets:
        return None
    rows, columns = facets[matrix.rows], facets[matrix.columns]
    row_values, column_values = _used_categories(survey, rows), _used_categories(survey, columns)
    both = len(
        _reference_numbers(survey, rows, row_values)
        & _reference_numbers(survey, columns, column_values)
    )
    if both < MIN_IN_MATRIX:
        return None
    terms = [[[(rows.id, r.id), (columns.id, c.id)] for c in column_values] for r in row_values]
    counts = [[survey.facts.count(*cell) for cell in row] for row in terms]
    query = f"having({rows.id}&{columns.id})"
    meaning = "papers with a value of both facets of the matrix"
    survey.facts.add("matrix.papers", both, query, meaning)
    pair, count = most_frequent(
        [
            ((row.name, column.name), number)
            for row, numbers in zip(row_values, counts, strict=True)
            for column, number in zip(column_values, numbers, strict=True)
        ]
    )
    names = name_in_prose(escape_cell(rows.name)), name_in_prose(escape_cell(columns.name))
    title = f"No combination of {join_words(names)} has more than {count_with_noun(count, 'paper')}"
    if pair:
        title = f"{capitalise(join_words(pair))} "
        title += f"are the most frequent combination: {count} of {both} papers"
    return heat_map(
        "designs",
        title,
        f"Rows: {names[0]}; columns: {names[1]}; papers with both, each in every cell that "
        f"applies; n\u00a0=\u00a0{both}.",
        rows.name,
        row_values,
        column_values,
        terms,
        counts,
    )


def _used_categories(survey: Survey, facet: Facet) -> list[Category]:
    """Return the current top categories of a facet that at least one paper has."""
    stated = set(survey.facts.values(facet.id))
    return [category for category in current_categories(facet.categories) if category.id in stated]


def _reference_numbers(survey: Survey, facet: Facet, values: Sequence[Category]) -> set[int]:
    """Return the reference numbers of the papers that have at least one of these categories."""
    selections = (survey.facts.select((facet.id, value.id)) for value in values)
    return {entry.number for selection in selections for entry in selection.entries}


FIELD_FIGURES = (claims_figure, levels_figure, designs_figure)
"""The figures of the first page, in this order."""
