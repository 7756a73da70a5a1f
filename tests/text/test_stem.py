from __future__ import annotations

import doctest

import pytest

from classifier.text import normalise as module
from classifier.text.normalise import stem


def test_the_examples_in_the_docstring_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("word", ["is", "gas", "loss", ""])
def test_short_words_and_double_s_stay(word: str) -> None:
    assert stem(word) == word
