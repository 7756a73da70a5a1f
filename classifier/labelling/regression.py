"""Logistic regressions of a facet's categories, and the calibration of their logits.

The calibration works with few labels: all categories have the same slope, and the offset of each
category is shrunk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, clone

from classifier.errors import UsageError
from classifier.labelling.scores import INTERCEPT_SCALE, round_probabilities

Array = NDArray[np.float64]


def check_linear(estimator: BaseEstimator) -> None:
    """Raise UsageError if an estimator is not a linear classifier of scikit-learn."""
    try:
        clone(estimator).fit(np.array([[0.0], [1.0]]), np.array([0.0, 1.0])).coef_  # noqa: B018
    except (TypeError, AttributeError) as error:
        raise UsageError(
            f"estimator: found {estimator!r}; expected a linear classifier of scikit-learn, "
            "which has coef_ after fit, such as LinearSVC()."
        ) from error


def fit_estimator(
    estimator: BaseEstimator, rows: sparse.csr_matrix, truth: Array
) -> tuple[Array, float]:
    """Fit a clone of an estimator; return its (features,) weights and its intercept.

    rows: (m, features). truth: (m,) 0 or 1. If all values of truth are equal, the weights are 0 and
    the intercept is the smoothed log-odds.
    """
    weights = np.zeros(rows.shape[1])
    if len(np.unique(truth)) < 2:
        return weights, float(logit((truth.sum() + 0.5) / (len(truth) + 1)))
    present = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]))
    fitted = clone(estimator).fit(rows[:, present], truth)
    weights[present] = np.ravel(fitted.coef_)
    return weights, float(np.ravel(fitted.intercept_)[0])


C, C_AFTER_PRIOR = 2.0, 0.5
"""Inverse strength of the L2 penalty, as in scikit-learn, without and with a prior."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A logistic regression per category that corrects an offset; the last step of a model.

    The log-odds of a paper are `offset + rows @ weights[category] + intercepts[category]`. Each
    category minimises the sum over the decided papers of log(1 + exp(-s z)), with z the log-odds
    and s = 1 where the category is right, else -1, plus (|w|^2 + (b / INTERCEPT_SCALE)^2) / (2 C).
    C is `C`, or `C_AFTER_PRIOR` for a category that a prior knows. The review page repeats this
    step after each decision, from `rows` and `offset` (`last_step`).
    """

    weights: Array
    """(k, terms) weights of the TF-IDF terms."""
    intercepts: Array
    """(k,) intercepts."""

    def logits(self, rows: sparse.csr_matrix, offset: Array) -> Array:
        """Return (n, k) corrected log-odds."""
        return np.asarray(offset + rows @ self.weights.T + self.intercepts)


def fit_correction(
    rows: sparse.csr_matrix, truth: Array, offset: Array, c: float = C
) -> tuple[Array, float]:
    """Fit the correction of one category; return its (terms,) weights and its intercept.

    rows: (m, terms) TF-IDF of the decided papers. truth: (m,) 0 or 1. offset: (m,) log-odds. c:
    inverse strength of the penalty.
    """
    n_terms = rows.shape[1]
    present = np.flatnonzero(np.bincount(rows.indices, minlength=n_terms))
    ones = np.full((rows.shape[0], 1), INTERCEPT_SCALE)
    design = sparse.hstack([rows[:, present], sparse.csr_matrix(ones)], format="csr")
    transposed = design.T.tocsr()

    def loss(parameters: Array) -> tuple[float, Array]:
        """Return the loss and its gradient."""
        z = offset + design @ parameters
        value = np.logaddexp(0, z).sum() - truth @ z + parameters @ parameters / (2 * c)
        return float(value), transposed @ (expit(z) - truth) + parameters / c

    start = np.zeros(design.shape[1])
    options = {"ftol": 1e-10, "gtol": 1e-5}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    weights = np.zeros(n_terms)
    weights[present] = found[:-1]
    return weights, float(INTERCEPT_SCALE * found[-1])


_MIN_SLOPE = 0.05


@dataclass(kw_only=True)
class PooledPlatt:
    """Platt scaling with one slope for all categories, and a shrunk shift per category.

    p = sigmoid(slope * logit + offset + shift[category]). L2 penalties shrink slope and offset
    towards their initial values, and the shifts towards 0. One calibrator per category would have
    only 6 to 60 positives to learn from (Platt, "Probabilistic outputs for SVMs", 1999, with
    partial pooling).

    Parameters
    ----------
    trust : float, default 1.0
        Penalty on changes of the slope, in units of the information of one observation.
    shrinkage : float, default 8.0
        Penalty on the shift of each category.
    slope, offset : float, default 1 and 0
        Initial values.
    offset_trust : float, default 0.001
        Penalty on changes of the offset. The small default only keeps it finite if all papers are
        right.

    Learned by `fit`: `slope_`, `offset_`, `shifts_` (k,).
    """

    trust: float = 1.0
    shrinkage: float = 8.0
    slope: float = 1.0
    offset: float = 0.0
    offset_trust: float = 1e-3

    def fit(self, logits: Array, truth: Array) -> PooledPlatt:
        """Learn from (n, k) logits, and truth in {0, 1}; nan is masked."""
        known = ~np.isnan(truth)
        z, y, columns = logits[known], truth[known], np.nonzero(known)[1]
        k = logits.shape[1]
        initial = np.array([self.slope, self.offset, *[0.0] * k])
        penalty = np.array([self.trust, self.offset_trust, *[self.shrinkage] * k])

        def loss(parameters: Array) -> tuple[float, Array]:
            """Return the loss and its gradient."""
            shifted = parameters[0] * z + parameters[1] + parameters[2:][columns]
            change = parameters - initial
            value = (np.logaddexp(0, shifted) - y * shifted).sum()
            value += 0.5 * (penalty * change**2).sum()
            error = expit(shifted) - y
            shifts = np.bincount(columns, error, minlength=k)
            return float(value), penalty * change + np.array([error @ z, error.sum(), *shifts])

        bounds = [(_MIN_SLOPE, None), *[(None, None)] * (k + 1)]
        found = minimize(
            loss, initial, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-12}
        ).x
        self.slope_, self.offset_ = float(found[0]), float(found[1])
        self.shifts_: Array = found[2:]
        return self

    def logits(self, logits: Array) -> Array:
        """Return the (n, k) calibrated logits of (n, k) logits."""
        return np.asarray(self.slope_ * logits + self.offset_ + self.shifts_)

    def transform(self, logits: Array) -> Array:
        """Return the (n, k) calibrated probabilities of (n, k) logits."""
        return np.asarray(expit(self.logits(logits)))


def normalise_rows(values: Array) -> Array:
    """Scale each row so that it sums to 1."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12))


def keep_known(probabilities: Array, known_mask: NDArray[np.bool_]) -> Array:
    """Set the probabilities of unknown categories to 0, and rescale the others to sum to 1.

    known_mask: (m, k) whether the category existed when the decision was made.
    """
    all_known = known_mask.all(axis=1, keepdims=True)
    restricted = round_probabilities(normalise_rows(np.where(known_mask, probabilities, 0.0)))
    return np.where(all_known, probabilities, restricted)


def top_logit(probabilities: Array) -> Array:
    """Return (n, 1) log-odds of each paper's most likely category."""
    top = probabilities.max(axis=1, initial=0.0)
    return np.asarray(logit(np.clip(top, 1e-4, 1 - 1e-4)))[:, None]
