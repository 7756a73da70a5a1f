"""Answers become rows of the ledger; whatever is said there already is not said twice."""

from __future__ import annotations

from dataclasses import replace

from inline_snapshot import snapshot

from classifier.review.ledger import Entry, Ledger
from classifier.taxonomy.versions import Versions, with_current
from tests.review.bakery import BAKERY, CLAY, RYE, TASTES, TODAY, cells, decided, sheet, take

TOPIC = Entry(
    RYE, "Rye at Rest", "topic", "dough", True, "ada", "2025-06-01", "audit", BAKERY.digest, ""
)


def days(ledger: Ledger) -> list[str]:
    return sorted(f"{e.reviewed_on} {e.reviewer} {e.facet} {e.value}" for e in ledger.entries)


def test_who_when_how_and_under_which_taxonomy() -> None:
    row = cells(review_topics="dough/rye", reviewer=" bo ", note="two\nlines")
    taken_up = take(sheet(row | {"drawn_by": "Audit"}))
    common = ("bo", TODAY, "audit", BAKERY.digest, "two lines")
    assert sorted(taken_up.ledger.entries) == [
        Entry(RYE, "Rye at Rest", "topic", "dough", True, *common),
        Entry(RYE, "Rye at Rest", "topic", "dough/rye", False, *common),
    ]


def test_a_row_that_a_person_chose_is_volunteered() -> None:
    (entry,) = take(sheet(cells(review_kind="guide"))).ledger.entries
    assert (entry.reviewer, entry.drawn_by) == ("ada", "volunteer")


def test_nobody_decides_nothing() -> None:
    taken_up = take(sheet(cells(verdict="ok")), reviewer="")
    assert [str(cell) for cell in taken_up.refused] == snapshot(
        [
            "out/labels.csv: row 2, reviewer: found an empty cell; expected the name of the reviewer. Write your name there, or use --reviewer NAME."
        ]
    )


def test_what_the_same_person_said_before_is_not_said_twice() -> None:
    taken_up = take(sheet(cells(review_topics="dough")), ledger=Ledger((TOPIC,)))
    assert taken_up.ledger.entries == (TOPIC,)
    assert not taken_up.has_changes
    assert [str(each) for each in taken_up.answers] == snapshot(
        ["row 2  arxiv:2401.10230  topic: dough → already in the ledger"]
    )


def test_another_day_and_another_person_stand_beside_it() -> None:
    rows = [cells(review_topics="ovens"), cells(review_topics="dough", reviewer="bo")]
    taken_up = take(sheet(*rows), ledger=Ledger((TOPIC,)))
    assert days(taken_up.ledger) == [
        "2025-06-01 ada topic dough",
        "2025-06-10 ada topic ovens",
        "2025-06-10 bo topic dough",
    ]


def test_another_answer_of_the_same_day_takes_the_place_of_the_first() -> None:
    first = take(sheet(cells(review_topics="dough; taste", note="hm"))).ledger
    taken_up = take(sheet(cells(review_topics="ovens", note="sure")), ledger=first)
    assert decided(taken_up) == {"topic": "ovens*"}
    assert [entry.note for entry in taken_up.ledger.entries] == ["hm; sure"]
    assert str(taken_up.answers[0]).endswith(
        "topic: ovens → decided by ada (replaces today's: dough; taste)"
    )


def test_a_day_ahead_of_ours_does_not_outlast_what_is_said_now() -> None:
    ahead = replace(TOPIC, reviewed_on="2025-06-11")
    taken_up = take(sheet(cells(review_topics="ovens")), ledger=Ledger((ahead,)))
    assert days(taken_up.ledger) == ["2025-06-11 ada topic ovens"]


def test_rows_under_an_older_id_are_of_the_same_paper() -> None:
    older = replace(TOPIC, id="p-aaaaaaaaaa", title="An Oven of Clay", reviewed_on=TODAY)
    taken_up = take(sheet(cells(CLAY, review_topics="ovens")), ledger=Ledger((older,)))
    assert [(entry.id, entry.value) for entry in taken_up.ledger.entries] == [(CLAY, "ovens")]


