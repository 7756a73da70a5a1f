"""Why a label moved: a person, the text, the taxonomy, its cues, or what the classifier learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from classifier.labelling.labels import DECIDED
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper
from classifier.taxonomy.model import Taxonomy

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
class Comparison:
    """What is known on either side of a move."""

    before: Publication
    taxonomy: Taxonomy | None
    """The taxonomy of the later side, where known."""

    def move(self, old: PublishedPaper, new: PublishedPaper, facet_id: str) -> Move | None:
        """Return how a facet of one paper moved, or None where it says the same."""
        published, now = old.labels.get(facet_id), new.labels.get(facet_id)
        before = self._followed(facet_id, published) if published else None
        if before is None and now is None:
            return None
        if before is not None and now is not None and before.says_the_same(now):
            return None
        reason, detail = self._why(old, new, facet_id, before, now)
        return Move(new.id, new.title, facet_id, before, now, reason, detail)

    def _followed(self, facet_id: str, labels: PublishedLabels) -> PublishedLabels:
        """Return labels under today's ids of their categories; one that is gone stays as it was."""
        facet = self.taxonomy.facets.get(facet_id) if self.taxonomy else None
        if facet is None:
            return labels
        current = {name: found.id if (found := facet.resolve(name)) else name
                   for name in labels.categories}  # fmt: skip
        primary = facet.top_of(current.get(labels.primary, labels.primary))
        tops_too = (name for each in current.values() for name in (facet.top_of(each), each))
        return PublishedLabels(
            tuple(dict.fromkeys(tops_too)), primary, labels.status, labels.confidence
        )

    def _why(
        self,
        old: PublishedPaper,
        new: PublishedPaper,
        facet_id: str,
        before: PublishedLabels | None,
        now: PublishedLabels | None,
    ) -> tuple[Reason, str]:
        text_moved = _differ(old.text_digest, new.text_digest)
        cues_moved = _differ(old.cue_digest, new.cue_digest)
        gone = self._gone(facet_id, before)
        human = _human(before, now, machine_may_have=bool(text_moved or cues_moved))
        # A decision for a category that is gone ended with it: nobody withdrew it.
        ended = gone and before is not None and before.status in DECIDED
        if human and not ended:
            return "human", human
        if text_moved and not ended:
            return "text", REASONS["text"]
        newcomer = self._new(facet_id, old, now)
        if gone or newcomer:
            return "taxonomy", " and ".join(part for part in (gone, newcomer) if part)
        if text_moved is None or cues_moved is None:
            return "unknown", REASONS["unknown"]
        if _counting(old.cue_digest) != _counting(new.cue_digest):
            return "version", REASONS["version"]
        return ("cue", REASONS["cue"]) if cues_moved else ("model", REASONS["model"])

    def _gone(self, facet_id: str, before: PublishedLabels | None) -> str:
        """Return which category of the earlier label is gone, in words; "" where none is."""
        facet = self.taxonomy.facets.get(facet_id) if self.taxonomy else None
        categories = before.categories if before and facet else ()
        gone = [name for name in categories if facet and not facet.get(name)]
        return f"{', '.join(gone)} is gone" if gone else ""

    def _new(self, facet_id: str, old: PublishedPaper, now: PublishedLabels | None) -> str:
        """Return which category of the later label is new, in words; "" where none is."""
        facet = self.taxonomy.facets.get(facet_id) if self.taxonomy else None
        unknown = self.before.versions.unknown(old.taxonomy_digest, facet) if facet else ()
        new = [name for name in (now.categories if now else ()) if name in unknown]
        return f"{', '.join(new)} is new" if new else ""


def _counting(cue_digest: str) -> str:
    """Return which version's way of counting cues a digest was made by: what stands before it."""
    return cue_digest.rpartition("-")[0]


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
    is_now = now is not None and now.status in DECIDED
    if was and is_now:
        assert before is not None
        assert now is not None
        same = before.primary == now.primary and _tops(before) == _tops(now)
        return "" if same and machine_may_have else "the decision was changed"
    if is_now:
        return "a decision is new"
    return "the decision was withdrawn" if was else ""


def _tops(labels: PublishedLabels) -> set[str]:
    return {category for category in labels.categories if "/" not in category}
