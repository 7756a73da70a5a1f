"""One logistic regression a category, from targets that may be soft."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from classifier.labelling.features import Features
from classifier.labelling.span import Positions, Span

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


def fit_categories(
    span: Span, rows: Positions, targets: Array, weights: Array, settings: Settings
) -> Array:
    """Return (k, width + 1) weights and intercepts of models on `span`.

    They learn from m papers of it, by row; targets: (m, k) in [0, 1]; weights: (m, k); a pair of
    weight 0 teaches nothing. A soft target enters as a yes and a no.
    """
    positive, negative = weights * targets, weights * (1 - targets)
    says_yes, says_no = positive.sum(axis=0), negative.sum(axis=0)
    positive *= (np.maximum(says_no, 1e-9) / np.maximum(says_yes, 1e-9)) ** settings.balance
    positive[positive <= _NEGLIGIBLE] = 0.0
    negative[negative <= _NEGLIGIBLE] = 0.0
    learned = (np.minimum(says_yes, says_no) >= 1e-3) & positive.any(axis=0) & negative.any(axis=0)
    share = np.clip(says_yes / np.maximum(weights.sum(axis=0), 1e-9), 1e-3, 1 - 1e-3)
    fitted = np.zeros((targets.shape[1], span.width + 1))
    fitted[:, -1] = logit(share)
    fitted[learned] = span.learn(
        rows, positive[:, learned], negative[:, learned], settings.regularisation
    )
    return fitted
