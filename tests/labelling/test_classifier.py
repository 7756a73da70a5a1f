"""What a user of the classifier relies on."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot
from scipy.special import expit
from sklearn.base import clone
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from classifier import Decision, Paper, TaxonomyClassifier
from classifier.errors import InputError, UsageError
from classifier.labelling.decide import NO_CUT, confidence_cut
from classifier.labelling.labels import PaperLabels
from classifier.labelling.prior import Prior, read_prior
from classifier.taxonomy.model import Taxonomy
from tests.labelling.conftest import CUES, bread_decisions, bread_papers, bread_taxonomy, topic_of
from tools.prior import learn_prior, prior_bytes

PAPERS = bread_papers(120)
DECIDED = bread_decisions(PAPERS)


def right(labels: Sequence[PaperLabels]) -> float:
    """Share of papers that are filed under the topic that they were written for."""
    return float(
        np.mean([each.facets["topic"].primary == topic_of(each.paper_id) for each in labels])
    )


@pytest.fixture(scope="module")
def fitted() -> TaxonomyClassifier:
    return TaxonomyClassifier(bread_taxonomy()).fit(PAPERS, DECIDED)


@pytest.fixture(scope="module")
def prior() -> Prior:
    papers = [replace(p, id=f"q{p.id}", title=f"{p.title}, once more") for p in bread_papers(80)]
    told = {
        p.id: {
            "topic": Decision((topic_of(p.id[1:]),), topic_of(p.id[1:])),
            "kind": Decision(("trial",) if n % 2 else ("guide",), "trial" if n % 2 else "guide"),
        }
        for n, p in enumerate(papers)
    }
    return learn_prior(bread_taxonomy(), papers, told)


def test_decisions_teach_what_cues_do_not_reach(fitted: TaxonomyClassifier) -> None:
    undecided = PAPERS[40:]
    cues_alone = TaxonomyClassifier(bread_taxonomy()).fit([])
    assert right(fitted.label(undecided)) > right(cues_alone.label(undecided))
    assert right(fitted.label(undecided)) > 0.95


def test_any_linear_classifier_may_learn() -> None:
    classifier = TaxonomyClassifier(bread_taxonomy(), estimator=LinearSVC(C=0.5))
    assert right(classifier.fit(PAPERS, DECIDED).label(PAPERS[40:])) > 0.95


def test_what_is_not_linear_is_refused() -> None:
    with pytest.raises(UsageError, match="expected a linear classifier of scikit-learn"):
        TaxonomyClassifier(bread_taxonomy(), estimator=DecisionTreeClassifier()).fit(PAPERS)


def test_it_is_an_estimator_of_scikit_learn() -> None:
    classifier = TaxonomyClassifier(bread_taxonomy(), folds=3)
    assert clone(classifier).get_params()["folds"] == 3
    assert not [name for name in vars(classifier) if name.endswith("_")]


@pytest.mark.parametrize("parameters", [{"folds": 1}])
def test_a_parameter_that_makes_no_sense_is_told(parameters: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=next(iter(parameters))):
        TaxonomyClassifier(bread_taxonomy(), **parameters).fit(PAPERS)  # type: ignore[arg-type]


def test_labels_do_not_depend_on_order_or_on_the_papers_beside(fitted: TaxonomyClassifier) -> None:
    again = TaxonomyClassifier(bread_taxonomy()).fit(PAPERS[::-1], dict(reversed(DECIDED.items())))
    together = {each.paper_id: each for each in fitted.label(PAPERS)}
    assert {each.paper_id: each for each in again.label(PAPERS)} == together
    assert [fitted.label([paper])[0] for paper in PAPERS[:5]] == [
        together[paper.id] for paper in PAPERS[:5]
    ]


def test_it_works_with_no_paper_and_no_decision() -> None:
    (label,) = TaxonomyClassifier(bread_taxonomy()).fit([]).label([PAPERS[1]])
    assert label.facets["topic"].primary in ("ovens", "other", "dough", "taste")
    assert label.facets["topic"].confidence <= 0.9


@pytest.mark.parametrize("with_prior", [False, True])
def test_reasons_add_up_to_the_logit(
    fitted: TaxonomyClassifier, prior: Prior, with_prior: bool
) -> None:
    classifier = fitted
    if with_prior:
        classifier = TaxonomyClassifier(bread_taxonomy(), prior=prior).fit(PAPERS, DECIDED)
    scores = classifier.facet_scores(PAPERS[:7])["topic"]
    model = classifier.models_["topic"]
    for row in range(7):
        for column in range(len(model.ids)):
            logit = model.contributions(scores, row, column).logit
            assert expit(logit) == pytest.approx(scores.probabilities[row, column], abs=6e-5)
    z = model.apply_platt_.logits(model._logits("applies", scores.inputs))
    assert model.contributions(scores, 3, 1).logit == pytest.approx(z[3, 1], abs=1e-6)


def test_a_reason_names_the_cue_and_where_it_stood(fitted: TaxonomyClassifier) -> None:
    paper = Paper(title="A sour-dough trial", id="p-new", abstract="We knead. We measure dough.")
    (label,) = fitted.label([paper])
    told = [str(reason) for reason in label.facets["topic"].why]
    assert any(text.startswith("‘sour-dough~’ in the title") for text in told)
    assert any(text.startswith("‘knead~’ in the abstract") for text in told)


def test_nobody_is_out_of_scope_on_a_label_that_is_not_sure() -> None:
    classifier = TaxonomyClassifier(bread_taxonomy()).fit(PAPERS, DECIDED)
    classifier.models_["topic"].cut_ = 1.1
    for label in classifier.label(PAPERS):
        topic = label.facets["topic"]
        assert topic.status == "provisional"
        assert topic.primary != "other"
        if topic_of(label.paper_id) == "other":
            assert topic.candidates[:2] == (topic.primary, "other")


def test_cues_take_a_paper_out_of_scope_though_nobody_is_sure() -> None:
    record = bread_taxonomy().model_dump()  # a copy of the model would keep its cached categories
    record["facets"]["topic"]["categories"][-1]["cues"]["title"] = ["opioid"]
    taxonomy = Taxonomy.model_validate(record)
    classifier = TaxonomyClassifier(taxonomy).fit(PAPERS)
    classifier.models_["topic"].cut_ = 1.1
    (label,) = classifier.label([Paper(title="Opioid withdrawal", id="p-9", abstract="A trial.")])
    assert label.facets["topic"].primary == "other"
    assert label.facets["topic"].status == "provisional"


def test_of_the_hardest_alone_the_border_of_confidence_stays_where_it_is() -> None:
    doubtful, sure = np.full(30, 0.5), np.full(30, 0.9)
    wrong, right = np.zeros(30, bool), np.ones(30, bool)
    assert confidence_cut(doubtful, wrong, 0.9, 0.75) == 0.75
    assert confidence_cut(sure, wrong, 0.9, 0.75) == 0.875
    assert confidence_cut(doubtful, right, 0.9, 0.75) == 0.625


def test_without_a_prior_a_border_needs_more_than_a_few_lucky_papers() -> None:
    confidence = np.linspace(0.99, 0.6, 40)
    right = np.arange(40) < 30
    assert confidence_cut(confidence, right, 0.9, None) == confidence[30]
    assert confidence_cut(confidence[:6], right[:6], 0.9, None) == NO_CUT
    assert confidence_cut(confidence, ~right, 0.9, None) == NO_CUT


def decided_by(drawn_by: str, count: int) -> dict[str, dict[str, Decision]]:
    """The first decisions, as if their papers had been drawn in another way."""
    return {
        paper_id: {facet: replace(each, drawn_by=drawn_by) for facet, each in decided.items()}
        for paper_id, decided in list(DECIDED.items())[:count]
    }


@pytest.mark.parametrize(
    ("drawn_by", "count", "statuses"),
    [
        ("audit", 0, {"provisional"}),
        ("audit", 29, {"provisional"}),
        ("queue", 40, {"provisional"}),
        ("audit", 40, {"confident"}),
    ],
)
def test_without_a_prior_nothing_is_confident_until_decisions_check_it(
    drawn_by: str, count: int, statuses: set[str]
) -> None:
    classifier = TaxonomyClassifier(bread_taxonomy()).fit(PAPERS, decided_by(drawn_by, count))
    labels = [each.facets["topic"] for each in classifier.label(PAPERS[40:])]
    assert {each.status for each in labels if each.primary != "other"} == statuses


def test_where_nobody_decided_no_share_of_right_candidates_is_known() -> None:
    classifier = TaxonomyClassifier(bread_taxonomy()).fit(PAPERS)
    classifier.models_["topic"].cut_ = 1.1  # so that papers are kept in scope
    for label in classifier.label(PAPERS):
        assert label.facets["topic"].candidates == ()


@pytest.mark.parametrize(
    ("title", "status"),
    [
        ("Kneading a sour-dough with gluten, flour and a starter", "confident"),
        ("Kneading with gluten, flour, hydration and a starter", "provisional"),
    ],
)
def test_a_title_alone_is_confident_only_if_its_cues_are_clear(
    fitted: TaxonomyClassifier, title: str, status: str
) -> None:
    scores = fitted.facet_scores([Paper(title, "p-9")])["topic"]
    assert fitted.models_["topic"].confidence(scores.primary)[0] >= fitted.models_["topic"].cut_
    (label,) = fitted.label([Paper(title, "p-9")])
    assert label.facets["topic"].status == status


def test_children_and_optional_facets_are_read_off_cues(fitted: TaxonomyClassifier) -> None:
    rye = Paper(title="Rye sour-dough", id="p-1x", abstract="A dough of rye flour.")
    oven = Paper(
        title="Ovens", id="p-2x", abstract="We bake at night in an oven, without gas, by wood."
    )
    first, second = fitted.label([rye, oven])
    assert first.facets["topic"].categories[:2] == ("dough", "dough/rye")
    assert "fuel" not in first.facets
    assert second.facets["fuel"].categories == ("wood",)  # gas is what it does without
    assert second.facets["fuel"].status == "provisional"


def test_few_cues_name_the_part_of_the_topic_under_which_a_paper_is_filed(
    fitted: TaxonomyClassifier,
) -> None:
    abstract = "Rye flour is sieved, and rye flour is baked for an hour."
    filed = Paper(title="A sour-dough", id="p-1", abstract=abstract)
    elsewhere = Paper(title="An oven for sour-dough", id="p-2", abstract=abstract)
    first, second = fitted.label([filed, elsewhere])
    assert first.facets["topic"].categories == ("dough", "dough/rye")
    assert second.facets["topic"].categories == ("ovens", "dough")


def test_a_column_is_filled_from_what_the_paper_does_and_not_from_the_problem(
    fitted: TaxonomyClassifier,
) -> None:
    texts = (
        "Bakers have long relied on a wood fire, which is hard to control. We propose an oven.",
        "Ovens are hard to control. We propose an oven with a wood fire.",
    )
    papers = [Paper(title=f"Oven {n}", id=f"p-{n}", abstract=text) for n, text in enumerate(texts)]
    problem, method = fitted.facet_scores(papers)["fuel"].probabilities[:, 0]
    assert problem < 0.5 < method


def test_a_decision_says_nothing_of_a_later_category() -> None:
    masked = {
        key: {**told, "topic": replace(told["topic"], unknown=("taste",))}
        for key, told in DECIDED.items()
        if topic_of(key) != "taste"
    }
    classifier = TaxonomyClassifier(bread_taxonomy()).fit(PAPERS, masked)
    taste = [paper for paper in PAPERS if topic_of(paper.id) == "taste"]
    found = [label.facets["topic"].categories for label in classifier.label(taste)]
    assert np.mean(["taste" in categories for categories in found]) > 0.6


def test_the_border_of_a_prior_moves_gradually(prior: Prior) -> None:
    cuts = []
    for count in (0, 10, 20, 40):
        decided = dict(list(DECIDED.items())[:count])
        classifier = TaxonomyClassifier(bread_taxonomy(), prior=prior).fit(PAPERS, decided)
        cuts.append(classifier.models_["topic"].cut_)
    assert max(abs(one - other) for one, other in itertools.pairwise(cuts)) < 0.25


def test_where_cues_reach_few_papers_the_words_of_the_others_speak() -> None:
    """Every second paper names its topic; no title shares a word with another."""
    taxonomy = Taxonomy.model_validate(
        {
            "survey": {"title": "News"},
            "facets": {
                "topic": {
                    "kind": "single",
                    "categories": [
                        {"id": name, "cues": {"anywhere": [cue]}} for name, cue in CUES.items()
                    ],
                }
            },
        }
    )
    named = [paper for paper in PAPERS if topic_of(paper.id) != "other"]
    papers = [replace(paper, title=f"n{paper.id}") for paper in named]
    papers = [
        replace(paper, abstract=f"{paper.abstract} {CUES[topic_of(paper.id)] if n % 2 else ''}")
        for n, paper in enumerate(papers)
    ]
    silent = papers[::2]
    assert right(TaxonomyClassifier(taxonomy).fit(papers).label(silent)) > 0.9
    assert right(TaxonomyClassifier(taxonomy).fit([]).label(silent)) < 0.5


def test_probabilities_are_honest_before_anybody_decided() -> None:
    found = (
        TaxonomyClassifier(bread_taxonomy()).fit(PAPERS).facet_scores(PAPERS)["topic"].probabilities
    )
    assert found.sum(axis=1).mean() == pytest.approx(1, abs=0.35)  # each has one topic


GERMAN = {
    "bread": ["Sauerteig", "Der Sauerteig reift über Nacht, und das Mehl der Bäckerei quillt."],
    "bees": ["Bienenstock", "Die Bienen im Bienenstock sammeln Honig, und der Imker zählt sie."],
}
CHINESE = {
    "bread": ["酸面包", "我们研究酸面包的发酵过程和面粉。"],
    "bees": ["蜜蜂", "我们观察蜜蜂采集蜂蜜的行为。"],
}


@pytest.mark.parametrize("words", [GERMAN, CHINESE], ids=["German", "Chinese"])
def test_other_languages_have_cues_and_terms_too(words: dict[str, list[str]]) -> None:
    taxonomy = Taxonomy.model_validate(
        {
            "survey": {"title": "Brot", "stop_words": ["der", "die", "das", "und", "im", "的"]},
            "facets": {
                "topic": {
                    "kind": "multi",
                    "categories": [
                        {"id": name, "cues": {"anywhere": [cue]}}
                        for name, (cue, _) in words.items()
                    ],
                }
            },
        }
    )
    papers = [
        Paper(title=f"{n}", id=f"p-{n:03}", abstract=list(words.values())[n % 2][1])
        for n in range(100)
    ]
    classifier = TaxonomyClassifier(taxonomy).fit(papers)
    labels = [label.facets["topic"].primary for label in classifier.label(papers[:4])]
    assert labels == ["bread", "bees", "bread", "bees"]
    terms = {name.partition(":")[2] for name in classifier.text_features_.names_}
    assert terms & {"mehl", "面 包"}
    assert not terms & {"der", "und", "的"}


def test_a_prior_knows_what_cues_are_worth(prior: Prior) -> None:
    undecided = PAPERS[40:]
    classifier = TaxonomyClassifier(bread_taxonomy(), prior=prior).fit(undecided)
    assert right(classifier.label(undecided)) > 0.95
    assert not prior.was_learned_from(PAPERS[0])


def test_a_category_that_the_prior_does_not_know_is_learned_from_the_papers(prior: Prior) -> None:
    document = bread_taxonomy().model_dump(exclude_defaults=True)
    document["facets"]["topic"]["categories"][2]["definition"] = "Another meaning."
    taxonomy = Taxonomy.model_validate(document)
    classifier = TaxonomyClassifier(taxonomy, prior=prior).fit(PAPERS, DECIDED)
    assert classifier.models_["topic"].known_.tolist() == [True, True, False, True]
    assert right(classifier.label(PAPERS[40:])) > 0.9


def test_a_prior_follows_a_category_that_was_renamed(prior: Prior) -> None:
    document = bread_taxonomy().model_dump(exclude_defaults=True)
    old = document["facets"]["topic"]["categories"][2]["id"]
    name = bread_taxonomy().first.tops[2].name
    category = document["facets"]["topic"]["categories"][2]
    category.update({"id": "new-id", "aliases": [old], "name": name})
    taxonomy = Taxonomy.model_validate(document)
    before = TaxonomyClassifier(bread_taxonomy(), prior=prior).fit(PAPERS[40:])
    after = TaxonomyClassifier(taxonomy, prior=prior.with_renamed_categories(taxonomy)).fit(
        PAPERS[40:]
    )
    assert after.models_["topic"].known_.all()
    assert np.array_equal(
        before.facet_scores(PAPERS)["topic"].probabilities,
        after.facet_scores(PAPERS)["topic"].probabilities,
    )


def test_a_prior_is_the_same_file_for_the_same_papers(prior: Prior, tmp_path: Path) -> None:
    path = tmp_path / "prior.npz"
    path.write_bytes(prior_bytes(prior))
    read = read_prior(path, "prior.npz")
    assert prior_bytes(read) == prior_bytes(prior)
    assert read.papers == prior.papers
    before = TaxonomyClassifier(bread_taxonomy(), prior=prior).fit(PAPERS).predict_proba(PAPERS)
    after = TaxonomyClassifier(bread_taxonomy(), prior=read).fit(PAPERS).predict_proba(PAPERS)
    assert np.abs(before - after).max() < 0.005


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"PK\x03\x04", "a file that is not a prior"),
        (b"", "a file that is not a prior"),
    ],
)
def test_a_file_that_is_no_prior_is_refused_with_its_cure(
    content: bytes, found: str, tmp_path: Path
) -> None:
    path = tmp_path / "prior.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_prior(path, "taxonomy/prior.json")
    (fault,) = raised.value.faults
    assert found in fault.actual
    assert fault.hint == (
        snapshot(
            "Recreate it with `python -m tools.prior` in a checkout of Fieldguide, or go without: move taxonomy/prior.json away."
        )
    )
