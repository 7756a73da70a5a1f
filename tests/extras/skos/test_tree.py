from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("rdflib", reason="needs rdflib: pip install 'fieldguide[skos]'")

from classifier.extras.skos.thesaurus import build_trees

Trees = tuple[dict[str, list[str]], list[str]]


def trees(concepts: str, narrower: dict[str, str], tops: set[str]) -> Trees:
    return build_trees(concepts, {each: [*narrower.get(each, "")] for each in concepts}, tops)


def test_each_concept_has_one_place_the_nearest_to_the_top() -> None:
    children, ambiguous = trees("abcde", {"a": "cd", "b": "d", "c": "e", "d": "e"}, set())
    assert children == {"": ["a", "b"], "a": ["c", "d"], "b": [], "c": ["e"], "d": [], "e": []}
    assert ambiguous == ["d", "e"]


def test_a_declared_top_stays_at_the_top() -> None:
    children, ambiguous = trees("ab", {"a": "b"}, {"b"})
    assert (children[""], ambiguous) == (["a", "b"], ["b"])


def test_a_circle_is_cut_at_its_first_concept() -> None:
    children, ambiguous = trees("abc", {"b": "c", "c": "b"}, set())
    assert children == {"": ["a", "b"], "a": [], "b": ["c"], "c": []}
    assert ambiguous == ["b"]


def test_a_concept_below_itself() -> None:
    assert trees("a", {"a": "a"}, set()) == ({"": ["a"], "a": []}, ["a"])


@given(
    st.dictionaries(
        st.sampled_from("abcdefg"), st.sets(st.sampled_from("abcdefg")).map(sorted).map("".join)
    ),
    st.sets(st.sampled_from("abcdefg")),
)
def test_any_graph_becomes_trees(narrower: dict[str, str], tops: set[str]) -> None:
    children, _ = trees("abcdefg", narrower, tops)
    placed = [each for below in children.values() for each in below]
    assert sorted(placed) == [*"abcdefg"]
    assert tops <= {*children[""]}
