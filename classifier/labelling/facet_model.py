"""The model of one facet: which categories apply to a paper, and which one it is filed under."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from classifier.labelling.calibration import PooledPlatt
from classifier.labelling.decide import best_thresholds, confidence_cut, is_out_of_scope
from classifier.labelling.evidence import Evidence
from classifier.labelling.features import with_cues
from classifier.labelling.folds import assign_folds
from classifier.labelling.regression import Settings, fit_categories, logits
from classifier.labelling.rotation import RowSpace
from classifier.labelling.scores import Contributions, CrossFit, FacetView, Hints, Scores
from classifier.labelling.seeds import seed_labels
from classifier.labelling.spread import spread_labels, word_rows
from classifier.labelling.targets import Targets, Teaching, seed_logits, teaching_targets
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]


# Where a paper is filed is a matter of the codebook more than of words: from this many decisions
# on, seed labels add time and no accuracy.
_ENOUGH_DECISIONS = 60


# Soft labels need papers to speak through: of fewer, and with nothing decided, regressions are
# worse than the votes that they learn from (docs/labelling.md).
_ENOUGH_PAPERS, _FEW_DECISIONS = 80, 20
# A prior's log-odds are calibrated: as if many papers had said so.
_SURE_SHRINKAGE, _SURE_TRUST = 40.0, 20.0


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
        nothing: NDArray[np.bool_] = np.zeros(len(self.ids), dtype=bool)
        self.known_ = seen.prior.known if seen.prior else nothing
        self.hints_alone_ = self._needs_no_fit(seen, teaching)
        self.space_ = RowSpace().fit(rows)
        z, hints = self.space_.rotate(rows), self._hints(seen)
        seeds = self._spread_seeds(seen)
        targets = teaching_targets(
            self.facet, seeds, seen.prior, teaching, self.settings.seed_weight
        )
        self._learn_decisions(z, hints, targets, paper_ids, fitted)
        everything = np.arange(len(z))
        self.apply_weights_, self.file_weights_ = self._fit_rows(z, hints, targets, everything)
        fitted()
        shown = self.file_weights_ if self.facet.kind == "single" else self.apply_weights_
        self.wide_weights_ = self.space_.unrotate(shown[:, :-2])
        self.hint_weights_, self.intercepts_ = shown[:, -2], shown[:, -1]
        return self

    def score(self, seen: FacetView) -> Scores:
        """Return the scores of any papers."""
        rows = with_cues(seen.text, seen.cues, self.settings.features)
        z, hints = self.space_.rotate(rows), self._hints(seen)
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
        own = self.wide_weights_[column] * scores.rows[row].toarray()[0]
        intercept, weight = self.intercepts_[column], self.hint_weights_[column]
        prior = scores.seen.prior
        if prior is not None and self.known_[column]:
            more, names = prior.contributions(row, column), prior.model.names
            values, intercept = more[0], intercept + weight * more[1]
        else:
            names = (f"vote:{self.ids[column]}",)
            values = scores.hints.shown(self.facet)[row, column : column + 1]
        return Contributions(
            (*self.names_, *names), np.concatenate([own, weight * values]), float(intercept)
        )

    def _needs_no_fit(self, seen: FacetView, teaching: Teaching) -> bool:
        """Return whether these papers can add nothing to what is known without them."""
        if self.settings.features == "votes":
            return True
        if self.known_.any():
            return not teaching.has_news
        few = len(seen.evidence.hits) < _ENOUGH_PAPERS
        return few and len(teaching.decided) < _FEW_DECISIONS

    def _hints(self, seen: FacetView) -> Hints:
        """Return what the prior says, where it knows the category; else, alone, what cues say."""
        if self.hints_alone_:
            applies = seed_logits(self._seeds(seen.evidence)[0])
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
        return seed_labels(evidence.votes(self.ids), self._out_of_scope)

    def _spread_seeds(self, seen: FacetView) -> tuple[Array, Array]:
        """Return the same, spread to papers that the cues do not reach."""
        seeds = self._seeds(seen.evidence)
        if self.hints_alone_:
            return seeds
        votes = seen.evidence.votes(self.ids)
        words = word_rows(seen.text, self.names_[: seen.text.shape[1]], self.facet)
        single = self.facet.kind == "single"
        return spread_labels(seeds, votes, words, self._out_of_scope, single=single)

    @property
    def _out_of_scope(self) -> list[int]:
        """The columns that stand alone."""
        return [k for k, name in enumerate(self.ids) if is_out_of_scope(self.facet, name)]

    def _fit_rows(
        self, z: Array, hints: Hints, targets: Targets, rows: NDArray[np.int64]
    ) -> tuple[Array, Array]:
        """Return (k, r + 2) weights of "applies" and of "is filed there", from some rows."""
        if self.hints_alone_:
            as_it_is = np.zeros((len(self.ids), z.shape[1] + 2))
            as_it_is[:, -2] = 1.0
            return as_it_is, as_it_is
        decided = rows[np.isin(rows, targets.decided)]
        enough = len(decided) >= _ENOUGH_DECISIONS and not self.known_.any()
        told = decided if enough else rows
        filed = self._fit(z, hints.filed, targets.filed, targets.weights, told)
        if self.facet.kind == "single":
            return np.zeros_like(filed), filed
        return self._fit(z, hints.applies, targets.applies, targets.weights, rows), filed

    def _fit(
        self, z: Array, hints: Array, targets: Array, weights: Array, rows: NDArray[np.int64]
    ) -> Array:
        return fit_categories(
            z[rows], hints[rows], targets[rows], weights[rows], self.settings, self.known_
        )

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
        self.apply_platt_ = self._platt().fit(apply_logits, applies)
        self.file_platt_ = self._platt().fit(file_logits, filed)
        probabilities, primary = self._probabilities(apply_logits, file_logits)
        self.thresholds_ = best_thresholds(probabilities, applies)
        right = primary.argmax(axis=1) == filed.argmax(axis=1)
        self.confidence_ = PooledPlatt().fit(_top_logit(primary), right.astype(float)[:, None])
        confidence = self.confidence(primary)
        self.cut_ = confidence_cut(confidence, right, self.settings.accuracy_target)
        self.cross_fit_ = CrossFit(
            probabilities,
            self.thresholds_.of(hints.thresholds[rows]),
            primary,
            confidence,
            applies,
            filed,
            tuple(paper_ids[row] for row in rows.tolist()),
        )

    def _platt(self) -> PooledPlatt:
        """Return a calibrator; a prior's log-odds are calibrated, and led away from with proof."""
        if not self.known_.any():
            return PooledPlatt()
        return PooledPlatt(shrinkage=_SURE_SHRINKAGE, trust=_SURE_TRUST)

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


def _top_logit(primary: Array) -> Array:
    """Return (n, 1) log-odds of the likeliest category."""
    return np.asarray(logit(np.clip(primary.max(axis=1, initial=0), 1e-6, 1 - 1e-6))[:, None])


def _shares(values: Array) -> Array:
    """Return (n, k) rows scaled to sum to 1."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12))
