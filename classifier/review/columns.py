"""The columns of the sheet, out/labels.csv: each is declared here, and nowhere else.

The sheet's header and cells, and the columns that a blind sheet leaves out, follow from these. Each
name is also in `taxonomy/reserved.py`, since no facet may have it as id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from classifier.labelling.labels import FacetLabels
from classifier.papers.paper import Paper

JOINER = "; "
"""What parts the entries of a list in a cell."""
Kind = Literal["paper", "status", "label"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column that the machine fills; what a person types into it stops the next build."""

    name: str
    cell: Callable[[Paper, FacetLabels], str]
    """Makes the cell of a paper."""
    kind: Kind = "paper"
    """paper: what is known of the paper, which a blind sheet shows, too; status: what is said of
    its label; label: the label itself. A label under the checksum of the row may not be emptied;
    other cells may, since that loses nothing."""


FRONT = (
    Column("id", lambda p, _: p.id),
    Column("title", lambda p, _: p.title),
    Column("year", lambda p, _: p.published.year),
    Column("url", lambda p, _: p.link),
    Column("status", lambda _, labels: labels.status, "status"),
    # Rounded as in papers.json first, with which a sheet is compared.
    Column("confidence", lambda _, labels: f"{round(labels.confidence, 4):.2f}", "status"),
    Column("primary", lambda _, labels: labels.primary, "label"),
    Column("topics", lambda _, labels: JOINER.join(labels.categories), "label"),
)
"""The columns that begin the sheet; behind them stand those of the further facets, and `why`."""
WHY = "why"
HUMAN = ("verdict", "review_primary", "review_topics")
"""The columns that people fill; behind them stand `review_` and each further facet."""
HUMAN_END = ("exclude", "remark", "reviewer", "note")
BEHIND = (
    Column("abstract", lambda p, _: p.abstract_display),
    Column("retracted", lambda p, _: p.retracted),
)
"""The columns after the cells of people. A new column goes here, since scripts rely on the order of
those in front."""
DRAWN_BY = "drawn_by"
"""The last column of a sheet that was drawn: how its papers were chosen."""
MACHINE = (*FRONT, *BEHIND)
NAMES = frozenset(column.name for column in MACHINE) | {WHY, DRAWN_BY, *HUMAN, *HUMAN_END}
"""The names that a sheet gives its columns whatever the taxonomy is."""
