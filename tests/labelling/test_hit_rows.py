from __future__ import annotations

import numpy as np
import pytest

from classifier.labelling.evidence import Hit
from classifier.labelling.hit_rows import HitRows

NAMES = [("dough", "title", "rye"), ("ovens", "anywhere", "oven~")]
ROWS = HitRows(3, np.array([0, 0, 2]), np.array([0, 1, 1]), np.array([1, 4, 2]), NAMES)


def test_the_hits_of_each_paper() -> None:
    assert list(ROWS) == [
        (Hit("dough", "title", "rye", 1), Hit("ovens", "anywhere", "oven~", 4)),
        (),
        (Hit("ovens", "anywhere", "oven~", 2),),
    ]


def test_it_is_a_sequence() -> None:
    assert len(ROWS) == 3
    assert ROWS[-1] == ROWS[2]
    assert ROWS[1:] == (ROWS[1], ROWS[2])
    with pytest.raises(IndexError, match="paper 3 of 3"):
        ROWS[3]
