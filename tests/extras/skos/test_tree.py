from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("rdflib", reason="needs rdflib: pip install 'fieldguide[skos]'")

from classifier.extras.skos.draft import grow_forest


def test_each_concept_stands_once_at_its_nearest_place() -> None:
    forest = grow_forest("abcde", {"a": "cd", "b": "d", "c": "e", "d": "e"}, set())
    assert forest.roots == ["a", "b"]
    assert forest.children == {"a": ["c", "d"], "b": [], "c": ["e"], "d": [], "e": []}
    assert (forest.shared, forest.circles) == (["d", "e"], [])
    assert forest.below("a") == ["c", "d", "e"]


def test_a_declared_top_stays_at_the_top() -> None:
    forest = grow_forest("ab", {"a": "b"}, {"b"})
    assert (forest.roots, forest.shared) == (["a", "b"], ["b"])


def test_a_circle_is_cut_at_itself_and_not_below_it() -> None:
    forest = grow_forest("abcd", {"c": "bd", "d": "c", "b": "a"}, set())
    assert forest.roots == ["c"]
    assert forest.children == {"a": [], "b": ["a"], "c": ["b", "d"], "d": []}
    assert forest.circles == ["c"]


def test_a_concept_below_itself() -> None:
    assert grow_forest("a", {"a": "a"}, set()).circles == ["a"]


@given(
    st.dictionaries(
        st.sampled_from("abcdefg"), st.lists(st.sampled_from("abcdefg"), unique=True).map(sorted)
    ),
    st.sets(st.sampled_from("abcdefg")),
)
def test_any_web_becomes_trees(narrower: dict[str, list[str]], tops: set[str]) -> None:
    forest = grow_forest("abcdefg", narrower, tops)
    held = [each for root in forest.roots for each in (root, *forest.below(root))]
    assert sorted(held) == [*"abcdefg"]
    assert tops <= {*forest.roots}
