"""Which categories meet in one paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from classifier.survey.facts.facts import Selection
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Category


@dataclass(frozen=True, slots=True)
class Pair:
    """Two categories of the first facet, in the order of the taxonomy."""

    one: Category
    other: Category
    both: Selection
    """The papers that belong to both, wherever they are filed."""

    @property
    def order(self) -> tuple[int, str, str]:
        """Sorts pairs by how often they meet, most first."""
        return (-self.both.number, self.one.id, self.other.id)


def pairs_of(material: Survey) -> Sequence[Pair]:
    """Return every pair of categories in scope, those that meet most first."""
    topic, facts = material.first.id, material.facts
    pairs = [
        Pair(one, other, facts.select((topic, one.id), (topic, other.id)))
        for one, other in combinations(material.in_scope, 2)
    ]
    return sorted(pairs, key=lambda pair: pair.order)
