from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from known_words import all_words
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.labelling.evidence import EvidenceCounter
from classifier.labelling.features import (
    EVIDENCE_SCALE,
    FIRST_FACET_SCALE,
    Features,
    TextFeatures,
    cue_columns,
    terms,
    with_cues,
)
from classifier.labelling.passages import passages_of
from classifier.labelling.views import TextViews, text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from tests.labelling.conftest import counted_terms

VIEWS = [
    text_views(Paper("Rye ovens", abstract="Bread is dry. We bake slow bread.")),
    text_views(Paper("Rye bread", abstract="Bread is dry. We bake bread.")),
    text_views(Paper("Bread", abstract="Bread is dry. It is cheap.")),
    text_views(Paper("Cakes")),
]


def learned(views: list[TextViews], min_df: int = 2) -> TextFeatures:
    vocabulary = all_words(views)
    return TextFeatures(min_df=min_df).fit(passages_of(views, vocabulary), vocabulary)


def built(
    taxonomy: Taxonomy, views: list[TextViews], kept: Features = "both"
) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the names of the columns and the rows."""
    features = learned(views)
    text = features.transform(counted_terms(features.names_, views))
    cues = cue_columns(EvidenceCounter(taxonomy.first).count(views), taxonomy.first.ids)
    return (*features.names_, *cues.names), with_cues(text, cues, kept).toarray()


def test_a_name_for_every_column(taxonomy: Taxonomy) -> None:
    names, rows = built(taxonomy, VIEWS)
    assert rows.shape == (4, len(names))
    assert len(set(names)) == len(names)
    assert names[-24:-20] == (
        "cue:dough:title",
        "cue:dough:contribution",
        "cue:dough:anywhere",
        "cue:dough:against",
    )
    assert names[-8:-4] == ("vote:dough", "vote:ovens", "vote:taste", "vote:other")
    assert names[-4:] == ("share:dough", "share:ovens", "share:taste", "share:other")


def test_what_a_paper_is_about_weighs_half_for_another_facet(taxonomy: Taxonomy) -> None:
    evidence = EvidenceCounter(taxonomy.first).count(VIEWS)
    ids = taxonomy.first.ids
    own = cue_columns(evidence, ids)
    both = cue_columns(evidence, ids, evidence, ids)
    added = both.names[len(own.names) :]
    assert added == tuple(f"first-{name}" for name in own.names if name[:4] in ("vote", "shar"))
    assert own.values[:, -len(added) :].any(axis=0).sum() >= 2
    np.testing.assert_array_equal(
        both.values[:, len(own.names) :], own.values[:, -len(added) :] * FIRST_FACET_SCALE
    )


def test_cues_by_hand(taxonomy: Taxonomy) -> None:
    """Half a log count, a quarter of a vote, and a vote's share of the strongest, 2 at least."""
    papers = [Paper("Oven dough", abstract="Dough. We knead."), Paper("Oven"), Paper("Loaves")]
    papers += [Paper("Loaves", abstract="We bake no cake. We like cake, cakes, cake and cake.")]
    papers += [Paper("Loaves", abstract="Dough.")]
    evidence = EvidenceCounter(taxonomy.first).count([text_views(paper) for paper in papers])
    found = cue_columns(evidence, ["dough", "ovens"])
    column = dict(zip(found.names, found.values.T.tolist(), strict=True))
    anywhere = 1.5 * math.log2(3)
    against = -2 * math.log2(1 + evidence.counts[3, 0, 3])
    assert evidence.votes(["dough", "ovens"]).T.tolist() == [
        pytest.approx([2 + anywhere, 0, 0, against, 1.5]),
        pytest.approx([4, 4, 0, 0, 0]),
    ]
    assert column["cue:dough:contribution"] == [0.5, 0, 0, 0, 0]
    assert column["cue:dough:anywhere"] == pytest.approx([0.5 * math.log2(3), 0, 0, 0, 0.5])
    assert column["cue:ovens:title"] == [0.5, 0.5, 0, 0, 0]
    assert column["vote:dough"] == pytest.approx([0.5 + anywhere / 4, 0, 0, against / 4, 1.5 / 4])
    assert column["vote:ovens"] == [1, 1, 0, 0, 0]
    assert column["share:dough"] == pytest.approx([1, 0, 0, -0.5, 0.75])
    assert column["share:ovens"] == pytest.approx([4 / (2 + anywhere), 1, 0, 0, 0])


