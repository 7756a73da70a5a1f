from __future__ import annotations

import numpy as np

from classifier.labelling.folds import assign_folds

IDS = [f"p-{number:010d}" for number in range(47)]
STRATA = np.array([number % 3 for number in range(47)])


def test_every_stratum_is_dealt_out_evenly() -> None:
    folds = assign_folds(IDS, STRATA, 5)
    for stratum in range(3):
        sizes = np.bincount(folds[stratum == STRATA], minlength=5)
        assert sizes.max() - sizes.min() <= 1
    assert set(folds.tolist()) == set(range(5))


def test_a_papers_fold_does_not_depend_on_the_order_of_papers() -> None:
    there = assign_folds(IDS, STRATA, 5)
    back = assign_folds(IDS[::-1], STRATA[::-1], 5)
    assert back[::-1].tolist() == there.tolist()


def test_a_salt_deals_again() -> None:
    assert assign_folds(IDS, STRATA, 5, "2").tolist() != assign_folds(IDS, STRATA, 5).tolist()


def test_fewer_papers_than_folds() -> None:
    assert sorted(assign_folds(IDS[:2], STRATA[:2], 5).tolist()) == [0, 1]
    assert assign_folds([], STRATA[:0], 5).tolist() == []
