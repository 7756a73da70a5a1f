from __future__ import annotations

import re

import pytest

from classifier.text import negation, role_cues
from classifier.text.bulk.spelled_out import spelled_out

FINITE = [*role_cues.BEGINNINGS.values(), *role_cues.WHOLE_WORDS.values(), negation.TRIGGERS]


@pytest.mark.parametrize(
    ("pattern", "phrases"),
    [
        ("rye", ("rye",)),
        ("bread|loaf", ("bread", "loaf")),
        ("loa(?:f|ves)", ("loaf", "loaves")),
        ("breads?", ("breads", "bread")),
        ("(?:rye |)bread", ("rye bread", "bread")),
        (r"analy[sz]e\b", (r"analyse\b", r"analyze\b")),
        (r"put\s+in", ("put in",)),
        ("(?:a (?:b|c))?d", ("a bd", "a cd", "d")),
    ],
)
def test_every_phrase_of_a_pattern(pattern: str, phrases: tuple[str, ...]) -> None:
    assert spelled_out(pattern) == phrases


@pytest.mark.parametrize("pattern", ["a+", "a*", "(a)", "^a", "a)", r"\d"])
def test_other_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="found the pattern"):
        spelled_out(pattern)


@pytest.mark.parametrize("pattern", FINITE)
def test_a_pattern_matches_what_it_is_spelled_out_as(pattern: str) -> None:
    for phrase in spelled_out(pattern):
        assert re.fullmatch(pattern, phrase.replace(r"\w+", "thorough")), phrase
