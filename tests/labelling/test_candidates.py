"""The set of likeliest categories: from how many decisions on its promise holds."""

from __future__ import annotations

import numpy as np
import pytest

from classifier.labelling.decide import candidate_columns, candidate_threshold


@pytest.mark.parametrize(("decided", "least"), [(0, None), (8, None), (9, 0.1), (19, 0.2)])
def test_nine_decisions_are_enough_for_nine_in_ten(decided: int, least: float | None) -> None:
    """Of m + 1 papers the new one is the least likely with 1 / (m + 1)."""
    own = np.arange(1, decided + 1) / 10 if decided < 10 else np.arange(1, decided + 1) / 20
    primary = np.column_stack([own, 1 - own])
    found = candidate_threshold(primary, np.zeros(decided, dtype=int))
    assert found == (None if least is None else pytest.approx(own[0] if decided == 9 else own[1]))


def test_the_likeliest_is_always_among_them() -> None:
    assert candidate_columns(np.array([[0.2, 0.5, 0.3]]), 0.3) == [[1, 2]]
    assert candidate_columns(np.array([[0.2, 0.5, 0.3]]), 0.9) == [[1]]
