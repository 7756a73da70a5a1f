"""Phrases of papers that can name a subject, and their spelling."""

from __future__ import annotations

import numpy as np
import pytest

from classifier.commands.new.phrases import Phrases
from classifier.papers.paper import Paper

TEXTS = [
    "Chain-of-crust (CoC) baking with RL. A chain-of-crust oven was tested in Texas.",
    "On chain-of-crust heat, and what RL of ovens costs. Racial prejudice in bakeries.",
    "Long-term storage of rye starters, by racial prejudice of bakers in the United States.",
    "A systematic literature review: an oven heated by GPT-4 and the baker's children's books.",
    "La cloche de pain des fours",
    "Crumb microscopy of rye. Crumb microscopy again.",
    "Milk crust and egg wash. A milk crust and egg glaze for the sour dough effect.",
    "Texas rye. Loaves containing rye, with rural Texas. Loaves containing oats, by H2 O2.",
]
PHRASES = Phrases([Paper(title=text) for text in TEXTS], min_papers=1)


def key_of(phrase: str) -> str:
    """Return the key of a phrase, "" if no paper has it as a phrase."""
    return next((key for key in PHRASES.keys if PHRASES.lower_case(key) == phrase), "")


def test_a_plural_and_its_singular_are_one_phrase_and_one_cue() -> None:
    oven = next(key for key in PHRASES.keys if PHRASES.cue(key) == "oven~")
    assert PHRASES.uses(oven).sum() == 3
    assert PHRASES.cue(key_of("racial prejudice")) == "racial prejudice"


@pytest.mark.parametrize("phrase", ["racial prejudice", "rye starters", "oven"])
def test_a_noun_can_name_a_subject(phrase: str) -> None:
    assert PHRASES.is_name(key_of(phrase))


@pytest.mark.parametrize(
    "phrase",
    [
        "racial",  # an adjective: another word always follows it
        "united states",  # a place
        "systematic literature",  # any field has it
        "oven tested",  # no phrase ends with a participle
        "rural texas",  # a place
        "texas rye",  # a place and something in it
        "cloche",  # French
        "loaf containing",  # not a noun
        "h2 o2",  # a formula
        "crust analysis",  # a method
        "crumb microscopy",  # a method
    ],
)
def test_phrases_that_cannot_name_a_subject(phrase: str) -> None:
    key = key_of(phrase)
    assert not key or not PHRASES.is_name(key)


def test_a_phrase_is_written_as_most_texts_write_it() -> None:
    assert PHRASES.name("chain of crust oven") == "chain-of-crust oven"
    assert PHRASES.name(key_of("children books")) == "children's books"


def test_a_part_of_a_longer_phrase_cannot_name_a_subject() -> None:
    texts = [f"Human immunodeficiency virus in bakers {n}" for n in range(3)]
    texts += [f"Rye bread at home {n}" for n in range(3)]
    phrases = Phrases([Paper(title=text) for text in texts])
    names = {phrases.lower_case(key) for key in phrases.keys if phrases.is_name(key)}
    assert "human immunodeficiency virus" in names
    assert "immunodeficiency virus" not in names


def test_chinese_texts_have_phrases_too() -> None:
    texts = ["黑麦面包的发酵", "黑麦面包与盐", "蜜蜂的舞蹈", "蜜蜂与花"]
    phrases = Phrases([Paper(title=text) for text in texts])
    first, *_ = phrases.score(np.array([True, True, False, False]))
    assert first.key == "黑麦面包"
