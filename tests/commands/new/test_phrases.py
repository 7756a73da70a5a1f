"""Words that papers share, as people write them."""

from __future__ import annotations

import pytest

from classifier.commands.new.phrases import Texts, content_words

TEXTS = Texts(
    [
        "Chain-of-crust (CoC) baking with RL. A chain-of-crust oven learns.",
        "On chain-of-crust heat, and what RL of ovens costs",
        "Long-term storage of rye, and GPT-4 for bakers",
        "Long-term care of rye starters in the oven",
    ]
)


@pytest.mark.parametrize(
    ("term", "phrase"),
    [
        ("crust", "chain of crust"),  # an acronym of it adds nothing
        ("rye", "rye"),
        ("long", "long term"),
        ("bees", "bees"),  # nobody writes it
    ],
)
def test_a_word_is_told_with_its_neighbours(term: str, phrase: str) -> None:
    assert TEXTS.phrase(term) == phrase


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("chain of crust", "chain-of-crust"),
        ("rl", "RL"),
        ("long term rye", "long-term rye"),
        ("gpt", "GPT"),
    ],
)
def test_a_phrase_is_spelled_as_it_is_written(phrase: str, name: str) -> None:
    assert TEXTS.spelled(phrase) == name


def test_names_keep_their_capital_and_words_of_titles_lose_it() -> None:
    prose = "We bake with a Markov oven, and ovens bake bread. " * 10
    assert Texts([prose]).spelled("markov oven") == "Markov oven"
    assert Texts(["Bread of a Markov Oven"]).spelled("markov oven") == "markov oven"


def test_words_of_any_abstract_are_no_subject() -> None:
    assert content_words(["novel", "based approach", "rye", "new rye"]) == ["rye", "new rye"]
