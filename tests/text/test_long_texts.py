"""A long text, or one long word, takes no longer than many short ones."""

from __future__ import annotations

import time

import pytest

from classifier.text.clean import clean_abstract
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences


@pytest.mark.parametrize("piece", ["Fig. 1. ", "We show 5% gains. ", "<", "A-", "5 "])
def test_a_text_of_190_000_characters_is_read_in_seconds(piece: str) -> None:
    text = clean_abstract(piece * (190_000 // len(piece)))
    results_of(roled_sentences("We gain 5%."), lambda _: ())
    begun = time.process_time()
    results_of(roled_sentences(text), lambda _: ())
    assert time.process_time() - begun < 3
