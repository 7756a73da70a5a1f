"""What people decided stands in place of what the classifier says."""

from __future__ import annotations

import pytest

from classifier.labelling.decided import with_decisions
from classifier.labelling.labels import Decision, FacetLabels, PaperLabels, Reason
from classifier.taxonomy.model import NOT_STATED, Taxonomy

WHY = (Reason("ovens", "“oven”", "term", 0.5),)
SAID = FacetLabels(
    ("ovens",),
    "ovens",
    0.8,
    "confident",
    {"dough": 0.3, "ovens": 0.8},
    {"dough": "dough/rye"},
    WHY,
    ("ovens", "dough"),
)


def decided(taxonomy: Taxonomy, decision: Decision, facet_id: str = "topic") -> FacetLabels:
    """The labels of a paper of which the classifier has said something of its topic alone."""
    labels = [PaperLabels("p-1", {"topic": SAID}), PaperLabels("p-2", {"topic": SAID})]
    told, untold = with_decisions(taxonomy, labels, {"p-1": {facet_id: decision}})
    assert untold is labels[1]
    assert told.paper_id == "p-1"
    return told.facets[facet_id]


def test_a_decision_is_certain_and_who_made_it_is_the_first_reason(taxonomy: Taxonomy) -> None:
    labels = decided(taxonomy, Decision(("taste",), "taste", "Ada"))
    assert (labels.categories, labels.primary) == (("taste",), "taste")
    assert (labels.confidence, labels.status) == (1.0, "reviewed")
    assert labels.why == (Reason("taste", "decided by Ada", "human", 0.0), *WHY)
    assert labels.probabilities == SAID.probabilities
    assert labels.children == SAID.children
    assert labels.candidates == ()


@pytest.mark.parametrize(
    ("values", "primary", "categories"),
    [
        pytest.param(("dough", "taste"), "taste", ("taste", "dough", "dough/rye"),
                     id="the primary first, then the order of the taxonomy"),
        pytest.param(("dough", "ovens"), "ovens", ("ovens", "dough", "dough/rye"),
                     id="where a person named no child the cues say which it is"),
        pytest.param(("dough", "dough/rye"), "dough", ("dough", "dough/rye"), id="a child named"),
        pytest.param(("ovens",), "ovens", ("ovens",), id="no child of what was not named"),
    ],
)  # fmt: skip
def test_the_order_of_categories(
    taxonomy: Taxonomy, values: tuple[str, ...], primary: str, categories: tuple[str, ...]
) -> None:
    assert decided(taxonomy, Decision(values, primary)).categories == categories


def test_of_a_facet_that_the_classifier_did_not_ask(taxonomy: Taxonomy) -> None:
    labels = decided(taxonomy, Decision((), ""), "fuel")
    assert (labels.categories, labels.primary, labels.children) == ((), "", {})
    assert labels.why == (Reason(NOT_STATED, "decided by a person", "human", 0.0),)
    assert labels.probabilities == {}


def test_a_paper_on_which_nobody_decided_stays_as_it_is(taxonomy: Taxonomy) -> None:
    labels = [PaperLabels("p-1", {"topic": SAID})]
    assert with_decisions(taxonomy, labels, {"p-1": {}, "p-9": {}})[0] is labels[0]
