"""Count how often each cue matches and how often it is right, over papers and decisions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from classifier.labelling.cue_index import Evidence
from classifier.labelling.faded_cues import CueKey, is_contradicted
from classifier.labelling.labels import Decision, FacetLabels
from classifier.taxonomy.model import Category, Facet


@dataclass(frozen=True, slots=True)
class CueStatistics:
    """Counts of one cue over the papers of a project."""

    category: str
    """Id of the category or subcategory of the cue."""
    view: str
    """One of `classifier.taxonomy.model.CUE_VIEWS`."""
    cue: str
    """As written in the taxonomy."""
    n_candidates: int
    """Papers that the cue could match: all papers, or for a subcategory those of its parent."""
    matches: tuple[int, ...]
    """Positions, among all papers, of the candidates that the cue matches."""
    decided: int
    """Matching papers with a decision; for a subcategory, with a decision on a sibling or on it."""
    right: int
    """Decided papers that have the category; for an `against` cue, that do not have it."""
    base: float
    """Share that would be right by chance: that of all decided candidates; nan without any."""
    instead: tuple[tuple[str, int], ...]
    """(category, papers), the most frequent first: the primaries of the matching papers that do not
    have the category."""

    def __str__(self) -> str:
        return f"the {self.view} cue '{self.cue}' of '{self.category}'"

    @property
    def key(self) -> CueKey:
        """The category, the view and the cue."""
        return self.category, self.view, self.cue

    @property
    def is_weak(self) -> bool:
        """Whether the cue is wrong more often than right, or right no more often than by chance.

        See `faded_cues.is_contradicted`.
        """
        return is_contradicted(self.right, self.decided, self.base)


def cue_statistics(
    facet: Facet,
    evidence: Evidence,
    labels: Sequence[FacetLabels | None],
    decisions: Sequence[Decision | None],
) -> tuple[CueStatistics, ...]:
    """Return the statistics of all cues of a facet, in the order of the taxonomy.

    evidence, labels, decisions: data on the same n papers. labels: the current labels; None if the
    facet does not apply. decisions: None for an undecided paper. Cues of top categories are
    compared on all papers; cues of subcategories only on papers of their parent, because they only
    separate siblings.
    """
    matches: dict[CueKey, list[int]] = {}
    for row, hits in enumerate(evidence.hits):
        for hit in hits:
            matches.setdefault((hit.category, hit.view, hit.cue), []).append(row)
    return tuple(
        statistics
        for category in facet.walk()
        for statistics in _category_statistics(category, matches, labels, decisions)
    )


def _category_statistics(
    category: Category,
    matches: Mapping[CueKey, list[int]],
    labels: Sequence[FacetLabels | None],
    decisions: Sequence[Decision | None],
) -> Iterator[CueStatistics]:
    parent = category.id.rpartition("/")[0]
    candidates: set[int] = set()
    decided_values: dict[int, list[str]] = {}
    for row, (label, decision) in enumerate(zip(labels, decisions, strict=True)):
        if label is None or (parent and parent not in label.categories):
            continue
        candidates.add(row)
        values = _sibling_values(decision, category.id, parent) if decision else []
        if values:
            decided_values[row] = values
    for view, cues in category.cues.views():
        right = {
            row
            for row, values in decided_values.items()
            if (category.id in values) != (view == "against")
        }
        base = len(right) / len(decided_values) if decided_values else math.nan
        for cue in dict.fromkeys(cues):
            rows = [row for row in matches.get((category.id, view, cue), ()) if row in candidates]
            decided = [row for row in rows if row in decided_values]
            others = Counter(
                decided_values[row][0] for row in decided if category.id not in decided_values[row]
            )
            yield CueStatistics(
                category=category.id,
                view=view,
                cue=cue,
                n_candidates=len(candidates),
                matches=tuple(rows),
                decided=len(decided),
                right=len(right.intersection(decided)),
                base=base,
                instead=tuple(sorted(others.items(), key=lambda item: (-item[1], item[0]))),
            )


def _sibling_values(decision: Decision, category: str, parent: str) -> list[str]:
    """Return those decided values that are a category or its siblings, the primary first.

    The result is empty if the category did not exist when the decision was made. A decision on the
    parent alone does not name a subcategory.
    """
    if category in decision.unknown:
        return []
    values = dict.fromkeys((decision.primary, *decision.values))
    return [value for value in values if value and value.rpartition("/")[0] == parent]
