"""Figures of the categories: how large they are, which meet, what their papers contribute."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.document import Figure
from classifier.survey.survey import Survey, current
from classifier.survey.wording import counted
from classifier.taxonomy.model import Category


def topics_figure(material: Survey) -> Figure | None:
    """Return how many papers each category holds; None in a survey of none."""
    facts, first = material.facts, material.first
    categories = current(first.categories)
    if not material.entries:
        return None
    filed = {category.id: material.filed(category) for category in categories}
    rows = tuple(
        (
            category.name,
            str(filed[category.id]),
            str(facts.count((first.id, category.id)) - filed[category.id]),
        )
        for category in categories
    )
    most = max(filed.values())
    largest = [category.name for category in categories if filed[category.id] == most]
    return Figure(
        "topics",
        "How many papers does each category hold? Filed there, and filed elsewhere but also there.",
        f"Bar chart of {counted(len(rows), 'category', 'categories')}. {_most(most, largest)}",
        ("Category", "Filed there", "Also there"),
        rows,
        "bars",
    )


def matrix_figure(material: Survey) -> Figure | None:
    """Return which categories meet in one paper; None where none do."""
    first = material.first
    categories = material.in_scope

    def meeting(row: Category, column: Category) -> int:
        if row is column:
            return 0
        return material.facts.count((first.id, column.id), filed=row.id)

    counts = [[meeting(row, column) for column in categories] for row in categories]
    names = [category.name for category in categories]
    return _grid(
        "matrix",
        "Which categories meet in one paper? Rows: where papers are filed; columns: what else they "
        "belong to.",
        ("Filed under", *names),
        names,
        counts,
    )


def contribution_figure(material: Survey) -> Figure | None:
    """Return what kind of contribution the papers of each category make; None without the facet."""
    if "contribution" not in material.taxonomy.facets:
        return None
    kinds = current(material.taxonomy.facet("contribution").categories)
    categories = material.in_scope
    counts = [
        [material.facts.count(filed=category.id, contribution=kind.id) for kind in kinds]
        for category in categories
    ]
    return _grid(
        "contribution",
        "What kind of contribution do the papers filed in each category make?",
        ("Filed under", *(kind.name for kind in kinds)),
        [category.name for category in categories],
        counts,
    )


def _grid(
    identifier: str,
    caption: str,
    columns: Sequence[str],
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
) -> Figure | None:
    """Return a heat map of counts, or None where all of them are zero."""
    most = max((count for row in counts for count in row), default=0)
    if not most:
        return None
    fullest = [
        f"{name}, {column}"
        for name, cells in zip(names, counts, strict=True)
        for column, count in zip(columns[1:], cells, strict=True)
        if count == most
    ]
    rows = tuple(
        (name, *map(str, cells)) for name, cells in zip(names, counts, strict=True) if any(cells)
    )
    alt = f"Heat map with numbers. {_most(most, fullest)}"
    return Figure(identifier, caption, alt, tuple(columns), rows, "heat-map")


def _most(count: int, places: Sequence[str]) -> str:
    """Return where the most papers are; where several places have as many, how many it is."""
    if len(places) > 1:
        return f"None holds more than {counted(count, 'paper')}."
    return f"Most papers: {places[0]} ({count})."
