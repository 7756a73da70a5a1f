"""The model of one facet: which categories apply to a paper, and where it is filed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit
from sklearn.base import BaseEstimator

from classifier.labelling.cue_index import Evidence
from classifier.labelling.decide import (
    DEFAULT_CUT,
    DEFAULT_THRESHOLD,
    MIN_CHECKED,
    best_thresholds,
    confidence_cut,
    least_probability,
    out_of_scope_columns,
)
from classifier.labelling.explain import Contributions, vote_contributions
from classifier.labelling.prior import FacetPrior, LinearModel
from classifier.labelling.regression import PooledPlatt, among, learned, rounded, shares, top_logit
from classifier.labelling.training_data import (
    VOTE_MIDDLE,
    Targets,
    assign_folds,
    vote_probabilities,
    weak_logits,
)
from classifier.parallel import parallel_map
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]
Rows = NDArray[np.int64]

ENOUGH_PAPERS, FEW_DECISIONS = 80, 20
"""Below both, regressions are worse than the votes they learn from: the votes decide."""
_LEAST_SURE = 0.1
# Nothing checks how sure votes alone are: on papers where it was measured nine in ten are right.
_VOTES_COUNT = 0.3
"""What the votes weigh beside the regressions, of a facet of several categories a paper."""
_FADING = 60
"""Of where a paper is filed weak labels and votes weigh 60 / (60 + n), of n decisions: cues say
well which categories apply, but not which one comes first."""
_UNCHECKED: dict[str, float] = {"slope": 1.15, "offset": -0.4}
_DECIDED_HARDEST: dict[str, float] = {"trust": MIN_CHECKED, "shrinkage": 100.0}
_UNCHECKED_THRESHOLD = 0.3
"""Learned half-way to balanced classes, weak labels apply too often; until people tell how often,
this is what their log-odds are worth on papers where it was measured."""
_PRIOR_COUNTS = 600
"""What these papers taught weighs n / (n + 600) beside a prior, of n decisions."""


@dataclass(frozen=True, slots=True)
class FacetView:
    """What a facet's model sees of n papers."""

    rows: sparse.csr_matrix
    """(n, features): TF-IDF, then cue features."""
    names: Sequence[str]
    """Of the features."""
    terms: int
    """How many of them are TF-IDF."""
    evidence: Evidence

    @property
    def words(self) -> list[int]:
        """The columns that are single words of texts."""
        names = enumerate(self.names[: self.terms])
        return [at for at, name in names if name.startswith("text:") and " " not in name]


@dataclass(frozen=True, slots=True)
class Scores:
    """What a facet's model says of n papers."""

    seen: FacetView
    probabilities: Array
    """(n, k) calibrated probability that a category applies; of a single facet they sum to 1."""
    primary: Array
    """(n, k) probability that a paper is filed under the category; rows sum to 1."""


@dataclass(frozen=True, slots=True)
class CrossFit:
    """What the model said of m decided papers before it had seen their decision."""

    probabilities: Array
    """(m, k) calibrated probability that a category applies."""
    primary: Array
    """(m, k) probability that a paper is filed under the category, of those its decision knows."""
    confidence: Array
    """(m,) probability that the filed category is right."""
    applies: Array
    """(m, k) truth in {0, 1}; nan where the decision does not know the category."""
    filed: Array
    """(m, k) truth in {0, 1}, one 1 a row."""
    paper_ids: tuple[str, ...]
    sure: NDArray[np.bool_]
    """(m,) whether the model stands by the filed category, given that there is an abstract."""


