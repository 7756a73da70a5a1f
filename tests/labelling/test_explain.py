"""What is given as the reason for a label is what made it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import numpy as np
import pytest
from scipy.special import expit

from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.evidence import Hit
from classifier.labelling.explain import Account, account_for, reasons
from classifier.labelling.labels import Decision
from classifier.labelling.prior import Prior
from classifier.labelling.scores import Contributions
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

HITS = (
    Hit("dough", "title", "sour-dough~", 1),
    Hit("dough/rye", "title", "rye", 3),
    Hit("ovens", "anywhere", "oven~", 2),
)


@pytest.fixture(scope="module")
def fitted(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Mapping[str, Mapping[str, Decision]]
) -> TaxonomyClassifier:
    return TaxonomyClassifier(taxonomy).fit(papers, decisions)


def sums(fitted: TaxonomyClassifier, facet_id: str, papers: list[Paper]) -> np.ndarray:
    """The sum of all contributions and the intercept, for every paper and category."""
    model, scores = fitted.models_[facet_id], fitted.facet_scores(papers)[facet_id]
    parts = [
        [model.contributions(scores, row, column) for column in range(len(model.ids))]
        for row in range(len(papers))
    ]
    return np.array([[part.values.sum() + part.intercept for part in row] for row in parts])


def test_contributions_add_up_to_the_calibrated_logit(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    added = expit(sums(fitted, "topic", papers))
    assert np.allclose(
        added, fitted.predict_proba(papers)["topic"], rtol=0, atol=6e-5
    )  # four digits


def test_of_a_single_facet_the_calibrated_probabilities_are_scaled_to_one(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    added = expit(sums(fitted, "kind", papers))
    added /= added.sum(axis=1, keepdims=True)
    assert np.allclose(
        added, fitted.predict_proba(papers)["kind"], rtol=0, atol=6e-5
    )  # four digits


def test_the_law_holds_for_papers_never_seen(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    new = [Paper("Rye in a cold oven", "p-9", abstract="Unheard words. We knead gluten.")]
    added = expit(sums(fitted, "topic", new))
    assert np.allclose(added, fitted.predict_proba(new)["topic"], rtol=0, atol=6e-5)  # four digits


@pytest.mark.parametrize("most", [0, 3, None])
def test_the_numbers_of_an_account_add_up_as_they_are_printed(
    fitted: TaxonomyClassifier, papers: list[Paper], most: int | None
) -> None:
    for facet_id, scores in fitted.facet_scores(papers[:6]).items():
        model, logits = fitted.models_[facet_id], sums(fitted, facet_id, papers[:6])
        for row, column in np.ndindex(*logits.shape):
            parts = model.contributions(scores, row, column)
            hits = scores.seen.evidence.hits[row]
            told = account_for(model.ids[column], parts, hits, most=most)
            weights = [reason.weight for reason in told.reasons]
            printed = [Decimal(f"{w:.2f}") for w in (*weights, told.rest, told.intercept)]
            assert sum(printed) == Decimal(f"{told.logit:.2f}")
            assert told.logit == pytest.approx(logits[row, column], abs=0.005001)


@pytest.mark.parametrize("with_prior", [False, True])
def test_where_votes_decide_the_reasons_are_the_cues_with_their_votes(
    with_prior: bool, taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    """A cue that fired speaks for its category, however little its vote comes to."""
    few = papers[:8]
    fitted = TaxonomyClassifier(taxonomy, prior=prior if with_prior else None).fit(few)
    new = [Paper("Cold rooms", "p-9", abstract="Of dough. We knead."), Paper("Hot", "p-8")]
    scores, added = fitted.facet_scores(new)["topic"], sums(fitted, "topic", new)
    assert np.allclose(expit(added), scores.probabilities, rtol=0, atol=6e-5)  # four digits
    parts = fitted.models_["topic"].contributions(scores, 0, 0)
    told = account_for("dough", parts, scores.seen.evidence.hits[0], most=8)
    votes = [(reason.text, reason.weight) for reason in told.reasons if reason.kind == "vote"]
    assert told.in_votes
    assert votes == [("‘knead~’ in the contribution", 2.0), ("‘dough~’ in the text", 1.5)]
    assert told.intercept < 0


def test_a_vote_too_weak_to_count_is_still_the_reason(
    taxonomy: Taxonomy, papers: list[Paper]
) -> None:
    new = [Paper("Cold rooms", "p-9", abstract="We have a bed. Of dough.")]
    topic = TaxonomyClassifier(taxonomy).fit(papers[:8]).predict(new)[0].facets["topic"]
    assert [str(reason) for reason in topic.why] == ["‘dough~’ in the text +1.5 votes"]


def test_an_account_says_how_much_it_leaves_out() -> None:
    parts = Contributions(tuple(f"whole:{word}" for word in "abc"), np.array([0.7, -2, 0.01]), -1.0)
    told = account_for("dough", parts, (), most=1)
    assert [str(reason) for reason in told.reasons] == ["“b” -2.0"]
    assert (told.rest, told.rest_count, told.intercept, told.logit) == (0.71, 2, -1.0, -2.29)
    told = account_for("dough", parts, (), most=None)
    assert [reason.text for reason in told.reasons] == ["“b”", "“a”"]
    assert (told.rest, told.rest_count) == (0.01, 1)


def test_nothing_fired_leaves_the_intercept() -> None:
    told = account_for("dough", Contributions((), np.zeros(0), -1.25), (), most=8)
    assert told == Account((), 0.0, 0, -1.25, -1.25)


def test_cues_that_only_speak_against_another_category_are_called_so() -> None:
    hits = (Hit("ovens", "against", "fridge~", 1), Hit("taste", "title", "tasting", 1))
    names = ("vote:ovens", "vote:taste", "share:dough")
    assert [str(r) for r in reasons("dough", names, np.array([1.0, -0.5, 0.25]), hits)] == [
        "cues against ovens +1.0",
        "cues of taste -0.5",
        "its share of all cues +0.2",
    ]


def test_all_reasons_together_leave_nothing_out() -> None:
    names = ("title:rye", "whole:rye", "cue:dough:title", "cue:ovens:anywhere")
    contributions = np.array([0.5, 0.25, 2.0, -1.0])
    given = reasons("dough", names, contributions, HITS, most=99)
    assert sum(reason.weight for reason in given) == pytest.approx(contributions.sum())
    assert [str(reason) for reason in given] == [
        "‘sour-dough~’ in the title +2.0",
        "cues of ovens -1.0",
        "“rye” +0.8",
    ]
    assert [reason.kind for reason in given] == ["cue", "cue", "term"]
    assert {reason.category for reason in given} == {"dough"}


def test_the_strongest_come_first_for_or_against_and_the_weakest_not_at_all() -> None:
    names = tuple(f"whole:{word}" for word in "abcdefgh")
    contributions = np.array([0.1, -0.9, 0.04, 0.3, 0.0, -0.049, 0.3, 0.2])
    assert [str(reason) for reason in reasons("dough", names, contributions, ())] == [
        "“b” -0.9",
        "“d” +0.3",
        "“g” +0.3",
        "“h” +0.2",
        "“a” +0.1",
    ]
    assert len(reasons("dough", names, contributions, (), most=2)) == 2


def test_six_are_shown_of_those_that_weigh_a_twentieth_or_more() -> None:
    names = tuple(f"whole:{word}" for word in "abcdefgh")
    given = reasons("dough", names, np.array([0.05, 1, 2, 3, 4, 5, 0.0499, 6]), ())
    assert [reason.text for reason in given] == ["“h”", "“f”", "“e”", "“d”", "“c”", "“b”"]
    given = reasons("dough", names[:3], np.array([0.05, 0.0494, -0.0505]), ())
    assert [str(reason) for reason in given] == ["“c” -0.1", "“a” +0.1"]


def test_a_cue_that_a_person_wrote_is_named_as_written(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    labels = fitted.predict([paper for paper in papers if "sourdough" in paper.title][:1])[0]
    texts = [reason.text for reason in labels.facets["topic"].why]
    assert "‘sour-dough~’ in the title" in texts
