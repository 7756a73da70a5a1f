"""Seed labels reach papers that no cue names, as far as words can be trusted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.special import softmax
from sklearn.metrics import cohen_kappa_score

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


def log_words(text: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Log-probabilities of words, each category having read an average one's worth of all."""
    read = np.array([share @ text for share in shares.T])
    drawn = read + read.sum() / len(read) * text.sum(axis=0) / text.sum()
    return np.asarray(np.log(drawn / drawn.sum(axis=1, keepdims=True)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_naive_bayes_learns_from_votes_and_then_from_what_it_said_itself(seed: int) -> None:
    generator = np.random.default_rng(seed)
    text, given = generator.exponential(1, (30, 6)), generator.exponential(1, (30, 4))
    given[::2] = 0
    weights = generator.uniform(0, 1, 30)
    shares = softmax(given / 2, axis=1)
    for sure in (weights, *np.ones((19, 30))):
        shares = softmax(given / 2 + text @ log_words(text, shares * sure[:, None]).T, axis=1)
    found = naive_bayes_shares(sparse.csr_matrix(text), given, weights)
    assert np.allclose(found, shares, rtol=0, atol=1e-5)


def test_agreement_is_the_lower_end_of_cohens_kappa() -> None:
    """Every fifth paper is told by the four others; papers without a vote are left out."""
    noise = np.random.default_rng(1).exponential(0.5, (N, 12))
    given, every = votes(), 2 * rows().toarray() + noise
    given[::7] = given[::7, [1, 2, 0]]
    given[1::9] = [0.5, 0.0, 0.0]  # next to a vote
    told = np.flatnonzero(given.max(axis=1) > 0.5)
    text, seen = every[told], given[told].argmax(axis=1)
    said = np.zeros(len(told), dtype=int)
    for fold in range(5):
        test = np.arange(len(told)) % 5 == fold
        words = log_words(text[~test], softmax(given[told][~test] / 2, axis=1))
        said[test] = (text[test] @ words.T).round(9).argmax(axis=1)
    right = (seen == said).mean()
    chance = sum((seen == topic).mean() * (said == topic).mean() for topic in range(3))
    below = 2 * np.sqrt(right * (1 - right) / len(told)) / (1 - chance)
    assert 0.4 < right < 0.95
    assert agreement(sparse.csr_matrix(every), given) == pytest.approx(
        cohen_kappa_score(seen, said) - below
    )


def trusted(monkeypatch: pytest.MonkeyPatch, kappa: float) -> None:
    """Have words and cues agree as told."""
    monkeypatch.setattr("classifier.labelling.spread.agreement", lambda _words, _votes: kappa)


@pytest.mark.parametrize(
    ("kappa", "trust"), [(0.2, 0.0), (0.3, 0.25), (0.5, 0.75), (0.6, 1.0), (0.9, 1.0)]
)
@pytest.mark.parametrize("single", [False, True])
def test_words_count_as_far_as_they_agree_with_cues(
    monkeypatch: pytest.MonkeyPatch, single: bool, kappa: float, trust: float
) -> None:
    """Of one answer they are a part; of several they fill what cues leave open."""
    trusted(monkeypatch, kappa)
    given = np.hstack([votes(), np.zeros((N, 1))])
    applies, weights = seeds = seed_labels(given, [3])
    shares = naive_bayes_shares(rows(), votes(), weights)
    left = 1 - applies[:, [3]]
    part = trust if single else trust * (1 - weights[:, None])
    found, sure = spread_labels(seeds, given, (rows(), rows()), [3], single=single)
    assert np.allclose(found[:, :3], (1 - part) * applies[:, :3] + part * shares * left)
    assert np.allclose(found[:, 3], applies[:, 3])
    assert np.allclose(sure, weights + (1 - weights) * trust * shares.max(axis=1))


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
