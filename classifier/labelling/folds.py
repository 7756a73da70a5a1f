"""Folds that depend on the papers alone, never on the order in which they come."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def assign_folds(
    paper_ids: Sequence[str], strata: NDArray[np.int64], folds: int, salt: str = ""
) -> NDArray[np.int64]:
    """Return (n,) fold numbers, 0 to folds - 1: each stratum dealt out in the order of its hashes.

    `salt` gives another deal of the same papers.
    """
    order = sorted(
        range(len(paper_ids)),
        key=lambda i: (strata[i], hashlib.sha256(f"{salt}{paper_ids[i]}".encode()).hexdigest()),
    )
    assigned = np.zeros(len(paper_ids), dtype=np.int64)
    for position, row in enumerate(order):
        assigned[row] = position % folds
    return assigned
