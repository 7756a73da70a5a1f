"""The model of one facet: which categories apply to a paper, and which is the primary.

These two questions are called `applies` and `filed` in dictionaries and parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator

from classifier.labelling.decide import (
    DEFAULT_THRESHOLD,
    MIN_CHECKED,
    NO_CUT,
    best_thresholds,
    candidate_threshold,
    confidence_cut,
    has_clear_cues,
    out_of_scope_columns,
)
from classifier.labelling.explain import Contributions
from classifier.labelling.logit_parts import NO_EVIDENCE, LogitParts
from classifier.labelling.offset import Offset, WordRegression
from classifier.labelling.prior import FacetPrior, LinearModel
from classifier.labelling.regression import (
    C_AFTER_PRIOR,
    C,
    Correction,
    PooledPlatt,
    fit_correction,
    fit_estimator,
    keep_known,
    normalise_rows,
    top_logit,
)
from classifier.labelling.scores import (
    MAX_UNCHECKED,
    VOTE_MIDDLE,
    CrossFit,
    FacetInput,
    Scores,
    round_probabilities,
)
from classifier.labelling.training_data import (
    Targets,
    assign_folds,
    vote_probabilities,
)
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]
Rows = NDArray[np.int64]

_UNCHECKED: dict[str, float] = {"slope": 1.0, "offset": 0.0}
"""Calibration of `applies` before there are enough decisions, measured on labelled fields."""
_FILED_SLOPE = 0.5
"""Initial slope of the calibration of `filed` without a prior, measured on labelled fields."""
_CONFIDENCE_STARTS = {"prior": (1.0, 0.0), "single": (0.5, 0.1), "multi": (0.35, -0.2)}
"""Initial slope and offset of the calibration of the confidence: with a prior, and without one for
facets with one or several categories per paper. Measured on labelled fields."""
_CONFIDENCE_TRUST = {"trust": MIN_CHECKED, "offset_trust": 20.0, "shrinkage": 1e3}
"""Penalties of that calibration, so that a few right labels do not make every label confident."""
_DECIDED_HARDEST: dict[str, float] = {"trust": MIN_CHECKED, "shrinkage": 100.0}
"""Penalties without a prior: the first decided papers are the most difficult, so they change the
calibration only a little."""
_UNCHECKED_THRESHOLD = 0.35


@dataclass(frozen=True, slots=True)
class InitialModels:
    """The models of one question that predict the logits before any decision."""

    prior: LinearModel | None
    """Model of the categories that a prior knows."""
    evidence: Offset | None
    """Model of the other categories; None if there are none."""


@dataclass(frozen=True, slots=True)
class LastStepData:
    """The training data of the last step, for n papers and k categories."""

    paper_ids: tuple[str, ...]
    certain: NDArray[np.bool_]
    """(n, k) whether the target comes from a decision or an exemplar."""
    truths: Mapping[str, Array]
    """(n, k) targets by question."""
    offsets: Mapping[str, Array]
    """(n, k) log-odds before any decision, by question."""


class FacetModel:
    """Linear models on TF-IDF and cue features, calibrated on cross-fits of decided papers.

    There are two models per category: `applies`, and `filed` (is the primary). A single-valued
    facet has only `filed`. Each model starts from an offset, the logits before any decision: those
    of the prior for categories that it knows, else those of cues, likeness and words (`offset.py`).
    A logistic regression per category on the decided papers corrects the offset.
    """

    def __init__(
        self,
        facet: Facet,
        estimator: BaseEstimator | None,
        *,
        folds: int,
        accuracy_target: float,
    ) -> None:
        self.facet = facet
        self.ids = facet.ids
        self.estimator = estimator
        self.folds = folds
        self.accuracy_target = accuracy_target

    def fit(
        self,
        inputs: FacetInput,
        targets: Targets,
        paper_ids: Sequence[str],
        prior: FacetPrior | None,
        in_prior: NDArray[np.bool_],
        words: WordRegression | None,
    ) -> FacetModel:
        """Fit the model to n papers.

        in_prior: (n,) whether the prior was learned from the paper; such a paper is not used for
        calibration. words: the regression of soft labels on the words of the papers; None if the
        prior has all categories.
        """
        self.prior_ = prior
        self.known_ = (
            prior.known_categories(self.facet) if prior else np.zeros(len(self.ids), dtype=bool)
        )
        self.starts_: dict[str, InitialModels] = {}
        offsets: dict[str, Array] = {}
        for which, truth in self._questions(targets).items():
            from_prior = prior.linear_model(which, inputs, self.facet) if prior else None
            if words is None or self.known_.all():
                self.starts_[which] = InitialModels(from_prior, None)
                offsets[which] = self.offset(which, inputs)
                continue
            model, held_out_shares = words.fit(truth)
            self.starts_[which] = InitialModels(
                from_prior, Offset(model, is_choice=which == "filed")
            )
            offsets[which] = self.offset(which, inputs, held_out_shares)
        truths = self._questions(targets)
        self.lesson_ = LastStepData(tuple(paper_ids), targets.certain, truths, offsets)
        self.corrections_ = self._fit_corrections(inputs, targets, offsets, _NONE)
        rows, logits = self._cross_fit(inputs, targets, offsets, paper_ids, in_prior)
        self._calibrate(inputs, targets, paper_ids, rows, logits)
        return self

    def _questions(self, targets: Targets) -> dict[str, Array]:
        """Return the (n, k) targets of each question, `applies` and `filed`."""
        if self.facet.kind == "single":
            return {"filed": targets.filed}
        return {"applies": targets.applies, "filed": targets.filed}

    def offset(
        self, question: str, inputs: FacetInput, held_out_shares: Array | None = None
    ) -> Array:
        """Return the (n, k) logits of a question before any decision.

        held_out_shares: for training papers, the (n, k) shares predicted from the other papers.
        """
        start = self.starts_[question]
        offset = np.zeros(inputs.likeness.shape)
        if start.prior is not None:
            offset += start.prior.logits(inputs.rows)
        if start.evidence is not None:
            votes = inputs.evidence.votes(self.ids)
            applies = vote_probabilities(votes, out_of_scope_columns(self.facet))
            shares_of_words = held_out_shares
            if shares_of_words is None:
                shares_of_words = start.evidence.words.shares(inputs.text)
            own = start.evidence.logits(votes, applies, inputs.likeness, shares_of_words)
            offset = np.where(self.known_, offset, own)
        return offset

    def _fit_corrections(
        self, inputs: FacetInput, targets: Targets, offsets: dict[str, Array], excluded_rows: Rows
    ) -> dict[str, Correction]:
        """Fit the correction of each question without the rows `excluded_rows`."""
        kept = np.setdiff1d(np.arange(inputs.rows.shape[0]), excluded_rows)
        return {
            which: self._fit_correction(inputs.text, truth, targets.certain, offsets[which], kept)
            for which, truth in self._questions(targets).items()
        }

    def _fit_correction(
        self,
        text: sparse.csr_matrix,
        truth: Array,
        certain: NDArray[np.bool_],
        offset: Array,
        training_rows: Rows,
    ) -> Correction:
        """Fit the corrections of all categories to the decided rows of `training_rows`.

        text: (n, terms). truth, offset: (n, k). certain: (n, k) whether the target is decided.
        """
        k = len(self.ids)
        correction = Correction(np.zeros((k, text.shape[1])), np.zeros(k))
        for column in range(k):
            rows = training_rows[certain[training_rows, column]]
            right = truth[rows, column]
            if self.estimator is not None:
                fitted = fit_estimator(self.estimator, text[rows], right)
            else:
                c = float(self.inverse_penalties()[column])
                fitted = fit_correction(text[rows], right, offset[rows, column], c)
            correction.weights[column], correction.intercepts[column] = fitted
        return correction

    def inverse_penalties(self) -> Array:
        """Return the inverse penalty C of each category's correction, shape (k,)."""
        return np.where(self.known_, C_AFTER_PRIOR, C)

    def _logits(self, question: str, inputs: FacetInput) -> Array:
        """Return the uncalibrated (n, k) logits of a question."""
        return self.corrections_[question].logits(inputs.text, self.offset(question, inputs))

    def _cross_fit(
        self,
        inputs: FacetInput,
        targets: Targets,
        offsets: dict[str, Array],
        paper_ids: Sequence[str],
        in_prior: NDArray[np.bool_],
    ) -> tuple[Rows, dict[str, Array]]:
        """Return decided rows, and their (m, k) logits from models that did not learn from them."""
        rows = targets.decided[~in_prior[targets.decided]]
        if len(rows) < 2 * self.folds:
            return _NONE, {which: np.zeros((0, len(self.ids))) for which in offsets}
        ids = [paper_ids[row] for row in rows.tolist()]
        fold_of = assign_folds(ids, targets.primary_columns(rows), self.folds)

        def logits(fold: Rows) -> dict[str, Array]:
            """Return the logits of one fold."""
            out = rows[fold]
            models = self._fit_corrections(inputs, targets, offsets, out)
            return {
                which: model.logits(inputs.text[out], offsets[which][out])
                for which, model in models.items()
            }

        folds = [np.flatnonzero(fold_of == fold) for fold in range(self.folds)]
        by_fold = [logits(fold) for fold in folds]
        order = np.argsort(np.concatenate(folds))
        return rows, {
            which: np.concatenate([each[which] for each in by_fold])[order] for which in offsets
        }

    def _calibrate(
        self,
        inputs: FacetInput,
        targets: Targets,
        paper_ids: Sequence[str],
        rows: Rows,
        logits: dict[str, Array],
    ) -> None:
        """Learn calibration, thresholds, the confidence cut-off and the candidate threshold.

        rows, logits: decided papers and their logits, from `_cross_fit`.
        """
        has_prior = bool(self.known_.any())
        self.is_checked_ = has_prior or len(rows) >= MIN_CHECKED
        known = targets.known[rows]
        applies = np.where(known, targets.applies[rows], np.nan)
        filed = np.where(known, targets.filed[rows], np.nan)
        # The logits of a prior are calibrated, and those of votes nearly so: a few decisions, which
        # are on the most difficult papers, change the calibration only a little.
        strength = {"trust": 100.0, "shrinkage": 50.0} if has_prior else _DECIDED_HARDEST
        start = np.full(len(self.ids), DEFAULT_THRESHOLD)
        if self.is_checked_:
            self.apply_platt_ = PooledPlatt(**strength)
        else:
            self.apply_platt_ = PooledPlatt(**_UNCHECKED, trust=1e6)
            start[:] = _UNCHECKED_THRESHOLD
        if "applies" in logits:
            self.apply_platt_.fit(logits["applies"], applies)
        slope = 1.0 if has_prior else _FILED_SLOPE
        self.file_platt_ = PooledPlatt(slope=slope, **strength).fit(logits["filed"], filed)
        probabilities, primary = self._probabilities(logits)
        primary = keep_known(primary, known)
        if self.prior_:
            start = np.where(self.known_, self.prior_.thresholds_of(self.facet), start)
        self.thresholds_ = best_thresholds(probabilities, applies, start)
        right_columns = targets.primary_columns(rows)
        right = primary.argmax(axis=1) == right_columns
        slope, offset = _CONFIDENCE_STARTS["prior" if has_prior else self.facet.kind]
        calibration = PooledPlatt(slope=slope, offset=offset, **_CONFIDENCE_TRUST)
        self.confidence_ = calibration.fit(top_logit(primary), right.astype(float)[:, None])
        confidence = self.confidence(primary)
        self.cut_ = self._confidence_cut(confidence, right, ~targets.is_queued[rows])
        self.candidate_threshold_ = candidate_threshold(primary, right_columns)
        self.cross_fit_ = CrossFit(
            probabilities,
            primary,
            confidence,
            applies,
            np.nan_to_num(filed),
            tuple(paper_ids[row] for row in rows.tolist()),
            (confidence >= self.cut_)
            & self._has_enough_text(inputs.of(rows), primary.argmax(axis=1)),
        )

    def _confidence_cut(
        self, confidence: Array, is_right: NDArray[np.bool_], is_fair: NDArray[np.bool_]
    ) -> float:
        """Return the confidence cut-off, learned from decisions and from the prior's cut-off.

        is_fair: (m,) whether the paper was not selected by the review queue. The queue selects
        difficult papers, which say nothing about easier papers.
        """
        start = self.prior_.cut if self.prior_ and self.known_.any() else None
        if start is None and is_fair.sum() < MIN_CHECKED:
            return NO_CUT
        return confidence_cut(confidence[is_fair], is_right[is_fair], self.accuracy_target, start)

    def score(self, inputs: FacetInput) -> Scores:
        """Return the scores of papers; the scores of a paper do not depend on the other papers."""
        logits = {which: self._logits(which, inputs) for which in self.corrections_}
        return Scores(inputs, *self._probabilities(logits))

    def _probabilities(self, logits: dict[str, Array]) -> tuple[Array, Array]:
        """Return the (n, k) `probabilities` and `primary` of `Scores` from the logits of each
        question.
        """
        filed_here = self.file_platt_.transform(logits["filed"])
        if self.facet.kind == "single":
            primary = round_probabilities(normalise_rows(filed_here))
            return primary, primary
        probabilities = self.apply_platt_.transform(logits["applies"])
        # The primary category is one that also applies: multiply the probabilities of both models.
        return round_probabilities(probabilities), round_probabilities(
            normalise_rows(filed_here * probabilities)
        )

    def choose_primary(self, scores: Scores) -> tuple[Rows, Array, NDArray[np.bool_]]:
        """Return (n,) columns of the primaries, their confidence, and whether they are confident.

        The out-of-scope category requires a confident prediction or cues; otherwise the paper gets
        the most likely other category.
        """
        columns = scores.primary.argmax(axis=1)
        confidence = self.confidence(scores.primary)
        sure = np.asarray(confidence >= self.cut_)
        outside = out_of_scope_columns(self.facet)
        voted = scores.inputs.evidence.votes(self.ids)[np.arange(len(columns)), columns]
        doubtful = np.isin(columns, outside) & ~sure & (voted < VOTE_MIDDLE)
        if doubtful.any() and len(outside) < len(self.ids):
            within = scores.primary[doubtful].copy()
            within[:, outside] = -1
            columns[doubtful] = within.argmax(axis=1)
            confidence[doubtful] = np.minimum(
                confidence[doubtful], round_probabilities(within.max(axis=1, initial=0.0))
            )
        return columns, confidence, sure & self._has_enough_text(scores.inputs, columns)

    def _has_enough_text(self, inputs: FacetInput, columns: Rows) -> NDArray[np.bool_]:
        """Return whether a paper has an abstract, or clear cues for its category, shape (n,)."""
        is_clear = has_clear_cues(inputs.evidence.votes(self.ids))
        return np.asarray(inputs.has_abstract | is_clear[np.arange(len(columns)), columns])

    def confidence(self, primary_probabilities: Array) -> Array:
        """Return calibrated probabilities that the most likely primary is right, shape (n,)."""
        sure = self.confidence_.transform(top_logit(primary_probabilities))[:, 0]
        return round_probabilities(sure if self.is_checked_ else np.minimum(sure, MAX_UNCHECKED))

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return the calibrated logit of one paper and category as a sum.

        The sigmoid of the logit is the probability; in a single-valued facet, it is the probability
        before normalisation over all categories.
        """
        return self.logit_parts(scores.inputs).contributions(row, column)

    def logit_parts(self, inputs: FacetInput) -> LogitParts:
        """Return the terms of the sums that make up the calibrated logits of papers."""
        single = self.facet.kind == "single"
        platt = self.file_platt_ if single else self.apply_platt_
        which = "filed" if single else "applies"
        correction, start = self.corrections_[which], self.starts_[which]
        weights = np.zeros((len(self.ids), inputs.rows.shape[1]))
        weights[:, : inputs.terms] = correction.weights
        intercepts = correction.intercepts.copy()
        is_known = self.known_ if start.prior is not None else np.zeros_like(self.known_)
        if start.prior is not None:
            weights[is_known] += start.prior.weights[is_known]
            intercepts[is_known] += start.prior.intercepts[is_known]
        evidence, constant, word_scale = NO_EVIDENCE, 0.0, 0.0
        word_weights, word_means = np.zeros((0, 0)), np.zeros(0)
        if start.evidence is not None:
            words = start.evidence.words
            votes = inputs.evidence.votes(self.ids)
            applies = vote_probabilities(votes, out_of_scope_columns(self.facet))
            shares_of_words = words.shares(inputs.text)
            evidence, constant = start.evidence.parts(
                votes, applies, inputs.likeness, shares_of_words
            )
            word_scale = start.evidence.share_weight
            word_weights, word_means = words.weights.T, words.mean
        rows = inputs.rows.tocsr()
        return LogitParts(
            self.facet,
            tuple(inputs.names),
            inputs.terms,
            rows.indptr,
            rows.indices,
            rows.data,
            weights,
            intercepts,
            is_known,
            evidence,
            constant,
            word_scale,
            word_weights,
            word_means,
            platt.slope_,
            platt.offset_ + np.asarray(platt.shifts_),
        )


_NONE: Rows = np.zeros(0, dtype=np.int64)
