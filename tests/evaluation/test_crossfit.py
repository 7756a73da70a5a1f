"""The figures of a build, with their intervals."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from classifier.evaluation.crossfit import build_metrics
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision
from classifier.labelling.scores import CrossFit
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

PONDS = Taxonomy.model_validate(
    {
        "survey": {"title": "Ponds"},
        "facets": {
            "topic": {
                "kind": "multi",
                "categories": [{"id": "frogs", "core": True}, {"id": "newts"}],
            }
        },
    }
)


def metrics_of(right: int, wrong: int, audited: int = 0) -> dict[str, Any]:
    """The figures of a model that files so many papers rightly, and then so many wrongly.

    audited: how many of them, the first, were drawn at random.
    """
    truth = np.tile([1.0, 0.0], (right + wrong, 1))
    said = np.vstack([np.tile([0.9, 0.1], (right, 1)), np.tile([0.2, 0.8], (wrong, 1))])
    ids = tuple(f"p-{n}" for n in range(right + wrong))
    confidence = said.max(axis=1)
    model = SimpleNamespace(
        facet=PONDS.first,
        ids=PONDS.first.ids,
        thresholds_=np.array([0.5, 0.5]),
        cut_=0.85,
        cross_fit_=CrossFit(said, said, confidence, truth, truth, ids, confidence >= 0.85),
    )
    classifier: Any = SimpleNamespace(prior=None, models_={"topic": model})
    decisions = {
        paper_id: {"topic": Decision(("p",), "p", drawn_by="audit" if n < audited else "queue")}
        for n, paper_id in enumerate(ids)
    }
    figures: dict[str, Any] = build_metrics(classifier, decisions).facet("topic").to_json()
    return figures


def test_each_share_lies_in_its_interval() -> None:
    figures = metrics_of(30, 10)
    assert figures["primary_accuracy"] == 0.75
    for name in ("primary_accuracy", "confident_share", "mean_f1", "core_f1"):
        low, high = figures["intervals"][name]
        assert low < figures[name] < high, name
    assert figures["intervals"]["confident_accuracy"] == (1.0, 1.0)


def test_more_papers_make_an_interval_narrower() -> None:
    wide, narrow = (metrics_of(3 * n, n)["intervals"]["primary_accuracy"] for n in (5, 50))
    assert narrow[1] - narrow[0] < wide[1] - wide[0]


def test_once_thirty_papers_were_drawn_at_random_they_alone_are_measured() -> None:
    few, enough = metrics_of(30, 10, audited=29), metrics_of(30, 10, audited=30)
    assert (few["measured_on"], few["measured"]) == ("all decided papers", 40)
    assert (enough["measured_on"], enough["measured"], enough["decided"]) == (
        *("audited papers", 30),
        40,
    )
    assert (few["primary_accuracy"], enough["primary_accuracy"]) == (0.75, 1.0)


def test_it_says_where_a_queue_of_the_hardest_drew_all_papers() -> None:
    assert metrics_of(30, 10)["measured_on"] == "papers of the queue"


def test_without_decisions_there_is_nothing_to_say() -> None:
    assert metrics_of(0, 0) == {"decided": 0, "confidence_cut": 0.85}


def built_metrics(papers: list[Paper]) -> tuple[dict[str, Any], set[str]]:
    """The figures of a classifier that learned from papers on frogs and newts in turn, all decided,
    and the statuses that it gives them."""
    decided = [Decision((name,), name) for name in ("frogs", "newts")]
    decisions = {paper.id: {"topic": decided[row % 2]} for row, paper in enumerate(papers)}
    classifier = TaxonomyClassifier(PONDS).fit(papers, decisions)
    figures: dict[str, Any] = build_metrics(classifier, decisions).facet("topic").to_json()
    statuses = {labels.facets["topic"].status for labels in classifier.label(papers)}
    return figures, statuses


def test_a_paper_without_an_abstract_is_not_counted_as_confident() -> None:
    """No label of such a paper is, however sure, unless the cues in its title are clear."""
    titles = [f"{('Frogs leap', 'Newts swim')[n % 2]} in pond {n}" for n in range(60)]
    bare, _ = built_metrics([Paper(title, f"p-{n:02}") for n, title in enumerate(titles)])
    told, _ = built_metrics([Paper(title, f"p-{n:02}", title) for n, title in enumerate(titles)])
    assert (bare["confident_share"], bare["confident_accuracy"]) == (0.0, None)
    assert told["confident_share"] == 1.0


def test_under_thirty_decisions_that_no_cue_supports_are_not_counted_as_confident() -> None:
    titles = [f"{('Frogs leap', 'Newts swim')[n % 2]} in pond {n}" for n in range(28)]
    papers = [Paper(title, f"p-{n:02}", title) for n, title in enumerate(titles)]
    figures, statuses = built_metrics(papers)
    assert statuses == {"provisional"}
    assert figures["primary_accuracy"] == 1.0
    assert (figures["confident_share"], figures["confident_accuracy"]) == (0.0, None)
