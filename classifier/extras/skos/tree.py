"""A thesaurus's web of broader and narrower concepts as trees: one parent each, no circle."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees that hold every concept once."""

    roots: list[str]
    """The tops, in the order of the concepts."""
    children: dict[str, list[str]]
    """Concept -> the concepts right below it, in their order; every concept has an entry."""
    shared: list[str] = field(default_factory=list)
    """Concepts that have a further parent, which they do not stand below."""
    circles: list[str] = field(default_factory=list)
    """Concepts at which a circle of broader concepts was cut."""

    def below(self, concept: str) -> list[str]:
        """Return everything below a concept, parents before their children."""
        found = [*self.children[concept]]
        for each in found:  # grows while it is walked
            found += self.children[each]
        return found


def grow_forest(
    concepts: Sequence[str], narrower: Mapping[str, Sequence[str]], tops: Set[str]
) -> Forest:
    """Return the trees of `concepts`, level by level from the tops.

    A concept is a top where `tops` holds it or nothing is broader. One with several parents goes
    below the first that is reached; one that only a circle leads to becomes a top.
    """
    broader: dict[str, list[str]] = {concept: [] for concept in concepts}
    for concept in concepts:
        for below in narrower.get(concept, ()):
            broader[below].append(concept)
    roots = [concept for concept in concepts if concept in tops or not broader[concept]]
    parents: dict[str, str | None] = dict.fromkeys(roots)
    forest = Forest(roots, {concept: [] for concept in concepts})
    _grow(forest, parents, roots, narrower)
    for concept in concepts:
        if concept not in parents:
            root = _on_circle(concept, broader)
            roots.append(root)
            parents[root] = None
            _grow(forest, parents, [root], narrower)
    order = {concept: index for index, concept in enumerate(concepts)}
    roots.sort(key=order.__getitem__)
    return forest


def _grow(
    forest: Forest,
    parents: dict[str, str | None],
    roots: Sequence[str],
    narrower: Mapping[str, Sequence[str]],
) -> None:
    waiting = deque(roots)
    while waiting:
        concept = waiting.popleft()
        for below in narrower.get(concept, ()):
            if below not in parents:
                parents[below] = concept
                forest.children[concept].append(below)
                waiting.append(below)
            else:
                closes = below in _line(concept, parents)
                found = forest.circles if closes else forest.shared
                if below not in found:
                    found.append(below)


def _line(concept: str, parents: Mapping[str, str | None]) -> list[str]:
    """Return a concept and everything above it."""
    line = [concept]
    while (above := parents[line[-1]]) is not None:
        line.append(above)
    return line


def _on_circle(concept: str, broader: Mapping[str, Sequence[str]]) -> str:
    """Return the first concept met twice on the way up, which has no end."""
    seen: set[str] = set()
    while concept not in seen:
        seen.add(concept)
        concept = broader[concept][0]
    return concept
