"""Noun phrases of papers, as people write them."""

from __future__ import annotations

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
PHRASES = Phrases([Paper(title=text) for text in TEXTS])


def test_plurals_are_one_phrase_and_both_are_a_cue() -> None:
    assert PHRASES.used["oven"] == 3
    assert (PHRASES.cue("oven"), PHRASES.cue("racial prejudice")) == ("oven~", "racial prejudice")


@pytest.mark.parametrize("key", ["racial prejudice", "rye starter", "oven"])
def test_a_noun_names_a_subject(key: str) -> None:
    assert PHRASES.is_name(key)


@pytest.mark.parametrize(
    "key",
    [
        "racial",  # an adjective: something always stands behind it
        "united state",  # a place
        "systematic literature",  # any field has it
        "oven tested",  # a participle ends no phrase
        "rural texas",  # a place
        "texas rye",  # one with something in it
        "cloche",  # French
        "loaf containing",  # no noun
        "h2 o2",  # a formula
        "crust analysis",  # a method
        "crumb microscopy",  # how one looks, not at what
    ],
)
def test_what_names_no_subject(key: str) -> None:
    assert key not in PHRASES.used or not PHRASES.is_name(key)


def test_a_phrase_is_spelled_as_it_is_written() -> None:
    assert PHRASES.name("chain of crust oven") == "chain-of-crust oven"
    assert PHRASES.name("children book") == "children's books"


def test_a_name_is_whole() -> None:
    assert PHRASES.name("milk crust") == "milk crust and egg"
    assert PHRASES.name("sour dough") == "sour dough effect"


def test_an_author_of_signs_alone_has_no_name() -> None:
    authors = (", Smith", " , ", "\t, Miller", "Ada Baker")
    Phrases([Paper(title="Rye bread", authors=authors)])
