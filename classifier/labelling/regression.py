"""One logistic regression a category, from targets that may be soft."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit
from sklearn.linear_model import LogisticRegression

from classifier.labelling.features import Features

Array = NDArray[np.float64]

# A soft target's unlikely side below this weight says next to nothing and takes time to fit.
_NEGLIGIBLE = 0.012


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


def fit_categories(z: Array, targets: Array, weights: Array, settings: Settings) -> Array:
    """Return (k, r + 1) weights and intercepts from (n, r) rows and (n, k) targets in [0, 1].

    weights: (n, k); a pair of weight 0 teaches nothing.
    """
    columns = zip(targets.T, weights.T, strict=True)
    return np.stack([_fit_category(z, *column, settings) for column in columns])


def logits(z: Array, weights: Array) -> Array:
    """Return (n, k) logits of (n, r) rows."""
    return np.asarray(z @ weights[:, :-1].T + weights[:, -1])


def _fit_category(z: Array, target: Array, weights: Array, settings: Settings) -> Array:
    """Return (r + 1,) weights and intercept; a soft target enters as a positive and a negative."""
    positive, negative = weights * target, weights * (1 - target)
    scale = (max(negative.sum(), 1e-9) / max(positive.sum(), 1e-9)) ** settings.balance
    sample = np.concatenate([positive * scale, negative])
    used = sample > _NEGLIGIBLE
    y = np.concatenate([np.ones(len(z)), np.zeros(len(z))])
    if min(positive.sum(), negative.sum()) < 1e-3 or len(np.unique(y[used])) < 2:
        share = np.clip(positive.sum() / max(weights.sum(), 1e-9), 1e-3, 1 - 1e-3)
        return np.append(np.zeros(z.shape[1]), logit(share))
    model = LogisticRegression(C=settings.regularisation, solver="newton-cg", max_iter=200)
    model.fit(np.vstack([z, z])[used], y[used], sample_weight=sample[used])
    return np.append(model.coef_[0], model.intercept_[0])
