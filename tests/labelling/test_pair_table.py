from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from classifier.labelling.pair_table import NONE, PairTable

# Few different numbers, so that pairs are found; large ones, so that both halves of a key count.
NUMBERS = st.sampled_from([0, 1, 2, 3, 7, 2**16, 2**31 - 2, 2**31 - 1])
PAIRS = st.tuples(NUMBERS, NUMBERS)


def columns(pairs: list[tuple[int, int]]) -> np.ndarray:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2).T


@given(st.lists(PAIRS, unique=True), st.lists(PAIRS))
def test_a_table_is_a_dictionary(
    known: list[tuple[int, int]], asked: list[tuple[int, int]]
) -> None:
    table = PairTable(*columns(known), np.arange(len(known)) * 3)
    wanted = {pair: number * 3 for number, pair in enumerate(known)}
    assert table.find(*columns(asked)).tolist() == [wanted.get(pair, NONE) for pair in asked]


def test_a_full_table_finds_all_pairs_and_no_others() -> None:
    """Thousands of neighbouring numbers: many pairs share a slot, and lie in later ones."""
    firsts, seconds = np.divmod(np.arange(40_000), 200)
    table = PairTable(firsts, seconds, np.arange(40_000))
    assert np.array_equal(table.find(firsts, seconds), np.arange(40_000))
    assert set(table.find(firsts, seconds + 200).tolist()) == {NONE}
    assert set(table.find(firsts + 200, seconds).tolist()) == {NONE}
