from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("rdflib", reason="needs rdflib: pip install 'fieldguide[skos]'")

from classifier.extras.skos.thesaurus import Forest, grow_forest


def grown(concepts: str, narrower: dict[str, str], tops: set[str]) -> Forest:
    return grow_forest(concepts, {each: [*narrower.get(each, "")] for each in concepts}, tops)


def test_each_concept_stands_once_at_its_nearest_place() -> None:
    forest = grown("abcde", {"a": "cd", "b": "d", "c": "e", "d": "e"}, set())
    assert forest.roots == ["a", "b"]
    assert forest.children == {"a": ["c", "d"], "b": [], "c": ["e"], "d": [], "e": []}
    assert forest.shared == ["d", "e"]
    assert forest.below("a") == ["c", "d", "e"]


def test_a_declared_top_stays_at_the_top() -> None:
    forest = grown("ab", {"a": "b"}, {"b"})
    assert (forest.roots, forest.shared) == (["a", "b"], ["b"])


def test_a_circle_is_cut_at_its_first() -> None:
    forest = grown("abc", {"b": "c", "c": "b"}, set())
    assert forest.roots == ["a", "b"]
    assert forest.children == {"a": [], "b": ["c"], "c": []}
    assert forest.shared == ["b"]


def test_a_concept_below_itself() -> None:
    assert grown("a", {"a": "a"}, set()).shared == ["a"]


@given(
    st.dictionaries(
        st.sampled_from("abcdefg"), st.sets(st.sampled_from("abcdefg")).map(sorted).map("".join)
    ),
    st.sets(st.sampled_from("abcdefg")),
)
def test_any_web_becomes_trees(narrower: dict[str, str], tops: set[str]) -> None:
    forest = grown("abcdefg", narrower, tops)
    held = [each for root in forest.roots for each in (root, *forest.below(root))]
    assert sorted(held) == [*"abcdefg"]
    assert tops <= {*forest.roots}
