"""The model of one facet: which categories apply to a paper, and which one it is filed under."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax, logit

from classifier.labelling.calibration import PooledPlatt
from classifier.labelling.decide import best_thresholds, confidence_cut, is_out_of_scope
from classifier.labelling.evidence import Evidence, EvidenceCounter
from classifier.labelling.features import evidence_names, with_evidence
from classifier.labelling.folds import assign_folds
from classifier.labelling.labels import Decision
from classifier.labelling.regression import Settings, fit_categories, logits
from classifier.labelling.rotation import RowSpace
from classifier.labelling.seeds import seed_labels
from classifier.labelling.spread import spread_labels, word_rows
from classifier.labelling.views import TextViews
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]


# Where a paper is filed is a matter of the codebook more than of words: from this many decisions
# on, seed labels add time and no accuracy.
_ENOUGH_DECISIONS = 60


@dataclass(frozen=True, slots=True)
class Scores:
    """What a facet model says of n papers."""

    evidence: Evidence
    rows: sparse.csr_matrix
    """(n, features) the rows scored, for explanations."""
    probabilities: Array
    """(n, k) calibrated probability that a category applies; of a single facet they sum to 1."""
    primary: Array
    """(n, k) probability that a paper is filed under the category; rows sum to 1."""


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


@dataclass(frozen=True, slots=True)
class Targets:
    """What n papers are to teach: decisions where there are any, seed labels elsewhere."""

    applies: Array
    """(n, k) that a category applies, 0 to 1."""
    filed: Array
    """(n, k) that a paper is filed there; rows sum to 1."""
    weights: Array
    """(n,) weight of each paper."""
    decided: NDArray[np.int64]
    """Rows with a decision."""


class FacetModel:
    """One facet of the taxonomy, learned from seed votes and decisions.

    Two sets of logistic regressions on the same features (TF-IDF and cues): does a category apply,
    and is the paper filed there. Calibration, thresholds and the cut for abstention are learned on
    cross-fitted scores of decided papers only.
    """

    def __init__(self, facet: Facet, settings: Settings) -> None:
        self.facet = facet
        self.settings = settings
        self.ids = facet.ids

    def fit(
        self,
        papers: Sequence[TextViews],
        text: sparse.csr_matrix,
        text_names: Sequence[str],
        paper_ids: Sequence[str],
        decisions: Sequence[Decision | None],
        fitted: Callable[[], None] = lambda: None,
    ) -> FacetModel:
        """Learn from papers in id order; `decisions` holds None where nobody has decided.

        text: (n, len(text_names)) TF-IDF rows of the papers; fitted: called after each of the
        `Settings.folds` cross-fits and the last fit.
        """
        self.counter_ = EvidenceCounter(self.facet)
        evidence = self.counter_.count(papers)
        self.names_ = (*text_names, *evidence_names(self.ids))
        rows = with_evidence(text, evidence, self.ids)
        self.space_ = RowSpace().fit(rows)
        z = self.space_.rotate(rows)
        words = word_rows(text, text_names, self.facet)
        targets = self._targets(evidence, words, decisions)
        self._learn_decisions(z, targets, paper_ids, fitted)
        everything = np.arange(len(z))
        self.apply_weights_, self.file_weights_ = self._fit_rows(z, targets, everything)
        fitted()
        shown = self.file_weights_ if self.facet.kind == "single" else self.apply_weights_
        self.wide_weights_ = self.space_.unrotate(shown[:, :-1])
        self.intercepts_ = shown[:, -1]
        return self

    def score(self, papers: Sequence[TextViews], text: sparse.csr_matrix) -> Scores:
        """Return the scores of any papers, whose TF-IDF rows are given."""
        evidence = self.counter_.count(papers)
        rows = with_evidence(text, evidence, self.ids)
        z = self.space_.rotate(rows)
        probabilities, primary = self._probabilities(
            logits(z, self.apply_weights_), logits(z, self.file_weights_)
        )
        return Scores(evidence, rows, probabilities, primary)

    def confidence(self, primary: Array) -> Array:
        """Return (n,) calibrated probability that the filed category is right."""
        return self.confidence_.transform(_top_logit(primary))[:, 0]

    def contributions(self, scores: Scores, row: int, column: int) -> tuple[tuple[str, ...], Array]:
        """Return feature names and (features,) weight times value of one paper and category.

        With `intercepts_[column]` they sum to the logit that the calibration is given.
        """
        values = scores.rows[row].toarray()[0]
        return self.names_, self.wide_weights_[column] * values

    def _targets(
        self,
        evidence: Evidence,
        words: tuple[sparse.csr_matrix, sparse.csr_matrix],
        decisions: Sequence[Decision | None],
    ) -> Targets:
        out = [k for k, name in enumerate(self.ids) if is_out_of_scope(self.facet, name)]
        votes = evidence.votes(self.ids)
        single = self.facet.kind == "single"
        seeds = seed_labels(votes, out)
        applies, weights = spread_labels(seeds, votes, words, out, single=single)
        weights *= self.settings.seed_weight
        filed = _softmax(logit(np.clip(applies, 1e-3, 1 - 1e-3)))
        decided = [row for row, decision in enumerate(decisions) if decision is not None]
        for row in decided:
            decision = decisions[row]
            assert decision is not None
            applies[row] = [category in decision.values for category in self.ids]
            filed[row] = [category == decision.primary for category in self.ids]
            weights[row] = 1.0
        return Targets(applies, filed, weights, np.array(decided, dtype=np.int64))

    def _fit_rows(self, z: Array, targets: Targets, rows: NDArray[np.int64]) -> tuple[Array, Array]:
        """Return (k, r + 1) weights of "applies" and of "is filed there", from some rows."""
        decided = rows[np.isin(rows, targets.decided)]
        told = decided if len(decided) >= _ENOUGH_DECISIONS else rows
        weights = targets.weights
        filed = fit_categories(z[told], targets.filed[told], weights[told], self.settings)
        if self.facet.kind == "single":
            return np.zeros_like(filed), filed
        return fit_categories(z[rows], targets.applies[rows], weights[rows], self.settings), filed

    def _probabilities(self, applies: Array, filed: Array) -> tuple[Array, Array]:
        """Return (probabilities, primary) of (n, k) logits."""
        filed_here = self.file_platt_.transform(filed)
        if self.facet.kind == "single":
            primary = _shares(filed_here)
            return primary, primary
        probabilities = self.apply_platt_.transform(applies)
        # Filed where both models agree: the product of their probabilities.
        return probabilities, _shares(filed_here * probabilities)

    def _learn_decisions(
        self, z: Array, targets: Targets, paper_ids: Sequence[str], fitted: Callable[[], None]
    ) -> None:
        """Learn calibration, thresholds and the confidence cut from cross-fitted scores."""
        rows, apply_logits, file_logits = self._cross_fit(z, targets, paper_ids, fitted)
        applies, filed = targets.applies[rows], targets.filed[rows]
        self.apply_platt_ = PooledPlatt().fit(apply_logits, applies)
        self.file_platt_ = PooledPlatt().fit(file_logits, filed)
        probabilities, primary = self._probabilities(apply_logits, file_logits)
        self.thresholds_ = best_thresholds(probabilities, applies)
        right = primary.argmax(axis=1) == filed.argmax(axis=1)
        self.confidence_ = PooledPlatt().fit(_top_logit(primary), right.astype(float)[:, None])
        confidence = self.confidence(primary)
        self.cut_ = confidence_cut(confidence, right, self.settings.accuracy_target)
        self.cross_fit_ = CrossFit(probabilities, primary, confidence, applies, filed)

    def _cross_fit(
        self, z: Array, targets: Targets, paper_ids: Sequence[str], fitted: Callable[[], None]
    ) -> tuple[NDArray[np.int64], Array, Array]:
        """Return decided rows and their (m, k) logits from models that had not seen them.

        Under two decisions a fold nothing is learned from them: (0, k).
        """
        rows, folds = targets.decided, self.settings.folds
        if len(rows) < 2 * folds:
            nothing = np.zeros((0, len(self.ids)))
            return rows[:0], nothing, nothing
        strata = targets.filed[rows].argmax(axis=1)
        dealt = assign_folds([paper_ids[row] for row in rows.tolist()], strata, folds)
        apply_logits, file_logits = np.zeros((2, len(rows), len(self.ids)))
        for fold in range(folds):
            test = rows[dealt == fold]
            train = np.setdiff1d(np.arange(len(z)), test)
            apply_weights, file_weights = self._fit_rows(z, targets, train)
            apply_logits[dealt == fold] = logits(z[test], apply_weights)
            file_logits[dealt == fold] = logits(z[test], file_weights)
            fitted()
        return rows, apply_logits, file_logits


def _top_logit(primary: Array) -> Array:
    """Return (n, 1) log-odds of the likeliest category."""
    return np.asarray(logit(np.clip(primary.max(axis=1, initial=0), 1e-6, 1 - 1e-6))[:, None])


def _shares(values: Array) -> Array:
    """Return (n, k) rows scaled to sum to 1."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12))


def _softmax(values: Array) -> Array:
    return np.asarray(np.exp(log_softmax(values, axis=1))) if len(values) else values
