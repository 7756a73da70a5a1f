"""Short rows give the predictions of wide ones."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from classifier.labelling.rotation import RowSpace


def wide_rows(n: int, features: int) -> sparse.csr_matrix:
    rows = sparse.random(n, features, density=0.1, random_state=7, format="lil")
    rows[3] = rows[4]  # two papers alike
    return rows.tocsr()


def regression() -> LogisticRegression:
    return LogisticRegression(C=4.0, solver="newton-cg", tol=1e-10, max_iter=1000)


def test_a_regression_on_rotated_rows_says_what_one_on_wide_rows_says() -> None:
    rows = wide_rows(60, 400)
    train, test = rows[:40], rows[40:]
    y = np.arange(40) % 3 == 0
    space = RowSpace().fit(train)
    wide = regression().fit(train.toarray(), y)
    short = regression().fit(space.rotate(train), y)
    assert np.allclose(
        short.decision_function(space.rotate(test)),
        wide.decision_function(test.toarray()),
        rtol=0,
        atol=1e-6,
    )
    assert np.allclose(space.unrotate(short.coef_), wide.coef_, rtol=0, atol=1e-6)
    assert np.allclose(short.intercept_, wide.intercept_, rtol=0, atol=1e-6)


def test_there_are_as_few_coordinates_as_the_rows_allow() -> None:
    assert RowSpace().fit(wide_rows(30, 400)).coordinates_.shape == (30, 29)


def test_the_coordinates_of_the_rows_learned_from_are_at_hand() -> None:
    rows = wide_rows(30, 400)
    space = RowSpace().fit(rows)
    assert np.allclose(space.coordinates_, space.rotate(rows), rtol=0, atol=1e-10)


def test_the_basis_is_orthonormal() -> None:
    basis = RowSpace().fit(wide_rows(30, 400)).unrotate(np.eye(29))
    assert np.allclose(basis @ basis.T, np.eye(29), atol=1e-8)


def test_lengths_and_angles_of_rows_stay() -> None:
    rows = wide_rows(30, 400)
    z = RowSpace().fit(rows).rotate(rows)
    assert np.allclose(z @ z.T, (rows @ rows.T).toarray(), atol=1e-10)


def test_rows_of_nothing() -> None:
    for n in (0, 2):
        rows = sparse.csr_matrix((n, 5))
        space = RowSpace().fit(rows)
        assert space.rotate(rows).shape == (n, 0)
        assert space.unrotate(np.zeros((3, 0))).tolist() == np.zeros((3, 5)).tolist()
