"""The model of one facet: which categories apply to a paper, and where it is filed."""

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
    are_clear,
    best_thresholds,
    confidence_cut,
    least_probability,
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
    among,
    fit_correction,
    learned,
    shares,
    top_logit,
)
from classifier.labelling.scores import (
    MAX_UNCHECKED,
    VOTE_MIDDLE,
    CrossFit,
    FacetView,
    Scores,
    rounded,
)
from classifier.labelling.training_data import (
    Targets,
    assign_folds,
    vote_probabilities,
)
from classifier.parallel import parallel_map
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]
Rows = NDArray[np.int64]

_UNCHECKED: dict[str, float] = {"slope": 1.0, "offset": 0.0}
"""Calibration of "applies" before there are enough decisions: measured on labelled fields."""
_FILED_SLOPE = 0.5
"""Calibration of "filed" before there are enough decisions: measured on labelled fields."""
_CONFIDENCE_STARTS = {"prior": (1.0, 0.0), "single": (0.5, 0.1), "multi": (0.35, -0.2)}
"""Slope and offset of the calibration of the confidence before any decision: with a prior, and
without one for a facet of one category or of several per paper. Measured on labelled fields."""
_CONFIDENCE_TRUST = {"trust": MIN_CHECKED, "offset_trust": 20.0, "shrinkage": 1e3}
"""A few decisions that all agree do not make every label confident."""
_DECIDED_HARDEST: dict[str, float] = {"trust": MIN_CHECKED, "shrinkage": 100.0}
"""The papers that are decided first are the hardest: they move the calibration only a little."""
_UNCHECKED_THRESHOLD = 0.35


@dataclass(frozen=True, slots=True)
class Start:
    """The source of the logits before any decision."""

    prior: LinearModel | None
    """For the categories that a prior knows."""
    evidence: Offset | None
    """For the others; None where there are none."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the last step learned from: n papers and k categories."""

    paper_ids: tuple[str, ...]
    certain: NDArray[np.bool_]
    """(n, k) whether people decided on a category."""
    truths: Mapping[str, Array]
    """(n, k) targets of each question."""
    offsets: Mapping[str, Array]
    """(n, k) log-odds of each question before any decision."""


