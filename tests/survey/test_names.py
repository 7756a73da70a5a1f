from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.survey.names import NameFinder
from classifier.text.normalise import tokens

FINDER = NameFinder(
    {
        "tests": {"Rise": [], "Rise-2": ["second rise"], "Windowpane": ["window pane"]},
        "flours": {"Rise-1": [], "Type 550": ["t550"]},
    }
)

# text -> names found, lexicon by lexicon
CASES = {
    "We use Rise.": "tests: Rise",
    "Rise-1 is a flour, RISE 2 a test.": "tests: Rise-2 | flours: Rise-1",
    "Rise-1 rises on Rise.": "tests: Rise | flours: Rise-1",
    "A window/pane, a Window-Pane, a windowpane.": "tests: Windowpane",
    "The second rise of t550": "tests: Rise-2 | flours: Type 550",
    "Our loaf (also called Rise) of type 550.": "flours: Type 550",
    "Sunrise, t5500 and windowpanes are no names.": "",
    "": "",
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_the_leftmost_longest_name_of_all_lexicons_is_found(text: str, expected: str) -> None:
    found = FINDER.find(text)
    assert list(found) == ["tests", "flours"]
    shown = " | ".join(f"{key}: {', '.join(names)}" for key, names in found.items() if names)
    assert shown == expected


def test_names_are_returned_once_in_order_of_appearance() -> None:
    found = FINDER.find("Windowpane, Rise, windowpane, second rise, rise")
    assert found["tests"] == ("Windowpane", "Rise", "Rise-2")


@given(st.lists(st.sampled_from(["rise", "2", "1", "second", "window", "pane", "dough"])))
def test_names_do_not_overlap(words: list[str]) -> None:
    """What is found together is never longer than the text."""
    found = FINDER.find(" ".join(words))
    names = [name for names in found.values() for name in names]
    assert sum(min(len(tokens(name)), 1) for name in names) <= len(words)
