from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.text import role_cues
from classifier.text.bulk.cue_finder import SPELLED, cue_finder, meaning_of
from classifier.text.bulk.phrases import PhraseFinder
from classifier.text.bulk.reading import read_texts
from classifier.text.bulk.spelled_out import spelled_out

SPECIAL = {"open.sourc", "fine-tun"}
"""Beginnings of two words, which `role_cues` in bulk reads by a rule of their own."""


@pytest.mark.parametrize(
    "pattern",
    [role_cues.CONTRIBUTES, role_cues.OPENS_DIGEST, role_cues.DOES, role_cues.DISCUSSES],
)
def test_every_beginning_is_of_one_word_or_read_by_a_rule_of_its_own(pattern: str) -> None:
    odd = {text for text in spelled_out(pattern) if not text.isalpha()}
    of_words = {text for text in odd if text.replace(" ", "").removesuffix(r"\b").isalpha()}
    assert odd - of_words <= SPECIAL
    if pattern is not role_cues.CONTRIBUTES:
        assert not of_words


def test_each_cue_has_a_meaning_of_its_own() -> None:
    meanings = {meaning_of(cue) for cue in SPELLED}
    assert len(meanings) == len(SPELLED)
    assert max(meanings) < 63


def test_an_open_place_stands_for_one_kind_of_word() -> None:
    with pytest.raises(ValueError, match="another open place"):
        PhraseFinder({r"bake by \w+ing": [0], r"bake by \w+ed": [1]})


@given(st.lists(st.sampled_from(sorted(cue_finder().phrases.words)), max_size=12))
def test_sentences_of_known_words_have_one_main_one(words: list[str]) -> None:
    text = " ".join(words)
    roles = read_texts([text], np.array([False])).roles
    assert roles.main.sum() == bool(re.search(r"\S", text))
