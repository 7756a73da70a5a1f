"""Which five cues a category has on its first day."""

from __future__ import annotations

import pytest

from classifier.taxonomy.model import Cues
from tools.first_day import first_cues

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
