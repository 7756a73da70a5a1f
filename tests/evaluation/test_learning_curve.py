"""A classifier that files by what it was told, so that every point can be counted by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from classifier.errors import UsageError
from classifier.evaluation.crossval import (
    REVIEWED,
    Experiment,
    LearningMaterial,
    Setting,
    learning_curve,
    parse_sizes,
)
from classifier.labelling.labels import Decision, Decisions, FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy


class Pupil:
    """Files all papers under soil until it has been told four decisions, and then under water."""

    told: list[list[str]] = []  # noqa: RUF012 - shared on purpose: what each fit was told

    def __init__(self, taxonomy: Taxonomy) -> None:
        self.topic = "soil"

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> Pupil:  # noqa: N803
        self.topic = "water" if len(y or {}) >= 4 else "soil"
        Pupil.told.append(sorted(y or {}))
        return self

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        labels = FacetLabels((self.topic,), self.topic, 0.5, "provisional", {self.topic: 0.5})
        return [PaperLabels(paper.id, {"topic": labels}) for paper in X]


PUPIL = Setting("pupil", make_classifier=Pupil)


@pytest.fixture
def papers(paper: Callable[..., Paper], monkeypatch: pytest.MonkeyPatch) -> list[Paper]:
    monkeypatch.setattr(Pupil, "told", [])
    nouns = "loam rain clay hail silt snow peat dew marl fog chalk mist".split()
    return [paper(f"p-{i:010x}", f"Notes on {noun}") for i, noun in enumerate(nouns)]


@pytest.fixture
def truth(papers: list[Paper]) -> dict[str, dict[str, Decision]]:
    topics = ["soil", "water"] * 6
    return {
        paper.id: {"topic": Decision((topic,), topic)}
        for paper, topic in zip(papers, topics, strict=True)
    }


def crossed(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions, repeats: int = 1
) -> Experiment:
    train = LearningMaterial(tuple(papers), truth)
    return Experiment(taxonomy, [], papers, truth, train, folds=3, repeats=repeats)


def test_sizes_beyond_what_there_is_stand_for_all(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    points = learning_curve(crossed(taxonomy, papers, truth), PUPIL, (0, 2, 4, 20, 160))
    assert list(points) == [0, 2, 4, 8]
    assert [point.setup.trained_on for point in points.values()] == [0, 2, 4, 8]


def test_each_size_holds_the_smaller_ones(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    experiment = crossed(taxonomy, papers, truth)
    for size in (2, 4, 8):
        experiment.rounds(Setting(f"{size}", reviews=size, make_classifier=Pupil))
    by_fold = [[set(Pupil.told[start + fold]) for start in (0, 3, 6)] for fold in range(3)]
    assert all(two < four < eight for two, four, eight in by_fold)


def test_each_repeat_draws_anew_without_folds_too(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    scored, taught = papers[:4], papers[4:]
    train = LearningMaterial(tuple(taught), {paper.id: truth[paper.id] for paper in taught})
    experiment = Experiment(taxonomy, [], scored, truth, train, repeats=5)
    none, two = learning_curve(experiment, PUPIL, (0, 2)).values()
    assert (none.setup.repeats, two.setup.repeats) == (1, 5)
    drawn = {tuple(told) for told in Pupil.told if len(told) == 2}
    assert len(drawn) > 1


def test_without_a_decision_there_is_no_curve(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    with pytest.raises(UsageError, match=r"^--learning-curve: there is no decision to learn from"):
        learning_curve(Experiment(taxonomy, [], papers, truth), REVIEWED)


def test_sizes_are_read_in_any_order() -> None:
    assert parse_sizes("20, 0,20,5") == (0, 5, 20)


@pytest.mark.parametrize("text", ["", "10,", "-5", "ten", "1.5"])
def test_what_is_no_size_is_named(text: str) -> None:
    with pytest.raises(UsageError, match="is no number of papers; write 0,20,40 for example"):
        parse_sizes(text)
