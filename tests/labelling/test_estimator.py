"""The classifier as scikit-learn and its users meet it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from classifier.errors import UsageError
from classifier.labelling.decided import with_decisions
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.features import Features
from classifier.labelling.labels import Decision, FacetLabels, PaperLabels
from classifier.labelling.prior import Prior
from classifier.labelling.prior_file import prior_bytes
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

Decided = dict[str, dict[str, Decision]]
TOPICS = ("dough", "ovens", "taste", "other")


@pytest.fixture(scope="module")
def fitted(taxonomy: Taxonomy, papers: list[Paper], decisions: Decided) -> TaxonomyClassifier:
    return TaxonomyClassifier(taxonomy).fit(papers, decisions)


@pytest.fixture(scope="module")
def seeded(taxonomy: Taxonomy, papers: list[Paper]) -> TaxonomyClassifier:
    """A classifier that nobody has corrected."""
    return TaxonomyClassifier(taxonomy).fit(papers)


@pytest.fixture
def bakery(taxonomy: Taxonomy) -> Taxonomy:
    """The taxonomy of bread with a second child of dough."""
    facets = taxonomy.model_dump()
    dough = facets["facets"]["topic"]["categories"][0]
    dough["children"] = [*dough["children"], {"id": "dough/wheat"}]
    return Taxonomy.model_validate(facets)


def topic(labels: PaperLabels) -> FacetLabels:
    return labels.facets["topic"]


def share_right(labels: list[PaperLabels]) -> float:
    return float(
        np.mean([topic(label).primary == TOPICS[int(label.paper_id[2:]) % 4] for label in labels])
    )


def test_it_is_an_estimator_of_scikit_learn(taxonomy: Taxonomy) -> None:
    estimator = TaxonomyClassifier(taxonomy, folds=3)
    assert set(estimator.get_params()) == {
        "taxonomy", "prior", "regularisation", "seed_weight", "folds", "accuracy_target", "balance",
        "features", "most_papers",
    }  # fmt: skip
    assert clone(estimator).get_params() == estimator.get_params()
    assert estimator.set_params(seed_weight=0.5).seed_weight == 0.5


def test_papers_may_come_in_any_container(taxonomy: Taxonomy, papers: list[Paper]) -> None:
    few = np.empty(9, dtype=object)
    few[:] = papers[:9]
    fitted = TaxonomyClassifier(taxonomy).fit(few)
    assert fitted.predict(few) == fitted.predict(iter(papers[:9])) == fitted.predict(papers[:9])
    assert fitted.predict_proba(few)["topic"].shape == (9, 4)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"features": "words"}, "features: found 'words'; wanted one of both, cues, terms, votes."),
        ({"folds": 1}, "folds: found 1; wanted 2 or more."),
        ({"regularisation": 0.0}, "regularisation: found 0.0; wanted more than 0."),
    ],
)
def test_parameters_are_checked_when_it_is_fitted(
    taxonomy: Taxonomy, papers: list[Paper], parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        TaxonomyClassifier(taxonomy, **parameters).fit(papers)


def test_a_clone_starts_from_the_same_prior(taxonomy: Taxonomy, prior: Prior) -> None:
    """The prior is copied as any input that is no estimator: what it says stays."""
    estimator = TaxonomyClassifier(taxonomy, prior=prior)
    cloned = clone(estimator).prior
    assert isinstance(cloned, Prior)
    assert prior_bytes(cloned) == prior_bytes(prior)


def test_a_clone_has_learned_nothing(fitted: TaxonomyClassifier, papers: list[Paper]) -> None:
    assert not hasattr(clone(fitted), "models_")
    for ask in (clone(fitted).predict, clone(fitted).predict_proba):
        with pytest.raises(NotFittedError):
            ask(papers)


def test_probabilities_have_a_row_a_paper_and_a_column_a_category(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    probabilities = fitted.predict_proba(papers)
    assert {facet: p.shape for facet, p in probabilities.items()} == {
        "topic": (60, 4),
        "kind": (60, 2),
        "fuel": (60, 2),
    }
    assert all(((p >= 0) & (p <= 1)).all() for p in probabilities.values())
    assert np.allclose(probabilities["kind"].sum(axis=1), 1)


def test_labels_say_what_was_asked(fitted: TaxonomyClassifier, papers: list[Paper]) -> None:
    labels = fitted.predict(papers)
    assert [label.paper_id for label in labels] == [paper.id for paper in papers]
    for label in labels:
        assert topic(label).categories[0] == topic(label).primary
        assert len(topic(label).top_categories) <= 2
        assert topic(label).primary != "other" or topic(label).categories == ("other",)
        assert len(label.facets["kind"].categories) == 1
        assert tuple(topic(label).probabilities) == TOPICS
        assert 0 <= topic(label).confidence <= 1


def test_cues_alone_are_enough_to_begin_with(
    seeded: TaxonomyClassifier, fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    """The last twenty papers were decided by nobody; every third names no cue."""
    assert share_right(seeded.predict(papers[40:])) >= 0.7
    assert share_right(fitted.predict(papers[40:])) >= 0.8


def test_people_correct_what_the_cues_say(taxonomy: Taxonomy, many_papers: list[Paper]) -> None:
    """A baker holds that papers on ovens are about taste: new ones are filed there."""
    ovens, new = many_papers[1:40:4], many_papers[41::4]
    told = {paper.id: {"topic": Decision(("taste",), "taste", "Ada")} for paper in ovens}
    labels = TaxonomyClassifier(taxonomy).fit(many_papers, told).predict(new)
    assert {topic(label).primary for label in labels} == {"taste"}


def test_facets_are_learned_in_whatever_order_they_stand(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    """The kind is learned, what burns in an oven is not; either may stand behind the other."""
    tree = taxonomy.model_dump()
    topic, kind, fuel = tree["facets"].items()
    turned = Taxonomy.model_validate({**tree, "facets": dict([topic, fuel, kind])})
    there, back = (
        TaxonomyClassifier(each).fit(papers, decisions).predict(papers)
        for each in (taxonomy, turned)
    )
    assert [labels.facets for labels in back] == [labels.facets for labels in there]


def test_a_facet_is_asked_of_the_papers_that_it_applies_to(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    labels = fitted.predict(papers)
    assert {label.paper_id for label in labels if "fuel" in label.facets} == {
        label.paper_id for label in labels if "ovens" in topic(label).categories
    }
    assert any("fuel" in label.facets for label in labels)


def test_a_child_stands_behind_its_parent(seeded: TaxonomyClassifier) -> None:
    (label,) = seeded.predict([Paper("Sourdough of rye flour: rye", "p-1", abstract="We knead.")])
    assert topic(label).categories[:2] == ("dough", "dough/rye")
    assert topic(label).top_categories[0] == "dough"


def test_one_decision_is_enough(
    taxonomy: Taxonomy, many_papers: list[Paper], decisions: Decided
) -> None:
    one = {many_papers[0].id: decisions[many_papers[0].id]}
    (label,) = TaxonomyClassifier(taxonomy).fit(many_papers, one).predict(many_papers[:1])
    assert topic(label).primary == one[many_papers[0].id]["topic"].primary


def test_of_few_papers_with_few_decisions_the_votes_of_the_cues_decide(
    taxonomy: Taxonomy, papers: list[Paper], many_papers: list[Paper], decisions: Decided
) -> None:
    few = dict(list(decisions.items())[:9])
    for told, learned, by_votes in (
        (few, papers, True),
        (few, many_papers, False),
        (decisions, papers, False),
    ):
        model = TaxonomyClassifier(taxonomy).fit(learned, told).models_["topic"]
        assert model.votes_alone_ == by_votes == (not model.wide_weights_.any())


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_handful_of_papers_is_a_corpus(taxonomy: Taxonomy, papers: list[Paper], n: int) -> None:
    classifier = TaxonomyClassifier(taxonomy).fit(papers[:n])
    assert len(classifier.predict(papers[:n])) == n
    assert classifier.predict_proba(papers[:n])["topic"].shape == (n, 4)
    assert classifier.predict([]) == []


def test_a_decision_on_a_paper_that_is_not_there_changes_nothing(
    taxonomy: Taxonomy, seeded: TaxonomyClassifier, papers: list[Paper]
) -> None:
    elsewhere = {"p-elsewhere": {"topic": Decision(("taste",), "taste")}}
    labels = TaxonomyClassifier(taxonomy).fit(papers, elsewhere).predict(papers)
    assert repr(labels) == repr(seeded.predict(papers))


def test_an_exemplar_is_learned_as_of_its_category(
    taxonomy: Taxonomy, many_papers: list[Paper]
) -> None:
    """No cue fires in it: of a paper with any other title nothing would be known."""
    exemplar = Paper("Wild yeast in twelve jars", "p-x", abstract="Jars foam. We count bubbles.")
    stranger = replace(exemplar, title="Mild feast in twelve cars")
    primaries = [
        topic(TaxonomyClassifier(taxonomy).fit([*many_papers, one]).predict([one])[0]).primary
        for one in (exemplar, stranger)
    ]
    assert primaries == ["dough", "other"]


def test_a_decision_counts_for_more_than_an_exemplar(
    taxonomy: Taxonomy, many_papers: list[Paper]
) -> None:
    exemplar = Paper("Wild yeast in twelve jars", "p-x", abstract="Jars foam. We count bubbles.")
    decided = {exemplar.id: {"topic": Decision(("taste",), "taste")}}
    classifier = TaxonomyClassifier(taxonomy).fit([*many_papers, exemplar], decided)
    assert topic(classifier.predict([exemplar])[0]).primary == "taste"


def test_an_exemplar_counts_where_the_decision_is_older_than_its_category(
    taxonomy: Taxonomy, many_papers: list[Paper]
) -> None:
    exemplar = Paper("Wild yeast in twelve jars", "p-x", abstract="Jars foam. We count bubbles.")
    old = Decision(("taste",), "taste", unknown=("dough", "dough/rye"))
    classifier = TaxonomyClassifier(taxonomy).fit(
        [*many_papers, exemplar], {exemplar.id: {"topic": old}}
    )
    assert topic(classifier.predict([exemplar])[0]).probabilities["dough"] > 0.5


def test_a_category_that_came_later_is_proposed_and_not_shown(
    taxonomy: Taxonomy, papers: list[Paper]
) -> None:
    """A reviewed paper keeps the labels that a person gave, whatever the classifier holds."""
    given = {papers[1].id: {"topic": Decision(("taste",), "taste", "Ada", unknown=("ovens",))}}
    machine = TaxonomyClassifier(taxonomy).fit(papers, given).predict(papers[1:2])
    shown = topic(with_decisions(taxonomy, machine, given)[0])
    assert (shown.categories, shown.primary, shown.status) == (("taste",), "taste", "reviewed")
    assert shown.probabilities["ovens"] == topic(machine[0]).probabilities["ovens"] > 0.1


def test_the_order_in_which_papers_are_learned_does_not_matter(
    taxonomy: Taxonomy, fitted: TaxonomyClassifier, papers: list[Paper], decisions: Decided
) -> None:
    backwards = dict(reversed(decisions.items()))
    again = TaxonomyClassifier(taxonomy).fit(papers[::-1], backwards)
    assert repr(again.predict(papers)) == repr(fitted.predict(papers))


def test_a_paper_is_labelled_alike_in_any_company(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    together = fitted.predict(papers)
    assert fitted.predict(papers[::-1])[::-1] == together
    assert fitted.predict(papers[7:8]) == together[7:8]


def test_without_an_abstract_a_label_is_provisional(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    sure = next(
        paper
        for paper, label in zip(papers, fitted.predict(papers), strict=True)
        if topic(label).status == "confident" and "sourdough" in paper.title
    )
    (label,) = fitted.predict([replace(sure, abstract="", abstract_kind="none")])
    assert topic(label).primary == "dough"
    assert topic(label).status == "provisional"


def test_a_person_wins_over_the_machine(
    taxonomy: Taxonomy, fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    machine = fitted.predict(papers[:2])
    decision = Decision(("dough", "dough/rye", "taste"), "taste", "Ada", "2025-03-01")
    decided, untouched = with_decisions(taxonomy, machine, {papers[0].id: {"topic": decision}})
    assert topic(decided).categories == ("taste", "dough", "dough/rye")
    assert (topic(decided).primary, topic(decided).confidence) == ("taste", 1.0)
    assert topic(decided).status == "reviewed"
    assert str(topic(decided).why[0]) == "decided by Ada"
    assert topic(decided).probabilities == topic(machine[0]).probabilities
    assert decided.facets["kind"] == machine[0].facets["kind"]
    assert untouched == machine[1]


def test_a_person_may_answer_a_facet_that_the_machine_left_out(
    taxonomy: Taxonomy, fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    machine = fitted.predict(papers[:1])
    assert "fuel" not in machine[0].facets
    given = {papers[0].id: {"fuel": Decision(("gas",), "gas")}}
    (decided,) = with_decisions(taxonomy, machine, given)
    assert decided.facets["fuel"].categories == ("gas",)
    assert str(decided.facets["fuel"].why[0]) == "decided by a person"
    assert "fuel" not in machine[0].facets


# what a baker decided (primary first) -> the labels of a paper whose cues point to dough/rye
CHILDREN = {
    "dough": "dough dough/rye",
    "taste dough": "taste dough dough/rye",
    "dough dough/wheat": "dough dough/wheat",
    "taste": "taste",
}


@pytest.mark.parametrize(("decided", "wanted"), CHILDREN.items())
def test_a_decision_without_a_child_takes_that_of_the_cues(
    decided: str, wanted: str, bakery: Taxonomy
) -> None:
    facet = FacetLabels(("ovens",), "ovens", 0.6, "provisional", {}, {"dough": "dough/rye"})
    values = tuple(decided.split())
    given = {"p-1": {"topic": Decision(tuple(sorted(values)), values[0], "Ada")}}
    (labels,) = with_decisions(bakery, [PaperLabels("p-1", {"topic": facet})], given)
    assert " ".join(topic(labels).categories) == wanted
    assert topic(labels).children == {"dough": "dough/rye"}


def test_children_are_known_for_categories_that_do_not_apply_too(
    taxonomy: Taxonomy, seeded: TaxonomyClassifier
) -> None:
    (label,) = seeded.predict([Paper("Ovens for rye", "p-1", abstract="We bake at 250 degrees.")])
    assert topic(label).categories == ("ovens",)
    assert topic(label).children == {"dough": "dough/rye"}
    given = {"p-1": {"topic": Decision(("dough",), "dough", "Ada")}}
    (decided,) = with_decisions(taxonomy, [label], given)
    assert topic(decided).categories == ("dough", "dough/rye")


def test_progress_counts_the_fits_of_each_facet(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    """A stage says its name before its work; nobody decided on fuel: that is learned once."""
    told: list[tuple[str, int, int]] = []
    classifier = TaxonomyClassifier(taxonomy, folds=2)
    classifier.fit(papers, decisions, progress=lambda *step: told.append(step))
    assert told == [
        *[("Learning topic", done, 3) for done in range(4)],
        *[("Learning kind", done, 3) for done in range(4)],
        *[("Learning fuel", done, 3) for done in range(2)],
    ]


@pytest.mark.parametrize("balance", [0.0, 1.0])
def test_any_balance_is_learned(taxonomy: Taxonomy, papers: list[Paper], balance: float) -> None:
    alike = [
        Paper(f"Sourdough of sourdough {n}", f"p-{n}", abstract="We knead dough.")
        for n in range(40)
    ]
    classifier = TaxonomyClassifier(taxonomy, balance=balance).fit(alike)
    assert topic(classifier.predict(alike[:1])[0]).primary == "dough"


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from conftest import bread_decisions, bread_papers, bread_taxonomy
from classifier.labelling.estimator import TaxonomyClassifier

papers = bread_papers()
print(TaxonomyClassifier(bread_taxonomy()).fit(papers, bread_decisions(papers)).predict(papers))
"""


