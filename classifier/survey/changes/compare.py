"""Compare two publications: added and dropped papers, changed labels, and the reasons.

A label changes because of a decision, the paper's text, the taxonomy, its cues, or the model.
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
    "human": "a person decided",
    "text": "title or abstract changed",
    "taxonomy": "the categories changed",
    "version": "another version of Fieldguide reads and labels papers differently",
    "cue": "other cues match",
    "model": "the classifier learned otherwise",
    "unknown": "the earlier build has no digests",
}
"""Reason -> meaning; the first reason that applies counts."""

Pair = tuple[PublishedPaper, PublishedPaper]
"""The earlier and the current form of a paper."""


@dataclass(frozen=True, slots=True)
class Move:
    """A label that changed, or that would change without the lock."""

    paper_id: str
    title: str
    facet: str
    before: PublishedLabels | None
    """The published labels by current ids; None if the facet did not apply."""
    now: PublishedLabels | None
    reason: Reason
    detail: str
    """The reason in words, as exact as possible."""


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes, sorted by paper id.

    Labels are compared for papers and facets that are in both publications. A paper with a new id
    is still the same paper.
    """

    kind: Literal["build", "lock"]
    """The kind of the earlier publication."""
    first: str
    """The facet by which the survey is grouped."""
    papers: tuple[int, int]
    """(earlier, current) number of papers."""
    added: tuple[PublishedPaper, ...]
    dropped: tuple[PublishedPaper, ...]
    left_out: frozenset[str]
    """Ids of the dropped papers that the editors left out."""
    merged: tuple[tuple[PublishedPaper, str], ...]
    """Papers that were merged, each with the id of the paper that it belongs to."""
    relabelled: tuple[Move, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.dropped or self.merged or self.relabelled)


def compare(old_publication: Publication, new_publication: Publication) -> Changes:
    """Return the changes between two publications.

    Labels of a lock that was read without its taxonomy have the facet "", which is the first facet
    of the other side.
    """
    first = new_publication.first or old_publication.first
    old_publication, new_publication = (
        _with_first_facet(old_publication, first),
        _with_first_facet(new_publication, first),
    )
    pairs = _papers_in_both(old_publication.papers, new_publication.papers)
    paired, known = {old.id for old, _ in pairs}, {new.id for _, new in pairs}
    aliases = {
        alias: paper.id for paper in new_publication.papers.values() for alias in paper.aliases
    }
    left = [paper for key, paper in sorted(old_publication.papers.items()) if key not in paired]
    dropped = tuple(paper for paper in left if paper.id not in aliases)
    facets = sorted(
        _facet_ids(old_publication) & _facet_ids(new_publication),
        key=lambda name: (name != first, name),
    )
    return Changes(
        old_publication.kind,
        first,
        (len(old_publication.papers), len(new_publication.papers)),
        tuple(paper for key, paper in sorted(new_publication.papers.items()) if key not in known),
        dropped,
        frozenset(paper.id for paper in dropped) & new_publication.excluded,
        tuple((paper, aliases[paper.id]) for paper in left if paper.id in aliases),
        tuple(Comparison(old_publication, new_publication.taxonomy).moves(pairs, facets)),
    )


def _with_first_facet(publication: Publication, first_facet: str) -> Publication:
    """Return a lock's publication with `first_facet` as the name of the facet ""."""
    if publication.first or not first_facet or publication.kind != "lock":
        return publication
    papers = {
        key: replace(
            paper, labels={name or first_facet: each for name, each in paper.labels.items()}
        )
        for key, paper in publication.papers.items()
    }
    return replace(publication, papers=papers, first=first_facet)


def _facet_ids(publication: Publication) -> set[str]:
    """Return the facets in a publication."""
    if publication.taxonomy:
        return set(publication.taxonomy.facets)
    return {name for paper in publication.papers.values() for name in paper.labels}


