"""How good the rest is: from audited papers alone, with an interval."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from classifier.evaluation.audit import AuditEstimate
from classifier.evaluation.crossfit import audit_estimates
from classifier.labelling.labels import Decision
from classifier.labelling.scores import CrossFit


def told(*drawn: tuple[str, bool]) -> tuple[SimpleNamespace, dict]:
    """A facet's model and decisions: how each paper was drawn, and whether the model is right."""
    truth = np.tile([1.0, 0.0], (len(drawn), 1))
    said = np.array([[0.9, 0.1] if right else [0.1, 0.9] for _, right in drawn]).reshape(-1, 2)
    ids = tuple(f"p-{row}" for row in range(len(drawn)))
    fit = CrossFit(
        said, said, said.max(axis=1, initial=0), truth, truth, ids, np.ones(len(ids), dtype=bool)
    )
    decisions = {
        paper_id: {"topic": Decision(("dough",), "dough", "ada", f"2025-06-{row + 1:02}", by)}
        for row, (paper_id, (by, _)) in enumerate(zip(ids, drawn, strict=True))
    }
    return SimpleNamespace(
        facet=SimpleNamespace(id="topic", may_be_unstated=False), cross_fit_=fit
    ), decisions


def test_audited_papers_alone_are_counted() -> None:
    model, decisions = told(("audit", True), ("queue", False), ("audit", False), ("audit", True))
    assert audit_estimates({"topic": model}, decisions) == [AuditEstimate("topic", 3, 2)]


def test_audited_papers_count_before_there_is_a_cross_fit() -> None:
    model, _ = told()
    _, decisions = told(("audit", True))
    (estimate,) = audit_estimates({"topic": model}, decisions)
    assert (estimate.audited, estimate.n_missing) == (1, 29)


def test_the_interval_is_wilsons() -> None:
    estimate = AuditEstimate("topic", 100, 80)
    assert (estimate.n_missing, estimate.accuracy) == (0, 0.8)
    assert estimate.interval == pytest.approx((0.7112, 0.8666), abs=1e-4)


def test_what_is_always_right_may_still_be_wrong_once_in_a_while() -> None:
    low, high = AuditEstimate("topic", 30, 30).interval
    assert (round(low, 2), high) == (0.89, 1.0)
