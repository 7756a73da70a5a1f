"""The terms that TF-IDF is learned from are those that scikit-learn's vectorizers keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from known_words import all_words
from sklearn.feature_extraction.text import CountVectorizer

from classifier.labelling.features import terms
from classifier.labelling.frequent_terms import frequent_terms
from classifier.labelling.passages import passages_of
from classifier.labelling.term_places import TEXT_VIEWS
from classifier.labelling.views import TextViews, text_views
from classifier.papers.paper import Paper

TEXTS = st.lists(
    st.sampled_from("rye bread Rye-bread the of We we bake bake. bread. \u00c9clair ? .".split()),
    max_size=14,
).map(" ".join)


def by_terms(papers: list[TextViews], least: int) -> list[tuple[list[str], list[int]]]:
    found = []
    for view in TEXT_VIEWS:
        vectorizer = CountVectorizer(analyzer=terms, min_df=least, binary=True)
        try:
            rows = vectorizer.fit_transform([getattr(paper, f"{view}_text") for paper in papers])
        except ValueError:  # no term is left
            found.append(([], []))
            continue
        names = [str(name) for name in vectorizer.get_feature_names_out()]
        found.append((names, np.asarray(rows.sum(axis=0)).ravel().tolist()))
    return found


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=2, max_size=4), st.integers(1, 2))
def test_terms_and_in_how_many_papers_they_stand(texts: list[tuple[str, str]], least: int) -> None:
    papers = [text_views(Paper(title, abstract=body)) for title, body in texts]
    vocabulary = all_words(papers)
    found = frequent_terms(passages_of(papers, vocabulary), vocabulary, least)
    assert [(names, of.tolist()) for names, of in found] == by_terms(papers, least)


@pytest.mark.parametrize("titles", [[], ["???"], ["The"]])
def test_no_terms(titles: list[str]) -> None:
    papers = [text_views(Paper(title)) for title in titles]
    vocabulary = all_words(papers)
    found = frequent_terms(passages_of(papers, vocabulary), vocabulary, 1)
    assert [names for names, _ in found] == [[], [], []]
