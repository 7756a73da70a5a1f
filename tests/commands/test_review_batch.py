"""Papers are selected for review: the most useful ones, those of a category, or random ones."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.commands.apply import apply_sheets
from classifier.commands.review_batch import (
    ReviewBatch,
    batch_bytes,
    batch_lines,
    check_sheet,
    select_audit,
    select_next,
    sheet_target,
    write_batch,
)
from classifier.errors import OutputError, PendingEditsError, UsageError
from classifier.files.table import Row, parse_table, read_table, write_table
from classifier.pipeline import build
from classifier.project import Project
from classifier.review.columns import MACHINE
from classifier.review.edits import filled_rows
from classifier.review.ledger import read_ledger
from classifier.review.sheet import sheet_columns
from classifier.review.sheet_file import read_sheet
from classifier.survey.inputs import read_inputs

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    shutil.copytree(GOLDEN, tmp_path / "bread")
    return Project(tmp_path / "bread")


def add(project: Project, *rows: str) -> None:
    """Add rows `id,facet,value,primary` to the ledger."""
    with project.ledger_file.open("a", encoding="utf-8") as ledger:
        for row in rows:
            paper, facet, value, primary = row.split(",")
            ledger.write(f"{paper},,{facet},{value},{primary},ada,2025-06-03,audit,,\n")


def rows(batch: ReviewBatch) -> list[Row]:
    return parse_table(batch_bytes(batch).decode(), "next.csv")


def ids(batch: ReviewBatch) -> list[str]:
    return [paper.id for paper in batch.papers]


def test_the_queue_has_no_reviewed_and_no_excluded_papers(bread: Project) -> None:
    everything = select_next(bread, 100)
    assert len(ids(everything)) == everything.n_unreviewed
    first = ids(everything)[0]
    add(bread, f"{first},exclude,off topic,", f"{ids(everything)[1]},topic,flour,yes")
    assert set(ids(select_next(bread, 100))) == set(ids(everything)[2:])


def test_the_sheet_has_the_reason_and_the_selection_of_each_paper(bread: Project) -> None:
    batch = select_next(bread, 3)
    (row, *_) = rows(batch)
    assert tuple(row.cells) == (*sheet_columns(batch.taxonomy), "drawn_by")
    assert (row.cells["id"], row.cells["drawn_by"]) == (ids(batch)[0], "queue")
    assert row.cells["why"].startswith(f"{batch.reasons[0]}; ")
    assert row.cells["verdict"] == ""


def test_a_category_is_found_by_id_name_or_alias(bread: Project) -> None:
    batch = select_next(bread, 3, category="Ovens")
    assert len(ids(batch)) == 3
    assert all(why.startswith("Ovens & heat applies: ") for why in batch.reasons)


def test_an_unknown_category_has_a_hint(bread: Project) -> None:
    with pytest.raises(UsageError, match=r"'oven' is not a category; .* Did you mean 'ovens'?"):
        select_next(bread, 3, category="oven")


def test_an_audit_selects_undecided_papers_again_and_continues(bread: Project) -> None:
    everyone = ids(select_audit(bread, 100))
    assert ids(select_audit(bread, 3)) == everyone[:3]
    add(bread, f"{everyone[1]},topic,flour,yes")
    assert ids(select_audit(bread, 3)) == [everyone[0], *everyone[2:4]]


def test_an_audit_hides_labels_by_default(bread: Project) -> None:
    blind, shown = (rows(select_audit(bread, 2, show_labels=yes)) for yes in (False, True))
    for row in blind:
        filled = {name for name, cell in row.cells.items() if cell}
        assert filled <= {
            "drawn_by",
            *(column.name for column in MACHINE if column.kind == "paper"),
        }
    assert all(row.cells["primary"] and row.cells["why"].endswith("]") for row in shown)
    assert {row.cells["drawn_by"] for row in (*blind, *shown)} == {"audit"}


def test_the_printed_table_is_short(bread: Project) -> None:
    batch = select_next(bread, 1)
    title, says, _, number = batch_lines(batch)
    assert title.startswith(f"  1  {ids(batch)[0]}  {batch.papers[0].title_display[:20]}")
    assert says.strip().endswith(batch.reasons[0])
    assert number == f"1 paper of {batch.n_unreviewed} unreviewed"
    assert len(batch_lines(select_audit(bread, 2))) == 4


def test_papers_to_review_again_are_counted_separately(bread: Project) -> None:
    batch = replace(select_audit(bread, 3), n_reviewed=1, n_unreviewed=9)
    assert batch_lines(batch)[-1] == snapshot("3 papers: 2 of 9 unreviewed, 1 to review again")


def test_the_printed_table_has_at_most_forty_papers(bread: Project) -> None:
    one = select_audit(bread, 1)
    batch = replace(one, papers=one.papers * 43, reasons=("",) * 43)
    assert batch_lines(batch)[40:42] == snapshot(["… and 3 more in the sheet", ""])


def test_a_sheet_is_written_to_out_only_after_a_build(bread: Project) -> None:
    with pytest.raises(UsageError, match="out/ was not built yet: run `fieldguide build`"):
        sheet_target(bread, None, "queue")
    assert sheet_target(bread, Path("mine.csv"), "queue") == Path("mine.csv")
    build(bread, bread.out)
    assert sheet_target(bread, None, "audit") == bread.out / "audit.csv"
    write_batch(bread.out / "audit.csv", select_audit(bread, 2), bread)
    build(bread, bread.out)
    assert len(read_table(bread.out / "audit.csv")) == 2


def test_a_sheet_with_edits_is_never_overwritten(bread: Project, tmp_path: Path) -> None:
    sheet, batch = tmp_path / "next.csv", select_next(bread, 2)
    write_batch(sheet, batch, bread)
    write_batch(sheet, batch, bread)
    cells = [{**row.cells, "verdict": "ok"} for row in read_table(sheet)]
    edited = write_table(list(cells[0]), cells)
    sheet.write_bytes(edited)
    with pytest.raises(PendingEditsError, match="`fieldguide review apply"):
        write_batch(sheet, batch, bread)
    assert sheet.read_bytes() == edited


def test_a_sheet_is_not_written_over_files_of_users(bread: Project, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"found ending '.txt'; expected one of .csv, .xlsx"):
        check_sheet(tmp_path / "next.txt", bread)
    with pytest.raises(UsageError, match="is in taxonomy/"):
        check_sheet(bread.root / "taxonomy" / "next.csv", bread)
    (tmp_path / "mine.csv").write_text("a,b\n1,2\n")
    with pytest.raises(OutputError, match="was not written by Fieldguide"):
        check_sheet(tmp_path / "mine.csv", bread)


def test_a_workbook_has_the_same_rows(bread: Project, tmp_path: Path) -> None:
    batch = select_next(bread, 3)
    write_batch(tmp_path / "next.xlsx", batch, bread)
    sheet = read_sheet(tmp_path / "next.xlsx")
    assert [row.cells["id"] for row in sheet.rows] == ids(batch)
    assert {row.cells["drawn_by"] for row in sheet.rows} == {"queue"}
    assert filled_rows(read_sheet(tmp_path / "next.xlsx"), batch.taxonomy) == []


def test_a_blind_audit_is_applied(bread: Project, tmp_path: Path) -> None:
    sheet, batch = tmp_path / "audit.csv", select_audit(bread, 1)
    write_batch(sheet, batch, bread)
    (row,) = read_table(sheet)
    cells = {**row.cells, "review_primary": "flour", "review_topics": "flour", "reviewer": "ada"}
    sheet.write_bytes(write_table(list(cells), [cells]))
    applied = apply_sheets(bread, [sheet])
    assert not applied.refused
    ledger = read_ledger(bread.ledger_file, "reviews.csv")
    assert [(e.value, e.drawn_by) for e in ledger.entries if e.id == ids(batch)[0]] == [
        ("flour", "audit")
    ]


def test_the_likeliest_papers_of_a_category_come_first_without_decided_ones(bread: Project) -> None:
    batch = select_next(bread, 20, category="ovens")
    shares = [int(why.split(": ")[1].removesuffix(" %")) for why in batch.reasons]
    assert shares == sorted(shares, reverse=True)
    inputs = read_inputs(bread)
    assert not {paper.id for paper in batch.papers} & {
        paper_id for paper_id, decided in inputs.decisions.items() if "topic" in decided
    }
