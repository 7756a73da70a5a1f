"""What is told of a facet is what the model did."""

from __future__ import annotations

import pytest
from scipy.special import expit

from classifier.explanation.explanation import ChildAccount
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.cue_index import Hit
from classifier.papers.paper import Paper
from tests.explanation.conftest import Explain
from tests.labelling.conftest import bread_papers

RYE = Paper(
    "Sourdough with rye in an oven",
    "p-1",
    abstract="We knead rye flour instead of tasting cake. Dough without an oven is no dough.",
    abstract_kind="abstract",
)
UNDECIDED = bread_papers()[50:]


def test_every_label_that_is_shown_has_an_account(explain: Explain) -> None:
    for paper in [*UNDECIDED, RYE]:
        told = explain(paper)
        assert tuple(a.category for a in told.accounts) == told.labels.top_categories
        assert all(account.given for account in told.accounts)


@pytest.mark.parametrize("facet_id", ["topic", "kind"])
def test_a_probability_is_the_sigmoid_of_the_logit(
    explain: Explain, fitted: TaxonomyClassifier, facet_id: str
) -> None:
    model = fitted.models_[facet_id]
    for paper in UNDECIDED:
        told = [explain(paper, facet_id, asked=name).accounts[0] for name in model.ids]
        probabilities = expit([account.account.logit for account in told])
        if facet_id == "kind":
            probabilities /= probabilities.sum()
        assert [a.probability for a in told] == pytest.approx(probabilities, abs=0.01)


def test_near_misses_are_the_likeliest_of_those_not_given(explain: Explain) -> None:
    for paper in UNDECIDED:
        told = explain(paper)
        nearest, *others = told.near_misses
        assert not nearest.given
        assert all(miss.probability <= nearest.probability for miss in others)
        assert "other" not in {miss.category for miss in told.near_misses}


def test_a_child_is_there_by_its_cues(explain: Explain) -> None:
    (child,) = explain(RYE).children
    hits = (Hit("dough/rye", "title", "rye", 1), Hit("dough/rye", "anywhere", "rye flour", 1))
    assert child == ChildAccount("dough/rye", given=True, vote=5.5, hits=hits, min_vote=4.0)


@pytest.mark.parametrize(
    ("title", "given", "vote", "min_vote"),
    [
        ("Sourdough with rye", True, 4.0, 2.0),
        ("Sourdough", False, 0.0, 2.0),
        ("Tasting", False, 0.0, 4.0),
    ],
)
def test_a_child_that_is_asked_for_is_told_by_its_votes(
    explain: Explain, title: str, given: bool, vote: float, min_vote: float
) -> None:
    told = explain(Paper(title, "p-4", abstract="Of bread."), asked="dough/rye")
    (child,) = told.children
    assert (child.category, child.given, child.vote) == ("dough/rye", given, vote)
    assert child.min_vote == min_vote
    assert (told.accounts, told.near_misses) == ((), ())


def test_an_exemplar_says_that_it_is_one(explain: Explain) -> None:
    assert explain(Paper("Wild yeast in twelve jars", "p-3")).exemplar_of == "dough"
    assert explain(RYE).exemplar_of == ""


def test_the_filing_names_the_next_one_and_starts_the_candidates(explain: Explain) -> None:
    for paper in UNDECIDED:
        told = explain(paper)
        (first, share), (second, next_share) = told.likeliest
        assert first == told.labels.primary == told.labels.candidates[0] != second
        assert share >= next_share >= 0


def test_a_category_that_is_asked_for_is_told_in_full_and_alone(explain: Explain) -> None:
    brief, told = explain(RYE), explain(RYE, asked="dough")
    (full,) = told.accounts
    (dough,) = (each.account for each in brief.accounts if each.category == "dough")
    assert full.account.reasons[: len(dough.reasons)] == dough.reasons
    assert full.account.logit == dough.logit
    assert (told.near_misses, told.children) == ((), ())
    assert not explain(RYE, asked="taste").accounts[0].given
