"""Decisions that are probably slips, from hand-made cross-fits of a facet with two categories."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from classifier.labelling.labels import Decision
from classifier.labelling.scores import CrossFit
from classifier.review.queue import DoubtfulDecision, doubtful_decisions

IDS = ("dough", "ovens")


def told(*said: tuple[str, float], papers: int = 40) -> tuple[dict, dict]:
    """Papers that people filed under dough, of which the classifier says what `said` holds.

    The rest are filed under ovens, and it is sure of that at 0.8.
    """
    filed = [0] * len(said) + [1] * (papers - len(said))
    ovens = [p if name == "ovens" else 1 - p for name, p in said] + [0.8] * (papers - len(said))
    primary = np.array([[1 - p, p] for p in ovens])
    truth = np.eye(2)[filed]
    ids = tuple(f"p-{row:02}" for row in range(papers))
    fit = CrossFit(
        primary, primary, primary.max(axis=1), truth, truth, ids, np.ones(len(ids), dtype=bool)
    )
    decisions = {
        paper_id: {"topic": Decision((IDS[column],), IDS[column], "ada")}
        for paper_id, column in zip(ids, filed, strict=True)
    }
    return {"topic": SimpleNamespace(ids=IDS, cross_fit_=fit)}, decisions


def test_a_decision_is_doubted_where_the_classifier_is_as_sure_as_it_usually_is() -> None:
    models, decisions = told(("ovens", 0.9), ("ovens", 0.7), ("dough", 0.9))
    assert doubtful_decisions(models, decisions) == [
        DoubtfulDecision("p-00", "topic", "dough", "ovens", 0.9 - (1 - 0.9), "ada")
    ]


def test_the_widest_disagreement_comes_first() -> None:
    models, decisions = told(("ovens", 0.85), ("ovens", 0.95))
    assert [doubt.paper_id for doubt in doubtful_decisions(models, decisions)] == ["p-01", "p-00"]


def test_a_category_that_applies_beside_the_filed_one_is_no_slip() -> None:
    models, decisions = told(("ovens", 0.9))
    decisions["p-00"] = {"topic": Decision(("dough", "ovens"), "dough", "ada")}
    assert doubtful_decisions(models, decisions) == []


def test_a_decision_that_people_looked_at_twice_is_left_alone() -> None:
    models, decisions = told(("ovens", 0.9))
    assert doubtful_decisions(models, decisions, {("p-00", "topic")}) == []
    assert len(doubtful_decisions(models, decisions, {("p-00", "kind")})) == 1


def test_few_decisions_doubt_nobody() -> None:
    models, decisions = told(("ovens", 0.9), papers=29)
    assert doubtful_decisions(models, decisions) == []
