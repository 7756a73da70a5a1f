"""The tree of arrays finds what `CueMatcher` finds, passage by passage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.labelling.cue_tree import CueTree
from classifier.labelling.passages import Vocabulary
from classifier.taxonomy.cue import Cue, CueMatcher, parse_cue

WORDS = st.sampled_from(["a", "b", "ab", "bs", "abs", "abed", "bing", "baing", "c"])
CUE_WORDS = st.sampled_from(["a", "b", "ab", "c", "_", "_", "b~", "ab~", "a-b", "a-b~", "b-a"])
CUES = (
    st.lists(CUE_WORDS, min_size=1, max_size=4)
    .filter(lambda words: set(words) != {"_"})
    .map(lambda words: parse_cue(" ".join(words)))
)
Found = list[tuple[int, int, int]]


def by_tree(cues: list[Cue], passages: list[list[str]]) -> Found:
    """Return (cue, start, end), positions running through all passages."""
    vocabulary = Vocabulary(sorted({word for cue in cues for word in cue.words}))
    words = [vocabulary.number(word) for passage in passages for word in passage]
    owners = np.repeat(np.arange(len(passages)), [len(passage) for passage in passages])
    found = CueTree(cues, vocabulary).find(np.array(words, dtype=np.int32), owners)
    columns = (found.cues.tolist(), found.starts.tolist(), found.ends.tolist())
    return list(zip(*columns, strict=True))


def one_by_one(cues: list[Cue], passages: list[list[str]]) -> Found:
    matcher, found, before = CueMatcher(cues), [], 0
    for passage in passages:
        found += [(cue, a + before, b + before) for cue, a, b in matcher.find(passage)]
        before += len(passage)
    return sorted(found)


@given(
    st.lists(CUES, max_size=6, unique_by=lambda cue: cue.alternatives),
    st.lists(st.lists(WORDS, max_size=9), max_size=4),
)
def test_the_tree_finds_what_the_matcher_finds(cues: list[Cue], passages: list[list[str]]) -> None:
    assert by_tree(cues, passages) == one_by_one(cues, passages)


@pytest.mark.parametrize(
    ("cue", "text", "spans"),
    [
        pytest.param("a b", "a b", [(0, 2)], id="as written"),
        pytest.param("a b", "a / b", [], id="not across two passages"),
        pytest.param("a _", "a / b", [], id="no open word behind a passage"),
        pytest.param("_ a", "b / a", [], id="nor before it"),
        pytest.param("_ a", "x a", [(0, 2)], id="an open word may be any"),
        pytest.param("a _ a", "a a a a a a", [(0, 3), (3, 6)], id="leftmost, none in another"),
        pytest.param("a-b", "a b ab a", [(0, 2), (2, 3)], id="spellings of one cue"),
        pytest.param("a", "", [], id="no word"),
    ],
)
def test_matches(cue: str, text: str, spans: list[tuple[int, int]]) -> None:
    passages = [passage.split() for passage in text.split("/")]
    assert by_tree([parse_cue(cue)], passages) == [(0, start, end) for start, end in spans]


def test_no_cues() -> None:
    assert by_tree([], [["a"]]) == []
