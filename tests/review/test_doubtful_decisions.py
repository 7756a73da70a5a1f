"""Decisions that are probably errors, from made-up cross-fits of a facet with two categories."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from classifier.labelling.labels import Decision
from classifier.labelling.scores import CrossFit
from classifier.review.queue import DoubtfulDecision, doubtful_decisions

IDS = ("dough", "ovens")


def models_and_decisions(*predictions: tuple[str, float], papers: int = 40) -> tuple[dict, dict]:
    """Return models and decisions of papers; people filed the first ones under dough.

    predictions: (category, probability) of the classifier for these. All other papers are filed
    under ovens, which has probability 0.8.
    """
    filed = [0] * len(predictions) + [1] * (papers - len(predictions))
    ovens = [p if name == "ovens" else 1 - p for name, p in predictions] + [0.8] * (
        papers - len(predictions)
    )
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


def test_a_decision_is_doubtful_if_another_category_reaches_its_threshold() -> None:
    models, decisions = models_and_decisions(("ovens", 0.9), ("ovens", 0.7), ("dough", 0.9))
    assert doubtful_decisions(models, decisions) == [
        DoubtfulDecision("p-00", "topic", "dough", "ovens", 0.9 - (1 - 0.9), "ada")
    ]


def test_the_largest_margin_comes_first() -> None:
    models, decisions = models_and_decisions(("ovens", 0.85), ("ovens", 0.95))
    assert [doubt.paper_id for doubt in doubtful_decisions(models, decisions)] == ["p-01", "p-00"]


def test_a_category_of_the_decision_does_not_make_it_doubtful() -> None:
    models, decisions = models_and_decisions(("ovens", 0.9))
    decisions["p-00"] = {"topic": Decision(("dough", "ovens"), "dough", "ada")}
    assert doubtful_decisions(models, decisions) == []


def test_a_confirmed_decision_is_not_doubtful() -> None:
    models, decisions = models_and_decisions(("ovens", 0.9))
    assert doubtful_decisions(models, decisions, {("p-00", "topic")}) == []
    assert len(doubtful_decisions(models, decisions, {("p-00", "kind")})) == 1


def test_few_decisions_give_no_doubtful_decision() -> None:
    models, decisions = models_and_decisions(("ovens", 0.9), papers=29)
    assert doubtful_decisions(models, decisions) == []
