from __future__ import annotations

import pytest

from classifier.text.role_cues import PHRASES, WORDS, cues_of, stem
from classifier.text.roles import features_of


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Introduces", "introduc"),
        ("introduced", "introduc"),
        ("uses", "uses"),
        ("4.5", "<number>"),
        ("https://bread.example", "<link>"),
        ("http", "http"),
    ],
)
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_cues_are_phrases_and_words_whatever_their_ending() -> None:
    sentence = "We outperformed yeast."
    assert cues_of(sentence, ["we", "outperform", "yeast"]) == {"speaks of itself", "outcome"}
    assert not PHRASES.keys() & WORDS.keys()


def test_a_sentence_knows_its_place_and_its_neighbours() -> None:
    first, second = features_of(["Bread is dry.", "We propose a lid."])
    assert {"place: first", "behind: contribution", "dry", "opens: bread is"} <= set(first)
    assert {"place: last", "cue: contribution", "we propos", "fifth 2"} <= set(second)
    assert not any(name.startswith("before") for name in first)


def test_a_cue_is_remembered_behind_it() -> None:
    *_, last = features_of(["We propose a lid.", "It is round.", "It is warm."])
    assert "earlier: contribution" in last


def test_a_text_without_sentences_has_no_features() -> None:
    assert features_of([]) == []


def test_numbers_and_links_are_no_words_of_their_own() -> None:
    (features,) = features_of(["See https://bread.example, 4.5 times."])
    assert {"<link>", "<number>"} <= set(features)
    assert not any("bread" in name or "4" in name for name in features)
