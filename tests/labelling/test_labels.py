from __future__ import annotations

from classifier.labelling.labels import FacetLabels, Reason


def test_a_reason_as_it_is_read() -> None:
    assert str(Reason("dough", "‘rye’ in the title", "cue", 1.26)) == "‘rye’ in the title +1.3"
    assert str(Reason("dough", "“oven”", "term", -0.5)) == "“oven” -0.5"
    assert str(Reason("dough", "decided by Ada", "human", 0.0)) == "decided by Ada"


def test_nothing_is_said_of_children_or_reasons_unless_given() -> None:
    labels = FacetLabels(("dough",), "dough", 0.9, "confident", {})
    assert (labels.children, labels.why) == ({}, ())


def test_top_categories_are_the_labels_without_children() -> None:
    labels = FacetLabels(("dough", "dough/rye", "taste"), "dough", 0.9, "confident", {})
    assert labels.top_categories == ("dough", "taste")
