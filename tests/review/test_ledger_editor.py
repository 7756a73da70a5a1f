"""Answers become rows of the ledger; a repeated answer adds none."""

from __future__ import annotations

from dataclasses import replace

from inline_snapshot import snapshot

from classifier.review.ledger import Entry, Ledger
from classifier.taxonomy.versions import Versions, with_current
from tests.review.bakery import BAKERY, CLAY, RYE, TASTES, TODAY, apply_sheet, cells, decided, sheet

TOPIC = Entry(
    RYE, "Rye at Rest", "topic", "dough", True, "ada", "2025-06-01", "audit", BAKERY.digest, ""
)


def days(ledger: Ledger) -> list[str]:
    return sorted(f"{e.reviewed_on} {e.reviewer} {e.facet} {e.value}" for e in ledger.entries)


def test_a_decision_records_reviewer_date_selection_and_taxonomy() -> None:
    row = cells(review_topics="dough/rye", reviewer=" bo ", note="two\nlines")
    applied = apply_sheet(sheet(row | {"drawn_by": "Audit"}))
    common = ("bo", TODAY, "audit", BAKERY.digest, "two lines")
    assert sorted(applied.ledger.entries) == [
        Entry(RYE, "Rye at Rest", "topic", "dough", True, *common),
        Entry(RYE, "Rye at Rest", "topic", "dough/rye", False, *common),
    ]


def test_a_row_without_selection_is_drawn_by_volunteer() -> None:
    (entry,) = apply_sheet(sheet(cells(review_kind="guide"))).ledger.entries
    assert (entry.reviewer, entry.drawn_by) == ("ada", "volunteer")


def test_a_row_without_reviewer_is_refused() -> None:
    applied = apply_sheet(sheet(cells(verdict="ok")), reviewer="")
    assert [str(cell) for cell in applied.refused] == snapshot(
        [
            "out/labels.csv: row 2, reviewer: found an empty cell; expected the name of the reviewer. Write your name there, or use --reviewer NAME."
        ]
    )


def test_a_repeated_answer_is_already_in_the_ledger() -> None:
    applied = apply_sheet(sheet(cells(review_topics="dough")), ledger=Ledger((TOPIC,)))
    assert applied.ledger.entries == (TOPIC,)
    assert not applied.has_changes
    assert [str(each) for each in applied.answers] == snapshot(
        ["row 2  arxiv:2401.10230  topic: dough → already in the ledger"]
    )


def test_answers_of_other_days_and_reviewers_are_kept() -> None:
    rows = [cells(review_topics="ovens"), cells(review_topics="dough", reviewer="bo")]
    applied = apply_sheet(sheet(*rows), ledger=Ledger((TOPIC,)))
    assert days(applied.ledger) == [
        "2025-06-01 ada topic dough",
        "2025-06-10 ada topic ovens",
        "2025-06-10 bo topic dough",
    ]


def test_a_later_answer_of_the_same_day_replaces_the_first() -> None:
    first = apply_sheet(sheet(cells(review_topics="dough; taste", note="hm"))).ledger
    applied = apply_sheet(sheet(cells(review_topics="ovens", note="sure")), ledger=first)
    assert decided(applied) == {"topic": "ovens*"}
    assert [entry.note for entry in applied.ledger.entries] == ["hm; sure"]
    assert str(applied.answers[0]).endswith(
        "topic: ovens → decided by ada (replaces today's: dough; taste)"
    )


def test_a_decision_dated_tomorrow_does_not_win_over_a_new_answer() -> None:
    ahead = replace(TOPIC, reviewed_on="2025-06-11")
    applied = apply_sheet(sheet(cells(review_topics="ovens")), ledger=Ledger((ahead,)))
    assert days(applied.ledger) == ["2025-06-11 ada topic ovens"]


def test_rows_with_an_older_id_count_for_the_same_paper() -> None:
    older = replace(TOPIC, id="p-aaaaaaaaaa", title="An Oven of Clay", reviewed_on=TODAY)
    applied = apply_sheet(sheet(cells(CLAY, review_topics="ovens")), ledger=Ledger((older,)))
    assert [(entry.id, entry.value) for entry in applied.ledger.entries] == [(CLAY, "ovens")]


