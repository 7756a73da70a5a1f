"""`ok` approves only labels that Fieldguide wrote."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.review.sheet import checksum, label_columns, with_checksum
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, with_current
from tests.review.bakery import BAKERY, CLAY, RYE, TASTES, apply_sheet, cells, decided, sheet

DROPPED = "verdict: found 'ok' in a row whose labels or taxonomy were changed; expected 'ok' next to the labels that Fieldguide wrote, with their columns and `why`. Write the right labels into the review_ columns, or use a new sheet. If the taxonomy was changed, you can undo that, apply the sheet, and change the taxonomy again."


def without(row: dict[str, str], *names: str) -> dict[str, str]:
    return {name: cell for name, cell in row.items() if name not in names}


@pytest.mark.parametrize("dropped", ["why", "primary", "topics", "kind"])
def test_a_deleted_column_makes_ok_invalid_but_not_a_full_list(dropped: str) -> None:
    applied = apply_sheet(
        sheet(
            without(cells(RYE, verdict="ok"), dropped),
            without(cells(CLAY, review_topics="ovens", review_kind="guide"), dropped),
        )
    )
    assert [str(cell) for cell in applied.refused] == [f"out/labels.csv: row 2, {DROPPED}"]
    assert decided(applied, CLAY) == {"topic": "ovens*", "kind": "guide"}


def test_add_without_proven_labels_is_refused() -> None:
    row = without(cells(review_topics="add ovens", review_primary="taste"), "why")
    (cell,) = apply_sheet(sheet(row)).refused
    assert str(cell).partition(", ")[2] == (
        snapshot(
            "review_topics: found a change to labels that Fieldguide did not write; expected the full list in review_topics. Or use a new sheet."
        )
    )


@pytest.mark.parametrize(
    "filled", [{}, {"review_topics": "ovens"}, {"review_topics": "add ovens"}, {"verdict": "ok"}]
)
def test_a_row_with_overwritten_labels_is_refused(filled: dict[str, str]) -> None:
    rows = [cells(RYE), cells(CLAY) | {"topics": "dough"} | filled]
    applied = apply_sheet(sheet(*rows))
    assert applied.answers == ()
    assert [str(cell) for cell in applied.refused] == snapshot(
        [
            "out/labels.csv: row 3, primary to flour: found changed labels; expected the labels that the build wrote. Restore the cells, and write corrections into the review_ columns."
        ]
    )


def test_a_sheet_of_an_unknown_taxonomy_accepts_only_full_lists() -> None:
    old = Taxonomy.model_validate(
        BAKERY.model_dump()
        | {"facets": {"topic": BAKERY.facets["topic"].model_dump(exclude={"id"})}}
    )
    rows = [
        cells(RYE, old, review_topics="ovens"),
        cells(CLAY, old),
        cells(TASTES, old, verdict="ok"),
    ]
    applied = apply_sheet(sheet(*rows))
    assert decided(applied, RYE) == {"topic": "ovens*"}
    assert [str(cell) for cell in applied.refused] == [f"out/labels.csv: row 4, {DROPPED}"]


def test_a_sheet_of_a_recorded_taxonomy_keeps_its_digest() -> None:
    old = Taxonomy.model_validate(
        BAKERY.model_dump()
        | {"facets": {"topic": BAKERY.facets["topic"].model_dump(exclude={"id"})}}
    )
    versions = with_current(Versions(), old)
    rows = sheet(cells(RYE, old, verdict="ok"))
    applied = apply_sheet(rows, versions=versions, earlier=[old.digest])
    assert decided(applied) == {"topic": "dough*; taste"}
    assert applied.ledger.digests == {old.digest}


def test_a_facet_may_be_removed_while_a_sheet_is_filled() -> None:
    facets = {name: each.model_dump(exclude={"id"}) for name, each in BAKERY.facets.items()}
    new = Taxonomy.model_validate(
        BAKERY.model_dump() | {"facets": {name: facets[name] for name in ("topic", "flour")}}
    )
    versions = with_current(Versions(), BAKERY)
    applied = apply_sheet(
        sheet(cells(verdict="ok")), taxonomy=new, versions=versions, earlier=[BAKERY.digest]
    )
    assert decided(applied) == {"topic": "dough*; taste", "flour": "wheat"}


def test_a_removed_category_cannot_be_approved() -> None:
    row = cells(verdict="ok") | {"topics": "dough; crumbs"}
    row["why"] = with_checksum("", checksum(row, label_columns(BAKERY), BAKERY.digest))
    (cell,) = apply_sheet(sheet(row)).refused
    assert str(cell).partition(", ")[2] == (
        snapshot(
            "verdict: found the label 'crumbs', which the taxonomy no longer has; expected categories of facet topic. Write the full list into review_topics."
        )
    )


def test_the_checksum_of_an_older_id_is_valid() -> None:
    applied = apply_sheet(sheet(cells("p-aaaaaaaaaa", verdict="ok")))
    assert decided(applied, CLAY)["kind"] == "trial"


def test_labels_that_were_typed_into_the_label_columns_of_a_blind_row_are_refused() -> None:
    bare = dict.fromkeys(cells(), "") | {"id": RYE, "drawn_by": "audit"}
    applied = apply_sheet(sheet(bare | {"primary": "dough", "kind": "trial"}))
    assert [str(cell) for cell in applied.refused] == snapshot(
        [
            "out/labels.csv: row 2, primary: found 'dough'; expected an empty cell, since the sheet hides labels. Move it to review_primary.",
            "out/labels.csv: row 2, kind: found 'trial'; expected an empty cell, since the sheet hides labels. Move it to review_kind.",
        ]
    )


def test_a_blind_row_accepts_a_primary_alone_and_no_ok() -> None:
    bare = dict.fromkeys(cells(), "") | {"id": RYE, "drawn_by": "audit"}
    applied = apply_sheet(sheet(bare | {"review_primary": "dough/rye"}))
    assert decided(applied) == {"topic": "dough*; dough/rye"}
    assert str(applied.answers[0]).endswith("→ decided by ada (the only topic given)")
    assert {entry.drawn_by for entry in applied.ledger.entries} == {"audit"}
    (refused,) = apply_sheet(sheet(bare | {"verdict": "ok"})).refused
    assert str(refused).partition(", ")[2] == (
        snapshot(
            "verdict: found 'ok' in a row without labels; expected labels to approve. Write the right labels into the review_ columns."
        )
    )
    (refused,) = apply_sheet(sheet(bare | {"review_topics": "add dough"})).refused
    assert refused.column == "review_topics"
