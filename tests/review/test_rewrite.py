"""A row that was taken up shows the decision; all else in it stays."""

from __future__ import annotations

from classifier.files.table import Row
from classifier.review.sheet import without_checksum
from tests.review.bakery import CLAY, RYE, cells, decided, sheet, take


def after(row: dict[str, str]) -> dict[str, str]:
    (rows,) = take(sheet(row)).rows
    return dict(rows[2].cells)


def test_it_shows_the_decision_and_its_human_cells_are_empty() -> None:
    row = cells(review_topics="ovens; dough/rye", reviewer="bo", note="hm") | {"mine": "blue"}
    found = after(row)
    changed = {name: cell for name, cell in found.items() if cell != row[name]}
    assert without_checksum(changed.pop("why")) == "decided by bo"
    assert changed == {
        "primary": "ovens",
        "topics": "ovens; dough; dough/rye",
        "status": "reviewed",
        "confidence": "1.00",
        "review_topics": "",
        "reviewer": "",
        "note": "",
    }


def test_a_further_facet_says_nothing_of_the_first() -> None:
    row = cells(review_kind="guide")
    found = after(row)
    assert (found["kind"], found["status"], found["confidence"]) == ("guide", "confident", "0.81")
    assert without_checksum(found["why"]) == without_checksum(row["why"])


def test_an_act_leaves_the_labels_alone() -> None:
    row = cells(exclude="cakes only")
    assert after(row) == row | {"exclude": ""}


def test_a_row_to_adjudicate_stays_one() -> None:
    assert after(cells(review_kind="guide", reviewer="adjudicated"))["reviewer"] == "adjudicated"


def test_it_is_sealed_so_that_it_can_be_approved_again() -> None:
    found = after(cells(review_kind="guide", review_topics="ovens", review_flour=""))
    taken_up = take(sheet(found | {"verdict": "ok", "reviewer": "bo"}))
    assert taken_up.refused == ()
    assert decided(taken_up) == {"topic": "ovens*", "kind": "guide"}


def test_it_is_not_sealed_where_it_shows_labels_of_nobody() -> None:
    bare = cells(review_topics="ovens") | {"why": ""}
    assert after(bare)["why"] == "decided by ada"
    whole = {"review_topics": "dough", "review_kind": "guide", "review_flour": "spelt"}
    found = after(cells(**whole) | {"why": ""})
    assert take(sheet(found | {"verdict": "ok", "reviewer": "bo"})).refused == ()


def test_columns_that_the_sheet_lacks_are_not_added() -> None:
    row = {"id": RYE, "review_topics": "ovens"}
    assert after(row) == {"id": RYE, "review_topics": ""}


def test_a_refused_row_and_cells_behind_the_last_column_stay() -> None:
    taken_up = take(sheet(cells(RYE, verdict="x"), cells(CLAY, verdict="ok")))
    assert [set(rows) for rows in taken_up.rows] == [{3}]
    extra = sheet(cells(RYE, verdict="ok"))
    row = Row(2, extra.rows[0].cells, ("stray",), 2)
    (rows,) = take(type(extra)(extra.path, extra.shown, extra.columns, (row,))).rows
    assert rows[2].extra == ("stray",)
