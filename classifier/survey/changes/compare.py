"""What changed between two publications: papers that came and went, labels that moved, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from classifier.survey.changes.move import Comparison, Move, Pair
from classifier.survey.changes.published import Publication, PublishedPaper


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that changed, sorted by paper id. Labels are compared of papers that both sides
    have, in facets that both have; a paper that goes by another id is the same paper."""

    kind: Literal["build", "lock"]
    """What was compared with."""
    first: str
    """The facet by which the survey is grouped."""
    papers: tuple[int, int]
    """How many papers there were, and are."""
    added: tuple[PublishedPaper, ...]
    dropped: tuple[PublishedPaper, ...]
    left_out: frozenset[str]
    """Ids of the dropped papers that the editors left out."""
    merged: tuple[tuple[PublishedPaper, str], ...]
    """Papers that are known to be another one now, each with its id."""
    relabelled: tuple[Move, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.dropped or self.merged or self.relabelled)


def compare(before: Publication, now: Publication) -> Changes:
    """Return what changed from `before` to `now`.

    Labels of a lock that was read without its taxonomy stand under the facet "", which is the first
    of the other side.
    """
    first = now.first or before.first
    before, now = _with_first(before, first), _with_first(now, first)
    pairs = _pairs(before.papers, now.papers)
    met, known = {old.id for old, _ in pairs}, {new.id for _, new in pairs}
    aliases = {alias: paper.id for paper in now.papers.values() for alias in paper.aliases}
    left = [paper for key, paper in sorted(before.papers.items()) if key not in met]
    dropped = tuple(paper for paper in left if paper.id not in aliases)
    shared = _facets(before) & _facets(now)
    return Changes(
        before.kind,
        first,
        (len(before.papers), len(now.papers)),
        tuple(paper for key, paper in sorted(now.papers.items()) if key not in known),
        dropped,
        frozenset(paper.id for paper in dropped) & now.excluded,
        tuple((paper, aliases[paper.id]) for paper in left if paper.id in aliases),
        tuple(
            Comparison(before, now.taxonomy).moves(
                pairs, sorted(shared, key=lambda name: (name != first, name))
            )
        ),
    )


def _with_first(publication: Publication, first: str) -> Publication:
    """Return a lock that was read without its taxonomy with its first facet named."""
    if publication.first or not first or publication.kind != "lock":
        return publication
    papers = {
        key: replace(paper, labels={name or first: each for name, each in paper.labels.items()})
        for key, paper in publication.papers.items()
    }
    return replace(publication, papers=papers, first=first)


def _facets(publication: Publication) -> set[str]:
    if publication.taxonomy:
        return set(publication.taxonomy.facets)
    return {name for paper in publication.papers.values() for name in paper.labels}


def _pairs(before: Mapping[str, PublishedPaper], now: Mapping[str, PublishedPaper]) -> list[Pair]:
    """Return the papers of both sides; one that goes by another id now is found by its aliases."""
    pairs = [(before[key], now[key]) for key in before.keys() & now.keys()]
    known = {
        alias: paper for paper in before.values() if paper.id not in now for alias in paper.aliases
    }
    taken = {old.id for old, _ in pairs}
    for key in sorted(now.keys() - before.keys()):
        names = [*now[key].aliases, key]
        candidates = [before[name] for name in now[key].aliases if name in before]
        candidates += [known[name] for name in names if name in known]
        free = [old for old in candidates if old.id not in taken and old.id not in now]
        if free:
            taken.add(free[0].id)
            pairs.append((free[0], now[key]))
    return sorted(pairs, key=lambda pair: pair[1].id)
