"""Figures about the sample: its size, its contributions, the flow from records to papers.

A figure is a record of numbers that `classifier/site/figures/` renders. All numbers are counted by
`Facts.count`, which adds them to facts.json. Each function returns None if its figure has no data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from classifier.survey.document import Figure
from classifier.survey.facts import STATED, Facts, query_id
from classifier.survey.keys import UNDATED
from classifier.survey.survey import Survey, current_categories
from classifier.survey.table import Term
from classifier.survey.wording import (
    capitalise,
    count_or_none,
    count_with_noun,
    escape_cell,
    name_in_prose,
    verb_for_count,
    with_article,
)
from classifier.taxonomy.model import Category

Name = TypeVar("Name")

KEPT, SET_ASIDE, PART = "kept", "set aside", "of these"
"""Kinds of steps in the flow: papers that go on, papers set aside, a part of the papers kept."""
_MIN_DATED_SHARE, _MIN_DATED = 0.8, 5
"""Minimum share and number of papers dated to the month for a figure over time."""
_MAX_QUARTERS = 20


def topics_figure(survey: Survey) -> Figure | None:
    """Return the number of papers per category; None if there are no papers."""
    facts, first = survey.facts, survey.first
    if not survey.entries:
        return None
    categories = current_categories(first.categories)
    total = facts.number("papers.total")
    filed = {category.id: facts.count(filed=category.id) for category in categories}
    rows = []
    for category in categories:
        further = facts.count((first.id, category.id)) - filed[category.id]
        rows.append((category.name, str(filed[category.id]), str(further)))
    largest, count = most_frequent([(c.name, filed[c.id]) for c in categories])
    if count == total > 1:
        title = f"All {total:,} papers are in one category"
    elif largest:
        title = f"{escape_cell(largest)} is the largest category: {count} of {total:,} papers"
    else:
        title = f"No category has more than {count_with_noun(count, 'paper')}"
    return Figure(
        "topics",
        title,
        f"Papers filed in each category, and filed elsewhere but also there; "
        f"n\u00a0=\u00a0{total:,}.",
        f"Bar chart of {count_with_noun(len(rows), 'category', 'categories')}.",
        ("Category", "Filed there", "Also there"),
        tuple(rows),
        "bars",
        # No query finds the papers that are filed elsewhere but also there.
        links=tuple((query_id([("filed", category.id)]), "") for category in categories),
    )


def quarters_figure(survey: Survey) -> Figure | None:
    """Return the papers per quarter and category; None if too few are dated to the month."""
    facts, total = survey.facts, len(survey.entries)
    dated = total - facts.count(quarter=UNDATED)
    quarters = _fill_quarters([q for q in facts.values("quarter") if q != UNDATED])
    if dated < max(_MIN_DATED, _MIN_DATED_SHARE * total) or len(quarters) < 2:
        return None
    facts.add("months.dated", dated, STATED, "papers dated to the month")
    categories = [category for category in survey.in_scope if facts.count(filed=category.id)]
    rows = []
    for quarter in quarters:
        n_all = facts.count(quarter=quarter)
        counts = [facts.count(filed=category.id, quarter=quarter) for category in categories]
        rows.append((quarter, str(n_all), *map(str, counts)))
    older = dated - sum(int(row[1]) for row in rows)
    note = (
        f"; {older} older {verb_for_count(older, 'one is', 'ones are')} not shown" if older else ""
    )
    return Figure(
        "months",
        _quarters_title(rows, categories, dated),
        f"Papers of each quarter by category, these on one scale; n\u00a0=\u00a0{dated:,} of "
        f"{total:,} that are dated to the month{note}.",
        f"Small column charts, {_quarter_in_words(quarters[0])} to "
        f"{_quarter_in_words(quarters[-1])}: all papers, "
        f"then {count_with_noun(len(categories), 'category', 'categories')}.",
        ("Quarter", "All papers", *(category.name for category in categories)),
        tuple(rows),
        "panels",
    )


def _quarters_title(
    rows: Sequence[Sequence[str]], categories: Sequence[Category], n_dated: int
) -> str:
    """Return the year with the most papers, and the largest category in that year."""
    years = sorted({row[0][:4] for row in rows})
    year, in_year = most_frequent([(year, _papers_in_year(rows, year, 1)) for year in years])
    if not year:
        return f"No year has more than {count_with_noun(in_year, 'paper')}"
    largest, in_category = most_frequent(
        [(c.name, _papers_in_year(rows, year, column)) for column, c in enumerate(categories, 2)]
    )
    title = f"All {n_dated:,} papers dated to the month are from {year}"
    if in_year < n_dated:
        title = f"The year {year} has {in_year} of {n_dated:,} papers dated to the month"
    if largest and in_category < in_year:
        title += f", {in_category} of them filed under {escape_cell(largest)}"
    return title


def _papers_in_year(rows: Sequence[Sequence[str]], year: str, column: int) -> int:
    """Return the number of papers in a year."""
    return sum(int(row[column]) for row in rows if row[0].startswith(year))


def _fill_quarters(known_quarters: Sequence[str]) -> list[str]:
    """Return all quarters between the first and the last one; at most the last five years."""
    if not known_quarters:
        return []
    first, last = (
        int(quarter[:4]) * 4 + int(quarter[-1]) - 1
        for quarter in (known_quarters[0], known_quarters[-1])
    )
    first = max(first, last - _MAX_QUARTERS + 1)
    return [f"{n // 4:04}-Q{n % 4 + 1}" for n in range(first, last + 1)]


def _quarter_in_words(quarter: str) -> str:
    """Return a quarter in words."""
    ordinal = ("first", "second", "third", "fourth")[int(quarter[-1]) - 1]
    return f"{ordinal} quarter of {quarter[:4]}"


def contribution_figure(survey: Survey) -> Figure | None:
    """Return the papers per category and kind of contribution; None without that facet."""
    facet = survey.taxonomy.facets.get(survey.roles.contribution)
    if facet is None:
        return None
    kinds = current_categories(facet.categories)
    categories = survey.in_scope
    terms = [[[("filed", c.id), (facet.id, kind.id)] for kind in kinds] for c in categories]
    counts = [[survey.facts.count(*cell) for cell in row] for row in terms]
    if not any(map(any, counts)):
        return None
    total = sum(survey.facts.count(filed=category.id) for category in categories)
    kind, count = most_frequent(
        [(k.name, sum(row[column] for row in counts)) for column, k in enumerate(kinds)]
    )
    title = "No kind of contribution is the most frequent"
    if kind:
        contribution = capitalise(with_article(escape_cell(name_in_prose(kind))))
        title = f"{contribution} is the main contribution of {count} of {total:,} papers"
    return heat_map(
        "contribution",
        title,
        f"Papers filed under the row by the kind of their contribution; n\u00a0=\u00a0{total:,}.",
        "Filed under",
        categories,
        kinds,
        terms,
        counts,
    )


def heat_map(
    figure_id: str,
    title: str,
    caption: str,
    corner: str,
    rows: Sequence[Category],
    columns: Sequence[Category],
    terms: Sequence[Sequence[Sequence[Term]]],
    counts: Sequence[Sequence[int]],
) -> Figure:
    """Return a heat map without empty rows.

    corner: heading of the column with the names of the rows. terms, counts: the query of each cell
    and its number of papers, by row and column.
    """
    used = [index for index, row in enumerate(counts) if any(row)]
    return Figure(
        figure_id,
        title,
        caption,
        "Heat map with numbers.",
        (corner, *(column.name for column in columns)),
        tuple((rows[index].name, *map(str, counts[index])) for index in used),
        "heat-map",
        links=tuple(tuple(query_id(cell) for cell in terms[index]) for index in used),
    )


def most_frequent(counts: Sequence[tuple[Name, int]]) -> tuple[Name | None, int]:
    """Return the name with the largest count (None if several names share it) and that count."""
    largest = max((count for _, count in counts), default=0)
    names = [name for name, count in counts if count == largest]
    return (names[0] if len(names) == 1 else None), largest


def flow_figure(survey: Survey) -> Figure | None:
    """Return the flow from files to labelled papers; None if no step removes anything."""
    facts = survey.facts
    total, reviewed = facts.number("papers.total"), facts.number("papers.reviewed")
    parts = [(PART, "decided by readers", str(reviewed))]
    if "papers.imported" in facts.by_id:
        parts.append((PART, "filed by their source", facts.text("papers.imported")))
    parts.append((PART, "labelled with confidence", facts.text("papers.confident")))
    parts.append((PART, "filed provisionally", facts.text("papers.provisional")))
    rows = (
        *_reading_steps(facts),
        (KEPT, "distinct papers", facts.text("papers.distinct")),
        *_exclusion_steps(facts),
        (KEPT, "papers in the survey", str(total)),
        *parts,
    )
    if not any(int(number) for kind, _, number in rows if kind == SET_ASIDE):
        return None
    read = facts.number("records.read")
    return Figure(
        "flow",
        f"Of {count_with_noun(read, 'record')}, {count_with_noun(total, 'paper')} remain, "
        f"{count_or_none(reviewed)} of them decided by readers",
        f"From the files to the labelled papers; n\u00a0=\u00a0{read:,}.",
        "Flow chart.",
        ("What happens to them", "Step", "Number"),
        rows,
        "flow",
    )


def _exclusion_steps(facts: Facts) -> list[tuple[str, str, str]]:
    """Return the steps in which a screening or the editors removed papers."""
    left_out = facts.number("papers.left_out")
    if "papers.screened_out" not in facts.by_id:
        return [(SET_ASIDE, "left out by the editors", str(left_out))]
    screened = facts.number("papers.screened_out")
    steps = [(SET_ASIDE, "excluded at screening", str(screened))]
    if left_out > screened:
        steps.append((SET_ASIDE, "left out by the editors", str(left_out - screened)))
    return steps


def _reading_steps(facts: Facts) -> list[tuple[str, str, str]]:
    """Return the steps from files to distinct papers."""
    read, distinct = facts.number("records.read"), facts.number("papers.distinct")
    files = verb_for_count(facts.number("files.read"), "file read", "files read")
    return [
        (KEPT, files, facts.text("files.read")),
        (SET_ASIDE, "records that could not be read", facts.text("records.quarantined")),
        (KEPT, "records read", str(read)),
        (SET_ASIDE, "merged with another record", str(read - distinct)),
    ]


def size_figure(survey: Survey) -> Figure | None:
    """Return the papers over time; if too few papers are dated, the papers by category."""
    return quarters_figure(survey) or topics_figure(survey)


SAMPLE_FIGURES = (flow_figure, size_figure, contribution_figure)
"""The figures in the section on the method, in this order."""