def test_the_same_answer_under_a_taxonomy_that_knows_more_is_said_again() -> None:
    known = with_current(Versions(), BAKERY).known
    old = {("0123456789ab", facet): ids - {"taste"} for (_, facet), ids in known.items()}
    ledger = Ledger((replace(TOPIC, taxonomy_digest="0123456789ab"),))
    row = sheet(cells(review_topics="dough"))
    taken_up = take(row, ledger=ledger, versions=Versions(old))
    assert [entry.taxonomy_digest for entry in sorted(taken_up.ledger.entries)] == [
        "0123456789ab",
        BAKERY.digest,
    ]
    assert not take(row, ledger=taken_up.ledger, versions=Versions(old)).has_changes


def test_a_doubtful_decision_is_confirmed_once() -> None:
    row = cells(review_topics="dough") | {"drawn_by": "queue", "status": "reviewed"}
    confirmed = take(sheet(row), ledger=Ledger((TOPIC,)))
    assert days(confirmed.ledger) == ["2025-06-01 ada topic dough", "2025-06-10 ada topic dough"]
    for day in (TODAY, "2025-07-01"):
        assert not take(sheet(row), ledger=confirmed.ledger, today=day).has_changes


def test_editorial_acts_are_taken_back_where_they_are_in_force() -> None:
    rows = [
        cells(RYE, exclude="cakes only"),
        cells(CLAY, remark="Read it."),
        cells(TASTES, verdict="key"),
    ]
    given = take(sheet(*rows)).ledger
    rows = [
        cells(RYE, exclude="keep"),
        cells(CLAY, remark="Withdraw."),
        cells(TASTES, verdict="not key"),
    ]
    taken_up = take(sheet(*rows), ledger=given, today="2025-06-12")
    assert [str(each).partition("  ")[2] for each in taken_up.answers] == snapshot(
        [
            "arxiv:2401.10230  exclude: withdrawn → decided by ada (was: cakes only)",
            "p-0123456789  remark: withdrawn → decided by ada (was: Read it.)",
            "doi:10.9999/bread.1  key: withdrawn → decided by ada (was: yes)",
        ]
    )
    for act in ("exclude", "remark", "key"):
        assert len(given.editorial(act, {})) == 1
        assert taken_up.ledger.editorial(act, {}) == {}
    again = take(sheet(*rows), ledger=taken_up.ledger, today="2025-06-12")
    assert (again.has_changes, again.refused) == (False, ())


def test_notes_that_go_with_no_decision_add_up() -> None:
    ledger = Ledger()
    for note in ("ask Bob", "ask Carol", "ask Bob"):
        ledger = take(sheet(cells(note=note)), ledger=ledger).ledger
    assert days(ledger) == snapshot(
        ["2025-06-10 ada note ask Bob", "2025-06-10 ada note ask Carol"]
    )


def test_columns_that_are_not_ours_stay() -> None:
    ledger = Ledger((replace(TOPIC, reviewed_on=TODAY, further=("blue",)),), ("colour",))
    taken_up = take(sheet(cells(review_topics="dough; ovens")), ledger=ledger)
    assert {entry.value: entry.further for entry in taken_up.ledger.entries} == {
        "dough": ("blue",),
        "ovens": ("",),
    }


def test_who_adjudicates_the_labels_of_an_excluded_paper_keeps_it() -> None:
    excluded = take(sheet(cells(exclude="cakes only")), reviewer="ada").ledger
    settled = take(sheet(cells(verdict="ok")), ledger=excluded, reviewer="adjudicated")
    assert settled.ledger.editorial("exclude", {}) == {}
    assert "exclude: withdrawn → decided by adjudicated" in str(settled.answers[-1])
