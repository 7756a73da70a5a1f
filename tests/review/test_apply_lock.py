"""The labels of a paper whose labels are locked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.labelling.labels import Decision, FacetLabels, PaperLabels, Reason
from classifier.review.lock import apply_lock, keep_categories
from classifier.review.sheet import why_cell
from classifier.taxonomy.model import Taxonomy

CUE = Reason("frogs", "‘frog~’ in the title", "cue", 4.0)
MACHINE = FacetLabels(
    ("frogs", "reeds"), "frogs", 0.81, "confident", {"frogs": 0.9, "newts": 0.2}, why=(CUE,)
)
PONDS = Taxonomy.model_validate(
    {
        "survey": {"title": "Ponds"},
        "facets": {
            "topic": {"kind": "multi", "categories": [{"id": n} for n in ("frogs", "newts")]},
            "call": {
                "kind": "single",
                "applies_to": ["frogs"],
                "categories": [{"id": "loud"}, {"id": "soft"}],
            },
        },
    }
)


def test_equal_labels_stay_those_of_the_classifier() -> None:
    assert keep_categories(MACHINE, ("frogs", "reeds")) is MACHINE


def test_a_locked_primary_that_differs_is_provisional_with_the_current_labels() -> None:
    held = keep_categories(MACHINE, ("newts",))
    assert (held.categories, held.primary) == (("newts",), "newts")
    assert (held.status, held.confidence) == ("provisional", pytest.approx(0.19))
    assert why_cell(held) == snapshot("locked; the classifier now assigns frogs, reeds (0.81)")


def test_the_same_primary_keeps_its_confidence_and_status() -> None:
    held = keep_categories(MACHINE, ("frogs",))
    assert (held.categories, held.status, held.confidence) == (("frogs",), "confident", 0.81)
    assert why_cell(held) == (
        snapshot(
            "locked; the classifier now assigns frogs, reeds (0.81); ‘frog~’ in the title +4.0"
        )
    )


def labelled(**facets: FacetLabels) -> list[PaperLabels]:
    return [PaperLabels("p-1", facets, "c1")]


SOFT = FacetLabels(("soft",), "soft", 0.7, "confident", {"loud": 0.3, "soft": 0.7})


def test_a_decision_is_not_changed() -> None:
    decisions = {"p-1": {"topic": Decision(("frogs",), "frogs", "ada")}}
    labels = labelled(topic=MACHINE, call=SOFT)
    (held,) = apply_lock(PONDS, labels, {"p-1": {"topic": ("newts",)}}, decisions)
    assert held.facets == labels[0].facets
    assert held.cue_digest == "c1"


def test_a_facet_that_does_not_apply_to_the_locked_topics_is_removed() -> None:
    labels = labelled(topic=MACHINE, call=SOFT)
    (held,) = apply_lock(PONDS, labels, {"p-1": {"topic": ("newts",)}}, {})
    assert set(held.facets) == {"topic"}


def test_a_facet_that_applies_to_the_locked_topics_stays() -> None:
    newts = replace(MACHINE, categories=("newts",), primary="newts")
    locked = {"p-1": {"topic": ("frogs",), "call": ("loud",)}}
    (held,) = apply_lock(PONDS, labelled(topic=newts), locked, {})
    assert held.facets["call"].categories == ("loud",)
    assert held.facets["call"].status == "provisional"
    assert held.facets["call"].held == snapshot(
        "locked; the classifier finds that the facet does not apply"
    )


def test_a_paper_that_is_not_locked_keeps_its_labels() -> None:
    labels = labelled(topic=MACHINE, call=SOFT)
    assert apply_lock(PONDS, labels, {}, {})[0].facets == labels[0].facets


def test_the_decided_topics_determine_whether_a_facet_applies() -> None:
    decisions = {"p-1": {"topic": Decision(("frogs",), "frogs", "ada")}}
    newts = FacetLabels(("newts",), "newts", 0.7, "confident", {})
    (held,) = apply_lock(PONDS, labelled(topic=newts, call=SOFT), {}, decisions)
    assert "call" in held.facets
