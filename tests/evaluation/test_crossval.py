"""The law: a paper that is scored is never learned from, in any form, by any way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from classifier.errors import UsageError
from classifier.evaluation.crossval import cross_validate
from classifier.evaluation.held_out import TrainingMaterial
from classifier.evaluation.outcome import Evaluation
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision, Decisions, FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key

WORDS = ("Compost", "Rain", "Spade")
TOPICS = ("soil", "water", "tools")


def evaluate(
    taxonomy: Taxonomy,
    pool: Sequence[Paper],
    scored: Sequence[Paper],
    truth: Decisions,
    train: TrainingMaterial | None = None,
    *,
    folds: int = 5,
    repeats: int = 1,
    make_classifier: Callable[[Taxonomy], object] = TaxonomyClassifier,
    progress: Progress | None = None,
) -> Evaluation:
    """Score one classifier, told everything that it may be."""
    return cross_validate(
        taxonomy,
        pool,
        scored,
        truth,
        train,
        folds=folds,
        repeats=repeats,
        make_classifier=make_classifier,
        progress=progress,
    )


class Spy:
    """Files everything under soil, and remembers what it was shown."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self.taxonomy = taxonomy
        self.learned: list[Paper] = []
        self.decisions: Decisions = {}
        self.asked: list[Paper] = []

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> Spy:  # noqa: N803
        self.learned, self.decisions = list(X), y or {}
        return self

    def label(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        self.asked = list(X)
        labels = FacetLabels(("soil",), "soil", 0.5, "provisional", {"soil": 0.5})
        return [PaperLabels(paper.id, {"topic": labels}) for paper in X]


class Spies(list[Spy]):
    """Makes spies and keeps them."""

    __hash__ = object.__hash__

    def __call__(self, taxonomy: Taxonomy) -> Spy:
        self.append(Spy(taxonomy))
        return self[-1]

    def assert_that_nothing_leaked(self) -> None:
        for spy in self:
            asked = {title_key(paper.title) for paper in spy.asked}
            ids = {paper.id for paper in spy.asked}
            assert asked.isdisjoint(title_key(paper.title) for paper in spy.learned)
            assert ids.isdisjoint(paper.id for paper in spy.learned)
            assert ids.isdisjoint(spy.decisions)
            assert set(spy.decisions) <= {paper.id for paper in spy.learned}
            assert asked.isdisjoint(
                title_key(title)
                for category in spy.taxonomy.first.walk()
                for title in category.exemplars
            )


@pytest.fixture
def papers(paper: Callable[..., Paper]) -> list[Paper]:
    """Twelve abstracts, four of each topic; two of them are exemplars of the taxonomy."""
    titles = [f"{WORDS[i % 3]} Study Number {i}" for i in range(12)]
    titles[0], titles[3] = "Compost in Ten Weeks", "Worms at Work"
    return [paper(f"p-{i:010x}", title, abstract="We measure.") for i, title in enumerate(titles)]


@pytest.fixture
def digests(papers: list[Paper], paper: Callable[..., Paper]) -> list[Paper]:
    """The same papers as a project has them: other ids and texts; and three papers more."""
    same = [
        paper(f"arxiv:2401.{i:05}", p.title.upper(), abstract="A digest.", arxiv_id=f"2401.{i:05}")
        for i, p in enumerate(papers)
    ]
    return [*same, *(paper(f"p-more{i}", f"Further Work {word}") for i, word in enumerate(WORDS))]


@pytest.fixture
def truth(papers: list[Paper]) -> dict[str, dict[str, Decision]]:
    return {
        paper.id: {"topic": Decision((TOPICS[i % 3],), TOPICS[i % 3])}
        for i, paper in enumerate(papers)
    }


def test_without_decisions_it_is_the_taxonomy_alone(
    taxonomy: Taxonomy, papers: list[Paper], digests: list[Paper], truth: Decisions
) -> None:
    spies = Spies()
    evaluation = evaluate(taxonomy, digests, papers, truth, make_classifier=spies)
    (spy,) = spies
    spies.assert_that_nothing_leaked()
    assert [p.title for p in spy.learned] == [f"Further Work {word}" for word in WORDS]
    assert spy.decisions == {}
    assert (evaluation.setup.folds, evaluation.setup.repeats) == (1, 1)
    assert (evaluation.setup.trained_on, evaluation.setup.unlabelled) == (0, 3)
    assert not evaluation.setup.is_cross_validated


def test_one_fit_where_no_scored_paper_is_decided(
    taxonomy: Taxonomy, papers: list[Paper], digests: list[Paper], truth: Decisions
) -> None:
    scored, taught = papers[:6], papers[6:]
    train = TrainingMaterial(tuple(taught), {paper.id: truth[paper.id] for paper in taught})
    spies = Spies()
    evaluation = evaluate(taxonomy, digests, scored, truth, train, repeats=3, make_classifier=spies)
    (spy,) = spies
    spies.assert_that_nothing_leaked()
    assert set(spy.decisions) == {paper.id for paper in taught}
    assert len(spy.learned) == 6 + 3
    assert (evaluation.setup.trained_on, evaluation.setup.unlabelled) == (6, 3)


def test_papers_beyond_those_learned_from_are_not_said_to_be(
    taxonomy: Taxonomy,
    papers: list[Paper],
    digests: list[Paper],
    truth: Decisions,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("classifier.evaluation.crossval.MAX_PAPERS", 2)
    evaluation = evaluate(taxonomy, digests, papers, truth, make_classifier=Spies())
    assert (evaluation.setup.trained_on, evaluation.setup.unlabelled) == (0, 2)


def test_cross_validation_asks_each_paper_once_a_repeat(
    taxonomy: Taxonomy, papers: list[Paper], digests: list[Paper], truth: Decisions
) -> None:
    spies = Spies()
    train = TrainingMaterial(tuple(papers), truth)
    evaluation = evaluate(
        taxonomy, digests, papers, truth, train, folds=4, repeats=2, make_classifier=spies
    )
    assert len(spies) == 8
    spies.assert_that_nothing_leaked()
    for repeat in (spies[:4], spies[4:]):
        assert sorted(p.id for spy in repeat for p in spy.asked) == [p.id for p in papers]
        assert [len(spy.asked) for spy in repeat] == [3, 3, 3, 3]
        for spy in repeat:
            assert {truth[p.id]["topic"].primary for p in spy.asked} == set(TOPICS)
            assert len(spy.decisions) == 9
            assert len(spy.learned) == 9 + 3
    dealt = [[p.id for p in spy.asked] for spy in spies]
    assert dealt[:4] != dealt[4:]
    assert evaluation.setup.is_cross_validated
    assert (evaluation.setup.trained_on, evaluation.setup.unlabelled) == (12, 3)


def test_the_ledger_decides_on_the_projects_own_papers(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    spies = Spies()
    train = TrainingMaterial(tuple(papers), truth)
    evaluate(taxonomy, papers, papers[:6], truth, train, folds=3, make_classifier=spies)
    spies.assert_that_nothing_leaked()
    assert [len(spy.decisions) for spy in spies] == [10, 10, 10]


def test_decisions_on_another_form_of_a_scored_paper_need_folds_too(
    taxonomy: Taxonomy, papers: list[Paper], digests: list[Paper], truth: Decisions
) -> None:
    by_digest = {digests[i].id: truth[papers[i].id] for i in range(12)}
    train = TrainingMaterial(tuple(digests), by_digest)
    spies = Spies()
    evaluation = evaluate(taxonomy, [], papers, truth, train, folds=4, make_classifier=spies)
    spies.assert_that_nothing_leaked()
    assert evaluation.setup.folds == 4
    assert [len(spy.decisions) for spy in spies] == [9, 9, 9, 9]


def test_two_scored_forms_of_one_paper_never_teach_each_other(
    taxonomy: Taxonomy, papers: list[Paper], digests: list[Paper], truth: Decisions
) -> None:
    everything = {**truth, **{digests[i].id: truth[papers[i].id] for i in range(12)}}
    both = [*papers, *digests[:12]]
    spies = Spies()
    train = TrainingMaterial(tuple(both), everything)
    evaluate(taxonomy, [], both, everything, train, make_classifier=spies)
    spies.assert_that_nothing_leaked()


def test_labels_go_back_to_the_papers_they_were_made_for(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    class Oracle(Spy):
        def label(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
            return [PaperLabels(paper.id, {"topic": self._right(paper.id)}) for paper in X]

        def _right(self, paper_id: str) -> FacetLabels:
            topic = truth[paper_id]["topic"].primary
            return FacetLabels((topic,), topic, 1.0, "confident", {topic: 1.0})

    train = TrainingMaterial(tuple(papers), truth)
    evaluation = evaluate(
        taxonomy, [], papers, truth, train, folds=5, repeats=2, make_classifier=Oracle
    )
    assert evaluation.primary_accuracy.value == 1
    assert evaluation.mean_f1.value == 1


def test_the_order_of_papers_does_not_matter(
    taxonomy: Taxonomy, papers: list[Paper], digests: list[Paper], truth: Decisions
) -> None:
    def run(scored: Sequence[Paper], pool: Sequence[Paper]) -> Evaluation:
        train = TrainingMaterial(tuple(scored), truth)
        return evaluate(taxonomy, pool, scored, truth, train, folds=3, make_classifier=Spy)

    assert repr(run(papers, digests)) == repr(run(papers[::-1], digests[::-1]))


def test_the_real_classifier_learns_from_what_is_left(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    train = TrainingMaterial(tuple(papers), truth)
    evaluation = evaluate(taxonomy, papers, papers, truth, train, folds=3)
    assert evaluation.primary_accuracy.value >= 0.9


def test_papers_without_truth_are_not_scored(
    taxonomy: Taxonomy, papers: list[Paper], digests: list[Paper], truth: Decisions
) -> None:
    spies = Spies()
    known = {papers[0].id: truth[papers[0].id], papers[1].id: {}}
    evaluation = evaluate(taxonomy, digests, papers, known, make_classifier=spies)
    assert [p.id for p in spies[0].asked] == [papers[0].id]
    assert evaluation.setup.n == 1


def test_there_are_never_more_folds_than_papers(
    taxonomy: Taxonomy, papers: list[Paper], digests: list[Paper], truth: Decisions
) -> None:
    train = TrainingMaterial(tuple(papers), truth)
    evaluation = evaluate(
        taxonomy, digests, papers[:3], truth, train, folds=10, make_classifier=Spy
    )
    assert evaluation.setup.folds == 3


def test_a_single_scored_paper_is_not_said_to_be_learned_from(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    spies = Spies()
    alone = {papers[0].id: truth[papers[0].id]}
    train = TrainingMaterial(tuple(papers), truth)
    setup = evaluate(taxonomy, papers, papers, alone, train, make_classifier=spies).setup
    (spy,) = spies
    assert setup.folds == 1
    assert setup.trained_on == len(spy.decisions) == len(truth) - 1
    assert setup.unlabelled == len(spy.learned) - len(spy.decisions)


def test_progress_counts_fits(taxonomy: Taxonomy, papers: list[Paper], truth: Decisions) -> None:
    told: list[tuple[str, int, int]] = []
    evaluate(
        taxonomy,
        papers,
        papers,
        truth,
        TrainingMaterial(tuple(papers), truth),
        folds=2,
        make_classifier=Spy,
        progress=lambda *step: told.append(step),
    )
    assert told == [("Evaluating", done, 2) for done in range(3)]


def test_nothing_to_score(taxonomy: Taxonomy, papers: list[Paper]) -> None:
    with pytest.raises(
        UsageError, match=r"^Nothing to score: none of the papers has a reference label\."
    ):
        evaluate(taxonomy, papers, papers, {})


def test_where_every_paper_is_scored_the_cues_decide(
    taxonomy: Taxonomy, papers: list[Paper], truth: Decisions
) -> None:
    evaluation = evaluate(taxonomy, papers, papers, truth)
    assert (evaluation.setup.trained_on, evaluation.setup.unlabelled) == (0, 0)
    assert evaluation.primary_accuracy.value >= 11 / 12
