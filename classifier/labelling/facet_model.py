"""The model of one facet: which categories apply to a paper, and which one it is filed under."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, log_softmax, logit

from classifier.labelling.calibration import PooledPlatt
from classifier.labelling.conformal import least_probability
from classifier.labelling.decide import best_thresholds, confidence_cut, is_out_of_scope
from classifier.labelling.evidence import Evidence
from classifier.labelling.features import CueColumns, with_cues
from classifier.labelling.folds import assign_folds
from classifier.labelling.labels import Decision
from classifier.labelling.prior import PriorScores
from classifier.labelling.regression import Settings, fit_categories, logits
from classifier.labelling.rotation import RowSpace
from classifier.labelling.seeds import seed_labels
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]


# Where a paper is filed is a matter of the codebook more than of words: from this many decisions
# on, seed labels add time and no accuracy.
_ENOUGH_DECISIONS = 60


# What these papers say is a correction of what a prior says: under the L2 penalty, the smaller the
# features, the more it takes to move a label.
_BESIDE_A_PRIOR = 0.2
# Soft labels need papers to speak through: of fewer, and with nothing decided, regressions are
# worse than the votes that they learn from (docs/labelling.md).
_ENOUGH_PAPERS = 80


@dataclass(frozen=True, slots=True)
class FacetView:
    """What a facet model sees of n papers."""

    text: sparse.csr_matrix
    """(n, features) TF-IDF rows."""
    evidence: Evidence
    """Of the facet's own cues."""
    cues: CueColumns
    prior: PriorScores | None = None
    """What the prior says, where there is one."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """What people said of n papers, by row."""

    decisions: Mapping[int, Decision]
    exemplars: Mapping[int, str]
    """Papers that are certainly in a category, whatever else they are in."""

    @property
    def decided(self) -> list[int]:
        """The rows with a decision, in order."""
        return sorted(self.decisions)


@dataclass(frozen=True, slots=True)
class Hints:
    """A feature of its own for each category: what is known of a paper before any fit."""

    applies: Array
    """(n, k) log-odds."""
    filed: Array
    """(n, k) log-odds."""
    thresholds: Array
    """(n, k) from which probability a category is given; nan where that is not known."""

    def shown(self, facet: Facet) -> Array:
        """Return those of the model whose labels are shown."""
        return self.filed if facet.kind == "single" else self.applies


@dataclass(frozen=True, slots=True)
class Contributions:
    """The sum that makes a logit."""

    names: tuple[str, ...]
    """Of the features; a name may stand twice."""
    values: Array
    """(features,) weight times value."""
    intercept: float


@dataclass(frozen=True, slots=True)
class Scores:
    """What a facet model says of n papers."""

    seen: FacetView
    rows: sparse.csr_matrix
    """(n, features) the rows scored, for explanations."""
    hints: Hints
    probabilities: Array
    """(n, k) calibrated probability that a category applies; of a single facet they sum to 1."""
    primary: Array
    """(n, k) probability that a paper is filed under the category; rows sum to 1."""
    thresholds: Array
    """(n, k) probability from which a category is given."""


@dataclass(frozen=True, slots=True)
class CrossFit:
    """What the model said of decided papers before it had seen their decision."""

    probabilities: Array
    """(m, k) calibrated probability that a category applies."""
    thresholds: Array
    """(m, k) from which probability it is given."""
    primary: Array
    """(m, k) probability that a paper is filed under the category."""
    confidence: Array
    """(m,) probability that the filed category is right."""
    applies: Array
    """(m, k) truth in {0, 1}."""
    filed: Array
    """(m, k) truth in {0, 1}, one 1 a row."""
    paper_ids: tuple[str, ...]
    """The m papers."""


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
    and is the paper filed there. Calibration, thresholds, the cut for abstention and the sets of
    candidates are learned on cross-fitted scores of decided papers only.
    """

    def __init__(self, facet: Facet, settings: Settings) -> None:
        self.facet = facet
        self.settings = settings
        self.ids = facet.ids

    def fit(
        self,
        seen: FacetView,
        text_names: Sequence[str],
        paper_ids: Sequence[str],
        teaching: Teaching,
        fitted: Callable[[], None] = lambda: None,
    ) -> FacetModel:
        """Learn from papers in id order.

        text_names: of the TF-IDF columns of `seen`; fitted: called after each of the
        `Settings.folds` cross-fits and the last fit.
        """
        self.names_ = (*text_names, *seen.cues.names)
        rows = with_cues(seen.text, seen.cues, self.settings.features)
        few = len(paper_ids) < _ENOUGH_PAPERS and not teaching.decided
        self.hints_alone_ = few or self.settings.features == "votes"
        self.scale_ = 1.0 if seen.prior is None else _BESIDE_A_PRIOR
        self.space_ = RowSpace().fit(rows)
        z, hints = self.space_.rotate(rows) * self.scale_, self._hints(seen)
        targets = self._targets(seen, teaching)
        self._learn_decisions(z, hints, targets, paper_ids, fitted)
        everything = np.arange(len(z))
        self.apply_weights_, self.file_weights_ = self._fit_rows(z, hints, targets, everything)
        fitted()
        shown = self.file_weights_ if self.facet.kind == "single" else self.apply_weights_
        self.wide_weights_ = self.space_.unrotate(shown[:, :-2]) * self.scale_
        self.hint_weights_, self.intercepts_ = shown[:, -2], shown[:, -1]
        return self

    def score(self, seen: FacetView) -> Scores:
        """Return the scores of any papers."""
        rows = with_cues(seen.text, seen.cues, self.settings.features)
        z, hints = self.space_.rotate(rows) * self.scale_, self._hints(seen)
        probabilities, primary = self._probabilities(
            logits(z, hints.applies, self.apply_weights_),
            logits(z, hints.filed, self.file_weights_),
        )
        thresholds = self.thresholds_.of(hints.thresholds)
        return Scores(seen, rows, hints, probabilities, primary, thresholds)

    def confidence(self, primary: Array) -> Array:
        """Return (n,) calibrated probability that the filed category is right."""
        return self.confidence_.transform(_top_logit(primary))[:, 0]

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return what adds up to the logit of one paper and category that calibration is given."""
        names = list(self.names_)
        values = [self.wide_weights_[column] * scores.rows[row].toarray()[0]]
        intercept, weight = self.intercepts_[column], self.hint_weights_[column]
        prior = scores.seen.prior
        if prior is not None and not np.isnan(prior.applies[row, column]):
            names += prior.names
            values.append(weight * prior.contributions[column][row].toarray()[0])
            intercept += weight * prior.intercepts[row, column]
        else:
            names.append(f"vote:{self.ids[column]}")
            values.append(np.array([weight * scores.hints.shown(self.facet)[row, column]]))
        return Contributions(tuple(names), np.concatenate(values), float(intercept))

    def _hints(self, seen: FacetView) -> Hints:
        """Return what the prior says, where it knows the category; else, alone, what cues say."""
        if self.hints_alone_:
            applies = _seed_logits(self._seeds(seen.evidence)[0])
            filed = applies
        else:
            applies, filed = np.zeros((2, len(seen.evidence.hits), len(self.ids)))
        if seen.prior is None:
            return Hints(applies, filed, np.full_like(applies, np.nan))
        known = ~np.isnan(seen.prior.applies)
        return Hints(
            np.where(known, seen.prior.applies, applies),
            np.where(known, seen.prior.filed, filed),
            seen.prior.thresholds,
        )

    def _seeds(self, evidence: Evidence) -> tuple[Array, Array]:
        """Return the (n, k) seed labels and the (n,) weights of papers, 0 to 1."""
        out = [k for k, name in enumerate(self.ids) if is_out_of_scope(self.facet, name)]
        return seed_labels(evidence.votes(self.ids), out)

    def _targets(self, seen: FacetView, teaching: Teaching) -> Targets:
        applies, weights = self._seeds(seen.evidence)
        filed = _softmax(_seed_logits(applies))
        if seen.prior is not None:
            known = ~np.isnan(seen.prior.applies)
            applies = np.where(known, expit(seen.prior.applies), applies)
            filed = np.where(known, expit(seen.prior.filed), filed)
            weights = np.where(known.any(axis=1), 1.0, weights)
        weights = weights * self.settings.seed_weight
        for row, category_id in teaching.exemplars.items():
            applies[row, self.ids.index(category_id)] = 1.0
            filed[row] = [category_id == name for name in self.ids]
            weights[row] = 1.0
        for row, decision in teaching.decisions.items():
            applies[row] = [category in decision.values for category in self.ids]
            filed[row] = [category == decision.primary for category in self.ids]
            weights[row] = 1.0
        return Targets(applies, filed, weights, np.array(teaching.decided, dtype=np.int64))

    def _fit_rows(
        self, z: Array, hints: Hints, targets: Targets, rows: NDArray[np.int64]
    ) -> tuple[Array, Array]:
        """Return (k, r + 2) weights of "applies" and of "is filed there", from some rows."""
        if self.hints_alone_:
            as_it_is = np.zeros((len(self.ids), z.shape[1] + 2))
            as_it_is[:, -2] = 1.0
            return as_it_is, as_it_is
        decided = rows[np.isin(rows, targets.decided)]
        told = decided if len(decided) >= _ENOUGH_DECISIONS else rows
        filed = self._fit(z, hints.filed, targets.filed, targets.weights, told)
        if self.facet.kind == "single":
            return np.zeros_like(filed), filed
        return self._fit(z, hints.applies, targets.applies, targets.weights, rows), filed

    def _fit(
        self, z: Array, hints: Array, targets: Array, weights: Array, rows: NDArray[np.int64]
    ) -> Array:
        return fit_categories(z[rows], hints[rows], targets[rows], weights[rows], self.settings)

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
        self,
        z: Array,
        hints: Hints,
        targets: Targets,
        paper_ids: Sequence[str],
        fitted: Callable[[], None],
    ) -> None:
        """Learn calibration, thresholds and the confidence cut from cross-fitted scores."""
        rows, apply_logits, file_logits = self._cross_fit(z, hints, targets, paper_ids, fitted)
        applies, filed = targets.applies[rows], targets.filed[rows]
        self.apply_platt_ = PooledPlatt().fit(apply_logits, applies)
        self.file_platt_ = PooledPlatt().fit(file_logits, filed)
        probabilities, primary = self._probabilities(apply_logits, file_logits)
        self.thresholds_ = best_thresholds(probabilities, applies)
        right = primary.argmax(axis=1) == filed.argmax(axis=1)
        self.confidence_ = PooledPlatt().fit(_top_logit(primary), right.astype(float)[:, None])
        confidence = self.confidence(primary)
        self.cut_ = confidence_cut(confidence, right, self.settings.accuracy_target)
        self.least_probability_ = least_probability(primary, filed.argmax(axis=1))
        self.cross_fit_ = CrossFit(
            probabilities,
            self.thresholds_.of(hints.thresholds[rows]),
            primary,
            confidence,
            applies,
            filed,
            tuple(paper_ids[row] for row in rows.tolist()),
        )

    def _cross_fit(
        self,
        z: Array,
        hints: Hints,
        targets: Targets,
        paper_ids: Sequence[str],
        fitted: Callable[[], None],
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
            apply_weights, file_weights = self._fit_rows(z, hints, targets, train)
            apply_logits[dealt == fold] = logits(z[test], hints.applies[test], apply_weights)
            file_logits[dealt == fold] = logits(z[test], hints.filed[test], file_weights)
            fitted()
        return rows, apply_logits, file_logits


def _seed_logits(applies: Array) -> Array:
    """Return the log-odds of seed labels, which are never quite sure."""
    return np.asarray(logit(np.clip(applies, 1e-3, 1 - 1e-3)))


def _top_logit(primary: Array) -> Array:
    """Return (n, 1) log-odds of the likeliest category."""
    return np.asarray(logit(np.clip(primary.max(axis=1, initial=0), 1e-6, 1 - 1e-6))[:, None])


def _shares(values: Array) -> Array:
    """Return (n, k) rows scaled to sum to 1."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12))


def _softmax(values: Array) -> Array:
    return np.asarray(np.exp(log_softmax(values, axis=1))) if len(values) else values
