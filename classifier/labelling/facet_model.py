"""The model of one facet: which categories apply to a paper, and which one it is filed under."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, log_softmax, logit
from sklearn.linear_model import LogisticRegression

from classifier.labelling.calibration import PooledPlatt
from classifier.labelling.decide import best_thresholds, confidence_cut, is_out_of_scope
from classifier.labelling.evidence import Evidence, EvidenceCounter
from classifier.labelling.features import FeatureBuilder
from classifier.labelling.labels import Decision
from classifier.labelling.rotation import RowSpace
from classifier.labelling.views import TextViews
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]

# A seed vote is turned into a probability by sigmoid(SLOPE * (vote - MIDDLE)): one title cue
# (vote 3) is more likely right than not, one cue in passing (vote 1) is not.
SEED_SLOPE, SEED_MIDDLE = 1.2, 2.6


@dataclass(frozen=True, slots=True)
class Settings:
    """What `TaxonomyClassifier` is told, as its facet models need it."""

    regularisation: float
    """Inverse strength C of the L2 penalty."""
    seed_weight: float
    """Weight of an unreviewed paper's seed labels beside a reviewed paper's 1."""
    folds: int
    """Number of cross-fits."""
    accuracy_target: float
    """Accuracy of the primary that `confident` papers shall have."""
    balance: float
    """Exponent of the class balance: 0 leaves classes as they are, 1 weighs them equal."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What a facet model says of n papers."""

    evidence: Evidence
    probabilities: Array
    """(n, k) calibrated probability that a category applies; of a single facet they sum to 1."""
    primary: Array
    """(n, k) probability that a paper is filed under the category; rows sum to 1."""
    rows: sparse.csr_matrix
    """(n, features) the rows scored, for explanations."""


@dataclass(frozen=True, slots=True)
class CrossFit:
    """What the model said of decided papers before it had seen their decision."""

    probabilities: Array
    """(m, k) calibrated probability that a category applies."""
    primary: Array
    """(m, k) probability that a paper is filed under the category."""
    confidence: Array
    """(m,) probability that the filed category is right."""
    applies: Array
    """(m, k) truth in {0, 1}."""
    filed: Array
    """(m, k) truth in {0, 1}, one 1 a row."""


