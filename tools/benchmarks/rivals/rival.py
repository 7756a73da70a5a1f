"""What all rivals have in common: from scores to labels.

A rival is a way to score papers. Calibration, the filed category and the limits of a facet are
Fieldguide's own for all of them, so that a comparison tells how good the scores are. A threshold a
category is learned for all of them, too, inside the folds, by the rule that suits the rival best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from classifier.labelling.bulk_labels import NONE
from numpy.typing import NDArray

from classifier.labelling.calibration import PooledPlatt
from classifier.labelling.cue_index import EvidenceCounter
from classifier.labelling.decide import chosen_columns
from classifier.labelling.labels import Decisions, FacetLabels, PaperLabels
from classifier.labelling.sampling import assign_folds
from classifier.labelling.views import text_views
from classifier.labelling.weak_labels import seed_labels
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy

Array = NDArray[np.float64]

_FOLDS = 5
_SPEAKS = 0.25
"""Weight of seed labels from which the cues say enough of a paper to learn from it."""


class Scorer(Protocol):
    """One facet's scores; those of one category over papers are in order of likelihood."""

    def fit(self, papers: Sequence[Paper], truth: Array) -> object:
        """Learn from papers and (n, k) truth in {0, 1}."""

    def score(self, papers: Sequence[Paper]) -> Array:
        """Return (n, k) scores, about as large as logits."""


MakeScorer = Callable[[Facet, Sequence[Paper]], Scorer]
"""Called with a facet and all papers that may be learned from, labels aside."""

Thresholds = Callable[[Array, Array], Array]
"""From (n, k) cross-fitted probabilities and (n, k) truth to (k,) thresholds."""


def own_thresholds(probabilities: Array, truth: Array) -> Array:
    """Return (k,) thresholds of the highest F1, each category for itself, with no limits.

    The usual way, and for TF-IDF alone much better than Fieldguide's rule
    (`best_thresholds`), which keeps a threshold from falling below 0.2: rare categories, of which
    such a model is never sure, would not be given at all.
    """
    return np.array(
        [_own_threshold(*column) for column in zip(probabilities.T, truth.T > 0.5, strict=True)]
    )


def _own_threshold(probabilities: Array, truth: NDArray[np.bool_]) -> float:
    values = np.unique(probabilities)
    given = probabilities >= values[:, None]
    f1 = 2 * (given & truth).sum(axis=1) / (given.sum(axis=1) + truth.sum())
    best = int(f1.argmax())
    return float((values[best] + values[max(best - 1, 0)]) / 2)


@dataclass(frozen=True, slots=True)
class _Lesson:
    """Papers of one facet with what they teach."""

    papers: list[Paper]
    truth: Array
    """(n, k) 0 to 1; soft where it is the cues that say it."""

    def part(self, chosen: NDArray[np.bool_]) -> tuple[list[Paper], Array]:
        papers = [paper for paper, is_chosen in zip(self.papers, chosen, strict=True) if is_chosen]
        return papers, (self.truth[chosen] > 0.5).astype(float)


class Rival:
    """A classifier of papers made of one scorer a facet; see the module for what it shares.

    With decisions it learns from the decided papers alone, without any from what the cues say of
    papers. Facets that nobody decided while others are decided are not labelled.
    """

    def __init__(
        self,
        taxonomy: Taxonomy,
        make_scorer: MakeScorer,
        thresholds: Thresholds = own_thresholds,
    ) -> None:
        self.taxonomy = taxonomy
        self.make_scorer = make_scorer
        self.thresholds = thresholds

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> Rival:  # noqa: N803
        """Learn from papers and the decisions on some of them, whatever their order."""
        papers = sorted(X, key=lambda paper: paper.id)
        self.facets_: dict[str, _FacetRival] = {}
        for facet_id, facet in self.taxonomy.facets.items():
            lesson = _decided(facet, papers, y) if y else _spoken_for(facet, papers)
            if lesson.papers:
                scorer = self.make_scorer(facet, papers)
                self.facets_[facet_id] = _FacetRival(facet, scorer, self.thresholds).fit(lesson)
        return self

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        """Return the labels of each paper, in order."""
        facets = {facet_id: facet.label(X) for facet_id, facet in self.facets_.items()}
        return [
            PaperLabels(paper.id, {facet_id: labels[row] for facet_id, labels in facets.items()})
            for row, paper in enumerate(X)
        ]