def test_terms_are_words_and_pairs_per_view_that_two_papers_share(taxonomy: Taxonomy) -> None:
    names, _ = built(taxonomy, VIEWS)
    terms = {
        view: [name.removeprefix(f"{view}:") for name in names if name.startswith(f"{view}:")]
        for view in ("title", "contribution")
    }
    assert terms == {
        "title": ["bread", "rye"],
        "contribution": ["bake", "bread", "we bake"],
    }
    assert {"whole:rye", "whole:is dry", "whole:we bake"} <= set(names)
    assert "whole:cakes" not in names


def test_the_views_weigh_as_told_and_the_cues_count_by_their_logs(taxonomy: Taxonomy) -> None:
    names, rows = built(taxonomy, VIEWS)
    for view, weight in zip(("title", "contribution", "whole"), (0.5, 0.7, 1.0), strict=True):
        columns = [i for i, name in enumerate(names) if name.startswith(f"{view}:")]
        lengths = np.linalg.norm(rows[:, columns], axis=1)
        assert np.allclose(lengths[lengths > 0], weight), view
    assert rows[0, names.index("cue:ovens:title")] == EVIDENCE_SCALE
    assert rows[1, names.index("cue:ovens:title")] == 0


def test_words_never_seen_are_left_out() -> None:
    features = learned(VIEWS)
    strange = counted_terms(features.names_, [text_views(Paper("Unheard of"))])
    assert features.transform(strange).nnz == 0


def test_a_handful_of_titles_is_enough(taxonomy: Taxonomy) -> None:
    for titles in ([], ["Bread"], ["Bread", "Ovens"], ["???"]):
        views = [text_views(Paper(title)) for title in titles]
        names, rows = built(taxonomy, views)
        assert rows.shape == (len(titles), len(names))


def test_what_is_left_out_is_zero_and_the_rest_is_as_before(taxonomy: Taxonomy) -> None:
    names, both = built(taxonomy, VIEWS)
    _, cues = built(taxonomy, VIEWS, "cues")
    _, terms = built(taxonomy, VIEWS, "terms")
    first_cue = next(i for i, name in enumerate(names) if name.startswith("cue:"))
    assert not cues[:, :first_cue].any()
    assert not terms[:, first_cue:].any()
    assert np.array_equal(cues + terms, both)


def by_vectorizers(learned: list[TextViews], papers: list[TextViews]) -> sparse.csr_matrix:
    """The rows that scikit-learn makes of the texts of the three views."""
    blocks = []
    for view, weight in (("title", 0.5), ("contribution", 0.7), ("whole", 1.0)):
        vectorizer = TfidfVectorizer(analyzer=terms, sublinear_tf=True, min_df=1)
        vectorizer.fit([getattr(paper, f"{view}_text") for paper in learned])
        rows = vectorizer.transform([getattr(paper, f"{view}_text") for paper in papers])
        blocks.append(rows * weight)
    return sparse.hstack(blocks, format="csr")


TEXTS = st.lists(
    st.sampled_from("rye bread Rye-bread the of We bake bake. bread. \u00c9clair ? (RB) .".split()),
    max_size=14,
).map(" ".join)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_rows_are_those_of_scikit_learn_to_the_last_bit(texts: list[tuple[str, str]]) -> None:
    papers = [text_views(Paper(title, abstract=body)) for title, body in texts]
    features = learned(VIEWS, min_df=1)
    rows = features.transform(counted_terms(features.names_, papers))
    wanted = by_vectorizers(VIEWS, papers)
    assert np.array_equal(rows.indices, wanted.indices)
    assert np.array_equal(rows.data, wanted.data)
