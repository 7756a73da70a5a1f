"""What changed between two publications: papers that came and went, labels that moved, and why.

A label is moved by a person, the text, the taxonomy, its cues, or what the classifier learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from classifier.labelling.labels import DECIDED
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper
from classifier.taxonomy.model import Facet, Taxonomy

Reason = Literal["human", "text", "taxonomy", "version", "cue", "model", "unknown"]

REASONS: dict[Reason, str] = {
    "human": "people decided",
    "text": "title or abstract changed",
    "taxonomy": "the categories changed",
    "version": "moved by the version: Fieldguide reads and judges papers in another way now",
    "cue": "other cues fire",
    "model": "the classifier judges otherwise",
    "unknown": "the earlier build does not tell",
}
"""Reason -> what it means, in the order in which reasons are asked: the first that holds counts."""

Pair = tuple[PublishedPaper, PublishedPaper]
"""A paper before and now."""


@dataclass(frozen=True, slots=True)
class Move:
    """A label that is not what it was, or would not be without the lock."""

    paper_id: str
    title: str
    facet: str
    before: PublishedLabels | None
    """As published, under the names that the categories have now; None: not asked of the paper."""
    now: PublishedLabels | None
    reason: Reason
    detail: str
    """The reason in words, as exactly as it is known."""


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
    facets = sorted(_facets(before) & _facets(now), key=lambda name: (name != first, name))
    return Changes(
        before.kind,
        first,
        (len(before.papers), len(now.papers)),
        tuple(paper for key, paper in sorted(now.papers.items()) if key not in known),
        dropped,
        frozenset(paper.id for paper in dropped) & now.excluded,
        tuple((paper, aliases[paper.id]) for paper in left if paper.id in aliases),
        tuple(Comparison(before, now.taxonomy).moves(pairs, facets)),
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is known on either side of a move."""

    before: Publication
    taxonomy: Taxonomy | None
    """The taxonomy of the later side, where known."""

    def moves(self, pairs: Sequence[Pair], facets: Sequence[str]) -> Iterator[Move]:
        """Yield every label that moved; facets: those to compare, the first one first.

        A facet that is asked of some papers only comes and goes with the first one's labels, and
        then moves for the same reason.
        """
        for old, new in pairs:
            leading: Move | None = None
            for facet_id in facets:
                move = self.move(old, new, facet_id)
                if move is None:
                    continue
                if facet_id == facets[0]:
                    leading = move
                elif leading and (move.before is None or move.now is None):
                    move = replace(move, reason=leading.reason, detail=leading.detail)
                yield move

    def move(self, old: PublishedPaper, new: PublishedPaper, facet_id: str) -> Move | None:
        """Return how a facet of one paper moved, or None where it says the same."""
        before, now = old.labels.get(facet_id), new.labels.get(facet_id)
        facet = self.taxonomy.facets.get(facet_id) if self.taxonomy else None
        if before and facet:
            before = _followed(facet, before)
        if before == now or (
            before
            and now
            and before.primary == now.primary
            and set(before.categories) == set(now.categories)
        ):
            return None
        reason, detail = self._why(old, new, facet, before, now)
        return Move(new.id, new.title, facet_id, before, now, reason, detail)

    def _why(
        self,
        old: PublishedPaper,
        new: PublishedPaper,
        facet: Facet | None,
        before: PublishedLabels | None,
        now: PublishedLabels | None,
    ) -> tuple[Reason, str]:
        text_moved = _differ(old.text_digest, new.text_digest)
        cues_moved = _differ(old.cue_digest, new.cue_digest)
        gone = (
            [name for name in before.categories if not facet.get(name)] if before and facet else []
        )
        human = _human(before, now, machine_may_have=bool(text_moved or cues_moved))
        # A decision for a category that is gone ended with it: nobody withdrew it.
        ended = gone and before is not None and before.status in DECIDED
        if human and not ended:
            return "human", human
        if text_moved and not ended:
            return "text", REASONS["text"]
        unknown = self.before.versions.unknown(old.taxonomy_digest, facet) if facet else ()
        new_ones = [name for name in now.categories if name in unknown] if now else []
        told = [f"{', '.join(gone)} is gone"] if gone else []
        told += [f"{', '.join(new_ones)} is new"] if new_ones else []
        if told:
            return "taxonomy", " and ".join(told)
        if text_moved is None or cues_moved is None:
            return "unknown", REASONS["unknown"]
        # What stands before the digest is the version's way of counting cues.
        if old.cue_digest.rpartition("-")[0] != new.cue_digest.rpartition("-")[0]:
            return "version", REASONS["version"]
        return ("cue", REASONS["cue"]) if cues_moved else ("model", REASONS["model"])


def held_moves(
    lock: Publication, kept: Publication, free: Publication, aliases: Mapping[str, str]
) -> tuple[Move, ...]:
    """Return every label that the lock keeps from moving, by paper, with the reason why it would.

    kept: the build with the lock; free: the same without it; aliases: other ids of papers -> id.
    """
    rows = {aliases.get(key, key): paper for key, paper in lock.papers.items()}
    pairs = []
    for key, paper in sorted(kept.papers.items()):
        if key in rows:
            # With the status that it had when it was locked a label that people had decided is
            # seen to move because the decision was withdrawn.
            labels = {
                name: replace(each, status=rows[key].labels[name].status)
                if name in rows[key].labels
                else each
                for name, each in paper.labels.items()
            }
            pairs.append((replace(rows[key], labels=labels), free.papers[key]))
    facets = list(kept.taxonomy.facets) if kept.taxonomy else []
    return tuple(Comparison(lock, kept.taxonomy).moves(pairs, facets))


def _followed(facet: Facet, labels: PublishedLabels) -> PublishedLabels:
    """Return labels under today's ids of their categories; one that is gone stays as it was."""
    current = {name: found.id if (found := facet.resolve(name)) else name
               for name in labels.categories}  # fmt: skip
    tops_too = (name for each in current.values() for name in (facet.top_of(each), each))
    return replace(
        labels,
        categories=tuple(dict.fromkeys(tops_too)),
        primary=facet.top_of(current.get(labels.primary, labels.primary)),
    )


def _differ(one: str, other: str) -> bool | None:
    """Say whether two digests differ; None where one is unknown."""
    return one != other if one and other else None


def _human(
    before: PublishedLabels | None, now: PublishedLabels | None, *, machine_may_have: bool
) -> str:
    """Return what people did, in words; "" where the move is not theirs.

    machine_may_have: whether text or cues moved. Of a reviewed paper the cues say which child of a
    decided category it is, so a child alone may have moved by them.
    """
    was = before is not None and before.status in DECIDED
    if now is None or now.status not in DECIDED:
        return "the decision was withdrawn" if was else ""
    if before is None or not was:
        return "a decision is new"
    tops = [{name for name in each.categories if "/" not in name} for each in (before, now)]
    same = before.primary == now.primary and tops[0] == tops[1]
    return "" if same and machine_may_have else "the decision was changed"
