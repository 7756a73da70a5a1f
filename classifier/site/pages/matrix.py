"""Which topics meet in one paper: a table whose numbers list the papers that they count."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from classifier.site import paths
from classifier.site.listing import Catalogue, CategoryItem
from classifier.survey.facts.query import query_id
from classifier.survey.survey import ordered_categories


@dataclass(frozen=True, slots=True)
class Cell:
    """How many papers are filed under the row and belong to the column."""

    number: int
    address: str
    """Where they are listed, or "" where there are none."""
    is_diagonal: bool
    """Whether row and column are the same topic: all papers that are filed there."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """The papers filed under one topic."""

    number: int
    topic: CategoryItem
    cells: tuple[Cell, ...]


def matrix_rows(catalogue: Catalogue) -> tuple[MatrixRow, ...]:
    """Return a row and a column for each top category that is used."""
    edition = catalogue.edition
    topic = edition.taxonomy.first.id
    counts = Counter(
        (entry.first.primary, other)
        for entry in edition.entries
        for other in entry.first.top_categories
    )
    categories = ordered_categories(edition.taxonomy)

    def cell(row: str, column: str) -> Cell:
        number, same = counts[row, column], row == column
        query = query_id([("filed", row)] if same else [("filed", row), (topic, column)])
        return Cell(number, paths.browse(query) if number else "", same)

    return tuple(
        MatrixRow(
            number,
            catalogue.category(category),
            tuple(cell(category.id, other.id) for other in categories),
        )
        for number, category in enumerate(categories, 1)
    )
