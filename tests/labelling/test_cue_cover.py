from __future__ import annotations

import pytest

from classifier.labelling.cue_cover import CueCover
from classifier.labelling.passages import Vocabulary
from classifier.text.bulk.word_table import hashes_of

CUES = ["rye bread~", "sour dough oven", "bake a _ loaf", "knead _ _ today"]
ANY_TWO = ("knead", "today")
WORDS = "rye bread breads sour dough oven bake a loaf knead today".split()
COVER = CueCover(Vocabulary(WORDS), CUES)


@pytest.mark.parametrize(
    ("long", "alone", "pairs"),
    [
        (("rye", "bread"), True, {("", "")}),
        (("sour", "dough"), False, {("", "oven")}),
        (("dough", "oven"), False, {("sour", "")}),
        (("x", "loaf"), False, {("a", "")}),
        (("a", "x"), False, {("bake", "loaf")}),
        (("white", "salt", "box"), None, None),
    ],
)
def test_what_has_to_stand_beside_a_long_form(
    long: tuple[str, ...], alone: bool | None, pairs: set[tuple[str, str]] | None
) -> None:
    of_long = [form for form in COVER.forms("XY", long) if form.is_cased]
    assert [form.neighbours.alone for form in of_long] == ([] if alone is None else [alone])
    found = [set(form.neighbours.pairs) - {ANY_TWO} for form in of_long]
    assert found == ([] if pairs is None else [pairs])


def test_a_form_that_no_room_is_left_for_in_one_cue_is_looked_for_in_the_next() -> None:
    cues = ["rye bread", "rye bread oven"]
    cover = CueCover(Vocabulary("rye bread oven".split()), cues)
    (form,) = [form for form in cover.forms("RBO", ("rye", "bread", "oven")) if form.is_cased]
    assert (form.other, form.neighbours.alone) == (("rye", "bread", "oven"), True)


def test_a_short_form_stands_where_any_word_may() -> None:
    (form,) = [form for form in COVER.forms("XY", ("white", "salt", "box")) if not form.is_cased]
    assert form.written == ("white", "salt", "box")
    assert form.other == ("xy",)
    assert form.neighbours.may_be("a", "loaf")
    assert form.neighbours.may_be("knead", "anything")
    assert not form.neighbours.may_be("a", "stone")


def test_the_last_words_of_a_form_tell_whether_it_may_be_covered() -> None:
    ends = ["rye breads", "dough oven", "a box", "x loaf", "oven dough", "bread rye"]
    before, last = hashes_of(" ".join(ends).split()).reshape(-1, 2).T
    assert COVER.may_end_a_form(before, last).tolist() == [True, True, True, True, False, False]
