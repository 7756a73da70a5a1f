"""What changed between two publications: papers that came and went, labels that moved, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from classifier.labelling.labels import DECIDED
from classifier.survey.changes.move import REASONS, Comparison, Move, Pair, Reason
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper
from classifier.taxonomy.model import Category, Facet, Taxonomy, spelling_key

LEAST_CONFIDENCE_MOVE = 0.05
"""From here on a confidence is said to have moved."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A paper that is now known to be another one."""

    id: str
    title: str
    into: str
    """Id of the paper that it is part of now."""


@dataclass(frozen=True, slots=True)
class StatusMove:
    """A paper whose first facet has another status."""

    id: str
    title: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class ConfidenceMove:
    """A paper that stays where it is filed, more or less surely."""

    id: str
    title: str
    primary: str
    before: float
    now: float


@dataclass(frozen=True, slots=True)
class Mark:
    """An editorial act that is new, or was withdrawn."""

    act: Literal["exclude", "key"]
    id: str
    title: str
    """"" where neither side knows it."""
    is_new: bool
    reason: str = ""
    """Of an exclusion."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that changed, sorted by paper id. Labels, status and confidence speak of papers
    that both sides have; a paper that goes by another id is the same paper."""

    kind: Literal["build", "lock"]
    """What was compared with."""
    first: str
    """The facet by which the survey is grouped."""
    papers: tuple[int, int]
    """How many papers there were, and are."""
    added: tuple[PublishedPaper, ...]
    dropped: tuple[PublishedPaper, ...]
    merged: tuple[Merged, ...]
    relabelled: tuple[Move, ...]
    statuses: tuple[StatusMove, ...]
    confidences: tuple[ConfidenceMove, ...]
    """Of unreviewed papers with the same primary, at least LEAST_CONFIDENCE_MOVE; the largest
    first."""
    quality: tuple[QualityChange, ...]
    marks: tuple[Mark, ...]
    facets: tuple[tuple[str, ...], tuple[str, ...]]
    """The facets that are new, and those that are gone; their labels are not compared."""
    categories: tuple[CategoryChange, ...] = ()
    """Categories that are new, gone, renamed, merged or redefined."""

    def __bool__(self) -> bool:
        told = (self.statuses, self.confidences, self.quality, self.marks, self.categories)
        return self.moves_labels or any((*told, *self.facets))

    @property
    def moves_labels(self) -> bool:
        """Whether a paper came or went, or a label moved."""
        return bool(self.added or self.dropped or self.merged or self.relabelled)


def reason_counts(moves: Sequence[Move]) -> dict[Reason, int]:
    """Return reason -> number of moves, in the order of REASONS; reasons of none are left out."""
    counts = Counter(move.reason for move in moves)
    return {reason: counts[reason] for reason in REASONS if counts[reason]}


