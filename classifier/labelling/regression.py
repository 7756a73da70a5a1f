"""One logistic regression a category, from targets that may be soft."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from classifier.labelling.features import Features

Array = NDArray[np.float64]

# A soft target's unlikely side below this weight says next to nothing and takes time to fit.
_NEGLIGIBLE = 0.012
# What the rows say is a correction of what a prior says: under the L2 penalty, the smaller the
# features, the more it takes to move a label.
_BESIDE_A_PRIOR = 0.2
_HINTS = np.arange(-6.0, 6.5)
_ANCHORS = 200.0


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
    features: Features = "both"
    """What the regressions see; with `votes` there are none."""


def fit_categories(
    z: Array,
    hints: Array,
    targets: Array,
    weights: Array,
    settings: Settings,
    known: NDArray[np.bool_] | None = None,
) -> Array:
    """Return (k, r + 2) weights, of the hint too, and intercepts.

    z: (n, r) rows; hints: (n, k), a feature of its own for each category; targets: (n, k) in
    [0, 1]; known: (k,) whether a category's hints are calibrated log-odds (a prior's), from which
    the rows are only to lead away as far as they prove it. None: of no category.
    """
    anchored = np.zeros(targets.shape[1], dtype=bool) if known is None else known
    return np.stack(
        [
            _fit_category(np.column_stack([z, hint]), target, weights, settings, anchor)
            for hint, target, anchor in zip(hints.T, targets.T, anchored, strict=True)
        ]
    )


def logits(z: Array, hints: Array, weights: Array) -> Array:
    """Return (n, k) logits of (n, r) rows and their (n, k) hints."""
    return np.asarray(z @ weights[:, :-2].T + hints * weights[:, -2] + weights[:, -1])


def _fit_category(
    z: Array, target: Array, weights: Array, settings: Settings, anchored: bool
) -> Array:
    """Return (r + 1,) weights and intercept; a soft target enters as a positive and a negative."""
    positive, negative = weights * target, weights * (1 - target)
    if not anchored:  # calibrated log-odds know how frequent a category is
        scale = (max(negative.sum(), 1e-9) / max(positive.sum(), 1e-9)) ** settings.balance
        return _fit_weighted(z, positive * scale, negative, settings)
    scales = np.append(np.full(z.shape[1] - 1, _BESIDE_A_PRIOR), 1.0)
    fitted = _fit_weighted(*_with_anchors(z * scales, positive, negative), settings)
    return np.asarray(fitted * np.append(scales, 1.0))


def _fit_weighted(z: Array, positive: Array, negative: Array, settings: Settings) -> Array:
    """Return (r + 1,) weights and intercept from the (n,) weights of rows as either class."""
    sample = np.concatenate([positive, negative])
    used = sample > _NEGLIGIBLE
    y = np.concatenate([np.ones(len(z)), np.zeros(len(z))])
    if min(positive.sum(), negative.sum()) < 1e-3 or len(np.unique(y[used])) < 2:
        share = np.clip(positive.sum() / max(sample.sum(), 1e-9), 1e-3, 1 - 1e-3)
        return np.append(np.zeros(z.shape[1]), logit(share))
    model = LogisticRegression(C=settings.regularisation, solver="newton-cg", max_iter=200)
    model.fit(np.vstack([z, z])[used], y[used], sample_weight=sample[used])
    return np.append(model.coef_[0], model.intercept_[0])


def _with_anchors(z: Array, positive: Array, negative: Array) -> tuple[Array, Array, Array]:
    """Return rows and weights with papers added of which nothing but the hint is known.

    They are positive as often as the hint says: weight 1 on the hint and intercept 0 are where the
    fit starts from, as if it had been seen on _ANCHORS papers. (LogisticRegression has no offset.)
    """
    rows = np.zeros((len(_HINTS), z.shape[1]))
    rows[:, -1] = _HINTS
    weight, likely = _ANCHORS / len(_HINTS), expit(_HINTS)
    return (
        np.vstack([z, rows]),
        np.concatenate([positive, weight * likely]),
        np.concatenate([negative, weight * (1 - likely)]),
    )
