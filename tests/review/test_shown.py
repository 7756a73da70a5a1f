"""`ok` approves what Fieldguide wrote, and nothing else."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.review.sheet import checksum, label_columns, with_checksum
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, with_current
from tests.review.bakery import BAKERY, CLAY, RYE, TASTES, cells, decided, sheet, take

DROPPED = "verdict: found 'ok' in a row whose label columns were deleted or changed; expected 'ok' next to the labels that Fieldguide wrote, with their columns and `why`. Write what is right into the review_ columns, or use a new sheet."


def without(row: dict[str, str], *names: str) -> dict[str, str]:
    return {name: cell for name, cell in row.items() if name not in names}


@pytest.mark.parametrize("dropped", ["why", "primary", "topics", "kind"])
def test_a_dropped_column_takes_the_ok_but_no_full_list(dropped: str) -> None:
    taken_up = take(
        sheet(
            without(cells(RYE, verdict="ok"), dropped),
            without(cells(CLAY, review_topics="ovens", review_kind="guide"), dropped),
        )
    )
    assert [str(cell) for cell in taken_up.refused] == [f"out/labels.csv: row 2, {DROPPED}"]
    assert decided(taken_up, CLAY) == {"topic": "ovens*", "kind": "guide"}


def test_a_change_to_labels_that_are_not_shown_is_refused() -> None:
    row = without(cells(review_topics="add ovens", review_primary="taste"), "why")
    (cell,) = take(sheet(row)).refused
    assert str(cell).partition(", ")[2] == (
        snapshot(
            "review_topics: found a change to labels that Fieldguide did not write; expected the full list in review_topics. Or use a new sheet."
        )
    )


@pytest.mark.parametrize(
    "filled", [{}, {"review_topics": "ovens"}, {"review_topics": "add ovens"}, {"verdict": "ok"}]
)
def test_nothing_of_a_row_is_taken_whose_labels_were_typed_over(filled: dict[str, str]) -> None:
    rows = [cells(RYE), cells(CLAY) | {"topics": "dough"} | filled]
    taken_up = take(sheet(*rows))
    assert taken_up.answers == ()
    assert [str(cell) for cell in taken_up.refused] == snapshot(
        [
            "out/labels.csv: row 3, primary, topics, kind, flour: found labels that do not fit the checksum in `why`; expected the labels of the build. Restore the cells, and write corrections into the review_ columns."
        ]
    )


def test_a_sheet_of_a_taxonomy_that_nothing_records_takes_full_lists_only() -> None:
    old = Taxonomy.model_validate(
        BAKERY.model_dump()
        | {"facets": {"topic": BAKERY.facets["topic"].model_dump(exclude={"id"})}}
    )
    rows = [
        cells(RYE, old, review_topics="ovens"),
        cells(CLAY, old),
        cells(TASTES, old, verdict="ok"),
    ]
    taken_up = take(sheet(*rows))
    assert decided(taken_up, RYE) == {"topic": "ovens*"}
    assert [str(cell) for cell in taken_up.refused] == [f"out/labels.csv: row 4, {DROPPED}"]


def test_a_sheet_of_a_recorded_taxonomy_is_taken_under_its_digest() -> None:
    old = Taxonomy.model_validate(
        BAKERY.model_dump()
        | {"facets": {"topic": BAKERY.facets["topic"].model_dump(exclude={"id"})}}
    )
    versions = with_current(Versions(), old)
    rows = sheet(cells(RYE, old, verdict="ok"))
    taken_up = take(rows, versions=versions, earlier=[old.digest])
    assert decided(taken_up) == {"topic": "dough*; taste"}
    assert taken_up.ledger.digests == {old.digest}


def test_a_label_that_the_taxonomy_lost_cannot_be_approved() -> None:
    row = cells(verdict="ok") | {"topics": "dough; crumbs"}
    row["why"] = with_checksum("", checksum(row, label_columns(BAKERY), BAKERY.digest))
    (cell,) = take(sheet(row)).refused
    assert str(cell).partition(", ")[2] == (
        snapshot(
            "verdict: found the label 'crumbs', which the taxonomy does not have any more; expected categories of facet topic. Write the full list into review_topics."
        )
    )


def test_the_seal_of_an_older_id_fits() -> None:
    taken_up = take(sheet(cells("p-aaaaaaaaaa", verdict="ok")))
    assert decided(taken_up, CLAY)["kind"] == "trial"


def test_a_row_that_was_drawn_without_labels_is_blank_and_takes_a_primary_alone() -> None:
    bare = dict.fromkeys(cells(), "") | {"id": RYE, "drawn_by": "audit"}
    taken_up = take(sheet(bare | {"review_primary": "dough/rye"}))
    assert decided(taken_up) == {"topic": "dough*; dough/rye"}
    assert str(taken_up.answers[0]).endswith("→ decided by ada (the only topic given)")
    assert {entry.drawn_by for entry in taken_up.ledger.entries} == {"audit"}
    (refused,) = take(sheet(bare | {"verdict": "ok"})).refused
    assert str(refused).partition(", ")[2] == (
        snapshot(
            "verdict: found 'ok' in a row that shows no label; expected labels to approve. Write what is "
            "right into the review_ columns."
        )
    )
    (refused,) = take(sheet(bare | {"review_topics": "add dough"})).refused
    assert refused.column == "review_topics"
