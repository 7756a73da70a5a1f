"""Seed labels reach papers that no cue names, as far as words can be trusted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from classifier.labelling.seeds import seed_labels
from classifier.labelling.spread import (
    agreement,
    naive_bayes_shares,
    spread_labels,
    word_rows,
)
from classifier.taxonomy.model import Taxonomy

N = 120


def rows(vocabulary: int = 12) -> sparse.csr_matrix:
    """Papers of three topics in turn; each speaks of two of its topic's four words."""
    words = np.zeros((N, vocabulary))
    for paper in range(N):
        topic, turn = paper % 3, paper // 3
        words[paper, [4 * topic + turn % 4, 4 * topic + (turn + 1 + turn // 4 % 3) % 4]] = 0.5**0.5
    return sparse.csr_matrix(words)


def votes(named: int = 3) -> np.ndarray:
    """A title cue in the first of every `named` papers of a topic, nothing in the others."""
    given = np.zeros((N, 3))
    for paper in range(N):
        if paper // 3 % named == 0:
            given[paper, paper % 3] = 3.0
    return given


TRUTH = np.arange(N) % 3


def test_words_tell_the_topic_of_papers_without_a_cue() -> None:
    seeds = seed_labels(votes(), [])
    shares = naive_bayes_shares(rows(), votes(), seeds[1])
    assert np.allclose(shares.sum(axis=1), 1)
    assert (shares.argmax(axis=1) == TRUTH).all()


def test_words_agree_with_cues_where_topics_have_words_of_their_own() -> None:
    assert agreement(rows(), votes()) > 0.8


def test_words_that_say_nothing_are_not_trusted() -> None:
    """Every topic's papers speak alike: what form a paper has, say, is not in its nouns."""
    alike = sparse.csr_matrix(rows().toarray()[np.arange(N) // 3 * 3])
    assert agreement(alike, votes()) == 0
    seeds = seed_labels(votes(), [])
    assert spread_labels(seeds, votes(), (alike, alike), [], single=True) is seeds


@pytest.mark.parametrize("n", [0, 1, 9])
def test_a_handful_of_papers_proves_nothing(n: int) -> None:
    few = rows()[:n], votes(1)[:n]
    assert agreement(*few) == 0
    seeds = seed_labels(few[1], [])
    assert spread_labels(seeds, few[1], (few[0], few[0]), [], single=False) is seeds


def test_papers_without_words_stay_where_they_are() -> None:
    assert agreement(sparse.csr_matrix((N, 0)), votes()) == 0


@pytest.mark.parametrize("single", [False, True])
def test_papers_without_a_cue_are_labelled_and_count(single: bool) -> None:
    seeds = seed_labels(votes(), [])
    applies, weights = spread_labels(seeds, votes(), (rows(), rows()), [], single=single)
    bare = votes().max(axis=1) == 0
    assert (applies[bare].argmax(axis=1) == TRUTH[bare]).all()
    assert (weights[bare] > 2 * seeds[1][bare]).all()
    assert ((applies >= 0) & (applies <= 1)).all()


def test_strong_evidence_outweighs_words() -> None:
    """One paper of the first topic by its words has cues of the second all over it."""
    given = votes()
    given[0] = [0.0, 12.0, 0.0]
    applies, _ = spread_labels(seed_labels(given, []), given, (rows(), rows()), [], single=False)
    assert applies[0].argmax() == 1


def test_out_of_scope_keeps_its_share() -> None:
    given = np.hstack([votes(), np.zeros((N, 1))])
    seeds = seed_labels(given, [3])
    applies, _ = spread_labels(seeds, given, (rows(), rows()), [3], single=False)
    assert np.allclose(applies[:, 3], seeds[0][:, 3])


def test_the_words_of_cues_are_set_apart(taxonomy: Taxonomy) -> None:
    """`knead~` and `sour-dough~` are cues of the topic; a pair of words is no word."""
    names = ["whole:kneading", "whole:sourdoughs", "whole:steam", "whole:hot steam", "title:steam"]
    text = sparse.csr_matrix(np.array([[1.0, 2.0, 2.0, 5.0, 7.0], [0.0, 0.0, 0.0, 1.0, 0.0]]))
    every, plain = word_rows(text, names, taxonomy.first)
    assert np.allclose(every.toarray(), [[1 / 3, 2 / 3, 2 / 3], [0, 0, 0]])
    assert np.allclose(plain.toarray(), [[1], [0]])
