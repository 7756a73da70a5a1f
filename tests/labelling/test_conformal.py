"""The set of candidates holds the right category nine times in ten, and is short."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from classifier.labelling.bulk_labels import NONE
from classifier.labelling.conformal import COVERAGE, candidate_columns, least_probability
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.labels import Decisions
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

FEW = (0.1, 0.25, 0.4)
"""So few probabilities that there are ties."""


def scored(n: int, *, sharpness: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, 6) probabilities of a model that knows `sharpness` of the truth, and the truth (n,)."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(6, size=n)
    logits = generator.normal(size=(n, 6))
    logits[np.arange(n), truth] += sharpness
    odds = np.exp(logits)
    return odds / odds.sum(axis=1, keepdims=True), truth


@pytest.mark.parametrize("sharpness", [0.0, 1.0, 2.0])
def test_new_papers_are_covered_as_promised_however_good_the_model(sharpness: float) -> None:
    covered = []
    for seed in range(40):
        primary, truth = scored(1_100, sharpness=sharpness, seed=seed)
        least = least_probability(primary[:100], truth[:100])
        sets = candidate_columns(primary[100:], least).tolist()
        covered.append(np.mean([t in s for t, s in zip(truth[100:], sets, strict=True)]))
    # By how much 100 papers may miss on the mean of 40 draws.
    assert COVERAGE - 0.01 < np.mean(covered) < COVERAGE + 0.02


def test_a_better_model_gives_shorter_sets() -> None:
    def length(sharpness: float) -> float:
        primary, truth = scored(600, sharpness=sharpness, seed=1)
        least = least_probability(primary, truth)
        return float((candidate_columns(primary, least) != NONE).sum(axis=1).mean())

    assert length(3.0) < 1.1 < length(2.0) < 2 < length(0.0)


def test_under_thirty_papers_nothing_is_promised() -> None:
    primary, truth = scored(29, sharpness=3.0, seed=1)
    assert least_probability(primary, truth) is None
    assert candidate_columns(primary[:1], None).tolist() == [[NONE] * 6]
    assert least_probability(*scored(30, sharpness=3.0, seed=1)) is not None


def test_the_quantile_counts_the_new_paper_too() -> None:
    """Of 39 scores and a new one, nine tenths are 36: the 36th smallest miss is the bar."""
    primary = np.column_stack([np.linspace(0.99, 0.61, 39), 1 - np.linspace(0.99, 0.61, 39)])
    least = least_probability(primary, np.zeros(39, dtype=np.int64))
    assert least == pytest.approx(primary[35, 0])


def test_candidates_come_likeliest_first_and_are_never_none() -> None:
    primary = np.array([[0.2, 0.5, 0.3], [0.25, 0.5, 0.25], [0.1, 0.2, 0.7]])
    assert candidate_columns(primary, 0.25).tolist() == [[1, 2, NONE], [1, 0, 2], [2, NONE, NONE]]
    assert candidate_columns(primary, 0.95)[:, 0].tolist() == [1, 1, 2]
    assert (candidate_columns(primary, 0.95)[:, 1:] == NONE).all()


@given(
    arrays(float, st.tuples(st.integers(0, 4), st.integers(1, 5)), elements=st.sampled_from(FEW)),
    st.sampled_from(FEW),
)
def test_the_sets_of_many_papers_are_those_of_each(primary: np.ndarray, least: float) -> None:
    for row, found in zip(primary, candidate_columns(primary, least).tolist(), strict=True):
        order = sorted(range(len(row)), key=lambda column: (-row[column], column))
        wanted = [column for column in order if column == order[0] or row[column] >= least]
        assert found == [*wanted, *[NONE] * (len(row) - len(wanted))]


def test_the_decided_papers_that_it_is_learned_from_are_covered(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decisions
) -> None:
    fitted = TaxonomyClassifier(taxonomy).fit(papers, decisions)
    for model in (fitted.models_["topic"], fitted.models_["kind"]):
        fit = model.cross_fit_
        sets = candidate_columns(fit.primary, model.least_probability_).tolist()
        truth = fit.filed.argmax(axis=1)
        assert np.mean([t in s for t, s in zip(truth, sets, strict=True)]) >= COVERAGE
    labels = fitted.predict(papers)[-1].facets["topic"]
    assert labels.candidates[0] == labels.primary
    assert (
        TaxonomyClassifier(taxonomy).fit(papers).predict(papers)[0].facets["topic"].candidates == ()
    )
