from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from classifier.text.bulk.word_table import WordTable, hashes_of

WORDS = st.lists(st.text(st.characters(exclude_characters="\0"), min_size=1), unique=True)


def test_a_word_is_found_by_its_place() -> None:
    table = WordTable(["rye", "sourdough", "naïveté", "a-word-of-many-more-than-sixteen-letters"])
    asked = ["rye", "ry", "sourdough", "sourdoughs", "naïveté", "a-word-of-many-more-than-sixteen"]
    assert table.numbers(hashes_of(asked)).tolist() == [1, 0, 2, 0, 3, 0]


@given(WORDS, WORDS)
def test_words_are_found_and_no_others(known: list[str], asked: list[str]) -> None:
    places = {word: place for place, word in enumerate(known, 1)}
    found = WordTable(known).numbers(hashes_of([*known, *asked]))
    assert found.tolist() == [places.get(word, 0) for word in [*known, *asked]]


def test_hashes_are_the_same_on_every_machine() -> None:
    assert [f"{number:x}" for number in hashes_of(["rye", "sourdough"]).tolist()] == HASHES


HASHES = ["3dc32eb17a2dd943", "cffff9e07a0799cf"]
