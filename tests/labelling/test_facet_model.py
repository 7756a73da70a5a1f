"""What a facet's model makes of two sources: the papers at hand, and a prior."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import expit, logit

from classifier.labelling.decide import DEFAULT_THRESHOLD
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.labels import Decision
from classifier.labelling.prior import Prior
from classifier.labelling.prior_scores import PriorScores
from classifier.labelling.regression import Array, Settings, fit_categories
from classifier.labelling.scores import Contributions, Scores
from classifier.labelling.span import Positions, Span
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from tests.labelling.conftest import bread_decisions, topic_of

Decided = dict[str, dict[str, Decision]]
DOUGH, OVENS, TASTE, OTHER = range(4)


@pytest.fixture(scope="module")
def hot_taxonomy(taxonomy: Taxonomy) -> Taxonomy:
    """Bread, with ovens defined anew: what the prior knows of them is of another category."""
    tree = json.loads(taxonomy.model_dump_json())
    tree["facets"]["topic"]["categories"][OVENS]["definition"] = "Anything hot."
    return Taxonomy.model_validate(tree)


def said(
    classifier: TaxonomyClassifier, papers: list[Paper], facet_id: str = "topic"
) -> tuple[FacetModel, Scores, PriorScores]:
    """Return the model, what it says of papers, and what the prior says of them."""
    scores = classifier.facet_scores(papers)[facet_id]
    assert scores.seen.prior is not None
    return classifier.models_[facet_id], scores, scores.seen.prior


def parts_of(model: FacetModel, scores: Scores) -> list[list[Contributions]]:
    """Return what adds up to each logit: a list a paper, of one a category."""
    rows, columns = (range(count) for count in scores.probabilities.shape)
    return [[model.contributions(scores, row, column) for column in columns] for row in rows]


def sums(parts: list[list[Contributions]]) -> np.ndarray:
    return np.array([[part.values.sum() + part.intercept for part in row] for row in parts])


def turned(papers: list[Paper]) -> Decided:
    """Return decisions of a baker who calls each topic by the name of the next."""
    names = ("dough", "ovens", "taste", "other")
    called = {one: names[(place + 1) % 4] for place, one in enumerate(names)}
    decided = {paper.id: called[topic_of(paper.id)] for paper in papers}
    return {key: {"topic": Decision((name,), name)} for key, name in decided.items()}


def test_without_a_prior_there_is_one_source(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    model = TaxonomyClassifier(taxonomy).fit(papers, decisions).models_["topic"]
    assert model.apply_platt_.slopes_.shape == model.file_platt_.slopes_.shape == (1,)


def test_without_decisions_both_say_which_apply_and_the_prior_where_a_paper_is_filed(
    taxonomy: Taxonomy, many_papers: list[Paper], prior: Prior
) -> None:
    fresh = many_papers[40:]
    classifier = TaxonomyClassifier(taxonomy, prior=prior).fit(many_papers)
    own = TaxonomyClassifier(taxonomy).fit(many_papers).predict_proba(fresh)["topic"]
    model, scores, known = said(classifier, fresh)
    assert model.apply_platt_.slopes_.tolist() == [0.5, 0.5]
    assert model.file_platt_.slopes_.tolist() == [0, 1]
    both = expit((logit(own) + known.applies) / 2)
    assert np.allclose(scores.probabilities, both, rtol=0, atol=1e-3)  # of four digits
    filed = expit(known.filed) * both
    assert np.allclose(scores.primary, filed / filed.sum(axis=1, keepdims=True), rtol=0, atol=1e-3)
    assert np.array_equal(model.thresholds_, np.full(4, 0.4))


def test_the_source_that_decisions_bear_out_weighs_more(
    taxonomy: Taxonomy, many_papers: list[Paper], prior: Prior
) -> None:
    """A prior from a baker who calls things otherwise is soon not heard any more."""
    told = turned(many_papers[40:])
    model = TaxonomyClassifier(taxonomy, prior=prior).fit(many_papers, told).models_["topic"]
    for platt in (model.apply_platt_, model.file_platt_):
        own, of_prior = platt.slopes_
        assert own > of_prior >= 0
    rows = model.cross_fit_.primary.argmax(axis=1) == model.cross_fit_.filed.argmax(axis=1)
    assert rows.mean() > 0.8


def test_a_prior_that_decisions_bear_out_keeps_its_weight(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> None:
    model = TaxonomyClassifier(taxonomy, prior=prior).fit(papers, decisions).models_["topic"]
    own, of_prior = model.file_platt_.slopes_
    assert of_prior > own >= 0


def test_with_news_the_answer_moves(
    taxonomy: Taxonomy, many_papers: list[Paper], prior: Prior
) -> None:
    """A baker holds today that papers on ovens, which the prior never met, are about taste."""
    told = {paper.id: {"topic": Decision(("taste",), "taste")} for paper in many_papers[41::4]}
    plain, moved = (
        TaxonomyClassifier(taxonomy, prior=prior).fit(many_papers, decided)
        for decided in ({}, told)
    )
    ovens = many_papers[1::4]
    before, after = (which.predict_proba(ovens)["topic"][:, TASTE] for which in (plain, moved))
    assert (after > before).all()


@pytest.mark.parametrize("count", [60, 100])
@pytest.mark.parametrize("facet_id", ["topic", "kind"])
def test_what_both_sources_contribute_adds_up_to_the_logit(
    facet_id: str, count: int, hot_taxonomy: Taxonomy, many_papers: list[Paper], prior: Prior
) -> None:
    """Of sixty papers with hardly a decision the votes speak, of a hundred the regressions."""
    told = {
        paper.id: {"topic": Decision((topic_of(paper.id),), topic_of(paper.id))}
        for paper in many_papers[42:56]
    }
    classifier = TaxonomyClassifier(hot_taxonomy, prior=prior).fit(many_papers[:count], told)
    model, scores, _ = said(classifier, many_papers, facet_id)
    assert model.votes_alone_ == (count == 60)
    added = expit(sums(parts_of(model, scores)))
    if facet_id == "kind":
        added /= added.sum(axis=1, keepdims=True)
    assert np.allclose(added, scores.probabilities, rtol=0, atol=6e-5)  # four digits


def test_contributions_are_named_by_their_source(
    taxonomy: Taxonomy, many_papers: list[Paper], prior: Prior
) -> None:
    """The papers' features stand first, then those of the prior, each weighed by its slope."""
    classifier = TaxonomyClassifier(taxonomy, prior=prior).fit(many_papers)
    model, scores, known = said(classifier, many_papers[:1])
    parts = model.contributions(scores, 0, DOUGH)
    width = len(model.names_)
    assert parts.names == (*model.names_, *known.model.names)
    values, constant = known.contributions(0, DOUGH)
    assert np.allclose(parts.values[width:], values / 2)
    assert parts.intercept == pytest.approx((model.apply_weights_.intercepts[DOUGH] + constant) / 2)


