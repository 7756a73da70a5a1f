"""The model of one facet: which categories apply to a paper, and which one it is filed under."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit

from classifier.labelling.calibration import PooledPlatt
from classifier.labelling.conformal import least_probability
from classifier.labelling.decide import (
    LEAST_CHECKED,
    best_thresholds,
    confidence_cut,
    out_of_scope_columns,
)
from classifier.labelling.evidence import VIEWS, VOTE_WEIGHTS, Evidence
from classifier.labelling.features import with_cues
from classifier.labelling.folds import assign_folds
from classifier.labelling.prior_scores import PriorScores
from classifier.labelling.regression import Settings
from classifier.labelling.scores import Contributions, CrossFit, FacetView, Scores, rounded
from classifier.labelling.seeds import VOTE_MIDDLE, seed_labels
from classifier.labelling.span import Positions, RowSpan, Span, fit_span
from classifier.labelling.spread import spread_labels, word_rows
from classifier.labelling.targets import Targets, Teaching, seed_logits, teaching_targets
from classifier.labelling.training import Trained, train_without
from classifier.labelling.wide_weights import WideWeights, wide_weights
from classifier.taxonomy.model import Facet

Array = NDArray[np.float64]

# Soft labels need papers to speak through: of fewer, with hardly anything decided, regressions are
# worse than the votes that they learn from (docs/labelling.md).
ENOUGH_PAPERS, FEW_DECISIONS = 80, 20
# Nothing checks how sure votes alone are: on papers where it was measured nine in ten are right.
_LEAST_SURE = 0.1
# How much the regressions on these papers and the prior weigh to begin with: cues say well which
# categories apply, but not where a paper is filed; a prior has learned both.
_APPLIES_SLOPES, _FILED_SLOPES = (0.5, 0.5), (0.0, 1.0)
_TRUST = 20.0
_NOTHING: Positions = np.zeros(0, dtype=np.int64)


class FacetModel:
    """One facet of the taxonomy, learned from seed votes and decisions.

    Two sets of logistic regressions on the same features (TF-IDF and cues): does a category apply,
    and is the paper filed there. A prior says the same of its own; calibration weighs the two.
    Calibration, thresholds, the cut for abstention and the sets of candidates are learned on
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
        few = len(paper_ids) < ENOUGH_PAPERS and len(teaching.decided) < FEW_DECISIONS
        self.votes_alone_ = few or self.settings.features == "votes"
        span = RowSpan(self._vote_logits(seen.evidence)) if self.votes_alone_ else fit_span(rows)
        seeds = self._spread_seeds(seen)
        targets = teaching_targets(self.facet, seeds, teaching, self.settings.seed_weight)
        held_out = self._held_out(targets, paper_ids)
        *without, (applies, filed) = self._train(span, targets, [*held_out, _NOTHING], fitted)
        unseen = self._unseen(span, targets, held_out, without)
        self._learn_decisions(seen, targets, paper_ids, unseen)
        self.file_weights_ = self._wide(filed, span, len(text_names))
        self.apply_weights_ = (
            self.file_weights_
            if self.facet.kind == "single"
            else self._wide(applies, span, len(text_names))
        )
        return self

    def _wide(self, weights: Array, span: Span, terms: int) -> WideWeights:
        """Return (k, width + 1) weights on a span as weights on terms and cues.

        Where votes alone decide nothing was learned of them.
        """
        wide = (
            np.zeros((len(self.ids), len(self.names_))) if self.votes_alone_ else span.wide(weights)
        )
        return wide_weights(wide, weights[:, -1], terms)

    @property
    def wide_weights_(self) -> Array:
        """(k, features) weights of the labels that are shown: what `names_` are worth."""
        return np.hstack([self.apply_weights_.terms.T, self.apply_weights_.cues.T])

    def score(self, seen: FacetView) -> Scores:
        """Return the scores of any papers; those of one do not depend on the others."""
        sources = self._sources(*self._own_logits(seen), seen.prior)
        return Scores(seen, *self._probabilities(*sources))

    def _own_logits(self, seen: FacetView) -> tuple[Array, Array]:
        """Return (n, k) logits of "applies" and of "is filed there", as these papers taught them.

        Of a single facet both are the latter.
        """
        if self.votes_alone_:
            votes = self._vote_logits(seen.evidence)
            return votes, votes
        cues = sparse.csr_matrix(seen.cues.values)
        filed = self.file_weights_.logits(seen.text, cues)
        if self.facet.kind == "single":
            return filed, filed
        return self.apply_weights_.logits(seen.text, cues), filed

    def confidence(self, primary: Array) -> Array:
        """Return (n,) calibrated probability that the filed category is right."""
        sure = self.confidence_.transform(_top_logit(primary))[:, 0]
        return rounded(sure if self.is_checked_ else np.minimum(sure, 1 - _LEAST_SURE))

    def is_sure(self, primary: Array, confidence: Array, evidence: Evidence) -> NDArray[np.bool_]:
        """Return (n,) whether the classifier stands by the filed category.

        primary: (n, k) as of `Scores`; evidence: of the same n papers.
        Where neither decisions nor a prior have checked how sure it may be, cues must speak for the
        category, too: to know nothing of a paper is no reason to be sure that it is out of scope.
        """
        sure = np.asarray(confidence >= self.cut_)
        if self.is_checked_:
            return sure
        filed = primary.argmax(axis=1)
        votes = evidence.votes(self.ids)[np.arange(len(filed)), filed]
        return np.asarray(sure & (votes >= VOTE_MIDDLE))

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return what adds up to the calibrated logit of one paper and category.

        Its sigmoid is the probability; of a single facet, before it is divided by their sum. Where
        votes alone decide, cues stand with their votes, and the intercept makes log-odds of them.
        """
        platt, prior = self._shown_platt, scores.seen.prior
        own, told = (float(slopes[column]) for slopes in self.slopes(prior))
        names, values, constant = self._own_contributions(scores, row, column, own)
        intercept = constant + platt.offset_ + platt.shifts_[column]
        if prior is not None and prior.known[column]:
            more, of_prior = prior.contributions(row, column)
            names = (*names, *prior.model.names)
            values = np.concatenate([values, told * more])
            intercept += told * of_prior
        return Contributions(names, values, float(intercept), self.votes_alone_)

    @property
    def _shown_platt(self) -> PooledPlatt:
        """The calibration of the labels that are shown."""
        return self.file_platt_ if self.facet.kind == "single" else self.apply_platt_

    def slopes(self, prior: PriorScores | None) -> tuple[Array, Array]:
        """Return (k,) what these papers' logits count in the shown labels, and those of the prior.

        Of a category that the prior does not know the papers speak for it, too.
        """
        slopes, k = self._shown_platt.slopes_, len(self.ids)
        if prior is None:
            return np.full(k, slopes[0]), np.zeros(k)
        own = np.where(prior.known, slopes[0], slopes.sum())
        return own, np.where(prior.known, slopes[1], 0.0)

    def _own_contributions(
        self, scores: Scores, row: int, column: int, slope: float
    ) -> tuple[tuple[str, ...], Array, float]:
        """Return names, what these papers' features add, and the constant; in sum slope * logit."""
        if not self.votes_alone_:
            seen, weights = scores.seen, self.apply_weights_
            rows = np.concatenate([seen.text[[row]].toarray()[0], seen.cues.values[row]])
            values = weights.column(column) * rows
            return self.names_, slope * values, float(slope * weights.intercepts[column])
        evidence, category_id = scores.seen.evidence, self.ids[column]
        votes = evidence.logs([category_id])[row] * VOTE_WEIGHTS
        log_odds = self._vote_logits(evidence)[row, column]
        names = tuple(f"votes:{category_id}:{view}" for view in VIEWS)
        return names, votes, float(slope * log_odds - votes.sum())

    def _vote_logits(self, evidence: Evidence) -> Array:
        """Return (n, k) log-odds of what the cues alone say; nothing checks how sure they are."""
        return seed_logits(np.clip(self._seeds(evidence)[0], _LEAST_SURE, 1 - _LEAST_SURE))

    def _sources(
        self, applies: Array, filed: Array, prior: PriorScores | None
    ) -> tuple[Array, Array]:
        """Return (s, n, k) logits of "applies" and "is filed there" from all who know of them.

        Of a category that the prior does not know the papers' own logit stands for both.
        """
        if prior is None:
            return applies[None], filed[None]
        return (
            np.stack([applies, np.where(prior.known, prior.applies, applies)]),
            np.stack([filed, np.where(prior.known, prior.filed, filed)]),
        )

    def _seeds(self, evidence: Evidence) -> tuple[Array, Array]:
        """Return the (n, k) seed labels and the (n,) weights of papers, 0 to 1."""
        return seed_labels(evidence.votes(self.ids), self._out_of_scope)

    def _spread_seeds(self, seen: FacetView) -> tuple[Array, Array]:
        """Return the same, spread to papers that the cues do not reach."""
        seeds = self._seeds(seen.evidence)
        if self.votes_alone_:
            return seeds
        votes = seen.evidence.votes(self.ids)
        words = word_rows(seen.text, self.names_[: seen.text.shape[1]], self.facet)
        single = self.facet.kind == "single"
        return spread_labels(seeds, votes, words, self._out_of_scope, single=single)

    @property
    def _out_of_scope(self) -> list[int]:
        """The columns that stand alone."""
        return out_of_scope_columns(self.facet)

    def _train(
        self,
        span: Span,
        targets: Targets,
        left_out: Sequence[Positions],
        fitted: Callable[[], None],
    ) -> list[Trained]:
        """Return a training for each choice of rows that are left out."""
        trained = []
        if self.votes_alone_:
            as_it_is = np.eye(len(self.ids), len(self.ids) + 1)
            trainings: Iterable[Trained] = repeat(Trained(as_it_is, as_it_is), len(left_out))
        else:
            single = self.facet.kind == "single"
            trainings = train_without(span, targets, left_out, self.settings, single=single)
        for training in trainings:
            trained.append(training)
            fitted()
        return trained

    def _probabilities(self, applies: Array, filed: Array) -> tuple[Array, Array]:
        """Return (probabilities, primary) of (s, n, k) logits."""
        filed_here = self.file_platt_.transform(filed)
        if self.facet.kind == "single":
            primary = rounded(_shares(filed_here))
            return primary, primary
        probabilities = self.apply_platt_.transform(applies)
        # Filed where both models agree: the product of their probabilities.
        return rounded(probabilities), rounded(_shares(filed_here * probabilities))

    def _learn_decisions(
        self,
        seen: FacetView,
        targets: Targets,
        paper_ids: Sequence[str],
        unseen: tuple[Positions, Array, Array],
    ) -> None:
        """Learn calibration, thresholds and the confidence cut.

        unseen: decided rows and their (m, k) logits from models that had not seen them.
        """
        rows, apply_logits, file_logits = unseen
        prior = seen.prior
        is_told = prior is not None and bool(prior.known.any())
        self.is_checked_ = is_told or len(rows) >= LEAST_CHECKED
        known = prior.of(rows) if prior else None
        told, right_ones = targets.told[rows], targets.filed_under(rows)
        applies = np.where(told, targets.applies[rows], np.nan)
        filed = np.where(told, targets.filed[rows], np.nan)
        apply_sources, file_sources = self._sources(apply_logits, file_logits, known)
        self.apply_platt_ = _platt(_APPLIES_SLOPES, prior).fit(apply_sources, applies)
        self.file_platt_ = _platt(_FILED_SLOPES, prior).fit(file_sources, filed)
        probabilities, primary = self._probabilities(apply_sources, file_sources)
        primary = _among(primary, told)
        self.thresholds_ = best_thresholds(probabilities, applies)
        right = primary.argmax(axis=1) == right_ones
        self.confidence_ = PooledPlatt().fit(_top_logit(primary), right.astype(float)[:, None])
        confidence = self.confidence(primary)
        self.cut_ = confidence_cut(confidence, right, self.settings.accuracy_target)
        self.least_probability_ = least_probability(primary, right_ones)
        self.cross_fit_ = CrossFit(
            probabilities,
            primary,
            confidence,
            applies,
            np.nan_to_num(filed),
            tuple(paper_ids[row] for row in rows.tolist()),
            self.is_sure(primary, confidence, seen.evidence.of(rows)),
        )

    def _held_out(self, targets: Targets, paper_ids: Sequence[str]) -> list[Positions]:
        """Return the decided rows of each fold; none where there are under two decisions a fold."""
        rows, folds = targets.decided, self.settings.folds
        if len(rows) < 2 * folds:
            return []
        ids = [paper_ids[row] for row in rows.tolist()]
        dealt = assign_folds(ids, targets.filed_under(rows), folds)
        return [rows[dealt == fold] for fold in range(folds)]

    def _unseen(
        self,
        span: Span,
        targets: Targets,
        held_out: Sequence[Positions],
        without: Sequence[Trained],
    ) -> tuple[Positions, Array, Array]:
        """Return the rows held out and their (m, k) logits from the trainings without them."""
        rows = targets.decided if held_out else _NOTHING
        apply_logits, file_logits = np.zeros((2, len(rows), len(self.ids)))
        for test, trained in zip(held_out, without, strict=True):
            places = np.searchsorted(rows, test)
            apply_logits[places] = span.logits(test, trained.applies)
            file_logits[places] = span.logits(test, trained.filed)
        return rows, apply_logits, file_logits


def _platt(slopes: tuple[float, float], prior: PriorScores | None) -> PooledPlatt:
    """Return an unfitted calibrator of one source or, with a prior, of two."""
    return PooledPlatt() if prior is None else PooledPlatt(slopes=slopes, trust=_TRUST)


def _top_logit(primary: Array) -> Array:
    """Return (1, n, 1) log-odds of the likeliest category."""
    return np.asarray(logit(np.clip(primary.max(axis=1, initial=0), 1e-6, 1 - 1e-6))[None, :, None])


def _among(primary: Array, told: NDArray[np.bool_]) -> Array:
    """Return (m, k) probabilities of what decisions chose from: the categories that they know."""
    whole = told.all(axis=1, keepdims=True)
    return np.where(whole, primary, rounded(_shares(np.where(told, primary, 0.0))))


def _shares(values: Array) -> Array:
    """Return (n, k) rows scaled to sum to 1."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12))
