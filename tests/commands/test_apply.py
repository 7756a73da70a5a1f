"""`review apply` on files: each answer is in the ledger or still in the sheet."""

from __future__ import annotations

import csv
import io
import os
import shutil
import sys
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from openpyxl import load_workbook

from classifier.commands.apply import Applied, apply_sheets
from classifier.commands.review_batch import select_audit, write_all, write_batch
from classifier.errors import InputError, OutputError, PendingEditsError, UsageError
from classifier.files.folder import recover, write_folder
from classifier.pipeline import build
from classifier.project import Project
from classifier.review.ledger import read_ledger
from classifier.review.sheet_file import read_sheet
from classifier.site.exports.sheets import refuse_pending_edits
from classifier.survey.inputs import read_inputs
from classifier.survey.last_build import BuildOptions

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
TODAY = date(2025, 7, 1)
PROOFING, CAKES, RESTING = "p-ac982c6689", "p-1c93a9dbc4", "p-ee363f6ee9"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bread project, built once."""
    folder = tmp_path_factory.mktemp("built") / "bread"
    shutil.copytree(BREAD, folder)
    build(Project(folder), folder / "out", BuildOptions())
    return folder


@pytest.fixture
def project(template: Path, tmp_path: Path) -> Project:
    """A copy of it, to be worked on."""
    return Project(shutil.copytree(template, tmp_path / "bread"))


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    return {row.cells["id"]: dict(row.cells) for row in read_sheet(path).rows}


def fill(path: Path, edits: dict[str, dict[str, str]], delimiter: str = ",") -> None:
    """Type into a sheet, as a reviewer does: paper -> column -> cell."""
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    for row in rows:
        row |= edits.get(row["id"], {})
    columns = dict.fromkeys(name for row in rows for name in row)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, delimiter=delimiter, restval="")
        writer.writeheader()
        writer.writerows(rows)


def apply(project: Project, *files: Path, **options: Any) -> Applied:
    return apply_sheets(project, files, **{"reviewer": "ada", "today": TODAY} | options)


def decisions(project: Project) -> dict[str, dict[str, tuple[str, ...]]]:
    inputs = read_inputs(project)
    return {
        paper_id: {facet: decision.values for facet, decision in facets.items()}
        for paper_id, facets in inputs.decisions.items()
    }


def new_rows(project: Project) -> list[str]:
    before = (BREAD / "taxonomy" / "reviews.csv").read_text(encoding="utf-8").splitlines()
    now = project.ledger_file.read_text(encoding="utf-8").splitlines()
    assert set(before) <= set(now)
    return [line for line in now if line not in before]


def test_answers_of_a_sheet_are_used_by_the_next_build(project: Project) -> None:
    sheet = project.out / "labels.csv"
    fill(
        sheet,
        {PROOFING: {"verdict": "ok"}, CAKES: {"review_topics": "Flour & Gluten", "note": "?"}},
    )
    with pytest.raises(PendingEditsError, match="`fieldguide review apply` adds answers to the"):
        build(project, project.out)
    applied = apply(project)
    assert sorted(str(each).partition("  ")[2] for each in applied.answers) == [
        f"{CAKES}  topic: flour → decided by ada (was: other)",
        f"{PROOFING}  contribution: method → decided by ada (as shown)",
        f"{PROOFING}  fed_by: signal → decided by ada (as shown)",
        f"{PROOFING}  topic: sourdough → decided by ada (as shown)",
    ]
    assert applied.is_whole
    assert new_rows(project) == [
        f"{CAKES},Layer Cakes That Do Not Lean,topic,flour,yes,ada,2025-07-01,volunteer,"
        "b575b5d02839,?",
        f"{PROOFING},Proofing by Sound,contribution,method,,ada,2025-07-01,volunteer,b575b5d02839,",
        f"{PROOFING},Proofing by Sound,fed_by,signal,,ada,2025-07-01,volunteer,b575b5d02839,",
        f"{PROOFING},Proofing by Sound,topic,sourdough,yes,ada,2025-07-01,volunteer,b575b5d02839,",
    ]
    assert (
        project.versions_file.read_text(encoding="utf-8")
        .splitlines()[1]
        .startswith("567e83de9e5e,contribution,method; study; survey")
    )
    assert rows_of(sheet)[CAKES]["review_topics"] == "Flour & Gluten"  # nobody changes the sheet
    build(project, project.out)
    built = rows_of(sheet)
    assert built[CAKES]["review_topics"] == ""
    assert {built[paper]["status"] for paper in (PROOFING, CAKES)} == {"reviewed"}


def test_applying_a_sheet_twice_adds_nothing(project: Project) -> None:
    fill(project.out / "labels.csv", {PROOFING: {"verdict": "ok; key", "remark": "Listen."}})
    copy = Path(shutil.copy(project.out / "labels.csv", project.root / "copy.csv"))
    apply(project)
    before = project.ledger_file.read_bytes()
    for files in ((), (copy,), (copy,)):
        apply(project, *files, today=date(2025, 8, 1))
        assert project.ledger_file.read_bytes() == before
    assert rows_of(copy) == rows_of(project.out / "labels.csv")


def test_an_invalid_row_is_refused_and_valid_rows_are_applied(project: Project) -> None:
    sheet = project.out / "labels.csv"
    bad = {"verdict": "x", "note": "why not?", "mine": "blue"}
    fill(sheet, {CAKES: bad, PROOFING: {"review_topics": "flour"}})
    order, before = list(rows_of(sheet)), rows_of(sheet)[CAKES]
    applied = apply(project)
    assert [str(cell).partition(", ")[2][:19] for cell in applied.refused] == [
        "verdict: found 'x';"
    ]
    assert not applied.is_whole
    assert decisions(project)[PROOFING] == {"topic": ("flour",)}
    assert (list(rows_of(sheet)), rows_of(sheet)[CAKES]) == (order, before)
    with pytest.raises(PendingEditsError, match="edits in 2 places"):
        build(project, project.out)
    build(project, project.out, BuildOptions(ignore_sheet=True))


def test_a_build_in_ci_ignores_the_sheet(project: Project) -> None:
    (project.out / "labels.csv").write_bytes(b"\xff\xfe\x00 \xd8 no sheet at all")
    build(project, project.out, BuildOptions(ignore_sheet=True))
    assert len(rows_of(project.out / "labels.csv")) == 16


def test_every_sheet_in_out_is_read(project: Project) -> None:
    shutil.copy(project.out / "labels.csv", project.out / "next.csv")
    fill(project.out / "next.csv", {CAKES: {"verdict": "ok", "drawn_by": "queue"}})
    fill(project.out / "labels.csv", {PROOFING: {"review_topics": "flour; Ovens & heat"}})
    applied = apply(project)
    assert applied.sheets == ("out/labels.csv", "out/next.csv")
    assert decisions(project)[PROOFING] == {"topic": ("flour", "ovens")}
    assert {e.drawn_by for e in read_ledger(project.ledger_file, "").entries if e.id == CAKES} == {
        "queue"
    }
    assert {each.state for each in apply(project).answers} == {"known"}
    build(project, project.out)


def test_every_tab_of_a_workbook_is_applied_and_the_file_does_not_change(project: Project) -> None:
    """A tab for each reviewer, and a tab of notes."""
    path = project.root / "ada.xlsx"
    write_all(project, path)
    book = load_workbook(path)
    bo = book.copy_worksheet(book["Labels"])
    bo.title = "bo"
    header = [cell.value for cell in bo[1]]

    def type_into(tab: Any, paper_id: str, column: str, text: str) -> None:
        row = next(row for row in tab.iter_rows(min_row=2) if row[0].value == paper_id)
        row[header.index(column)].value = text

    type_into(book["Labels"], PROOFING, "review_topics", "flour")
    type_into(book["Labels"], PROOFING, "review_topics 2", "Ovens & heat")
    type_into(bo, CAKES, "verdict", "ok")
    type_into(bo, CAKES, "reviewer", "bo")
    book.create_sheet("Mine")["A1"] = "my own notes"
    book.save(path)
    before = path.read_bytes()
    applied = apply(project, path)
    assert [(each.sheet, each.paper_id) for each in applied.answers][:2] == [
        ("ada.xlsx [Labels]", PROOFING), ("ada.xlsx [bo]", CAKES),
    ]  # fmt: skip
    assert applied.unread == ("ada.xlsx [Mine]: skipped, since it has no column id or title.",)
    build(project, project.out)
    assert path.read_bytes() == before
    with pytest.raises(OutputError, match="is never overwritten"):
        write_all(project, path)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_an_applied_sheet_does_not_stop_a_build(project: Project, encoding: str) -> None:
    """Semicolons, another encoding, letters that it lacks as `?`, ids and years as dates."""
    sheet = project.out / "labels.csv"
    fill(sheet, {PROOFING: {"verdict": "ok", "remark": "Übung – “gut”"}}, delimiter=";")
    text = sheet.read_text(encoding="utf-8").replace("doi:10.9999/bread.40", "01.02.2024")
    sheet.write_bytes(text.replace("→", "Ω").encode(encoding, "replace"))
    assert apply(project).is_whole
    build(project, project.out)
    assert decisions(project)[PROOFING]["topic"] == ("sourdough",)
    assert "Übung – “gut”" in project.ledger_file.read_text(encoding="utf-8")


def test_an_applied_sheet_without_the_id_column_does_not_stop_a_build(project: Project) -> None:
    sheet = project.out / "labels.csv"
    fill(sheet, {PROOFING: {"verdict": "ok"}})
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    columns = [name for name in rows[0] if name != "id"]
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    assert apply(project).is_whole
    build(project, project.out)


def test_a_dry_run_writes_nothing(project: Project) -> None:
    fill(project.out / "labels.csv", {PROOFING: {"verdict": "ok"}})
    before = contents(project.root)
    applied = apply(project, dry_run=True)
    assert len(applied.answers) == 3
    assert contents(project.root) == before


def test_an_unreadable_sheet_is_reported_and_others_are_applied(project: Project) -> None:
    fill(project.out / "labels.csv", {PROOFING: {"verdict": "ok"}})
    (project.out / "next.csv").write_bytes(b"")
    applied = apply(project)
    assert [str(fault) for fault in applied.faults] == snapshot(
        ["out/next.csv: error: found an empty file; expected a sheet as CSV or .xlsx."]
    )
    assert (len(applied.answers), applied.is_whole) == (3, False)


def test_without_a_sheet_apply_is_an_error(project: Project) -> None:
    shutil.rmtree(project.out)
    with pytest.raises(UsageError) as error:
        apply(project)
    assert str(error.value) == (
        snapshot(
            "out: contains no sheet. Run `fieldguide build` to write one, or choose a sheet: "
            "`fieldguide review apply FILE`."
        )
    )


def test_in_a_project_with_faults_nothing_is_applied(project: Project) -> None:
    fill(project.out / "labels.csv", {PROOFING: {"verdict": "ok"}})
    project.taxonomy_file.write_text("facets: 1\n", encoding="utf-8")
    before = contents(project.root)
    with pytest.raises(InputError):
        apply(project)
    assert contents(project.root) == before


def test_a_ledger_that_was_changed_meanwhile_is_not_overwritten(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(project.out / "labels.csv", {PROOFING: {"verdict": "ok"}})

    def read_and_edit(*arguments: Any) -> Any:
        inputs = read_inputs(*arguments)
        with project.ledger_file.open("a", encoding="utf-8") as ledger:
            ledger.write("p-6308a07c9b,,topic,flour,yes,bo,2025-06-30,queue,,\n")
        return inputs

    monkeypatch.setattr("classifier.commands.apply.read_inputs", read_and_edit)
    with pytest.raises(OutputError) as error:
        apply(project)
    assert str(error.value) == (
        snapshot(
            "taxonomy/reviews.csv: was changed by another program; nothing was written. Run the command again."
        )
    )
    assert "bo,2025-06-30" in project.ledger_file.read_text(encoding="utf-8")
    assert rows_of(project.out / "labels.csv")[PROOFING]["verdict"] == "ok"


def test_an_audit_can_be_applied_in_two_parts(project: Project) -> None:
    sheet = project.out / "audit.csv"
    write_batch(sheet, select_audit(project, 5), project)
    first, second = list(rows_of(sheet))[:2]
    fill(sheet, {first: {"review_primary": "flour", "review_contribution": "study"}})
    taken = apply(project).answers
    assert [(each.paper_id, each.facet) for each in taken] == [
        (first, "topic"),
        (first, "contribution"),
    ]
    fill(sheet, {second: {"review_topics": "ovens", "drawn_by": "audit"}})
    with pytest.raises(PendingEditsError, match="has edits not in the ledger"):
        write_batch(sheet, select_audit(project, 5), project)
    apply(project)
    write_batch(sheet, select_audit(project, 5), project)
    assert {first, second}.isdisjoint(rows_of(sheet))


# --- kill -9 at every file operation --------------------------------------------------------------

OPERATIONS = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate")
TYPED = {
    PROOFING: {"verdict": "ok"},
    CAKES: {"exclude": "cakes only", "note": "ask Bob"},
    RESTING: {"verdict": "x"},
}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def is_killed(number: int, action: Callable[[], object]) -> bool:
    """Do `action` in a child that dies before its file operation of that number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads
        child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    left = number

    def count_down(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        writes = event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes or event in OPERATIONS:
            left -= 1
            if left < 0:
                os._exit(9)

    try:
        sys.addaudithook(count_down)
        action()
    finally:
        os._exit(0)


def copies(project: Project, tmp_path: Path, action: Callable[[Project], object]) -> list[Project]:
    """One copy of the project for each file operation of `action`, killed before it."""
    killed: list[Project] = []
    while True:
        copy = Project(shutil.copytree(project.root, tmp_path / f"killed-{len(killed)}"))
        if not is_killed(len(killed), lambda copy=copy: action(copy)):  # type: ignore[misc]
            return killed
        killed.append(copy)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_kill_at_any_file_operation_of_apply_loses_no_answer(
    project: Project, tmp_path: Path
) -> None:
    fill(project.out / "labels.csv", TYPED)
    project.versions_file.unlink()  # so that three files are written
    expected = Project(shutil.copytree(project.root, tmp_path / "expected"))
    apply(expected)
    killed = copies(project, tmp_path, apply)
    assert len(killed) >= 9  # three files: opened, given their rights, renamed
    for copy in killed:
        typed = rows_of(copy.out / "labels.csv")
        known = copy.ledger_file.read_text(encoding="utf-8")
        for paper, words in ((PROOFING, "Proofing by Sound,topic"), (CAKES, "cakes only")):
            assert words in known or any(typed[paper][column] for column in TYPED[paper])
        assert typed[RESTING]["verdict"] == "x"
        apply(copy)
        assert contents(copy.root) == contents(expected.root)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_kill_of_a_build_keeps_a_filled_sheet(project: Project, tmp_path: Path) -> None:
    fill(project.out / "labels.csv", TYPED)
    inputs = read_inputs(project)

    def write(copy: Project) -> None:
        recover(copy.out)
        try:
            refuse_pending_edits(copy.out, inputs)
        except PendingEditsError:
            return
        write_folder(copy.out, {})

    before = contents(project.root)
    assert copies(project, tmp_path, write) == []  # it refuses before any file operation
    write(project)
    assert contents(project.root) == before


def test_a_ledger_date_in_the_future_is_an_error(project: Project) -> None:
    """Else no decision of today would count."""
    text = project.ledger_file.read_text(encoding="utf-8")
    project.ledger_file.write_text(text.replace("2025-", "2205-"), encoding="utf-8")
    with pytest.raises(InputError, match=r"2205-.*, which is in the future; expected a date up to"):
        apply_sheets(project, reviewer="ada", today=date(2026, 1, 2))
