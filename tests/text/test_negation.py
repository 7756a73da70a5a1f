"""Which words a text sets itself apart from: the cases are in negation_cases.txt."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.labelling.cue_index import negated_positions
from classifier.text.normalise import tokens

LINES = Path(__file__).with_name("negation_cases.txt").read_text(encoding="utf-8").splitlines()
CASES = [line for line in LINES if line and not line.startswith("#")]
PIECES = [
    "without",
    "'s",
    "instead of ",
    "yeast",
    " ",
    ",",
    "salt ",
    ".",
    "but ",
    "İ",
    "don't use ",
]


@pytest.mark.parametrize("case", CASES)
def test_words_that_a_text_sets_itself_apart_from(case: str) -> None:
    denied: set[int] = set()
    for match in re.finditer(r"\[(.*?)\]", case):
        first = len(tokens(case[: match.start()]))
        denied.update(range(first, first + len(tokens(match.group()))))
    assert negated_positions(re.sub(r"[\[\]]", "", case)) == denied


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join))
def test_what_is_denied_is_a_word_of_the_text(text: str) -> None:
    assert negated_positions(text) <= set(range(len(tokens(text))))
