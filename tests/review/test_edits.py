"""What was typed into a sheet is told from what a spreadsheet does to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from classifier.errors import InputError
from classifier.review.sheet import checksum, label_columns, with_checksum
from classifier.review.sheet_check import Built, built_cells, pending_edits
from classifier.review.sheet_file import sheet_file_bytes
from classifier.taxonomy.model import Taxonomy

RYE = {
    "id": "arxiv:2401.10230",
    "title": "=Rye → at Night",
    "year": "2024",
    "url": "https://bread.example/1",
    "status": "provisional",
    "confidence": "0.70",
    "primary": "dough",
    "topics": "dough; taste",
    "kind": "trial",
}
STEAM = {**RYE, "id": "p-1", "title": "Steam", "primary": "ovens", "topics": "ovens", "kind": ""}
HUMAN = (
    "verdict", "review_primary", "review_topics", "review_kind", "exclude", "remark", "note",
)  # fmt: skip
BUILT: Built = {
    row["id"]: {name: cell for name, cell in row.items() if name != "id"} for row in (RYE, STEAM)
}
Known = Callable[[], Built | None]
BOTH = pytest.mark.parametrize("built", [BUILT, None], ids=["by the build", "by the seal"])


def sealed(taxonomy: Taxonomy, *rows: dict[str, str], digest: str = "") -> list[dict[str, str]]:
    """The rows as the machine writes them."""
    names, digest = label_columns(taxonomy), digest or taxonomy.digest
    return [
        {**row, "why": with_checksum("“sour” +1.9", checksum(row, names, digest))} for row in rows
    ]


def edited(
    tmp_path: Path, taxonomy: Taxonomy, rows: list[dict[str, str]], built: Built | None
) -> list[str]:
    """Return the ids of the rows that count as edited."""
    path = tmp_path / "labels.csv"
    path.write_bytes(sheet_file_bytes(taxonomy, rows))
    return [row.cells["id"] for row in pending_edits(path, taxonomy, built)]


@BOTH
def test_a_sheet_as_it_was_written_holds_no_edit(
    tmp_path: Path, taxonomy: Taxonomy, built: Built | None
) -> None:
    assert pending_edits(tmp_path / "labels.csv", taxonomy, built) == []
    rows = sealed(taxonomy, RYE, STEAM)
    assert edited(tmp_path, taxonomy, rows, built) == []
    assert edited(tmp_path, taxonomy, rows[1:], built) == []
    rows[0] |= {"note": "  ", "reviewer": "ada"}
    assert edited(tmp_path, taxonomy, rows[::-1], built) == []


def test_papers_that_are_left_out_of_the_survey_are_told_by_their_seals(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    rows = sealed(taxonomy, RYE, STEAM)
    built = {RYE["id"]: BUILT[RYE["id"]]}
    assert edited(tmp_path, taxonomy, rows, built) == []
    rows[1]["primary"] = "taste"
    assert edited(tmp_path, taxonomy, rows, built) == ["p-1"]


@BOTH
@pytest.mark.parametrize("column", HUMAN)
def test_anything_in_a_human_cell_is_an_edit(
    tmp_path: Path, taxonomy: Taxonomy, built: Built | None, column: str
) -> None:
    rows = sealed(taxonomy, RYE, STEAM)
    rows[1][column] = "0"
    assert edited(tmp_path, taxonomy, rows, built) == ["p-1"]


@BOTH
@pytest.mark.parametrize("change", [{"primary": "taste"}, {"kind": "guide"}, {"topics": ""}])
def test_changed_labels_are_an_edit(
    tmp_path: Path, taxonomy: Taxonomy, built: Built | None, change: dict[str, str]
) -> None:
    rows = sealed(taxonomy, RYE, STEAM)
    rows[1] |= change
    assert edited(tmp_path, taxonomy, rows, built) == ["p-1"]


@pytest.mark.parametrize(
    ("column", "cell", "is_edit"),
    [
        ("title", "Steam, briefly", True),
        ("title", " Steam ", False),
        ("title", "", False),
        ("url", "https://bread.example/2", True),
        ("url", "", False),
        ("year", "2025", True),
        ("status", "done", True),
        ("confidence", "0.7", False),
        ("confidence", "0,7", False),
        ("confidence", "0.9", True),
        ("confidence", "too low", True),
        ("id", "p-2", True),
        ("id", "", True),
    ],
)
def test_other_cells_of_the_machine_are_compared_with_the_last_build(
    tmp_path: Path, taxonomy: Taxonomy, column: str, cell: str, is_edit: bool
) -> None:
    rows = sealed(taxonomy, RYE, STEAM)
    rows[1][column] = cell
    assert edited(tmp_path, taxonomy, rows, BUILT) == ([rows[1]["id"]] if is_edit else [])


@BOTH
def test_what_has_no_column_of_ours_is_an_edit(
    tmp_path: Path, taxonomy: Taxonomy, built: Built | None
) -> None:
    path = tmp_path / "labels.csv"
    plain, other = sealed(taxonomy, RYE, STEAM)
    for rows, further in (
        ([plain, other], ()),
        ([plain, {**other, "mine": "x"}], ("mine",)),
        ([plain, {**other, "": "x"}], ("",)),
        ([{**plain, "drawn_by": "audit"}, {**other, "drawn_by": "audit"}], ("drawn_by",)),
    ):
        path.write_bytes(sheet_file_bytes(taxonomy, rows, further_columns=further))
        found = [row.row for row in pending_edits(path, taxonomy, built)]
        assert found == ([3] if b"x\n" in path.read_bytes() else [])


@BOTH
def test_a_row_that_somebody_added_is_an_edit(
    tmp_path: Path, taxonomy: Taxonomy, built: Built | None
) -> None:
    rows = [*sealed(taxonomy, RYE), {"id": "p-9", "title": "A paper of mine"}]
    assert edited(tmp_path, taxonomy, rows, built) == ["p-9"]


def test_a_character_that_an_encoding_does_not_know_was_not_typed(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    path = tmp_path / "labels.csv"
    text = sheet_file_bytes(taxonomy, sealed(taxonomy, RYE)).decode()
    path.write_bytes(text.encode("cp1252", "replace"))
    assert b"Rye ? at Night" in path.read_bytes()
    assert pending_edits(path, taxonomy, BUILT) == []
    path.write_bytes(text.replace("Rye", "Tye").encode("cp1252", "replace"))
    assert len(pending_edits(path, taxonomy, BUILT)) == 1


def test_seals_of_another_taxonomy_tell_nothing(tmp_path: Path, taxonomy: Taxonomy) -> None:
    rows = sealed(taxonomy, RYE, STEAM, digest="0123456789ab")
    assert edited(tmp_path, taxonomy, rows, None) == []
    rows[0]["why"] = "I do not agree."
    assert edited(tmp_path, taxonomy, rows, None) == [RYE["id"]]


def test_a_taken_up_row_is_no_edit_where_somebody_deleted_the_column_confidence(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    (row,) = sealed(taxonomy, {**RYE, "status": "reviewed", "primary": "taste"})
    path = tmp_path / "labels.csv"
    lines = sheet_file_bytes(taxonomy, [row]).decode().splitlines()
    place = lines[0].split(",").index("confidence")
    cells = [line.split(",") for line in lines]
    path.write_text("\n".join(",".join(c[:place] + c[place + 1 :]) for c in cells))
    assert pending_edits(path, taxonomy, BUILT) == []


def test_facets_that_are_gone_are_no_columns_of_a_person(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    path = tmp_path / "labels.csv"
    rows = [{**row, "grain": "rye", "review_grain": ""} for row in sealed(taxonomy, RYE)]
    path.write_bytes(sheet_file_bytes(taxonomy, rows, further_columns=("grain", "review_grain")))
    built = {RYE["id"]: {**BUILT[RYE["id"]], "grain": "rye"}}
    assert pending_edits(path, taxonomy, built) == []
    rows[0]["review_grain"] = "wheat"
    path.write_bytes(sheet_file_bytes(taxonomy, rows, further_columns=("grain", "review_grain")))
    assert len(pending_edits(path, taxonomy, built)) == 1


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04\0\0 a workbook", b"id,note\n1,Br\xc3\xb6t P\xc3\n", b"", b"\x1f\x8b\x08"]
)
def test_a_sheet_that_cannot_be_read_is_not_taken_for_unedited(
    tmp_path: Path, taxonomy: Taxonomy, data: bytes
) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(data)
    with pytest.raises(InputError):
        pending_edits(path, taxonomy)


def test_what_the_last_build_wrote_stands_in_its_papers_json(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    path = tmp_path / "papers.json"
    topic = {
        "categories": ["dough", "taste"],
        "primary": "dough",
        "confidence": 0.7012,
        "status": "provisional",
    }
    kind = {"categories": ["trial"], "primary": "trial", "confidence": 1, "status": "reviewed"}
    paper = {
        "id": RYE["id"],
        "title": RYE["title"],
        "published": "2024-05",
        "url": RYE["url"],
        "abstract": "Rye  rests.",
        "labels": {"kind": kind, "topic": topic},
    }
    path.write_text(json.dumps([paper]), encoding="utf-8")
    (built,) = (built_cells(path, taxonomy) or {}).values()
    assert built.items() >= {**BUILT[RYE["id"]], "abstract": "Rye rests."}.items()
    for text in ("[1]", "{}", '[{"id": 1}]', "[" * 100_000, '{"id'):
        path.write_text(text, encoding="utf-8")
        assert not built_cells(path, taxonomy), text
    assert built_cells(tmp_path / "none.json", taxonomy) is None
