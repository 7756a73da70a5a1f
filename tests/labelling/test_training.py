"""Trainings that leave papers out are those of the papers that are left."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from classifier.labelling.regression import Settings, fit_categories
from classifier.labelling.span import ProductSpan, RowSpan, Span
from classifier.labelling.targets import Targets
from classifier.labelling.training import Trained, train_without

SETTINGS = Settings(4.0, 0.25, 2, 0.9, 0.5)
PAPERS, CATEGORIES, DECIDED = 60, 3, 24
LEFT_OUT = [np.arange(0, 12), np.arange(12, 24), np.zeros(0, dtype=np.int64)]


def rows() -> sparse.csr_matrix:
    return sparse.random(PAPERS, 200, density=0.1, random_state=3, format="csr")


def targets() -> Targets:
    """The first papers are decided, the others have seed labels."""
    generator = np.random.default_rng(5)
    applies = generator.uniform(0.05, 0.95, (PAPERS, CATEGORIES))
    applies[:DECIDED] = np.eye(CATEGORIES)[np.arange(DECIDED) % CATEGORIES]
    filed = applies / applies.sum(axis=1, keepdims=True)
    told = np.zeros((PAPERS, CATEGORIES), dtype=bool)
    told[:DECIDED] = True
    return Targets(applies, filed, np.where(told, 1.0, 0.25), told, np.arange(DECIDED))


def trained(span: Span, *, single: bool = False) -> list[Trained]:
    return list(train_without(span, targets(), LEFT_OUT, SETTINGS, single=single))


@pytest.mark.parametrize("kind", [ProductSpan, RowSpan])
def test_a_training_is_that_of_the_papers_that_it_sees(kind: type) -> None:
    span, taught = kind(rows()), targets()
    for left_out, (applies, filed) in zip(LEFT_OUT, trained(span), strict=True):
        seen = np.setdiff1d(np.arange(PAPERS), left_out)
        alone = fit_categories(span, seen, taught.applies[seen], taught.weights[seen], SETTINGS)
        assert np.allclose(applies, alone, rtol=0, atol=1e-9)
        told = taught.told[seen]  # seed labels fade out where papers are filed, told of 120
        fading = 1 - told.sum(axis=0) / 120
        weights = np.where(told, taught.weights[seen], taught.weights[seen] * fading)
        alone = fit_categories(span, seen, taught.filed[seen], weights, SETTINGS)
        assert np.allclose(filed, alone, rtol=0, atol=1e-9)


def test_of_a_paper_that_is_left_out_nothing_is_in_the_weights() -> None:
    for left_out, (applies, filed) in zip(LEFT_OUT, trained(ProductSpan(rows())), strict=True):
        assert not applies[:, left_out].any()
        assert not filed[:, left_out].any()
        assert applies[:, :-1].any(axis=0).sum() == PAPERS - len(left_out)


def test_trainings_are_the_same_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    together = trained(ProductSpan(rows()))
    monkeypatch.setattr("classifier.labelling.training._MOST_NUMBERS", 1)
    for one, other in zip(together, trained(ProductSpan(rows())), strict=True):
        assert np.allclose(one.applies, other.applies, rtol=0, atol=1e-9)
        assert np.allclose(one.filed, other.filed, rtol=0, atol=1e-9)


def test_a_single_facet_has_one_set_of_regressions() -> None:
    for one in trained(ProductSpan(rows()), single=True):
        assert not one.applies.any()
        assert one.filed.any()