def test_every_run_gives_the_same_bytes(root: Path) -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(Path(__file__).parent)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
        )
        for seed in ("1", "2")
    ]
    one, two = (run.communicate()[0] for run in runs)
    assert all(run.returncode == 0 for run in runs)
    assert one == two != b""


def test_without_a_paper_to_learn_from_the_votes_of_the_cues_decide(
    taxonomy: Taxonomy, papers: list[Paper]
) -> None:
    alone = TaxonomyClassifier(taxonomy).fit([]).predict(papers)
    votes = TaxonomyClassifier(taxonomy, features="votes").fit(papers).predict(papers)
    assert [topic(label).primary for label in alone] == [topic(label).primary for label in votes]
    # Papers that name no topic by a cue are out of scope as far as the cues can tell.
    cued = [label for label in alone if int(label.paper_id[2:]) % 3]
    assert share_right(cued) == 1
    dough = next(label for label in alone if topic(label).primary == "dough")
    assert [str(reason) for reason in topic(dough).why] == ["‘sour-dough~’ in the title +4.0 votes"]


@pytest.mark.parametrize("features", ["cues", "terms", "votes"])
def test_a_model_that_sees_less_still_learns_its_calibration(
    features: Features, taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    seeing = TaxonomyClassifier(taxonomy, features=features).fit(papers, decisions)
    model = seeing.models_["topic"]
    assert len(model.cross_fit_.filed) == 40
    kinds = {reason.kind for label in seeing.predict(papers) for reason in topic(label).why}
    assert kinds == {{"cues": "cue", "terms": "term", "votes": "vote"}[features]}
