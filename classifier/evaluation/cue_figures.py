"""What each cue does on the papers at hand: where it fires, and how often it is right there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scipy.stats import binomtest

from classifier.labelling.cue_index import Evidence
from classifier.labelling.labels import Decision, FacetLabels
from classifier.taxonomy.model import Category, Facet

MIN_DECIDED, RIGHT_ENOUGH = 4, 0.5
"""Decided papers from which a cue is judged, and the share of them where it shall be right."""


@dataclass(frozen=True, slots=True)
class CueFigures:
    """What one cue does on the papers at hand."""

    category: str
    """Id of the category, or child, that the cue belongs to."""
    view: str
    """One of `classifier.taxonomy.model.CUE_VIEWS`."""
    cue: str
    """As written in the taxonomy."""
    reached: int
    """Papers in which it could fire: of a child's cue, those of the parent."""
    fired: tuple[int, ...]
    """Places, among all papers, of those of the reached in which it fires."""
    decided: int
    """Fired papers on which people decided; of a child's cue, for which they named a child."""
    right: int
    """Decided papers that have its category; of a cue `against`, that lack it."""
    base: float
    """The share that would be right by chance: of all decided papers reached; nan without any."""
    instead: tuple[tuple[str, int], ...]
    """(category, papers), most first: where those are filed that are decided to be elsewhere."""

    def __str__(self) -> str:
        return f"the {self.view} cue '{self.cue}' of '{self.category}'"

    @property
    def is_weak(self) -> bool:
        """Whether it is wrong more often than right, or right no more often than by chance.

        Surely so: the upper end of the Wilson interval (95 %, one-sided) tells (Wilson, "Probable
        inference, the law of succession, and statistical inference", JASA 22, 1927).
        """
        if self.decided < MIN_DECIDED:
            return False
        interval = binomtest(self.right, self.decided).proportion_ci(0.9, method="wilson")
        return float(interval.high) < max(RIGHT_ENOUGH, self.base)


def cue_figures(
    facet: Facet,
    evidence: Evidence,
    labels: Sequence[FacetLabels | None],
    decisions: Sequence[Decision | None],
) -> tuple[CueFigures, ...]:
    """Return the figures of every cue of a facet, in the order of the taxonomy.

    The three sequences are of the same n papers: what fires, the labels in force (None where the
    facet does not apply), and what people decided (None where nobody did). Cues of top categories
    are held against each other on all papers; a child's only tell children apart, so they are held
    against its siblings, on papers of the parent.
    """
    fired: dict[tuple[str, str, str], list[int]] = {}
    for row, hits in enumerate(evidence.hits):
        for hit in hits:
            fired.setdefault((hit.category, hit.view, hit.cue), []).append(row)
    return tuple(
        cue for category in facet.walk() for cue in _of_category(category, fired, labels, decisions)
    )


def _of_category(
    category: Category,
    fired: Mapping[tuple[str, str, str], list[int]],
    labels: Sequence[FacetLabels | None],
    decisions: Sequence[Decision | None],
) -> Iterator[CueFigures]:
    parent = category.id.rpartition("/")[0]
    reached = {
        row
        for row, label in enumerate(labels)
        if label is not None and (not parent or parent in label.categories)
    }
    named = {
        row: values
        for row in reached
        if (decision := decisions[row]) and (values := _named(decision, category.id, parent))
    }
    for view, cues in category.cues.views():
        right = {row for row in named if (category.id in named[row]) != (view == "against")}
        base = len(right) / len(named) if named else math.nan
        for cue in dict.fromkeys(cues):
            rows = [row for row in fired.get((category.id, view, cue), ()) if row in reached]
            decided = [row for row in rows if row in named]
            wrong = Counter(named[row][0] for row in decided if category.id not in named[row])
            instead = tuple(sorted(wrong.items(), key=lambda item: (-item[1], item[0])))
            yield CueFigures(
                category.id, view, cue, len(reached), tuple(rows), len(decided),
                len(right.intersection(decided)), base, instead,
            )  # fmt: skip


def _named(decision: Decision, category: str, parent: str) -> list[str]:
    """Return which of a category and its siblings a person named, the primary first.

    [] where nobody could name the category. Who named a parent alone has not said which child it
    is.
    """
    if category in decision.unknown:
        return []
    values = dict.fromkeys((decision.primary, *decision.values))
    return [value for value in values if value and value.rpartition("/")[0] == parent]
