"""Files are labelled with a project's model: one row per distinct paper, in input order."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.commands.label import check_output, label_to
from classifier.errors import OutputError, PendingEditsError, UsageError
from classifier.project import Project
from classifier.review.sheet_file import read_sheet
from classifier.scale.run import LabelOptions

BREAD = Project(Path(__file__).resolve().parents[1] / "golden" / "project")

NEW = (
    {"title": "Steam and Rye", "abstract": "We compare ovens with and without steam."},
    {"title": "Wild Yeast on Grapes"},
    {"title": "Measuring Crumb Firmness Through the Crust", "abstract": "Proposes a method."},
    {"title": "steam and rye", "year": 2020},
)


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """Three distinct papers in four records; the project knows the third."""
    return write(tmp_path / "new.jsonl", *NEW)


def label(*sources: Path, project: Project = BREAD, **options: object) -> bytes:
    """Return the labels of some files as CSV."""
    stream = io.BytesIO()
    label_to(stream, project, sources, LabelOptions(workers=1, **options))  # type: ignore[arg-type]
    return stream.getvalue()


def rows(*sources: Path, **options: object) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(label(*sources, **options).decode())))  # type: ignore[arg-type]


def label_file(path: Path, new: Path) -> None:
    label_to(path, BREAD, [new], LabelOptions(workers=1))


def test_one_row_per_distinct_paper_in_input_order(tmp_path: Path, new: Path) -> None:
    other = write(tmp_path / "a.jsonl", {"title": "Biscuits"}, NEW[1])
    titles = [[row["title"] for row in rows(*files)] for files in ([other, new], [new, other])]
    assert titles[0] == ["Biscuits", "Wild Yeast on Grapes", "Steam and Rye", NEW[2]["title"]]
    assert titles[1] == ["Steam and Rye", "Wild Yeast on Grapes", NEW[2]["title"], "Biscuits"]


def test_the_model_never_learns_from_what_it_labels(tmp_path: Path, new: Path) -> None:
    many = write(tmp_path / "many.jsonl", *({"title": f"Steam {n}"} for n in range(30)), NEW[0])
    assert rows(new)[0] == rows(many)[-1]


def test_a_decision_in_the_ledger_wins(new: Path) -> None:
    decided = rows(new)[2]
    told = decided["topics"], decided["status"], decided["confidence"]
    assert told == ("ovens; keeping", "reviewed", "1.00")


def test_another_ledger_replaces_the_projects(tmp_path: Path, new: Path) -> None:
    header = BREAD.ledger_file.read_text(encoding="utf-8").splitlines()[0]
    ledger = tmp_path / "reviews.csv"
    title = "Measuring Crumb Firmness Through the Crust"
    ledger.write_text(
        f"{header}\np-0278e58e9a,{title},topic,flour,yes,ada,2025-06-01,audit,,\n", encoding="utf-8"
    )
    decided = rows(new, reviews=ledger)[2]
    assert (decided["topics"], decided["status"]) == ("flour", "reviewed")


def test_a_missing_ledger_is_a_usage_error(tmp_path: Path, new: Path) -> None:
    with pytest.raises(UsageError, match="no such file; --reviews expects a ledger like"):
        label(new, reviews=tmp_path / "none.csv")


# --- formats --------------------------------------------------------------------------------------


def test_json_lines_have_every_key_and_category(new: Path, tmp_path: Path) -> None:
    label_file(tmp_path / "labels.jsonl", new)
    records = map(json.loads, (tmp_path / "labels.jsonl").read_text("utf-8").splitlines())
    for record in records:
        assert list(record) == [
            "id",
            "title",
            "primary",
            "topics",
            "contribution",
            "fed_by",
            "confidence",
            "status",
            "scores",
        ]
        assert isinstance(record["primary"], str)
        assert isinstance(record["contribution"], str)
        assert record["topics"][0] == record["primary"]
        assert 0 <= record["confidence"] <= 1
        assert record["status"] in ("reviewed", "confident", "provisional")
        asked = ["fed_by"] if "sourdough" in record["topics"] else []
        assert list(record["scores"]) == ["topic", "contribution", *asked]
        assert isinstance(record["fed_by"], list)
        assert set(record["scores"]["topic"]) == {"sourdough", "flour", "ovens", "keeping", "other"}
        assert set(record["scores"]["contribution"]) == {"method", "study", "survey"}
        assert all(0 <= p <= 1 for scores in record["scores"].values() for p in scores.values())


CONTRACT = (
    "id,title,year,url,status,confidence,primary,topics,contribution,fed_by,why,"
    "verdict,review_primary,review_topics,review_contribution,review_fed_by,"
    "exclude,remark,reviewer,note"
).split(",")
"""The columns of a sheet that scripts may count on; what is new stands behind them."""


def test_csv_has_the_columns_of_the_sheet_and_empty_reviewer_cells(new: Path) -> None:
    found = rows(new)
    assert list(found[0])[: len(CONTRACT)] == CONTRACT
    assert found[2]["topics"] == "ovens; keeping"
    assert {row[column] for row in found for column in CONTRACT[CONTRACT.index("verdict") :]} == {
        ""
    }
    assert found[0]["abstract"] == snapshot("We compare ovens with and without steam.")


def test_parquet_and_a_workbook_have_the_same_content_as_csv(new: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for ending in ("csv", "xlsx", "parquet"):
        label_file(tmp_path / f"labels.{ending}", new)
    assert parquet.read_table(tmp_path / "labels.parquet").to_pylist() == rows(new)
    sheet, book = (read_sheet(tmp_path / name) for name in ("labels.csv", "labels.xlsx"))
    assert sheet.columns == book.columns
    for row, same in zip(sheet.rows, book.rows, strict=True):  # a workbook holds numbers
        assert float(row.cells.pop("confidence")) == float(same.cells.pop("confidence"))
        assert row.cells == same.cells


@pytest.mark.parametrize("name", ["labels", "labels.txt", "labels.xls", "labels.CSV.gz"])
def test_an_unknown_ending_is_a_usage_error(name: str, new: Path, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(UsageError) as error:
        label_file(path, new)
    found = f"ending '{path.suffix}'" if path.suffix else "no ending"
    assert str(error.value) == (
        f"{path}: found {found}; expected one of .csv, .xlsx, .jsonl, .parquet."
    )
    assert not path.exists()


def test_a_missing_folder_is_reported(new: Path, tmp_path: Path) -> None:
    path = tmp_path / "none" / "labels.csv"
    with pytest.raises(OutputError) as error:
        label_file(path, new)
    assert str(error.value) == f"{path}: cannot be written (No such file or directory)."


def test_a_filled_sheet_is_not_overwritten(new: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    label_file(path, new)
    machine = path.read_text(encoding="utf-8")
    label_file(path, new)
    assert path.read_text(encoding="utf-8") == machine
    rows = list(csv.DictReader(io.StringIO(machine)))
    rows[1]["remark"] = "Grapes are no bread."
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    edited = path.read_bytes()
    with pytest.raises(PendingEditsError) as error:
        label_file(path, new)
    assert str(error.value) == (
        f"{path}: has filled cells; nothing was written. Write to another file."
    )
    assert path.read_bytes() == edited


# --- what is not ours stays ---------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ["new.jsonl", "sub/../new.jsonl", "link.jsonl", "hard.jsonl"])
def test_an_input_is_never_overwritten(spelling: str, new: Path, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.jsonl").symlink_to(new)
    os.link(new, tmp_path / "hard.jsonl")
    before = new.read_bytes()
    path = tmp_path / spelling
    for attempt in (lambda: check_output(path, [new]), lambda: label_file(path, new)):
        with pytest.raises(UsageError) as error:
            attempt()
        assert str(error.value) == f"{path} is also an input. Choose another file with -o."
    assert new.read_bytes() == before


FOREIGN = {
    "notes.csv": b"id,title,mood\n1,Rye,good\n",
    "notes.xlsx": b"PK\x03\x04 of somebody else",
    "notes.jsonl": b'{"id": "p-1", "title": "Rye"}\n',
    "list.jsonl": b'["id", "scores"]\n',
    "broken.jsonl": b'{"id": "p-1", "scores"',
    "deep.jsonl": b"[" * 100_000,
    "notes.parquet": b"PAR1 of somebody else",
}


@pytest.mark.parametrize(("name", "data"), FOREIGN.items())
def test_a_file_of_another_program_is_not_replaced(name: str, data: bytes, tmp_path: Path) -> None:
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(OutputError) as error:
        check_output(path, [])
    assert str(error.value) == (
        f"{path} exists and was not written by Fieldguide. Choose another file with -o."
    )


def test_a_parquet_table_of_another_program_is_not_replaced(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "mine.parquet"
    parquet.write_table(arrow.table({"id": ["p-1"], "title": ["Rye"]}), path)
    with pytest.raises(OutputError, match="exists and was not written by Fieldguide"):
        check_output(path, [])


def test_a_sheet_that_is_too_large_to_search_is_not_replaced(
    new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "labels.csv"
    label_file(path, new)
    monkeypatch.setattr("classifier.commands.label.MAX_SHEET_BYTES", 100)
    with pytest.raises(OutputError) as error:
        label_file(path, new)
    assert str(error.value) == (
        f"{path}: is too large to search for edits; nothing was written. Move it away, "
        "or write to another file."
    )


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").mkdir()
    with pytest.raises(OutputError, match="exists and was not written by Fieldguide"):
        check_output(tmp_path / "labels.csv", [])


@pytest.mark.parametrize("ending", [".csv", ".xlsx", ".jsonl", ".parquet"])
def test_labels_of_an_earlier_run_and_empty_files_are_replaced(
    ending: str, new: Path, tmp_path: Path
) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"labels{ending}"
    path.touch()
    label_file(path, new)
    first = path.read_bytes()
    label_file(path, new)
    assert path.read_bytes() == first


def test_without_pyarrow_the_error_has_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "labels.parquet").write_bytes(b"PAR1")
    with pytest.raises(UsageError) as error:
        check_output(tmp_path / "labels.parquet", [])
    assert str(error.value) == snapshot("Parquet needs pyarrow: pip install 'fieldguide[scale]'.")