def test_an_equal_answer_under_a_taxonomy_with_more_categories_is_new() -> None:
    known = with_current(Versions(), BAKERY).known
    old = {("0123456789ab", facet): ids - {"taste"} for (_, facet), ids in known.items()}
    ledger = Ledger((replace(TOPIC, taxonomy_digest="0123456789ab"),))
    row = sheet(cells(review_topics="dough"))
    applied = apply_sheet(row, ledger=ledger, versions=Versions(old))
    assert [entry.taxonomy_digest for entry in sorted(applied.ledger.entries)] == [
        "0123456789ab",
        BAKERY.digest,
    ]
    assert not apply_sheet(row, ledger=applied.ledger, versions=Versions(old)).has_changes


def test_a_doubtful_decision_is_confirmed_once() -> None:
    row = cells(review_topics="dough") | {"drawn_by": "queue", "status": "reviewed"}
    confirmed = apply_sheet(sheet(row), ledger=Ledger((TOPIC,)))
    assert days(confirmed.ledger) == ["2025-06-01 ada topic dough", "2025-06-10 ada topic dough"]
    for day in (TODAY, "2025-07-01"):
        assert not apply_sheet(sheet(row), ledger=confirmed.ledger, today=day).has_changes


def test_only_existing_editorial_acts_can_be_withdrawn() -> None:
    rows = [
        cells(RYE, exclude="cakes only"),
        cells(CLAY, remark="Read it."),
        cells(TASTES, verdict="key"),
    ]
    given = apply_sheet(sheet(*rows)).ledger
    rows = [
        cells(RYE, exclude="keep"),
        cells(CLAY, remark="Withdraw."),
        cells(TASTES, verdict="not key"),
    ]
    applied = apply_sheet(sheet(*rows), ledger=given, today="2025-06-12")
    assert [str(each).partition("  ")[2] for each in applied.answers] == snapshot(
        [
            "arxiv:2401.10230  exclude: withdrawn → decided by ada (was: cakes only)",
            "p-0123456789  remark: withdrawn → decided by ada (was: Read it.)",
            "doi:10.9999/bread.1  key: withdrawn → decided by ada (was: yes)",
        ]
    )
    for act in ("exclude", "remark", "key"):
        assert len(given.editorial(act, {})) == 1
        assert applied.ledger.editorial(act, {}) == {}
    again = apply_sheet(sheet(*rows), ledger=applied.ledger, today="2025-06-12")
    assert (again.has_changes, again.refused) == (False, ())


def test_notes_without_a_decision_are_all_kept() -> None:
    ledger = Ledger()
    for note in ("ask Bob", "ask Carol", "ask Bob"):
        ledger = apply_sheet(sheet(cells(note=note)), ledger=ledger).ledger
    assert days(ledger) == snapshot(
        ["2025-06-10 ada note ask Bob", "2025-06-10 ada note ask Carol"]
    )


def test_unknown_columns_of_the_ledger_stay() -> None:
    ledger = Ledger((replace(TOPIC, reviewed_on=TODAY, further=("blue",)),), ("colour",))
    applied = apply_sheet(sheet(cells(review_topics="dough; ovens")), ledger=ledger)
    assert {entry.value: entry.further for entry in applied.ledger.entries} == {
        "dough": ("blue",),
        "ovens": ("",),
    }


def test_adjudicated_labels_of_an_excluded_paper_keep_it_in_the_survey() -> None:
    excluded = apply_sheet(sheet(cells(exclude="cakes only")), reviewer="ada").ledger
    settled = apply_sheet(sheet(cells(verdict="ok")), ledger=excluded, reviewer="adjudicated")
    assert settled.ledger.editorial("exclude", {}) == {}
    assert "exclude: withdrawn → decided by adjudicated" in str(settled.answers[-1])