class FacetModel:
    """Linear models on TF-IDF and cues, calibrated on cross-fits of decided papers.

    Two linear models a category, "it applies" and "it is filed there" (of a single facet only the
    latter). Without a prior each is the mean of one on text and one on text and cues, learned from
    decisions and weak labels. With a prior, which has learned what cues are worth on papers that
    no cue was mined from, it is the mean of the prior and a model on the text of decided papers.
    """

    def __init__(
        self,
        facet: Facet,
        estimator: BaseEstimator,
        *,
        folds: int,
        accuracy_target: float,
        votes_only: bool = False,
    ) -> None:
        self.facet = facet
        self.ids = facet.ids
        self.estimator = estimator
        self.folds = folds
        self.accuracy_target = accuracy_target
        self.votes_only = votes_only

    def fit(
        self,
        seen: FacetView,
        targets: Targets,
        paper_ids: Sequence[str],
        prior: FacetPrior | None,
        in_prior: NDArray[np.bool_],
    ) -> FacetModel:
        """Learn from papers.

        in_prior: (n,) papers that the prior was learned from; nothing is measured on them.
        """
        self.prior_ = prior
        self.known_ = prior.known(self.facet) if prior else np.zeros(len(self.ids), dtype=bool)
        few = len(paper_ids) < ENOUGH_PAPERS and len(targets.decided) < FEW_DECISIONS
        self.votes_decide_ = ~self.known_ & (few or self.votes_only)
        self.applies_, self.filed_ = self._train(seen, targets, _NONE)
        rows, apply_logits, file_logits = self._held_out(seen, targets, paper_ids, in_prior)
        self._calibrate(seen, targets, paper_ids, rows, apply_logits, file_logits)
        return self

    def _train(
        self, seen: FacetView, targets: Targets, left_out: Rows
    ) -> tuple[LinearModel, LinearModel]:
        """Return the models of "applies" and of "filed", learned without some rows."""
        kept = np.setdiff1d(np.arange(seen.rows.shape[0]), left_out)
        decided = np.intersect1d(targets.decided, kept)
        single = self.facet.kind == "single"
        fade = 1.0 if single else _FADING / (_FADING + len(decided))
        filed = self._joined(
            seen, targets, targets.filed, fade * targets.filed_weights, kept, "filed"
        )
        filed = replace(filed, votes=0.0 if single else _VOTES_COUNT * fade)
        if single:
            return filed, filed
        applies = self._joined(
            seen, targets, targets.applies, targets.applies_weights, kept, "applies"
        )
        return replace(applies, votes=_VOTES_COUNT), filed

    def _joined(
        self,
        seen: FacetView,
        targets: Targets,
        truth: Array,
        weak: Array,
        kept: Rows,
        which: str,
    ) -> LinearModel:
        """Return the linear model of every category: of its own papers, and of the prior.

        truth: (n, k); weak: (n,) what it counts where nobody is certain of it.
        """
        k, width = len(self.ids), len(seen.names)
        joined = LinearModel(np.zeros((k, width)), np.zeros(k))
        all_kept = seen.rows[kept]
        theirs = self.prior_.linear(which, seen, self.facet) if self.prior_ else None
        for column in np.flatnonzero(~self.votes_decide_).tolist():
            certain = targets.certain[kept, column]
            if theirs is not None and self.known_[column]:
                rows = kept[certain]
                text, right = seen.rows[rows], truth[rows, column]
                own = learned(self.estimator, text, right, np.ones(len(rows)), [seen.terms])
                share = len(rows) / (len(rows) + _PRIOR_COUNTS)
                joined.weights[column] = share * own[0] + (1 - share) * theirs.weights[column]
                joined.intercepts[column] = share * own[1] + (1 - share) * theirs.intercepts[column]
                continue
            each = np.where(certain, 1.0, weak[kept])
            joined.weights[column], joined.intercepts[column] = learned(
                self.estimator,
                all_kept,
                truth[kept, column],
                each,
                [seen.terms, width],
                balanced=self.facet.kind == "multi" or targets.by_words,
            )
        # Who asks of the hardest papers, or of one category, does not learn how often each applies.
        alike = ~self.votes_decide_ & ~self.known_
        joined.intercepts[alike] += joined.intercepts[alike].sum() / max(alike.sum(), 1)
        joined.intercepts[alike] /= 2
        return joined

    def _logits(self, model: LinearModel, seen: FacetView) -> Array:
        """Return (n, k) logits of a model, the share of votes in it."""
        share = self._vote_share(model)
        z = np.asarray(seen.rows @ model.weights.T + model.intercepts) * (1 - share)
        return z + share * self._vote_logits(seen.evidence) if share.any() else z

    def _vote_share(self, model: LinearModel) -> Array:
        """Return (k,) what votes weigh: nothing where a prior speaks, all where they decide."""
        return np.where(self.votes_decide_, 1.0, np.where(self.known_, 0.0, model.votes))

    def _vote_logits(self, evidence: Evidence) -> Array:
        applies, _ = vote_probabilities(evidence.votes(self.ids), out_of_scope_columns(self.facet))
        return weak_logits(np.clip(applies, _LEAST_SURE, 1 - _LEAST_SURE))

    def _held_out(
        self,
        seen: FacetView,
        targets: Targets,
        paper_ids: Sequence[str],
        in_prior: NDArray[np.bool_],
    ) -> tuple[Rows, Array, Array]:
        """Return decided rows and their (m, k) logits from models that had not seen them."""
        rows = targets.decided[~in_prior[targets.decided]]
        apply_logits, file_logits = np.zeros((2, len(rows), len(self.ids)))
        if len(rows) < 2 * self.folds:
            return _NONE, apply_logits[:0], file_logits[:0]
        ids = [paper_ids[row] for row in rows.tolist()]
        dealt = assign_folds(ids, targets.filed_under(rows), self.folds)

        def logits(here: Rows) -> tuple[Array, Array]:
            out = rows[here]
            part = FacetView(seen.rows[out], seen.names, seen.terms, seen.evidence.of(out))
            applies, filed = self._train(seen, targets, out)
            return self._logits(applies, part), self._logits(filed, part)

        folds = [np.flatnonzero(dealt == fold) for fold in range(self.folds)]
        for here, found in zip(folds, parallel_map(logits, folds, len(paper_ids)), strict=True):
            apply_logits[here], file_logits[here] = found
        return rows, apply_logits, file_logits

    def _calibrate(
        self,
        seen: FacetView,
        targets: Targets,
        paper_ids: Sequence[str],
        rows: Rows,
        apply_logits: Array,
        file_logits: Array,
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
            self.apply_platt_ = PooledPlatt(**strength).fit(apply_logits, applies)
        else:
            self.apply_platt_ = PooledPlatt(**_UNCHECKED).fit(apply_logits[:0], applies[:0])
            start[:] = _UNCHECKED_THRESHOLD
        self.file_platt_ = PooledPlatt(**strength).fit(file_logits, filed)
        probabilities, primary = self._probabilities(apply_logits, file_logits)
        primary = among(primary, said)
        cut = DEFAULT_CUT
        if self.prior_:
            start = np.where(self.known_, self.prior_.thresholds_of(self.facet), start)
            cut = self.prior_.cut
        self.thresholds_ = best_thresholds(probabilities, applies, start)
        right_columns = targets.filed_under(rows)
        right = primary.argmax(axis=1) == right_columns
        self.confidence_ = PooledPlatt(trust=MIN_CHECKED).fit(
            top_logit(primary), right.astype(float)[:, None]
        )
        confidence = self.confidence(primary)
        self.cut_ = confidence_cut(confidence, right, self.accuracy_target, cut)
        self.least_probability_ = least_probability(primary, right_columns)
        self.cross_fit_ = CrossFit(
            probabilities,
            primary,
            confidence,
            applies,
            np.nan_to_num(filed),
            tuple(paper_ids[row] for row in rows.tolist()),
            self.is_sure(primary, confidence, seen.evidence.of(rows)),
        )

    def score(self, seen: FacetView) -> Scores:
        """Return the scores of any papers; those of one do not depend on the others."""
        apply_logits = self._logits(self.applies_, seen)
        file_logits = self._logits(self.filed_, seen)
        return Scores(seen, *self._probabilities(apply_logits, file_logits))

    def _probabilities(self, applies: Array, filed: Array) -> tuple[Array, Array]:
        """Return (probabilities, primary) of (n, k) logits."""
        filed_here = self.file_platt_.transform(filed)
        if self.facet.kind == "single":
            primary = rounded(shares(filed_here))
            return primary, primary
        probabilities = self.apply_platt_.transform(applies)
        # Filed where both models agree: the product of their probabilities.
        return rounded(probabilities), rounded(shares(filed_here * probabilities))

    def filed(self, scores: Scores) -> tuple[Rows, Array, NDArray[np.bool_]]:
        """Return where n papers are filed, how sure that is, and whether the model stands by it.

        Out of scope goes what is sure to, or has cues of it; else the likeliest topic is given.
        """
        columns = scores.primary.argmax(axis=1)
        confidence = self.confidence(scores.primary)
        sure = self.is_sure(scores.primary, confidence, scores.seen.evidence)
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
        return columns, confidence, sure

    def confidence(self, primary: Array) -> Array:
        """Return (n,) calibrated probability that the likeliest filed category is right."""
        sure = self.confidence_.transform(top_logit(primary))[:, 0]
        return rounded(sure if self.is_checked_ else np.minimum(sure, 1 - _LEAST_SURE))

    def is_sure(self, primary: Array, confidence: Array, evidence: Evidence) -> NDArray[np.bool_]:
        """Return (n,) whether the classifier stands by the likeliest filed category.

        Where neither decisions nor a prior have checked how sure it may be, cues must speak for the
        category, too: to know nothing of a paper is no reason to be sure that it is out of scope.
        """
        sure = np.asarray(confidence >= self.cut_)
        if self.is_checked_:
            return sure
        votes = evidence.votes(self.ids)[np.arange(len(primary)), primary.argmax(axis=1)]
        return np.asarray(sure & (votes >= VOTE_MIDDLE))

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return what adds up to the calibrated logit of one paper and category.

        Its sigmoid is the probability; of a single facet, before it is divided by their sum.
        """
        single = self.facet.kind == "single"
        platt = self.file_platt_ if single else self.apply_platt_
        offset = platt.offset_ + float(platt.shifts_[column])
        model = self.filed_ if single else self.applies_
        share = float(self._vote_share(model)[column])
        votes = 0.0
        if share:
            votes = float(self._vote_logits(scores.seen.evidence.of(np.array([row])))[0, column])
        if share == 1:
            return vote_contributions(
                scores.seen.evidence, row, self.ids[column], platt.slope_ * votes + offset
            )
        rows, names = scores.seen.rows, scores.seen.names
        part = slice(rows.indptr[row], rows.indptr[row + 1])
        found = rows.indices[part]
        values = platt.slope_ * (1 - share) * rows.data[part] * model.weights[column, found]
        silent = float(logit(_LEAST_SURE))  # what no vote at all says
        intercept = (1 - share) * float(model.intercepts[column]) + share * silent
        return Contributions(
            [*(names[at] for at in found.tolist()), f"vote:{self.ids[column]}"],
            np.append(values, platt.slope_ * share * (votes - silent)),
            platt.slope_ * intercept + offset,
        )


_NONE: Rows = np.zeros(0, dtype=np.int64)
