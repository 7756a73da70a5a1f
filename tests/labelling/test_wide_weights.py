from __future__ import annotations

import numpy as np
from scipy import sparse

from classifier.labelling.wide_weights import wide_weights


def test_logits_are_weights_times_values_and_the_intercept() -> None:
    weights = wide_weights(np.array([[1.0, 2, 10], [0, -1, 5]]), np.array([0.5, -0.5]), 2)
    text, cues = np.array([[1.0, 1], [0, 2]]), np.array([[0.0], [1]])
    found = weights.logits(sparse.csr_matrix(text), sparse.csr_matrix(cues))
    assert found.tolist() == [[3.5, -1.5], [14.5, 2.5]]
    assert weights.column(0).tolist() == [1, 2, 10]