def test_of_a_category_that_the_prior_does_not_know_the_papers_speak_alone(
    hot_taxonomy: Taxonomy, many_papers: list[Paper], prior: Prior
) -> None:
    """Their own logit stands for both sources, and the two starting slopes sum to 1."""
    fresh = many_papers[40:]
    own = TaxonomyClassifier(hot_taxonomy).fit(many_papers).predict_proba(fresh)["topic"]
    classifier = TaxonomyClassifier(hot_taxonomy, prior=prior).fit(many_papers)
    model, scores, known = said(classifier, fresh)
    assert known.known.tolist() == [True, False, True, True]
    assert np.allclose(scores.probabilities[:, OVENS], own[:, OVENS], rtol=0, atol=1e-9)
    assert not np.allclose(scores.probabilities[:, DOUGH], own[:, DOUGH], atol=0.01)
    assert model.contributions(scores, 0, OVENS).names == model.names_
    filed_by_papers = scores.primary.argmax(axis=1) == OVENS
    assert [topic_of(paper.id) == "ovens" for paper in fresh] == filed_by_papers.tolist()


def test_a_facet_that_the_prior_does_not_know_is_as_without_one(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> None:
    assert "fuel" not in prior.facets
    there, none = (
        TaxonomyClassifier(taxonomy, prior=which).fit(papers, decisions).facet_scores(papers)
        for which in (prior, None)
    )
    assert there["fuel"].seen.prior is None
    assert np.array_equal(there["fuel"].probabilities, none["fuel"].probabilities)


@pytest.mark.parametrize(
    ("count", "decided", "alone"), [(79, 19, True), (80, 0, False), (79, 20, False)]
)
def test_votes_alone_decide_of_few_papers_with_few_decisions(
    count: int, decided: int, alone: bool, taxonomy: Taxonomy, many_papers: list[Paper]
) -> None:
    told = bread_decisions(many_papers[:decided])
    model = TaxonomyClassifier(taxonomy).fit(many_papers[:count], told).models_["topic"]
    assert model.votes_alone_ == alone
    assert model.apply_weights_.terms.any() != alone


@pytest.mark.parametrize(
    ("decided", "held_against"), [(0, 0), (9, 0), (10, 10), (29, 29), (30, 30)]
)
@pytest.mark.parametrize("with_prior", [False, True])
def test_what_is_held_against_decisions(
    decided: int,
    held_against: int,
    with_prior: bool,
    taxonomy: Taxonomy,
    many_papers: list[Paper],
    prior: Prior,
) -> None:
    """From two a fold on they are cross-fitted, from thirty on they say how sure one may be."""
    told = bread_decisions(many_papers[:decided])
    classifier = TaxonomyClassifier(taxonomy, prior=prior if with_prior else None)
    model = classifier.fit(many_papers[:50], told).models_["topic"]
    assert len(model.cross_fit_.paper_ids) == held_against
    assert model.is_checked_ == (with_prior or decided >= 30)
    assert (model.least_probability_ is not None) == (decided >= 30)
    sure = model.confidence(np.array([[1.0, 0.0, 0.0, 0.0]]))
    assert (sure > 0.9).tolist() == [model.is_checked_]


def test_votes_alone_are_never_quite_sure(taxonomy: Taxonomy) -> None:
    """Nothing checks how sure they are: a paper full of cues is as likely as one with enough."""
    full = Paper("Sourdough, sour-dough", "p-1", abstract="We knead dough. " * 20)
    silent = Paper("Bread", "p-2", abstract="It is dry.")
    classifier = TaxonomyClassifier(taxonomy).fit([])
    (sure, unsure) = classifier.predict_proba([full, silent])["topic"]
    assert sure.max() == pytest.approx(0.9)
    assert sure.min() == unsure.min() == pytest.approx(0.1)


def test_to_know_nothing_of_a_paper_is_no_reason_to_be_sure(taxonomy: Taxonomy) -> None:
    """Without decisions or a prior, cues must speak for the category that is filed under."""
    silent = Paper("A morning walk", "p-1", abstract="It is dry.")
    told = Paper("Sourdough", "p-2", abstract="We knead dough.")
    unknown, known = TaxonomyClassifier(taxonomy).fit([]).predict([silent, told])
    assert unknown.facets["topic"].status == "provisional"
    assert known.facets["topic"].status == "confident"


def test_where_a_paper_is_filed_seed_labels_fade_out_as_decisions_come_in(
    taxonomy: Taxonomy, many_papers: list[Paper], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 40 decisions of the 120 from which on they count nothing, a third of them is gone."""
    seen: list[np.ndarray] = []

    def fit(
        span: Span, rows: Positions, targets: Array, weights: Array, settings: Settings
    ) -> Array:
        seen.append(weights)
        return fit_categories(span, rows, targets, weights, settings)

    monkeypatch.setattr("classifier.labelling.training.fit_categories", fit)
    decided = bread_decisions(many_papers[:40])
    TaxonomyClassifier(taxonomy).fit(many_papers, decided)
    last = slice(-len(taxonomy.first.ids), None)  # the model that is shown, behind five cross-fits
    filed, applies = (weights[:, last] for weights in seen[:2])  # of the first facet
    undecided = (applies > 0) & (applies < 1)
    assert undecided.sum() == 60 * 4
    assert np.allclose(filed[undecided], applies[undecided] * 2 / 3)
    assert np.array_equal(filed[~undecided], applies[~undecided])


def before_taste(decided: Decided, *, masked: bool) -> Decided:
    """What the baker would have said had there been no `taste`: then it was out of scope."""
    unknown = ("taste",) if masked else ()
    told = {}
    for paper_id, facets in decided.items():
        topic = "other" if facets["topic"].primary == "taste" else facets["topic"].primary
        told[paper_id] = {"topic": Decision((topic,), topic, unknown=unknown)}
    return told


def test_a_category_that_came_late_is_not_unlearned_from_older_decisions(
    taxonomy: Taxonomy, many_papers: list[Paper], decisions: Decided
) -> None:
    naive, masked = (
        TaxonomyClassifier(taxonomy).fit(many_papers, before_taste(decisions, masked=mask))
        for mask in (False, True)
    )
    tasted = many_papers[42::4]
    low, high = (which.predict_proba(tasted)["topic"][:, TASTE] for which in (naive, masked))
    assert (high > low + 0.2).all()


def test_cross_fits_leave_out_what_a_decision_does_not_know(
    taxonomy: Taxonomy, many_papers: list[Paper], decisions: Decided
) -> None:
    told = before_taste(decisions, masked=True)
    model = TaxonomyClassifier(taxonomy).fit(many_papers, told).models_["topic"]
    fit = model.cross_fit_
    assert np.isnan(fit.applies).sum(axis=0).tolist() == [0, 0, 40, 0]
    assert fit.primary[:, TASTE].max() == 0
    assert np.allclose(fit.primary.sum(axis=1), 1)
    assert fit.filed.sum(axis=1).tolist() == [1] * 40
    assert model.thresholds_[TASTE] == DEFAULT_THRESHOLD
    assert model.least_probability_ is not None
