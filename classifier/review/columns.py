"""The columns of the sheet, out/labels.csv.

These declarations define the header, the cells, and the columns that are empty in a blind sheet.
Each name is also in `taxonomy/reserved.py`, so that it cannot be the id of a facet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from classifier.labelling.labels import FacetLabels
from classifier.papers.paper import Paper

JOINER = "; "
"""Separator of the entries of a list in a cell."""
Kind = Literal["paper", "status", "label"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column that Fieldguide fills.

    A build stops if a user changed a label. It overwrites other changed cells, after it copied the
    sheet to sheets/.
    """

    name: str
    cell: Callable[[Paper, FacetLabels], str]
    """Function that returns the cell of a paper."""
    kind: Kind = "paper"
    """paper: a field of the paper, which a blind sheet also has; status: status or confidence of
    the label; label: the label itself. The checksum of the row covers only labels."""


FRONT = (
    Column("id", lambda p, _: p.id),
    Column("title", lambda p, _: p.title),
    Column("year", lambda p, _: p.published.year),
    Column("url", lambda p, _: p.link),
    Column("status", lambda _, labels: labels.status, "status"),
    # Rounded to four digits first, as in papers.json, with which a sheet is compared.
    Column("confidence", lambda _, labels: f"{round(labels.confidence, 4):.2f}", "status"),
    Column("primary", lambda _, labels: labels.primary, "label"),
    Column("topics", lambda _, labels: JOINER.join(labels.categories), "label"),
)
"""The first columns of the sheet; those of the other facets and `why` follow."""
WHY = "why"
HUMAN = ("verdict", "review_primary", "review_topics")
"""The first columns for reviewers; `review_FACET` of the other facets follows."""
HUMAN_END = ("exclude", "remark", "reviewer", "note")
"""The last columns for reviewers."""
BACK = (
    Column("abstract", lambda p, _: p.abstract_display),
    Column("retracted", lambda p, _: p.retracted),
)
"""The columns after those for reviewers. Add new columns at the end: scripts use positions."""
DRAWN_BY = "drawn_by"
"""The last column of a sheet of selected papers: how they were selected."""
MACHINE = (*FRONT, *BACK)
NAMES = frozenset(column.name for column in MACHINE) | {WHY, DRAWN_BY, *HUMAN, *HUMAN_END}
"""The column names that do not depend on the taxonomy."""
