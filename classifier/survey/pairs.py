"""Which categories meet in one paper, and which never do though one would expect it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from classifier.survey.facts.facts import Selection
from classifier.survey.material import Material
from classifier.taxonomy.model import Category, Facet

LEAST_EXPECTED = 3.0
"""Papers that would have both categories, were they independent, before a gap is a gap."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two categories of the first facet, in the order of the taxonomy."""

    one: Category
    other: Category
    both: Selection
    """The papers that belong to both, wherever they are filed."""
    expected: float
    """How many there would be if one had nothing to do with the other; 0 where none may be."""

    @property
    def order(self) -> tuple[int, str, str]:
        """Sorts pairs by how often they meet, most first."""
        return (-self.both.number, self.one.id, self.other.id)


def may_meet(facet: Facet) -> bool:
    """Say whether a paper may belong to two categories of a facet."""
    return facet.kind == "multi" and facet.at_most != 1


def pairs_of(material: Material) -> Sequence[Pair]:
    """Return every pair of categories in scope, those that meet most first."""
    topic, facts = material.first.id, material.facts
    total, meets = facts.number("papers.total"), may_meet(material.first)
    belong = {c.id: facts.count((topic, c.id)) for c in material.in_scope}
    pairs = [
        Pair(
            one,
            other,
            facts.select((topic, one.id), (topic, other.id)),
            meets * belong[one.id] * belong[other.id] / max(total, 1),
        )
        for one, other in combinations(material.in_scope, 2)
    ]
    return sorted(pairs, key=lambda pair: pair.order)


def is_expected(pair: Pair) -> bool:
    """Say whether papers enough would belong to both categories, were these independent."""
    return pair.expected >= LEAST_EXPECTED


def never_met(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs that never meet though they would be expected to, widest gap first."""
    gaps = [pair for pair in pairs if not pair.both.number and is_expected(pair)]
    return sorted(gaps, key=lambda pair: (-pair.expected, pair.one.id, pair.other.id))
