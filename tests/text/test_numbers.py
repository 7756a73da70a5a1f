"""Every number that could say something, with what it is a number of."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.text.numbers import numbers_in

CASES = Path(__file__).with_name("number_cases.txt").read_text(encoding="utf-8").split("\n\n")[1:]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[:30])
def test_numbers(case: str) -> None:
    text, *expected = case.strip().splitlines()
    assert [f"{each.value} | {each.unit}" for each in numbers_in(text)] == expected


@given(st.text(alphabet="0123456789.,·%±-–→ xtoKeVC()[]$+^"))
def test_numbers_are_pieces_of_the_text_in_order(text: str) -> None:
    end = 0
    for number in numbers_in(text):
        assert end <= number.start < number.end <= len(text)
        assert number.value in text[number.start : number.end]
        end = number.end