def _papers_in_both(
    old_papers: Mapping[str, PublishedPaper], new_papers: Mapping[str, PublishedPaper]
) -> list[Pair]:
    """Return the papers that are in both publications.

    A paper with a new id is found by its aliases.
    """
    pairs = [(old_papers[key], new_papers[key]) for key in old_papers.keys() & new_papers.keys()]
    known = {
        alias: paper
        for paper in old_papers.values()
        if paper.id not in new_papers
        for alias in paper.aliases
    }
    used = {old.id for old, _ in pairs}
    for key in sorted(new_papers.keys() - old_papers.keys()):
        names = [*new_papers[key].aliases, key]
        candidates = [old_papers[name] for name in new_papers[key].aliases if name in old_papers]
        candidates += [known[name] for name in names if name in known]
        free = [old for old in candidates if old.id not in used and old.id not in new_papers]
        if free:
            used.add(free[0].id)
            pairs.append((free[0], new_papers[key]))
    return sorted(pairs, key=lambda pair: pair[1].id)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Finds the labels that changed between two publications."""

    before: Publication
    taxonomy: Taxonomy | None
    """The taxonomy of the later side, if known."""

    def moves(self, pairs: Sequence[Pair], facets: Sequence[str]) -> Iterator[Move]:
        """Yield all changed labels.

        facets: the facets to compare, the first facet first. A facet that applies to some papers
        only appears and disappears together with labels of the first facet, for the same reason.
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

    def move(
        self, old_paper: PublishedPaper, new_paper: PublishedPaper, facet_id: str
    ) -> Move | None:
        """Return the change of one paper's labels in a facet, or None."""
        before, now = old_paper.labels.get(facet_id), new_paper.labels.get(facet_id)
        facet = self.taxonomy.facets.get(facet_id) if self.taxonomy else None
        if before and facet:
            before = _with_current_ids(facet, before)
        if before == now or (before and now and _same_categories(before, now)):
            return None
        reason, detail = self._reason(old_paper, new_paper, facet, before, now)
        return Move(new_paper.id, new_paper.title, facet_id, before, now, reason, detail)

    def _reason(
        self,
        old_paper: PublishedPaper,
        new_paper: PublishedPaper,
        facet: Facet | None,
        old_labels: PublishedLabels | None,
        new_labels: PublishedLabels | None,
    ) -> tuple[Reason, str]:
        """Return the reason for a change, and its description."""
        text_changed = _differ(old_paper.text_digest, new_paper.text_digest)
        cues_changed = _differ(old_paper.cue_digest, new_paper.cue_digest)
        removed = (
            [name for name in old_labels.categories if not facet.get(name)]
            if old_labels and facet
            else []
        )
        by_people = _describe_human_change(
            old_labels, new_labels, may_be_classifier=bool(text_changed or cues_changed)
        )
        # A decision for a removed category ended with the category; it was not withdrawn.
        ended = removed and old_labels is not None and old_labels.status in DECIDED
        if by_people and not ended:
            return "human", by_people
        if text_changed and not ended:
            return "text", REASONS["text"]
        unknown = (
            self.before.versions.unknown_ids(old_paper.taxonomy_digest, facet) if facet else ()
        )
        new_ones = [name for name in new_labels.categories if name in unknown] if new_labels else []
        details = [f"{', '.join(removed)} was removed"] if removed else []
        details += [f"{', '.join(new_ones)} is new"] if new_ones else []
        if details:
            return "taxonomy", " and ".join(details)
        if text_changed is None or cues_changed is None:
            return "unknown", REASONS["unknown"]
        # The part before the digest is the version of the counting of cues.
        if old_paper.cue_digest.rpartition("-")[0] != new_paper.cue_digest.rpartition("-")[0]:
            return "version", REASONS["version"]
        return ("cue", REASONS["cue"]) if cues_changed else ("model", REASONS["model"])


def moves_without_lock(
    lock: Publication, with_lock: Publication, without_lock: Publication, aliases: Mapping[str, str]
) -> tuple[Move, ...]:
    """Return all labels that would change without the lock, by paper, with the reason.

    with_lock: the build with the lock. without_lock: the same build without the lock. aliases: ids
    of papers by their other ids.
    """
    rows = {aliases.get(key, key): paper for key, paper in lock.papers.items()}
    pairs = []
    for key, paper in sorted(with_lock.papers.items()):
        if key in rows:
            # Use the status at the time of the lock: a label that was decided then changes
            # because its decision was withdrawn.
            labels = {
                name: replace(each, status=rows[key].labels[name].status)
                if name in rows[key].labels
                else each
                for name, each in paper.labels.items()
            }
            pairs.append((replace(rows[key], labels=labels), without_lock.papers[key]))
    facets = list(with_lock.taxonomy.facets) if with_lock.taxonomy else []
    return tuple(Comparison(lock, with_lock.taxonomy).moves(pairs, facets))


def _same_categories(first_labels: PublishedLabels, second_labels: PublishedLabels) -> bool:
    """Return whether both labels have the same categories."""
    return first_labels.primary == second_labels.primary and set(first_labels.categories) == set(
        second_labels.categories
    )


def _with_current_ids(facet: Facet, labels: PublishedLabels) -> PublishedLabels:
    """Replace the ids of categories by their current ids; removed categories stay unchanged."""
    current: dict[str, str] = {}
    for name in labels.categories:
        category = facet.resolve(name)
        current[name] = category.id if category else name
    with_tops = (name for each in current.values() for name in (facet.top_id_of(each), each))
    return replace(
        labels,
        categories=tuple(dict.fromkeys(with_tops)),
        primary=facet.top_id_of(current.get(labels.primary, labels.primary)),
    )


def _differ(first_digest: str, second_digest: str) -> bool | None:
    """Return whether two digests differ; None if one of them is unknown."""
    return first_digest != second_digest if first_digest and second_digest else None


def _describe_human_change(
    old_labels: PublishedLabels | None,
    new_labels: PublishedLabels | None,
    *,
    may_be_classifier: bool,
) -> str:
    """Describe the action of a person that changed a label; "" if there was another reason.

    may_be_classifier: whether text or cues changed. The cues choose the subcategory of a decided
    category, so a change of the subcategory alone may come from the classifier.
    """
    was_decided = old_labels is not None and old_labels.status in DECIDED
    if new_labels is None or new_labels.status not in DECIDED:
        return "the decision was withdrawn" if was_decided else ""
    if old_labels is None or not was_decided:
        return "a decision is new"
    tops = [
        {name for name in each.categories if "/" not in name} for each in (old_labels, new_labels)
    ]
    same = old_labels.primary == new_labels.primary and tops[0] == tops[1]
    return "" if same and may_be_classifier else "the decision was changed"
