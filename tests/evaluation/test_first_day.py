"""Which five cues a category has on its first day."""

from __future__ import annotations

import pytest

from classifier.evaluation.settings import first_cues, first_day
from classifier.taxonomy.model import Cues, Taxonomy

# title | contribution | anywhere  ->  title | contribution | anywhere
CASES = """
a b c       | d e | f g h -> a b       | d   | f g # two, one, two as written
a           | d e | f g   -> a         | d e | f g # a short list is made up for by the next
a b c d     |     | f     -> a b c d   |     | f   # and by the title first of all
a b c d e f |     |       -> a b c d e |     |     # never more than five
a b         | a d | b f g -> a b       | d   | f g # a cue of an earlier list is not new
            |     | f     ->           |     | f   # fewer are fewer
            |     |       ->           |     |     # none are none
"""


@pytest.mark.parametrize("case", CASES.strip("\n").splitlines())
def test_the_first_five(case: str) -> None:
    before, _, after = case.partition("#")[0].partition("->")
    written, kept = ([tuple(cell.split()) for cell in side.split("|")] for side in (before, after))
    cues = first_cues(Cues(title=written[0], contribution=written[1], anywhere=written[2]))
    assert [cues.title, cues.contribution, cues.anywhere] == kept


def test_nothing_speaks_against_and_spelling_is_one() -> None:
    cues = Cues(title=("Rye",), anywhere=("rye", "bun"), against=("cake",))
    assert first_cues(cues) == Cues(title=("Rye",), anywhere=("bun",))


def test_children_and_exemplars_come_later(taxonomy: Taxonomy) -> None:
    facet = first_day(taxonomy).first
    assert facet.ids == taxonomy.first.ids
    assert [category.id for category in facet.walk()] == list(facet.ids)
    assert all(not category.exemplars for category in facet.walk())
    assert facet.out_of_scope is not None
    assert [c.name for c in facet.categories] == [c.name for c in taxonomy.first.categories]


def test_what_refers_to_a_child_refers_to_its_top(taxonomy: Taxonomy) -> None:
    fields = taxonomy.model_dump()
    fields["facets"]["kind"]["applies_to"] = ["soil/worms", "water"]
    fields["facets"]["topic"]["categories"][2]["replaced_by"] = "soil/worms"
    cut = first_day(Taxonomy.model_validate(fields))
    assert cut.facet("kind").applies_to == ("soil", "water")
    assert cut.first.resolve("gear") == cut.first.get("soil")


def test_it_is_its_own_first_day(taxonomy: Taxonomy) -> None:
    assert first_day(first_day(taxonomy)) == first_day(taxonomy)
