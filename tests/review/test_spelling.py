"""Categories in cells are parsed in any spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.review.spelling import Spellings, plain_characters
from tests.review.bakery import BAKERY

TOPIC = Spellings(BAKERY.first)

# A cell -> its entries: `+` to be added, `-` to be dropped, `?` no category.
CASES = {
    "dough": "dough",
    " DOUGH ;taste. ": "dough taste",
    "ovens, taste": "ovens taste",
    "ovens\ntaste": "ovens taste",
    "ovens、taste": "ovens taste",
    "ovens；\u00a0ｔａｓｔｅ\u200b": "ovens taste",
    "“Ovens”; ‘heat’": "ovens ovens",
    "BACKÖFEN": "ovens",
    "Backo\u0308fen": "ovens",
    "Dough, starter & rest": "dough",
    "taste, dough, Starter  & rest, ovens": "taste dough ovens",
    "taste - and smell": "taste",
    "Taste — and smell, dough/rye": "taste dough/rye",
    "stoves": "ovens(stoves)",
    "add taste; drop dough": "+taste -dough",
    "Add: taste, ovens; remove heat": "+taste +ovens -ovens",
    "+taste; -dough": "+taste -dough",
    "+ taste;–dough": "+taste -dough",
    "add taste; ovens": "+taste ovens",
    "+taste, ovens": "+taste ovens",
    "add Dough, starter & rest, taste": "+dough +taste",
    ";;": "",
    "dough;; ;taste;": "dough taste",
    "add": "?add",
    "-": "?-",
    "add bred": "+?bred",
    "bred, dough": "?bred dough",
    "#NAME?": "?#NAME?",
}


@pytest.mark.parametrize(("cell", "entries"), CASES.items())
def test_a_cell_is_parsed_into_entries(cell: str, entries: str) -> None:
    signs = {"": "", "add": "+", "drop": "-"}
    found = [
        signs[item.sign]
        + (item.category or f"?{item.text}")
        + (f"({item.instead_of})" if item.instead_of else "")
        for item in TOPIC.read(cell)
    ]
    assert " ".join(found) == entries


@given(
    st.lists(
        st.sampled_from(["dough", "Dough, starter & rest", "HEAT", "taste", "dough/rye"]),
        min_size=1,
    ),
    st.sampled_from([";", ",", "\n", " ; ", "；"]),
)
def test_any_list_of_names_is_parsed(names: list[str], separator: str) -> None:
    meant = [item.category for item in TOPIC.read(separator.join(names))]
    known = {"Dough, starter & rest": "dough", "HEAT": "ovens"}
    assert meant == [known.get(name, name) for name in names]


@given(st.text())
def test_any_text_is_parsed_without_losing_words(cell: str) -> None:
    items = TOPIC.read(cell)
    letters = [sign for sign in plain_characters(cell) if sign.isalnum()]
    assert bool(items) or not letters
