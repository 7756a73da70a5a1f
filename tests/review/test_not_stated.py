"""A facet that applies to some categories may be answered with "not stated", from sheet to lock."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.labelling.labels import Decision, FacetLabels, PaperLabels, with_decisions
from classifier.papers.paper import Paper
from classifier.review.ledger import Entry, Ledger
from classifier.review.ledger_check import ledger_faults
from classifier.review.lock import Lock, apply_lock, lock_bytes, make_lock, read_lock
from classifier.survey.changes.published import published_lock
from tests.review.bakery import BAKERY, RYE, TITLES, TODAY, apply_sheet, cells, decided, sheet

DOUGH = FacetLabels(("dough",), "dough", 0.9, "confident", {})
WHEAT = FacetLabels(("wheat",), "wheat", 0.8, "provisional", {"wheat": 0.8, "spelt": 0.1})
SILENT = FacetLabels((), "", 0.9, "provisional", {"wheat": 0.1, "spelt": 0.1})
PAPER = Paper(TITLES[RYE], RYE)


def entry(value: str, reviewer: str = "ada") -> Entry:
    return Entry(RYE, TITLES[RYE], "flour", value, False, reviewer, TODAY, "audit", "", "", 2)


def labels(flour: FacetLabels) -> PaperLabels:
    return PaperLabels(RYE, {"topic": DOUGH, "flour": flour})


def flour_decision(*entries: Entry) -> Decision:
    return Ledger(entries).decisions(BAKERY, {})[RYE]["flour"]


@pytest.mark.parametrize("typed", ["none", "None.", " NONE "])
def test_none_is_an_answer(typed: str) -> None:
    applied = apply_sheet(sheet(cells(review_flour=typed)))
    assert not applied.refused
    assert decided(applied) == {"flour": "none"}


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        (
            "none; wheat",
            "'none'; expected a category of facet flour, or none alone if nothing is",
        ),
        (
            "drop wheat",
            "changes that leave no label; expected at least one category. Write none if",
        ),
    ],
)
def test_none_together_with_a_category_is_refused(typed: str, refusal: str) -> None:
    applied = apply_sheet(sheet(cells(review_flour=typed)))
    assert refusal in str(applied.refused[0])


def test_none_is_refused_in_a_facet_that_every_paper_has() -> None:
    applied = apply_sheet(sheet(cells(review_kind="none")))
    assert "'none'; expected a category of facet kind." in str(applied.refused[0])


def test_none_is_a_decision_in_the_ledger() -> None:
    decision = flour_decision(entry("none"))
    assert (decision.values, decision.primary, decision.reviewer) == ((), "", "ada")
    (shown,) = with_decisions(BAKERY, [labels(WHEAT)], {RYE: {"flour": decision}})
    assert (shown.facets["flour"].categories, shown.facets["flour"].status) == ((), "reviewed")


def test_the_ledger_check_reports_none_next_to_a_category() -> None:
    faults = ledger_faults(
        Ledger((entry("none"), entry("wheat"))), BAKERY, [PAPER], {}, "reviews.csv"
    )
    assert [str(fault) for fault in faults] == snapshot(
        [
            "reviews.csv:2: error: found 'none' together with a category (lines 2); expected 'none' alone, for a paper that states nothing. Delete it, or the others."
        ]
    )


def test_none_and_a_category_are_a_conflict() -> None:
    faults = ledger_faults(
        Ledger((entry("none"), entry("wheat", "bo"))), BAKERY, [PAPER], {}, "reviews.csv"
    )
    assert "'none' by ada and 'wheat' by bo for facet flour" in str(faults[0])


def test_the_lock_keeps_none(tmp_path: Path) -> None:
    lock = make_lock(BAKERY, [PAPER], [labels(SILENT)])
    path = tmp_path / "labels.lock.csv"
    path.write_bytes(lock_bytes(lock))
    read = read_lock(path, "topic")
    assert read.papers[0].facets["flour"] == ()
    held = held_flour(read, WHEAT)
    assert (held.categories, held.primary, held.status) == ((), "", "provisional")
    assert held.held == snapshot("locked; the classifier now assigns wheat (0.80)")
    assert held_flour(read, SILENT) is SILENT
    assert published_lock(read).papers[RYE].labels["flour"].primary == ""


def held_flour(lock: Lock, machine: FacetLabels) -> FacetLabels:
    (held,) = apply_lock(BAKERY, [labels(machine)], lock.labels(BAKERY, {}), {})
    return held.facets["flour"]
