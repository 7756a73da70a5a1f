"""Scalar products of papers give the predictions of their rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from classifier.labelling.span import ProductSpan, RowSpan, Span, fit_span

PAPERS = np.arange(40)


def wide_rows(n: int, features: int) -> sparse.csr_matrix:
    rows = sparse.random(n, features, density=0.1, random_state=7, format="lil")
    rows[3] = rows[4]  # two papers alike
    return rows.tocsr()


def learned(span: Span) -> np.ndarray:
    """Return the weights of two categories, learned from every second paper."""
    used = PAPERS[::2]
    yes = np.stack([used % 3 == 0, used % 4 == 0], axis=1).astype(float)
    return span.learn(used, yes, 1 - yes, 4.0)


def test_products_say_of_every_paper_what_rows_say() -> None:
    short, wide = ProductSpan(wide_rows(40, 400)), RowSpan(wide_rows(40, 400))
    parts, weights = learned(short), learned(wide)
    assert np.allclose(short.logits(PAPERS, parts), wide.logits(PAPERS, weights), atol=1e-9)
    assert np.allclose(short.wide(parts), wide.wide(weights), atol=1e-9)


def test_a_paper_that_was_not_learned_from_is_no_part_of_the_weights() -> None:
    parts = learned(ProductSpan(wide_rows(40, 400)))
    assert parts.shape == (2, 41)
    assert not parts[:, 1:-1:2].any()


@pytest.mark.parametrize(("papers", "kind"), [(2000, ProductSpan), (2001, RowSpan)])
def test_of_many_papers_no_products_are_made(papers: int, kind: type) -> None:
    assert isinstance(fit_span(sparse.csr_matrix((papers, 5))), kind)


@pytest.mark.parametrize("n", [0, 2])
def test_rows_of_nothing(n: int) -> None:
    span = ProductSpan(sparse.csr_matrix((n, 5)))
    nothing = np.zeros((3, span.width + 1))
    assert span.wide(nothing).tolist() == np.zeros((3, 5)).tolist()
    assert span.logits(np.arange(n), nothing).shape == (n, 3)
