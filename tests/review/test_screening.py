"""Finding all papers of one category: the cues and the words of what was found both speak."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.review.queue import screening_order, screening_scores
from tests.labelling.conftest import bread_decisions, bread_papers, bread_taxonomy, topic_of

WORDS = sparse.csr_matrix(np.eye(3)[[0, 0, 1, 2]])


def test_without_decisions_the_probability_alone_counts() -> None:
    scores = screening_scores(np.array([0.2, 0.9, 0.5, 0.1]), WORDS, {})
    assert np.argsort(-scores).tolist() == [1, 2, 0, 3]


def test_words_of_what_was_found_lift_what_the_cues_miss() -> None:
    applies = np.array([0.9, 0.1, 0.1, 0.1])
    scores = screening_scores(applies, WORDS, {0: True, 2: False})
    assert scores[1] > scores[3] > scores[2]


def test_one_kind_of_decision_teaches_nothing_yet() -> None:
    applies = np.array([0.9, 0.1, 0.1, 0.1])
    assert (
        screening_scores(applies, WORDS, {0: True}) == screening_scores(applies, WORDS, {})
    ).all()


def test_the_papers_of_a_category_come_first_and_the_decided_not_at_all() -> None:
    papers = bread_papers()
    decisions = bread_decisions(papers)
    classifier = TaxonomyClassifier(bread_taxonomy()).fit(papers, decisions)
    facet = classifier.taxonomy.first
    order = screening_order(classifier, papers, decisions, facet, "ovens")
    found = [papers[row].id for row in order]
    assert set(found) == {paper.id for paper in papers} - decisions.keys()
    assert [topic_of(paper_id) for paper_id in found[:5]] == ["ovens"] * 5
