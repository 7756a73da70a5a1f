"""One case for each reason why a label changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from inline_snapshot import snapshot

from classifier.survey.changes.compare import Comparison, Move
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, with_current


def ponds(*categories: str | dict[str, Any]) -> Taxonomy:
    whole = [{"id": each} if isinstance(each, str) else each for each in categories]
    facets = {"topic": {"kind": "multi", "categories": whole}}
    return Taxonomy.model_validate({"survey": {"title": "Ponds"}, "facets": facets})


def labels(*categories: str, status: str = "confident") -> PublishedLabels:
    return PublishedLabels(categories, categories[0], status, 0.8)


def paper(*categories: str, status: str = "confident", **known: str) -> PublishedPaper:
    known = {"text_digest": "t", "cue_digest": "c", "taxonomy_digest": OLD.digest} | known
    return PublishedPaper("p-1", "A Pond", {"topic": labels(*categories, status=status)}, **known)


OLD = ponds("frogs", "newts", {"id": "reeds", "children": [{"id": "reeds/tall"}]})


def move(old: PublishedPaper, new: PublishedPaper, now: Taxonomy = OLD) -> Move | None:
    before = Publication("build", {}, "topic", OLD, with_current(Versions(), OLD))
    return Comparison(before, now).move(old, new, "topic")


def reason(old: PublishedPaper, new: PublishedPaper, now: Taxonomy = OLD) -> tuple[str, str]:
    found = move(old, new, now)
    assert found is not None
    return found.reason, found.detail


FROGS = paper("frogs")


@pytest.mark.parametrize(
    "new", [paper("frogs"), paper("frogs", status="reviewed"), paper("frogs", text_digest="u")]
)
def test_equal_labels_are_not_a_change(new: PublishedPaper) -> None:
    assert move(FROGS, new) is None


def test_the_order_after_the_primary_does_not_matter() -> None:
    assert move(paper("frogs", "newts", "reeds"), paper("frogs", "reeds", "newts")) is None
    assert move(paper("frogs", "newts"), paper("newts", "frogs")) is not None


REVIEWED = paper("frogs", status="reviewed")


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        (FROGS, paper("newts", status="reviewed"), "a decision is new"),
        (REVIEWED, paper("newts", status="reviewed"), "the decision was changed"),
        (REVIEWED, paper("newts"), "the decision was withdrawn"),
        (FROGS, paper("newts", status="reviewed", text_digest="u"), "a decision is new"),
    ],
)
def test_a_decision_is_the_reason(old: PublishedPaper, new: PublishedPaper, detail: str) -> None:
    assert reason(old, new) == ("human", detail)


def test_a_part_chosen_by_cues_is_not_a_decision() -> None:
    old = paper("reeds", status="reviewed")
    new = paper("reeds", "reeds/tall", status="reviewed")
    assert reason(old, replace(new, cue_digest="d"))[0] == "cue"
    assert reason(old, new) == ("human", "the decision was changed")


def test_a_changed_text_is_the_reason() -> None:
    new = paper("newts", text_digest="u", cue_digest="d")
    assert reason(FROGS, new) == ("text", "title or abstract changed")


def test_changed_cues_are_the_reason() -> None:
    assert reason(FROGS, paper("newts", cue_digest="d")) == ("cue", "other cues match")


def test_the_model_is_the_last_reason() -> None:
    assert reason(FROGS, paper("newts")) == ("model", "the classifier learned otherwise")


def test_a_new_or_removed_category_is_the_reason() -> None:
    later = ponds("newts", "toads", "reeds")
    assert reason(FROGS, paper("newts"), later) == ("taxonomy", "frogs was removed")
    assert reason(paper("newts"), paper("toads"), later) == ("taxonomy", "toads is new")
    assert reason(FROGS, paper("toads"), later) == snapshot(
        ("taxonomy", "frogs was removed and toads is new")
    )


def test_a_decision_for_a_removed_category_was_not_withdrawn() -> None:
    later = ponds("newts")
    assert reason(REVIEWED, paper("newts"), later) == ("taxonomy", "frogs was removed")
    assert reason(FROGS, paper("newts", status="reviewed"), later)[0] == "human"


def test_a_replaced_category_is_not_a_reason() -> None:
    assert reason(paper("newts"), paper("reeds"), ponds("newts", "toads", "reeds"))[0] == "model"


@pytest.mark.parametrize(
    ("later", "now"),
    [
        (ponds({"id": "toads", "aliases": ["frogs"]}, "newts"), "toads"),
        (ponds("newts", {"id": "frogs", "replaced_by": "newts"}), "newts"),
    ],
    ids=["renamed", "merged"],
)
def test_a_renamed_category_is_not_a_change(later: Taxonomy, now: str) -> None:
    assert move(FROGS, paper(now), later) is None


def test_a_renamed_category_is_not_new() -> None:
    later = ponds({"id": "toads", "aliases": ["frogs"]}, "newts")
    assert reason(paper("newts"), paper("toads"), later)[0] == "model"


def test_another_version_of_fieldguide_is_the_reason() -> None:
    old = paper("frogs", cue_digest="0123456789ab")
    new = paper("newts", cue_digest="v2-9123456789ab")
    assert reason(old, new)[0] == "version"
    assert reason(old, replace(new, text_digest="u"))[0] == "text"


@pytest.mark.parametrize("missing", ["text_digest", "cue_digest"])
def test_without_digests_the_reason_is_unknown(missing: str) -> None:
    old = replace(FROGS, **{missing: ""})
    assert reason(old, paper("newts")) == snapshot(("unknown", "the earlier build has no digests"))
    assert reason(old, paper("newts", status="reviewed"))[0] == "human"


def test_a_facet_that_starts_or_stops_to_apply_is_a_change() -> None:
    none = replace(FROGS, labels={})
    gone, come = move(FROGS, none), move(none, FROGS)
    assert gone is not None
    assert come is not None
    assert (gone.now, come.before) == (None, None)
    assert move(none, none) is None
