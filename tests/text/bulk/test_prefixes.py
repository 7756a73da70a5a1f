from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from classifier.text.bulk.prefixes import PrefixFinder
from classifier.text.bulk.word_table import word_blocks

LETTERS = st.text("abc", min_size=1, max_size=16)


def flags_of(prefixes: dict[str, int], words: list[str]) -> list[int]:
    codes = np.frombuffer(("".join(words) + " " * 8).encode(), dtype=np.uint8)
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    _, first, second = word_blocks(codes, np.cumsum(lengths) - lengths, lengths)
    return PrefixFinder(prefixes).flags(first, second).tolist()


def test_a_word_has_the_flags_of_all_its_prefixes() -> None:
    prefixes = {"introduc": 1, "us": 2, "recalibrat": 4, "use": 8}
    words = ["introducing", "uses", "recalibrated", "recalibre", "intro"]
    assert flags_of(prefixes, words) == [1, 10, 4, 0, 0]


@given(st.dictionaries(LETTERS, st.integers(1, 127), min_size=1), st.lists(LETTERS, min_size=1))
def test_flags_are_those_of_startswith(prefixes: dict[str, int], words: list[str]) -> None:
    wanted = [
        np.bitwise_or.reduce(
            [0, *(bits for text, bits in prefixes.items() if word.startswith(text))]
        )
        for word in words
    ]
    assert flags_of(prefixes, words) == wanted
