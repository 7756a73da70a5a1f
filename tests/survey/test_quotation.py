"""Quotations and their position in the paper's text."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.survey import quotation
from classifier.survey.quotation import contains_words, quoted_span, remove_markup
from classifier.survey.wording import escape_cell
from classifier.text.roles import roled_sentences

SECOND = "We introduce a spade of 3 parts."
TEXT = f"Spades are old. {SECOND} It digs 12% more."


def test_the_examples_in_the_docstrings_are_correct() -> None:
    results = doctest.testmod(quotation)
    assert results.attempted == 7
    assert results.failed == 0


# sentence of the survey -> words of the paper in it
SENTENCES = {
    r"\[[1](#ref-1)\] states: “We introduce a spade of 3 parts.”": SECOND,
    "*Spade* we introduce a spade of 3 parts, and more.": SECOND,
    "It “digs 12% more”.": "digs 12% more",
    "It digs 12% more. We introduce a spade of 3 parts.": SECOND,
    "It digs a hole.": None,
}


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES.items())
def test_the_span_of_a_quotation_is_found(sentence: str, expected: str | None) -> None:
    span = quoted_span(sentence, TEXT, roled_sentences(TEXT))
    assert (TEXT[slice(*span)] if span else None) == expected


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1))
def test_escaped_words_are_found_again(words: str) -> None:
    """Words with any signs are found in their escaped form."""
    if "\\" not in words:
        assert remove_markup(escape_cell(words)) == words
        assert contains_words(f"It says “{escape_cell(words)}”.", words)