class _FacetRival:
    """A scorer with the calibration and the thresholds learned on its cross-fitted scores."""

    def __init__(self, facet: Facet, scorer: Scorer, thresholds: Thresholds) -> None:
        self.facet = facet
        self.scorer = scorer
        self.thresholds = thresholds

    def fit(self, lesson: _Lesson) -> _FacetRival:
        scores = self._cross_fit(lesson)
        self.platt_ = PooledPlatt().fit(scores[None], lesson.truth)
        self.thresholds_ = self.thresholds(self._probabilities(scores), lesson.truth)
        self.scorer.fit(*lesson.part(np.ones(len(lesson.papers), dtype=bool)))
        return self

    def label(self, papers: Sequence[Paper]) -> list[FacetLabels]:
        return [self._row(row) for row in self._probabilities(self.scorer.score(papers))]

    def _cross_fit(self, lesson: _Lesson) -> Array:
        strata = lesson.truth.argmax(axis=1)
        dealt = assign_folds([paper.id for paper in lesson.papers], strata, _FOLDS)
        scores = np.zeros_like(lesson.truth)
        for fold in np.unique(dealt):
            self.scorer.fit(*lesson.part(dealt != fold))
            scores[dealt == fold] = self.scorer.score(lesson.part(dealt == fold)[0])
        return scores

    def _probabilities(self, scores: Array) -> Array:
        probabilities = self.platt_.transform(scores[None])
        if self.facet.kind == "multi":
            return probabilities
        return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))

    def _row(self, probabilities: Array) -> FacetLabels:
        ids, primary = self.facet.ids, int(probabilities.argmax())
        chosen = chosen_columns(
            self.facet, probabilities[None], self.thresholds_, np.array([primary])
        )
        return FacetLabels(
            tuple(ids[column] for column in chosen[0].tolist() if column != NONE),
            ids[primary],
            float(probabilities[primary]),
            "confident",
            dict(zip(ids, probabilities.tolist(), strict=True)),
        )


def _decided(facet: Facet, papers: Sequence[Paper], decisions: Decisions) -> _Lesson:
    known = [paper for paper in papers if facet.id in decisions.get(paper.id, {})]
    values = [decisions[paper.id][facet.id].values for paper in known]
    truth = [[category in row for category in facet.ids] for row in values]
    return _Lesson(known, np.array(truth, dtype=np.float64).reshape(len(known), len(facet.ids)))


def _spoken_for(facet: Facet, papers: Sequence[Paper]) -> _Lesson:
    """Return the papers of which the cues say something, with what Fieldguide takes it to mean."""
    applies, weights = seed_scores(facet, papers)
    kept = np.flatnonzero(weights > _SPEAKS).tolist()
    return _Lesson([papers[row] for row in kept], applies[kept])


def seed_scores(facet: Facet, papers: Sequence[Paper]) -> tuple[Array, Array]:
    """Return (n, k) probabilities that the cue list alone gives, and (n,) weights of the papers."""
    out = [facet.ids.index(facet.out_of_scope.id)] if facet.out_of_scope else []
    return seed_labels(votes(facet, papers), out)


def votes(facet: Facet, papers: Sequence[Paper]) -> Array:
    """Return the (n, k) votes of the cue list."""
    evidence = EvidenceCounter(facet).count([text_views(paper) for paper in papers])
    return evidence.votes(facet.ids)


def whole_text(paper: Paper) -> str:
    """Return what every rival reads: title and abstract."""
    return f"{paper.title}. {paper.abstract}"