class FacetModel:
    """Linear models on TF-IDF and cues, calibrated on cross-fits of decided papers.

    Two models per category, "it applies" and "it is filed there" (of a single facet only the
    latter). Each starts from an offset, the logits before any decision: those of the prior, for the
    categories that it knows, else those of cues, likeness and words (`offset.py`). A logistic
    regression per category on the decided papers corrects it.
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
        seen: FacetView,
        targets: Targets,
        paper_ids: Sequence[str],
        prior: FacetPrior | None,
        in_prior: NDArray[np.bool_],
        words: WordRegression | None,
    ) -> FacetModel:
        """Learn from papers.

        in_prior: (n,) papers that the prior was learned from; nothing is measured on them.
        words: the regression of soft labels on the words of the papers; None where the prior knows
        all categories.
        """
        self.prior_ = prior
        self.known_ = prior.known(self.facet) if prior else np.zeros(len(self.ids), dtype=bool)
        self.starts_: dict[str, Start] = {}
        offsets: dict[str, Array] = {}
        for which, truth in self._questions(targets).items():
            weighed = prior.linear(which, seen, self.facet) if prior else None
            if words is None or self.known_.all():
                self.starts_[which] = Start(weighed, None)
                offsets[which] = self.offset(which, seen)
                continue
            model, inner = words.fit(truth)
            self.starts_[which] = Start(weighed, Offset(model, is_choice=which == "filed"))
            offsets[which] = self.offset(which, seen, inner)
        truths = self._questions(targets)
        self.lesson_ = Lesson(tuple(paper_ids), targets.certain, truths, offsets)
        self.corrections_ = self._train(seen, targets, offsets, _NONE)
        rows, logits = self._held_out(seen, targets, offsets, paper_ids, in_prior)
        self._calibrate(seen, targets, paper_ids, rows, logits)
        return self

    def _questions(self, targets: Targets) -> dict[str, Array]:
        """Return the (n, k) targets of each question."""
        if self.facet.kind == "single":
            return {"filed": targets.filed}
        return {"applies": targets.applies, "filed": targets.filed}

    def offset(self, which: str, seen: FacetView, inner: Array | None = None) -> Array:
        """Return (n, k) logits before any decision; `inner` are the shares of taught papers."""
        start = self.starts_[which]
        offset = np.zeros(seen.likeness.shape)
        if start.prior is not None:
            offset += start.prior.logits(seen.rows)
        if start.evidence is not None:
            votes = seen.evidence.votes(self.ids)
            applies = vote_probabilities(votes, out_of_scope_columns(self.facet))
            found = start.evidence.words.shares(seen.text) if inner is None else inner
            own = start.evidence.logits(votes, applies, seen.likeness, found)
            offset = np.where(self.known_, offset, own)
        return offset

    def _train(
        self, seen: FacetView, targets: Targets, offsets: dict[str, Array], left_out: Rows
    ) -> dict[str, Correction]:
        """Return the corrections of each question, learned without some rows."""
        kept = np.setdiff1d(np.arange(seen.rows.shape[0]), left_out)
        return {
            which: self._corrected(seen.text, truth, targets.certain, offsets[which], kept)
            for which, truth in self._questions(targets).items()
        }

    def _corrected(
        self,
        text: sparse.csr_matrix,
        truth: Array,
        certain: NDArray[np.bool_],
        offset: Array,
        kept: Rows,
    ) -> Correction:
        """Return the correction of every category, learned from the papers that people decided.

        truth, offset: (n, k); certain: (n, k) whether people decided it.
        """
        k = len(self.ids)
        found = Correction(np.zeros((k, text.shape[1])), np.zeros(k))
        for column in range(k):
            rows = kept[certain[kept, column]]
            right = truth[rows, column]
            if self.estimator is not None:
                fitted = learned(self.estimator, text[rows], right)
            else:
                c = float(self.inverse_penalties()[column])
                fitted = fit_correction(text[rows], right, offset[rows, column], c)
            found.weights[column], found.intercepts[column] = fitted
        return found

    def inverse_penalties(self) -> Array:
        """Return (k,) C of the correction of each category."""
        return np.where(self.known_, C_AFTER_PRIOR, C)

    def _logits(self, which: str, seen: FacetView) -> Array:
        """Return (n, k) logits of a question."""
        return self.corrections_[which].logits(seen.text, self.offset(which, seen))

    def _held_out(
        self,
        seen: FacetView,
        targets: Targets,
        offsets: dict[str, Array],
        paper_ids: Sequence[str],
        in_prior: NDArray[np.bool_],
    ) -> tuple[Rows, dict[str, Array]]:
        """Return decided rows and their (m, k) logits from models that had not seen them."""
        rows = targets.decided[~in_prior[targets.decided]]
        if len(rows) < 2 * self.folds:
            return _NONE, {which: np.zeros((0, len(self.ids))) for which in offsets}
        ids = [paper_ids[row] for row in rows.tolist()]
        dealt = assign_folds(ids, targets.filed_under(rows), self.folds)

        def logits(here: Rows) -> dict[str, Array]:
            out = rows[here]
            models = self._train(seen, targets, offsets, out)
            return {
                which: model.logits(seen.text[out], offsets[which][out])
                for which, model in models.items()
            }

        folds = [np.flatnonzero(dealt == fold) for fold in range(self.folds)]
        found = parallel_map(logits, folds, len(paper_ids))
        order = np.argsort(np.concatenate(folds))
        return rows, {
            which: np.concatenate([each[which] for each in found])[order] for which in offsets
        }

    def _calibrate(
        self,
        seen: FacetView,
        targets: Targets,
        paper_ids: Sequence[str],
        rows: Rows,
        logits: dict[str, Array],
    ) -> None:
        """Learn calibration, thresholds, the border of `confident` and the sets of candidates."""
        has_prior = bool(self.known_.any())
        self.is_checked_ = has_prior or len(rows) >= MIN_CHECKED
        said = targets.said[rows]
        applies = np.where(said, targets.applies[rows], np.nan)
        filed = np.where(said, targets.filed[rows], np.nan)
        # A prior is calibrated, a few decisions move it only a little; so are votes, nearly, and
        # the papers decided first are the hardest.
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
        primary = among(primary, said)
        if self.prior_:
            start = np.where(self.known_, self.prior_.thresholds_of(self.facet), start)
        self.thresholds_ = best_thresholds(probabilities, applies, start)
        right_columns = targets.filed_under(rows)
        right = primary.argmax(axis=1) == right_columns
        slope, offset = _CONFIDENCE_STARTS["prior" if has_prior else self.facet.kind]
        calibration = PooledPlatt(slope=slope, offset=offset, **_CONFIDENCE_TRUST)
        self.confidence_ = calibration.fit(top_logit(primary), right.astype(float)[:, None])
        confidence = self.confidence(primary)
        self.cut_ = self._cut(confidence, right, ~targets.is_queued[rows])
        self.least_probability_ = least_probability(primary, right_columns)
        self.cross_fit_ = CrossFit(
            probabilities,
            primary,
            confidence,
            applies,
            np.nan_to_num(filed),
            tuple(paper_ids[row] for row in rows.tolist()),
            (confidence >= self.cut_) & self._is_read(seen.of(rows), primary.argmax(axis=1)),
        )

    def _cut(
        self, confidence: Array, right: NDArray[np.bool_], is_fair: NDArray[np.bool_]
    ) -> float:
        """Return the border of `confident`: what decisions show, starting from the prior's.

        is_fair: (m,) whether a paper was decided for another reason than that it is hard. The
        papers of the queue say nothing about easier ones.
        """
        start = self.prior_.cut if self.prior_ and self.known_.any() else None
        if start is None and is_fair.sum() < MIN_CHECKED:
            return NO_CUT
        return confidence_cut(confidence[is_fair], right[is_fair], self.accuracy_target, start)

    def score(self, seen: FacetView) -> Scores:
        """Return the scores of any papers; those of one do not depend on the others."""
        logits = {which: self._logits(which, seen) for which in self.corrections_}
        return Scores(seen, *self._probabilities(logits))

    def _probabilities(self, logits: dict[str, Array]) -> tuple[Array, Array]:
        """Return (probabilities, primary) of (n, k) logits of each question."""
        filed_here = self.file_platt_.transform(logits["filed"])
        if self.facet.kind == "single":
            primary = rounded(shares(filed_here))
            return primary, primary
        probabilities = self.apply_platt_.transform(logits["applies"])
        # Filed where both models agree: the product of their probabilities.
        return rounded(probabilities), rounded(shares(filed_here * probabilities))

    def filed(self, scores: Scores) -> tuple[Rows, Array, NDArray[np.bool_]]:
        """Return where n papers are filed, how sure that is, and whether that is confident.

        Out of scope goes what is sure to, or has cues of it; else the likeliest topic is given.
        """
        columns = scores.primary.argmax(axis=1)
        confidence = self.confidence(scores.primary)
        sure = np.asarray(confidence >= self.cut_)
        alone = out_of_scope_columns(self.facet)
        voted = scores.seen.evidence.votes(self.ids)[np.arange(len(columns)), columns]
        doubtful = np.isin(columns, alone) & ~sure & (voted < VOTE_MIDDLE)
        if doubtful.any() and len(alone) < len(self.ids):
            within = scores.primary[doubtful].copy()
            within[:, alone] = -1
            columns[doubtful] = within.argmax(axis=1)
            confidence[doubtful] = np.minimum(
                confidence[doubtful], rounded(within.max(axis=1, initial=0.0))
            )
        return columns, confidence, sure & self._is_read(scores.seen, columns)

    def _is_read(self, seen: FacetView, columns: Rows) -> NDArray[np.bool_]:
        """Return (n,) whether there is an abstract, or clear cues for the category in the title."""
        is_clear = are_clear(seen.evidence.votes(self.ids))
        return np.asarray(seen.has_abstract | is_clear[np.arange(len(columns)), columns])

    def confidence(self, primary: Array) -> Array:
        """Return (n,) calibrated probability that the likeliest filed category is right."""
        sure = self.confidence_.transform(top_logit(primary))[:, 0]
        return rounded(sure if self.is_checked_ else np.minimum(sure, MAX_UNCHECKED))

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return what adds up to the calibrated logit of one paper and category.

        Its sigmoid is the probability; of a single facet, before it is divided by their sum.
        """
        return self.parts(scores.seen).contributions(row, column)

    def parts(self, seen: FacetView) -> LogitParts:
        """Return the parts of the calibrated logits of any papers."""
        single = self.facet.kind == "single"
        platt = self.file_platt_ if single else self.apply_platt_
        which = "filed" if single else "applies"
        correction, start = self.corrections_[which], self.starts_[which]
        weights = np.zeros((len(self.ids), seen.rows.shape[1]))
        weights[:, : seen.terms] = correction.weights
        intercepts = correction.intercepts.copy()
        is_known = self.known_ if start.prior is not None else np.zeros_like(self.known_)
        if start.prior is not None:
            weights[is_known] += start.prior.weights[is_known]
            intercepts[is_known] += start.prior.intercepts[is_known]
        evidence, constant, word_scale = NO_EVIDENCE, 0.0, 0.0
        word_weights, word_means = np.zeros((0, 0)), np.zeros(0)
        if start.evidence is not None:
            words = start.evidence.words
            votes = seen.evidence.votes(self.ids)
            applies = vote_probabilities(votes, out_of_scope_columns(self.facet))
            shares_of_words = words.shares(seen.text)
            evidence, constant = start.evidence.parts(
                votes, applies, seen.likeness, shares_of_words
            )
            word_scale = start.evidence.share_weight
            word_weights, word_means = words.weights.T, words.mean
        rows = seen.rows.tocsr()
        return LogitParts(
            self.facet,
            tuple(seen.names),
            seen.terms,
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
