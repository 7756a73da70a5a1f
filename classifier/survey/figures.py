"""The figures on the sample: its size, its contributions, the path from records to papers.

A figure is a record of numbers; `classifier/site/figures/` draws it. `Facts.count` counts every
number, so that facts.json has it. Each function returns None if the data do not allow its figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from classifier.survey.document import Figure
from classifier.survey.facts import Facts, query_id
from classifier.survey.keys import UNDATED
from classifier.survey.survey import Survey, current
from classifier.survey.table import Term
from classifier.survey.wording import (
    counted,
    escape_cell,
    in_prose,
    number_or_none,
    verb,
    with_article,
)
from classifier.taxonomy.model import Category

Name = TypeVar("Name")

KEPT, ASIDE, PART = "kept", "set aside", "of these"
"""Kinds of steps in the flow: counted on, left out, or a part of the last step that is kept."""
_MIN_DATED_SHARE, _MIN_DATED = 0.8, 5
"""Minimum share and number of papers dated to the month for a figure over time."""
_MAX_QUARTERS = 20


def topics_figure(survey: Survey) -> Figure | None:
    """Return the number of papers per category; None without papers."""
    facts, first = survey.facts, survey.first
    categories = current(first.categories)
    if not survey.entries:
        return None
    filed = {category.id: facts.count(filed=category.id) for category in categories}
    rows = tuple(
        (
            category.name,
            str(filed[category.id]),
            str(facts.count((first.id, category.id)) - filed[category.id]),
        )
        for category in categories
    )
    total = facts.number("papers.total")
    found = most_frequent([(c.name, filed[c.id]) for c in categories])
    return Figure(
        "topics",
        f"All {total:,} papers are in one category"
        if found[1] == total > 1
        else f"No category holds more than {counted(found[1], 'paper')}"
        if not found[0]
        else f"{escape_cell(found[0])} is the largest category: {found[1]} of {total:,} papers",
        f"Papers filed in each category, and filed elsewhere but also there; n = {total:,}.",
        f"Bar chart of {counted(len(rows), 'category', 'categories')}.",
        ("Category", "Filed there", "Also there"),
        rows,
        "bars",
        # No query finds the papers that are filed elsewhere but also there.
        links=tuple((query_id([("filed", category.id)]), "") for category in categories),
    )


def quarters_figure(survey: Survey) -> Figure | None:
    """Return the papers per quarter and category; None if too few are dated to the month."""
    facts, total = survey.facts, len(survey.entries)
    undated = facts.count(quarter=UNDATED)
    quarters = _quarters([q for q in facts.values("quarter") if q != UNDATED])
    if total - undated < max(_MIN_DATED, _MIN_DATED_SHARE * total) or len(quarters) < 2:
        return None
    categories = [category for category in survey.in_scope if facts.count(filed=category.id)]
    rows = tuple(
        (
            quarter,
            str(facts.count(quarter=quarter)),
            *(str(facts.count(filed=category.id, quarter=quarter)) for category in categories),
        )
        for quarter in quarters
    )
    dated = total - undated
    left = dated - sum(int(row[1]) for row in rows)
    older = f"; {left} older {verb(left, 'one is', 'ones are')} not shown" if left else ""
    years = sorted({quarter[:4] for quarter in quarters})
    year, most = most_frequent([(year, _sum(rows, year, 1)) for year in years])
    held_by = [(c.name, _sum(rows, year or UNDATED, n)) for n, c in enumerate(categories, 2)]
    name, held = most_frequent(held_by)
    mostly = f", {held} of them filed under {escape_cell(name)}" if name and held < most else ""
    shown = f"{most} of {dated:,}" if most < dated else f"All {dated:,}"
    title = (
        f"{shown} papers dated to the month are from {year}{mostly}"
        if year
        else f"No year has more than {counted(most, 'paper')}"
    )
    return Figure(
        "months",
        title,
        f"Papers of each quarter by category, these on one scale; n = {dated:,} of {total:,} that "
        f"are dated to the month{older}.",
        f"Small column charts, {_in_words(quarters[0])} to {_in_words(quarters[-1])}: all papers, "
        f"then {counted(len(categories), 'category', 'categories')}.",
        ("Quarter", "All papers", *(category.name for category in categories)),
        rows,
        "panels",
    )


def _sum(rows: Sequence[Sequence[str]], year: str, column: int) -> int:
    return sum(int(row[column]) for row in rows if row[0].startswith(year))


def _quarters(stated: Sequence[str]) -> list[str]:
    """Return every quarter from the first to the last with a paper, at most five years."""
    if not stated:
        return []
    first, last = (
        int(quarter[:4]) * 4 + int(quarter[-1]) - 1 for quarter in (stated[0], stated[-1])
    )
    first = max(first, last - _MAX_QUARTERS + 1)
    return [f"{n // 4:04}-Q{n % 4 + 1}" for n in range(first, last + 1)]


def _in_words(quarter: str) -> str:
    return (
        f"{('first', 'second', 'third', 'fourth')[int(quarter[-1]) - 1]} quarter of {quarter[:4]}"
    )


def contribution_figure(survey: Survey) -> Figure | None:
    """Return the papers per category and kind of contribution; None without that facet."""
    facet = survey.taxonomy.facets.get(survey.roles.contribution)
    if facet is None:
        return None
    kinds = current(facet.categories)
    categories = survey.in_scope
    terms = [[[("filed", c.id), (facet.id, kind.id)] for kind in kinds] for c in categories]
    counts = [[survey.facts.count(*cell) for cell in row] for row in terms]
    total = sum(survey.facts.count(filed=category.id) for category in categories)
    kind, most = most_frequent(
        [(k.name, sum(row[n] for row in counts)) for n, k in enumerate(kinds)]
    )
    what = with_article(escape_cell(in_prose(kind or "")))
    found = f"{most} of {total:,} papers contribute {what}, more than any other kind"
    return _grid(
        survey,
        "contribution",
        found if kind else "No kind of contribution is the most frequent",
        f"Papers filed under the row by the kind of their contribution; n = {total:,}.",
        categories,
        kinds,
        terms,
    )


def _grid(
    survey: Survey,
    identifier: str,
    title: str,
    caption: str,
    rows: Sequence[Category],
    columns: Sequence[Category],
    terms: Sequence[Sequence[Sequence[Term]]],
) -> Figure | None:
    """Return a heat map of counts, or None if all of them are zero.

    terms: the query of each cell.
    """
    counts = [[survey.facts.count(*cell) if cell else 0 for cell in row] for row in terms]
    shown = [index for index, row in enumerate(counts) if any(row)]
    if not shown:
        return None
    return Figure(
        identifier,
        title,
        caption,
        "Heat map with numbers.",
        ("Filed under", *(column.name for column in columns)),
        tuple((rows[i].name, *map(str, counts[i])) for i in shown),
        "heat-map",
        links=tuple(tuple(query_id(cell) if cell else "" for cell in terms[i]) for i in shown),
    )


def most_frequent(places: Sequence[tuple[Name, int]]) -> tuple[Name | None, int]:
    """Return the name with the largest count, or None if several share it, and the count."""
    most = max((count for _, count in places), default=0)
    having = [name for name, count in places if count == most]
    return (having[0] if len(having) == 1 else None), most


def flow_figure(survey: Survey) -> Figure | None:
    """Return the steps from files to labelled papers; None if no step left anything out."""
    facts = survey.facts
    total, reviewed = facts.number("papers.total"), facts.number("papers.reviewed")
    imported = "papers.imported" in facts.by_id
    by_people = "decided by readers"
    rows = (
        *_read(facts),
        (KEPT, "distinct papers", facts.text("papers.distinct")),
        *_left_out(facts),
        (KEPT, "papers in the survey", facts.text("papers.total")),
        (PART, by_people, facts.text("papers.reviewed")),
        *([(PART, "filed so by their source", facts.text("papers.imported"))] if imported else []),
        (PART, "labelled with confidence", facts.text("papers.confident")),
        (PART, "filed provisionally", facts.text("papers.provisional")),
    )
    if not any(int(number) for what, _, number in rows if what == ASIDE):
        return None
    read = facts.number("records.read")
    return Figure(
        "flow",
        f"{counted(read, 'record')} became {counted(total, 'paper')}, "
        f"{number_or_none(reviewed)} of them {by_people}",
        f"From what was read to what was labelled; n = {read:,}.",
        "Flow chart.",
        ("What happens to them", "Step", "Number"),
        rows,
        "flow",
    )


def _left_out(facts: Facts) -> list[tuple[str, str, str]]:
    """Return the numbers of papers that a screening and the editors left out."""
    left_out = facts.number("papers.left_out")
    if "papers.screened_out" not in facts.by_id:
        return [(ASIDE, "left out by the editors", str(left_out))]
    screened = facts.number("papers.screened_out")
    steps = [(ASIDE, "excluded at screening", str(screened))]
    if left_out > screened:
        steps.append((ASIDE, "left out by the editors", str(left_out - screened)))
    return steps


def _read(facts: Facts) -> list[tuple[str, str, str]]:
    """Return the steps from files to distinct papers."""
    read, distinct = facts.number("records.read"), facts.number("papers.distinct")
    files = verb(facts.number("files.read"), "file read", "files read")
    return [
        (KEPT, files, facts.text("files.read")),
        (ASIDE, "records that could not be read", facts.text("records.quarantined")),
        (KEPT, "records read", str(read)),
        (ASIDE, "merged with another record", str(read - distinct)),
    ]


def size_figure(survey: Survey) -> Figure | None:
    """Return the size of the sample over time, or by category if too few papers are dated."""
    return quarters_figure(survey) or topics_figure(survey)


SAMPLE_FIGURES = (flow_figure, size_figure, contribution_figure)
"""The figures of the method, in this order."""
