"""The columns of the sheet, out/labels.csv: each is declared here, and nowhere else.

From these follow the sheet's header and cells, what a blind sheet leaves out, what is compared with
the last build, and the ids that no facet may bear.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from classifier.papers.paper import Paper

JOINER = "; "
"""What parts the entries of a list in a cell."""
Kind = Literal["paper", "status", "label"]


class Labels(Protocol):
    """What is told of the labels of the first facet: see `labelling.labels.FacetLabels`."""

    @property
    def status(self) -> str:
        """See `labelling.labels.Status`."""

    @property
    def confidence(self) -> float:
        """Probability that the primary is right."""

    @property
    def primary(self) -> str:
        """Where the paper is filed."""

    @property
    def categories(self) -> tuple[str, ...]:
        """All that applies."""

    @property
    def top_categories(self) -> tuple[str, ...]:
        """The top categories that apply."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column that the machine fills; what a person types into it stops the next build."""

    name: str
    cell: Callable[[Paper, Labels], str]
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
BEHIND = (Column("abstract", lambda p, _: p.abstract_display),)
"""What stands behind the cells of people, to be read beside them; no export repeats it. A new
column goes here, since scripts count on the order of those in front."""
DRAWN_BY = "drawn_by"
"""The last column of a sheet that was drawn: how its papers were chosen."""
MACHINE = (*FRONT, *BEHIND)
NAMES = frozenset(column.name for column in MACHINE) | {WHY, DRAWN_BY, *HUMAN, *HUMAN_END}
"""The names that a sheet gives its columns whatever the taxonomy is."""
