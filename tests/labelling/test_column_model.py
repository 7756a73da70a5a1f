"""A facet that some papers are asked: its cues fill it, silence leaves it empty."""

from __future__ import annotations

import math

import numpy as np
import pytest

from classifier.labelling.bulk_labels import NONE
from classifier.labelling.decide import chosen_columns
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.labels import Decision, FacetLabels
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy

WOOD = "We heat with wood. Wood is cheap."


def fuel(
    taxonomy: Taxonomy, text: str, told: dict[str, dict[str, Decision]] | None = None
) -> FacetLabels:
    paper = Paper("An oven of stone", "p-1", abstract=text)
    (labels,) = TaxonomyClassifier(taxonomy).fit([paper], told).predict([paper])
    return labels.facets["fuel"]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Nothing of what burns in it.", ()),
        ("In passing, gas.", ("gas",)),
        (WOOD, ("wood",)),
        (f"{WOOD} Gas, or gas, or gas.", ("gas", "wood")),
    ],
)
def test_one_cue_is_enough_and_the_clearest_answer_stands_first(
    taxonomy: Taxonomy, text: str, stated: tuple[str, ...]
) -> None:
    labels = fuel(taxonomy, text)
    assert labels.categories == stated
    assert labels.primary == "".join(stated[:1])


def test_of_a_single_facet_the_clearest_answer_is_given() -> None:
    facet = Facet.model_validate({
        "id": "fuel", "kind": "single", "applies_to": ["ovens"],
        "categories": [{"id": "wood"}, {"id": "gas"}],
    })  # fmt: skip
    likely = np.array([[0.6, 0.7], [0.4, 0.3]])
    given = chosen_columns(facet, likely, np.array([0.5, 0.5]), np.array([0, 0]))
    assert given.tolist() == [[1], [NONE]]


def test_cues_alone_are_provisional_and_never_quite_sure(taxonomy: Taxonomy) -> None:
    for text in (WOOD, "Nothing of what burns in it."):
        labels = fuel(taxonomy, text)
        assert labels.status == "provisional"
        assert 0.5 <= labels.confidence <= 0.9


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("Nothing of what burns in it.", 1 / (1 + math.exp(-1.5))),
        ("In passing, gas.", 0.5),
        (WOOD, 1 / (1 + math.exp(-(1.5 * math.log2(3) - 1.5)))),
        (WOOD * 30, 0.9),
    ],
)
def test_silence_is_as_sure_as_the_logit_of_a_vote_of_nothing(
    taxonomy: Taxonomy, text: str, confidence: float
) -> None:
    """A vote of 1.5, one cue in passing, is as likely to be meant as not."""
    assert fuel(taxonomy, text).confidence == pytest.approx(confidence, abs=6e-5)


def test_no_decision_on_a_paper_moves_another(taxonomy: Taxonomy, papers: list[Paper]) -> None:
    told = {paper.id: {"fuel": Decision((), "")} for paper in papers}
    fitted = TaxonomyClassifier(taxonomy).fit(papers, told).predict(papers)
    untold = TaxonomyClassifier(taxonomy).fit(papers).predict(papers)
    for one, other in zip(fitted, untold, strict=True):
        assert one.facets.get("fuel") == other.facets.get("fuel")


def test_what_people_decided_says_which_papers_are_asked(taxonomy: Taxonomy) -> None:
    oven = Paper("An oven of stone", "p-1", abstract=WOOD)
    market = Paper("What flour costs", "p-2", abstract="Prices rose. We heat with gas.")
    told = {
        "p-1": {"topic": Decision(("taste",), "taste")},
        "p-2": {"topic": Decision(("ovens",), "ovens")},
    }
    one, other = TaxonomyClassifier(taxonomy).fit([oven, market], told).predict([oven, market])
    assert "fuel" not in one.facets
    assert other.facets["fuel"].categories == ("gas",)


def test_it_knows_no_terms(taxonomy: Taxonomy) -> None:
    """What asks a model for its terms (`check --deep`) is told that it has none."""
    model = TaxonomyClassifier(taxonomy).fit([]).models_["fuel"]
    assert model.names_ == ()
    assert model.wide_weights_.shape == (2, 0)
