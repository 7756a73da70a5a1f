"""What the benchmarks of labels count: papers under test are never learned from, figures pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classifier.labelling.labels import Decision, Decisions, FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from tools.labelled import COLUMNS, Labelled, figures, is_held, minus, nested

TOPICS = ("soil", "water", "other")
TAXONOMY = Taxonomy.model_validate(
    {
        "survey": {"title": "Gardens"},
        "facets": {
            "topic": {
                "kind": "multi",
                "categories": [
                    {"id": "soil", "core": True},
                    {"id": "water"},
                    {"id": "other", "out_of_scope": True},
                ],
            },
            "contribution": {"kind": "single", "categories": [{"id": "method"}, {"id": "study"}]},
        },
    }
)
PAPERS = tuple(Paper(f"Bed {n}", f"p-{n:010d}", "Beds.", "abstract") for n in range(24))


def said(number: int) -> dict[str, Decision]:
    topic = TOPICS[number % 2]
    return {"topic": Decision((topic,), topic), "contribution": Decision(("method",), "method")}


GARDENS = Labelled(PAPERS, {paper.id: said(n) for n, paper in enumerate(PAPERS)})


class Oracle:
    """Knows where a paper is filed, or says soil of each; remembers what it was shown."""

    def __init__(self, *, knows: bool) -> None:
        self.knows = knows

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> Oracle:  # noqa: N803
        self.shown = {paper.id for paper in X} | set(y or {})
        return self

    def label(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        assert not self.shown & {paper.id for paper in X}
        return [self._labels(paper) for paper in X]

    def _labels(self, paper: Paper) -> PaperLabels:
        topic = said(int(paper.id[2:]))["topic"].primary if self.knows else "soil"
        shares = {name: float(name == topic) for name in TOPICS}
        return PaperLabels(
            paper.id,
            {
                "topic": FacetLabels((topic,), topic, 1.0, "confident", shares),
                "contribution": FacetLabels(("method",), "method", 1.0, "confident", {}),
            },
        )


def test_what_is_under_test_is_never_shown_and_a_perfect_classifier_is_perfect() -> None:
    rounds = nested(TAXONOMY, lambda: Oracle(knows=True), GARDENS, PAPERS, repeats=2)
    found = figures(TAXONOMY, rounds)
    assert {name: figure.value for name, figure in found.items() if name != "ECE"} == (
        dict.fromkeys(set(COLUMNS) - {"ECE"}, 1.0)
    )
    assert found["ECE"].value == 0.0


def test_differences_are_of_the_same_papers() -> None:
    right = nested(TAXONOMY, lambda: Oracle(knows=True), GARDENS)
    wrong = nested(TAXONOMY, lambda: Oracle(knows=False), GARDENS)
    lead = minus(figures(TAXONOMY, right), figures(TAXONOMY, wrong))
    assert lead["filed"].value == 0.5
    assert 0.2 < lead["filed"].low < 0.5 < lead["filed"].high < 0.8
    assert np.isclose(lead["contribution"].high, 0.0)


def test_a_fifth_is_held_back_whatever_the_title_looks_like() -> None:
    titles = [f"A bed of {n} tulips" for n in range(1000)]
    held = [is_held(title) for title in titles]
    assert 150 < sum(held) < 250
    assert held == [is_held(title.upper() + ".") for title in titles]