def compare(before: Publication, now: Publication) -> Changes:
    """Return what changed from `before` to `now`.

    Labels of a lock that was read without its taxonomy stand under the facet "", which is the first
    of the other side.
    """
    first = now.first or before.first
    before, now = _with_first(before, first), _with_first(now, first)
    pairs = _pairs(before.papers, now.papers)
    met = {old.id for old, _ in pairs}
    aliases = {alias: paper.id for paper in now.papers.values() for alias in paper.aliases}
    left = [paper for key, paper in sorted(before.papers.items()) if key not in met]
    known = {new.id for _, new in pairs}
    facets_before, facets_now = _facets(before), _facets(now)
    shared = [name for name in sorted(facets_now, key=lambda name: (name != first, name))
              if name in facets_before]  # fmt: skip
    return Changes(
        before.kind,
        first,
        (len(before.papers), len(now.papers)),
        tuple(paper for key, paper in sorted(now.papers.items()) if key not in known),
        tuple(paper for paper in left if paper.id not in aliases),
        tuple(Merged(p.id, p.title, aliases[p.id]) for p in left if p.id in aliases),
        tuple(Comparison(before, now.taxonomy).moves(pairs, shared)),
        tuple(
            StatusMove(new.id, new.title, was.status, is_now.status)
            for new, was, is_now in _shared_labels(pairs, first)
            if was.status and is_now.status and was.status != is_now.status
        ),
        tuple(
            sorted(
                _confidence_moves(pairs, first),
                key=lambda move: (-round(abs(move.now - move.before), 4), move.id),
            )
        ),
        quality_changes(before.metrics, now.metrics),
        tuple(_marks(before, now)),
        (
            tuple(sorted(facets_now - facets_before)) if before.papers else (),
            tuple(sorted(facets_before - facets_now)) if now.papers else (),
        ),
        category_changes(before.taxonomy, now.taxonomy),
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


def _shared_labels(
    pairs: Sequence[Pair], facet_id: str
) -> Iterator[tuple[PublishedPaper, PublishedLabels, PublishedLabels]]:
    """Yield (paper now, labels before, labels now) where a facet is asked on both sides."""
    for old, new in pairs:
        was, is_now = old.labels.get(facet_id), new.labels.get(facet_id)
        if was is not None and is_now is not None:
            yield new, was, is_now


def _confidence_moves(pairs: Sequence[Pair], first: str) -> Iterator[ConfidenceMove]:
    for new, was, is_now in _shared_labels(pairs, first):
        before, now = was.confidence, is_now.confidence
        if before is None or now is None or was.primary != is_now.primary:
            continue
        # A person's label has the confidence 1: that is its status, not what the classifier says.
        if {was.status, is_now.status} & DECIDED:
            continue
        if round(abs(now - before), 4) >= LEAST_CONFIDENCE_MOVE:
            yield ConfidenceMove(new.id, new.title, is_now.primary, before, now)


def _marks(before: Publication, now: Publication) -> Iterator[Mark]:
    titles = {key: paper.title for side in (before, now) for key, paper in side.papers.items()}
    if before.excluded is not None and now.excluded is not None:
        for key in sorted(before.excluded.keys() ^ now.excluded.keys()):
            is_new = key in now.excluded
            reason = (now if is_new else before).excluded
            yield Mark("exclude", key, titles.get(key, ""), is_new, (reason or {}).get(key, ""))
    if before.kind == now.kind == "build":
        was, is_now = ({key for key, paper in side.papers.items() if paper.is_key}
                       for side in (before, now))  # fmt: skip
        for key in sorted(was ^ is_now):
            yield Mark("key", key, titles.get(key, ""), key in is_now)


@dataclass(frozen=True, slots=True)
class CategoryChange:
    """A category that is not what it was."""

    facet: str
    category: str
    """Its id: of today, or of before where it is gone."""
    change: str
    """In words: `new`, `gone`, `was keeping`, `merged into ovens`, `another definition`."""


def category_changes(before: Taxonomy | None, now: Taxonomy | None) -> tuple[CategoryChange, ...]:
    """Return what changed in the facets that both have; nothing where a taxonomy is unknown."""
    return tuple(
        CategoryChange(facet.id, category, change)
        for facet in (now.facets.values() if before and now else ())
        if before and facet.id in before.facets
        for category, change in _of_facet(before.facets[facet.id], facet)
    )


def _of_facet(before: Facet, now: Facet) -> Iterator[tuple[str, str]]:
    """Yield (category id, what changed)."""
    former = {category.id: category for category in before.walk(retired=True)}
    renamed: set[str] = set()
    for category in now.walk(retired=True):
        if category.id in former:
            for change in _of_category(former[category.id], category):
                yield category.id, change
            continue
        spellings = {spelling_key(alias) for alias in category.aliases}
        old = next((name for name in former if spelling_key(name) in spellings), "")
        renamed.add(old)
        yield category.id, f"was {old}" if old else "new"
    for name in former:
        if now.get(name) is None and name not in renamed:
            yield name, "gone"


def _of_category(before: Category, now: Category) -> Iterator[str]:
    if now.replaced_by != before.replaced_by:
        yield f"merged into {now.replaced_by}" if now.replaced_by else "in use again"
    if now.name != before.name:
        yield f"named '{now.name}', was '{before.name}'"
    meanings = [(each.definition, each.includes, each.excludes) for each in (before, now)]
    if meanings[0] != meanings[1]:
        yield "another definition"


FIGURES = (
    "decided",
    "primary_accuracy",
    "mean_f1",
    "core_f1",
    "confident_share",
    "confident_accuracy",
    "confidence_cut",
    "ece",
)
"""The figures that are compared, in the order in which they are told."""


@dataclass(frozen=True, slots=True)
class QualityChange:
    """One figure of one facet that is not what it was."""

    facet: str
    figure: str
    before: float | None
    now: float | None
    within_noise: bool | None
    """Whether the two 95 % intervals overlap; None where one is not known."""


def quality_changes(
    before: Mapping[str, Any] | None, now: Mapping[str, Any] | None
) -> tuple[QualityChange, ...]:
    """Return the figures that differ between two metrics.json, facet by facet.

    Facets and figures that only one side has are left out, and all where one side has no metrics.
    """
    sides = [_quality_facets(metrics) for metrics in (before, now)]
    changes = []
    for facet_id in sorted(sides[0].keys() & sides[1].keys()):
        old, new = sides[0][facet_id], sides[1][facet_id]
        for figure in FIGURES:
            if figure in old and figure in new and old[figure] != new[figure]:
                one, other = _interval(old, figure), _interval(new, figure)
                overlap = one[0] <= other[1] and other[0] <= one[1] if one and other else None
                changes.append(QualityChange(facet_id, figure, old[figure], new[figure], overlap))
    return tuple(changes)


def _quality_facets(metrics: Mapping[str, Any] | None) -> dict[str, Mapping[str, Any]]:
    facets = metrics.get("facets") if metrics else None
    facets = facets if isinstance(facets, dict) else {}
    return {name: figures for name, figures in facets.items() if isinstance(figures, dict)}


def _interval(figures: Mapping[str, Any], figure: str) -> tuple[float, float] | None:
    intervals = figures.get("intervals")
    found = intervals.get(figure) if isinstance(intervals, dict) else None
    if isinstance(found, list) and len(found) == 2 and None not in found:
        return float(found[0]), float(found[1])
    return None