class FacetModel:
    """One facet of the taxonomy, learned from seed votes and decisions.

    Topics (a `multi` facet): one logistic regression a category on TF-IDF and cue features.
    Targets are decisions where there are any and soft seed labels elsewhere. The filed category
    (and a `single` facet) is a multinomial regression on the same features. Calibration,
    thresholds and the cut for abstention are learned on cross-fitted scores only.
    """

    def __init__(self, facet: Facet, settings: Settings) -> None:
        self.facet = facet
        self.settings = settings
        self.ids = facet.ids

    def fit(
        self,
        papers: Sequence[TextViews],
        paper_ids: Sequence[str],
        decisions: Sequence[Decision | None],
    ) -> FacetModel:
        """Learn from papers in id order; `decisions` holds None where nobody has decided."""
        self.counter_ = EvidenceCounter(self.facet)
        evidence = self.counter_.count(papers)
        self.builder_ = FeatureBuilder().fit(papers, self.ids)
        rows = self.builder_.transform(papers, evidence)
        self.space_ = RowSpace().fit(rows)
        z = self.space_.rotate(rows)
        applies, filed, weights = self._targets(evidence, decisions)
        decided = np.array([decision is not None for decision in decisions], dtype=bool)
        self._calibrate(z, applies, filed, weights, decided, paper_ids)
        self.apply_weights_ = self._fit_applies(z, applies, weights)
        self.file_weights_ = self._fit_all(z, filed, weights)
        shown = self.file_weights_ if self.facet.kind == "single" else self.apply_weights_
        self.wide_weights_ = self.space_.unrotate(shown[:, :-1])
        return self

    def score(self, papers: Sequence[TextViews]) -> Scores:
        """Return the scores of any papers."""
        evidence = self.counter_.count(papers)
        rows = self.builder_.transform(papers, evidence)
        z = self.space_.rotate(rows)
        filed = self._file_logits(z, self.file_weights_)
        if self.facet.kind == "single":
            primary = _softmax(filed)
            return Scores(evidence, primary, primary, rows)
        applies = self.platt_.transform(self._apply_logits(z, self.apply_weights_))
        return Scores(evidence, applies, _primary(applies, filed), rows)

    def confidence(self, primary: Array) -> Array:
        """Return (n,) calibrated probability that the filed category is right."""
        top = np.clip(primary.max(axis=1), 1e-6, 1 - 1e-6)
        return self.confidence_.transform(logit(top)[:, None])[:, 0]

    def contributions(self, scores: Scores, row: int, column: int) -> tuple[tuple[str, ...], Array]:
        """Return feature names and (features,) weight times value of one paper and category.

        With the intercept they sum to the logit that the calibration is given.
        """
        return self.builder_.names_, self.wide_weights_[column] * scores.rows[row].toarray()[0]

    def _targets(
        self, evidence: Evidence, decisions: Sequence[Decision | None]
    ) -> tuple[Array, Array, Array]:
        """(n, k) that a category applies, (n, k) that it is filed there, (n,) row weights."""
        votes = evidence.votes(self.ids)
        applies = expit(SEED_SLOPE * (votes - SEED_MIDDLE))
        filed = _softmax(SEED_SLOPE * self._with_fallback(votes))
        weights = np.full(len(votes), self.settings.seed_weight)
        for row, decision in enumerate(decisions):
            if decision is not None:
                applies[row] = [category in decision.values for category in self.ids]
                filed[row] = [category == decision.primary for category in self.ids]
                weights[row] = 1.0
        return applies, filed, weights

    def _with_fallback(self, votes: Array) -> Array:
        """Give the out-of-scope category the vote at which the others stop being likely."""
        votes = votes.copy()
        for column, category_id in enumerate(self.ids):
            if is_out_of_scope(self.facet, category_id):
                votes[:, column] = np.maximum(votes[:, column], SEED_MIDDLE / 2)
        return votes

    def _fit_applies(self, z: Array, applies: Array, weights: Array) -> Array:
        if self.facet.kind == "single":
            return np.zeros((len(self.ids), z.shape[1] + 1))
        return self._fit_all(z, applies, weights)

    def _fit_all(self, z: Array, targets: Array, weights: Array) -> Array:
        """Return (k, r + 1) weights and intercepts, one regression a category."""
        return np.stack([_fit_binary(z, column, weights, self.settings) for column in targets.T])

    def _apply_logits(self, z: Array, weights: Array) -> Array:
        return z @ weights[:, :-1].T + weights[:, -1]

    _file_logits = _apply_logits

    def _calibrate(
        self,
        z: Array,
        applies: Array,
        filed: Array,
        weights: Array,
        decided: NDArray[np.bool_],
        paper_ids: Sequence[str],
    ) -> None:
        """Learn calibration, thresholds and the confidence cut from cross-fitted scores."""
        rows = np.flatnonzero(decided)
        k = len(self.ids)
        apply_logits, file_logits = np.zeros((len(rows), k)), np.zeros((len(rows), k))
        folds = assign_folds(
            [paper_ids[row] for row in rows], filed[rows].argmax(axis=1), self.settings.folds
        )
        for fold in range(self.settings.folds if len(rows) >= 2 * self.settings.folds else 0):
            test = rows[folds == fold]
            train = np.setdiff1d(np.arange(len(z)), test)
            apply_weights = self._fit_applies(z[train], applies[train], weights[train])
            file_weights = self._fit_all(z[train], filed[train], weights[train])
            apply_logits[folds == fold] = self._apply_logits(z[test], apply_weights)
            file_logits[folds == fold] = self._file_logits(z[test], file_weights)
        if len(rows) < 2 * self.settings.folds:
            rows, apply_logits, file_logits = rows[:0], apply_logits[:0], file_logits[:0]
        self._learn_decisions(apply_logits, file_logits, applies[rows], filed[rows])

    def _learn_decisions(
        self, apply_logits: Array, file_logits: Array, applies: Array, filed: Array
    ) -> None:
        self.platt_ = PooledPlatt().fit(apply_logits, applies)
        if self.facet.kind == "single":
            probabilities = primary = _softmax(file_logits)
        else:
            probabilities = self.platt_.transform(apply_logits)
            primary = _primary(probabilities, file_logits)
        self.thresholds_ = best_thresholds(probabilities, applies)
        top = np.clip(primary.max(axis=1, initial=0), 1e-6, 1 - 1e-6)
        right = primary.argmax(axis=1) == filed.argmax(axis=1) if len(primary) else np.zeros(0)
        self.confidence_ = PooledPlatt().fit(logit(top)[:, None], right.astype(float)[:, None])
        confidence = self.confidence_.transform(logit(top)[:, None])[:, 0]
        self.cut_ = confidence_cut(confidence, right.astype(bool), self.settings.accuracy_target)
        self.cross_fit_ = CrossFit(probabilities, primary, confidence, applies, filed)


def assign_folds(
    paper_ids: Sequence[str], strata: NDArray[np.int64], folds: int
) -> NDArray[np.int64]:
    """Return (n,) fold numbers: each stratum dealt out in the order of its ids' hashes.

    A paper's fold depends on its own id and its stratum's, never on the order of the input.
    """
    order = sorted(
        range(len(paper_ids)),
        key=lambda i: (strata[i], hashlib.sha256(paper_ids[i].encode()).hexdigest()),
    )
    assigned = np.zeros(len(paper_ids), dtype=np.int64)
    for position, row in enumerate(order):
        assigned[row] = position % folds
    return assigned


def _fit_binary(z: Array, target: Array, weights: Array, settings: Settings) -> Array:
    """Return (r + 1,) weights and intercept of one category; soft targets enter as two rows."""
    positive, negative = weights * target, weights * (1 - target)
    if positive.sum() < 1e-3 or negative.sum() < 1e-3:
        prior = np.clip(positive.sum() / max(weights.sum(), 1e-9), 1e-3, 1 - 1e-3)
        return np.append(np.zeros(z.shape[1]), logit(prior))
    scale = (negative.sum() / positive.sum()) ** settings.balance
    sample = np.concatenate([positive * scale, negative])
    y = np.concatenate([np.ones(len(z)), np.zeros(len(z))])
    used = sample > 1e-4
    model = LogisticRegression(C=settings.regularisation, solver="newton-cg", max_iter=200)
    model.fit(np.vstack([z, z])[used], y[used], sample_weight=sample[used])
    return np.append(model.coef_[0], model.intercept_[0])


def _softmax(logits: Array) -> Array:
    return np.asarray(np.exp(log_softmax(logits, axis=1))) if len(logits) else logits


def _primary(applies: Array, file_logits: Array) -> Array:
    """Return (n, k): filed where both models agree, the product of their probabilities."""
    product = _softmax(file_logits) * applies
    return np.asarray(product / np.maximum(product.sum(axis=1, keepdims=True), 1e-12))
