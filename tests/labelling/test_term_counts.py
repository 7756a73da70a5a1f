"""Terms counted in many papers at once are those of `features.terms`, paper by paper."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from classifier.labelling.features import terms
from classifier.labelling.pair_table import NONE
from classifier.labelling.passages import Vocabulary, passages_of
from classifier.labelling.term_counts import (
    TermCounts,
    TermIndex,
    feature_terms,
    term_words,
)
from classifier.labelling.term_places import TEXT_VIEWS
from classifier.labelling.views import TextViews, text_views
from classifier.papers.paper import Paper

TEXTS = st.lists(
    st.sampled_from(
        "rye bread Rye-bread the of We we bake bake. bread. propose present \u00c9clair a \u4f60 ? "
        "x' oven's (RB) . …".split()
    ),
    max_size=14,
).map(" ".join)
TERMS = st.sampled_from(
    ["rye", "bread", "the", "we bake", "the bread", "of the", "bread rye", "rye bread", "eclair",
     "\u00e9clair", "bake bread", "", " ", "a b c", "rye  bread", "Rye"]
)  # fmt: skip


def counted(known: list[str], papers: list[TextViews]) -> TermCounts:
    found = sorted(set(known))
    vocabulary = Vocabulary(term_words(found))
    return TermIndex(found, vocabulary).count(passages_of(papers, vocabulary))


@given(st.lists(TERMS), st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_any_terms_in_any_papers(known: list[str], texts: list[tuple[str, str]]) -> None:
    papers = [text_views(Paper(title, abstract=body)) for title, body in texts]
    found = counted(known, papers)
    assert found.papers == len(papers)
    for place, view in enumerate(TEXT_VIEWS):
        wanted = [Counter(terms(getattr(paper, f"{view}_text"))) for paper in papers]
        assert found.different[place].tolist() == [len(counts) for counts in wanted]
        there = [
            (row, found.index.terms[term], count)
            for row, term, count in zip(
                found.rows.tolist(), found.terms.tolist(), found.counts[place].tolist(), strict=True
            )
            if count
        ]
        assert there == [
            (row, term, counts[term])
            for row, counts in enumerate(wanted)
            for term in sorted(set(known))
            if counts[term]
        ]


def test_a_pair_across_sentences_of_the_contribution_is_a_pair_of_that_view_alone() -> None:
    paper = Paper("A lid.", abstract="Bread rises. We present a lid. Bread is dry. We propose rye.")
    found = counted(["lid propose", "lid bread", "lid we", "a lid"], [text_views(paper)])
    by_view = {
        view: {
            found.index.terms[term]: count
            for term, count in zip(found.terms.tolist(), counts.tolist(), strict=True)
            if count
        }
        for view, counts in zip(TEXT_VIEWS, found.counts, strict=True)
    }
    assert by_view == {
        "title": {"a lid": 1},
        "contribution": {"lid we": 1, "a lid": 1},
        "whole": {"lid bread": 2, "a lid": 2},
    }


def test_the_columns_of_terms_among_named_features() -> None:
    names = ("vote:rye", "whole:rye", "title:oven", "title:rye", "rye")
    assert feature_terms(names) == ["oven", "rye"]
    found = feature_terms(names)
    columns = TermIndex(found, Vocabulary(term_words(found))).columns(names)
    assert [each.tolist() for each in columns] == [[2, 3], [NONE, NONE], [NONE, 1]]


def test_no_papers_and_no_terms() -> None:
    assert counted(["rye"], []).different[0].shape == (0,)
    assert counted([], [text_views(Paper("Rye"))]).different[0].tolist() == [1]
