"""A build is a pure function of a project, and leaves the last good out/ where it cannot finish."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError, OutputError, PendingEditsError
from classifier.files.built_folder import differences, manifest_bytes
from classifier.learning import train_and_label
from classifier.pipeline import build, compute
from classifier.project import Project, embedded_project
from classifier.site.exports.sheets import keep_changed_sheet
from classifier.survey.inputs import read_inputs
from classifier.survey.last_build import BuildOptions

BREAD = Path(__file__).resolve().parent / "golden" / "project"
NO_RECORD = '{"files": {}}'
"""A manifest of ours that lists nothing."""


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    """A copy of the bread project, to be edited."""
    return Project(shutil.copytree(BREAD, tmp_path / "bread"))


@pytest.fixture
def built(built_bread: Path, tmp_path: Path) -> Project:
    """The bread project with its out/."""
    return Project(shutil.copytree(built_bread, tmp_path / "bread"))


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder: relative path -> bytes; the times of files aside."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def edit_sheet(project: Project, column: str, cell: str, line: int = 2) -> None:
    """Type `cell` into out/labels.csv, as a reviewer does."""
    sheet = project.out / "labels.csv"
    rows = list(csv.reader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    rows[line - 1][rows[0].index(column)] = cell
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


# --- the public name ------------------------------------------------------------------------------


def test_the_public_build_can_be_called_however_it_was_imported(bread: Project) -> None:
    import classifier

    classifier.build(bread, bread.out)
    assert (bread.out / "index.html").exists()


def test_signs_of_markup_in_a_subtitle_are_no_prose(bread: Project) -> None:
    text = bread.taxonomy_file.read_text(encoding="utf-8")
    line = next(each for each in text.splitlines() if each.strip().startswith("subtitle:"))
    marked = '  subtitle: "[x](javascript:window.__a=1) <img src=x> *so* _on_"'
    bread.taxonomy_file.write_text(text.replace(line, marked), encoding="utf-8")
    assert b"javascript" in compute(bread).files["survey.md"]


# --- purity ---------------------------------------------------------------------------------------


def test_hash_seed_time_zone_language_and_folder_do_not_matter(
    bread: Project, tmp_path: Path
) -> None:
    """Another process in another world, held against this one. More, and a PDF: .ci/same-bytes."""
    world = {"PYTHONHASHSEED": "2", "TZ": "America/Lima", "LANG": "de_DE.UTF-8", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "classifier", "build", "--out", str(tmp_path / "two")]
    subprocess.run(
        [*command, "--project", str(bread.root), "--cache", str(tmp_path / "cache")],
        cwd=bread.root / "papers",
        env=os.environ | world | {"PYTHONPATH": str(Path(__file__).parents[1])},
        check=True,
        capture_output=True,
    )
    build(bread, tmp_path / "one")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert len(contents(tmp_path / "one")) > 40


def test_a_build_writes_nothing_outside_out_but_its_cache(bread: Project, tmp_path: Path) -> None:
    before = contents(tmp_path)
    build(bread, bread.out)
    after = contents(tmp_path)
    made = {name for name in after if name not in before}
    assert {name for name in made if not name.startswith("bread/.fieldguide/")} == {
        f"bread/out/{name}" for name in contents(bread.out)
    }
    assert {name: after[name] for name in before} == before


def test_what_lies_in_out_does_not_change_a_build(built: Project) -> None:
    first = contents(built.out)
    (built.out / "papers.json").write_text("[]", encoding="utf-8")
    (built.out / "c" / "flour.html").unlink()
    build(built, built.out)
    assert contents(built.out) == first


def test_the_order_of_ledger_rows_does_not_matter(bread: Project) -> None:
    expected = compute(bread).files["labels.csv"]
    header, *rows = bread.ledger_file.read_text(encoding="utf-8").splitlines(keepends=True)
    bread.ledger_file.write_text("".join([header, *reversed(rows)]), encoding="utf-8")
    assert compute(bread).files["labels.csv"] == expected


# --- the sheet ------------------------------------------------------------------------------------


def test_a_sheet_with_an_edit_is_not_overwritten(built: Project) -> None:
    edit_sheet(built, "verdict", "ok")
    before = contents(built.out)
    sheet = built.out / "labels.csv"
    with pytest.raises(PendingEditsError) as error:
        build(built, built.out)
    lines = str(error.value).replace(str(sheet), "out/labels.csv").splitlines()
    assert lines == snapshot(
        [
            "out/labels.csv: has 1 edit not in the ledger; nothing was written. The first: out/labels.csv: row 2, topic: found 'sourdough; sourdough/cultures'; expected an answer in the ledger.",
            "`fieldguide review apply` adds answers to the ledger and reports refused rows. `fieldguide build --ignore-sheet` moves the sheet to sheets/ and builds without it.",
        ]
    )
    assert contents(built.out) == before


@pytest.mark.parametrize("column", ["review_primary", "review_contribution", "remark", "note"])
def test_any_human_cell_counts(column: str, built: Project) -> None:
    edit_sheet(built, column, "x", line=3)
    edit_sheet(built, column, "y", line=9)
    with pytest.raises(PendingEditsError, match=r"has edits in 2 places .* row 3, "):
        build(built, built.out)


def test_edits_are_found_before_anything_is_learned(
    built: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(*_: object) -> None:
        raise AssertionError("it learns")

    edit_sheet(built, "verdict", "ok")
    monkeypatch.setattr("classifier.learning.train_and_label", train)
    with pytest.raises(PendingEditsError):
        build(built, built.out)


def test_what_is_typed_during_a_build_is_seen(
    built: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def learn(*arguments: object) -> object:
        edit_sheet(built, "verdict", "ok")
        return train_and_label(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("classifier.learning.train_and_label", learn)
    (built.root / ".fieldguide" / "learned.json").unlink()
    with pytest.raises(PendingEditsError, match="has 1 edit"):
        build(built, built.out)


def broken_workbook(sheet: Path) -> None:
    sheet.write_bytes(b"PK\x03\x04 saved as a workbook \0")


def damaged_sheet(sheet: Path) -> None:
    sheet.write_bytes(
        sheet.read_bytes().split(b"\n")[0] + "\np-1,Pão".encode()[:-2] + b"\n\xc3\xa3"
    )


def emptied_sheet(sheet: Path) -> None:
    sheet.write_bytes(b"")


def folder_for_a_sheet(sheet: Path) -> None:
    sheet.unlink()
    sheet.mkdir()
    (sheet / "mine.csv").write_bytes(b"mine")


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (
            broken_workbook,
            ": error: found a damaged workbook or another ZIP archive; expected a sheet "
            "as CSV or .xlsx. Save it as CSV UTF-8 or as a workbook (.xlsx).",
        ),
        (
            damaged_sheet,
            ":2: error: found byte 0xc3; expected UTF-8 text. Save it as CSV UTF-8 or as a workbook "
            "(.xlsx).",
        ),
        (
            emptied_sheet,
            ": error: found an empty file; expected a sheet as CSV or .xlsx.",
        ),
        (
            folder_for_a_sheet,
            ": error: found a folder; expected a file. Name its files: SHEET/*",
        ),
    ],
)
def test_a_sheet_that_cannot_be_read_is_not_overwritten_either(
    spoil: Callable[[Path], None], found: str, built: Project
) -> None:
    sheet = built.out / "labels.csv"
    spoil(sheet)
    before = contents(built.out)
    with pytest.raises(PendingEditsError) as error:
        build(built, built.out)
    assert str(error.value) == (
        f"{sheet}{found.replace('SHEET', str(sheet))}\nNothing was written, since the sheet may contain "
        "answers. `fieldguide build --ignore-sheet` moves the sheet to sheets/ and builds without it."
    )
    assert contents(built.out) == before


def typed_over_labels(project: Project) -> None:
    edit_sheet(project, "primary", "flour; ovens")


def added_a_column(project: Project) -> None:
    sheet = project.out / "labels.csv"
    header, first, *rest = sheet.read_text(encoding="utf-8").splitlines(keepends=True)
    sheet.write_text(
        "".join([header.replace("\n", ",mine\n"), first.replace("\n", ",x\n"), *rest]), "utf-8"
    )


def typed_behind_the_last_column(project: Project) -> None:
    sheet = project.out / "labels.csv"
    sheet.write_bytes(sheet.read_bytes().replace(b",,,,,,,,\n", b",,,,,,,,,why?\n", 1))


def added_a_paper(project: Project) -> None:
    append(project.out / "labels.csv", "p-0123456789,A paper of mine\n")


@pytest.mark.parametrize(
    "change",
    [
        typed_over_labels,
        added_a_column,
        typed_behind_the_last_column,
        added_a_paper,
    ],
)
def test_nothing_that_was_typed_elsewhere_is_overwritten_either(
    change: Callable[[Project], None], built: Project
) -> None:
    change(built)
    before = contents(built.out)
    with pytest.raises(PendingEditsError, match="has 1 edit"):
        build(built, built.out)
    assert contents(built.out) == before
    typed = before["labels.csv"]
    result = build(built, built.out, BuildOptions(ignore_sheet=True))
    assert result.kept_sheet is not None
    assert result.kept_sheet.read_bytes() == typed


def test_a_sheet_that_was_only_saved_again_is_written_anew(built: Project) -> None:
    expected = contents(built.out)
    sheet = built.out / "labels.csv"
    header, *rows = csv.reader(io.StringIO(sheet.read_text(encoding="utf-8")))
    confidence = header.index("confidence")
    for row in rows:
        row[confidence] = f"{float(row[confidence]):g}".replace(".", ",")
    with sheet.open("w", encoding="cp1252", errors="replace", newline="") as stream:
        csv.writer(stream, delimiter=";", quoting=csv.QUOTE_ALL).writerows(
            [header, *sorted(rows[2:])]
        )
    saved = sheet.read_bytes()
    assert build(built, built.out).kept_sheet == built.root / "sheets" / "labels-1.csv"
    assert contents(built.out) == expected
    assert (built.root / "sheets" / "labels-1.csv").read_bytes() == saved
    assert (built.root / "sheets" / ".gitignore").read_text() == "*\n"
    assert build(built, built.out).kept_sheet is None


def test_the_last_ten_changed_sheets_are_kept(built: Project) -> None:
    sheet = built.out / "labels.csv"
    for number in range(12):
        sheet.write_text(f"id,title\n{number}\n", encoding="utf-8")
        keep_changed_sheet(built, built.out)
    names = sorted(path.name for path in (built.root / "sheets").glob("*.csv"))
    assert names == sorted(f"labels-{number}.csv" for number in range(3, 13))


def test_a_workbook_of_an_earlier_version_is_left_alone(built: Project) -> None:
    """Earlier versions wrote out/labels.xlsx; what people typed there stays."""
    book = built.out / "labels.xlsx"
    book.write_bytes(b"PK\x03\x04 a workbook with notes")
    files = {name: data for name, data in contents(built.out).items() if name != "manifest.json"}
    (built.out / "manifest.json").write_bytes(manifest_bytes(files))
    edit_sheet(built, "url", "mine")
    build(built, built.out)
    assert book.read_bytes() == b"PK\x03\x04 a workbook with notes"


def test_a_sheet_as_built_is_not_even_read(built: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("the sheet is read")

    monkeypatch.setattr("classifier.site.exports.sheets.pending_edits", read)
    build(built, built.out)


def test_a_sheet_that_was_moved_away_is_written_anew(built: Project) -> None:
    expected = contents(built.out)
    (built.out / "labels.csv").unlink()
    build(built, built.out)
    assert contents(built.out) == expected


def test_a_sheet_without_a_record_is_overwritten_where_nobody_typed(built: Project) -> None:
    expected = contents(built.out)
    (built.out / "manifest.json").write_text(NO_RECORD, encoding="utf-8")
    build(built, built.out)
    assert contents(built.out) == expected
    (built.out / "manifest.json").write_text(NO_RECORD, encoding="utf-8")
    edit_sheet(built, "primary", "flour; ovens")
    with pytest.raises(PendingEditsError):
        build(built, built.out)


def test_a_table_of_somebody_else_is_not_overwritten(built: Project) -> None:
    sheet = built.out / "labels.csv"
    (built.out / "manifest.json").write_text(NO_RECORD, encoding="utf-8")
    sheet.write_text("jar,text\n1,Rye flour\n", encoding="utf-8")
    before = contents(built.out)
    with pytest.raises(OutputError) as error:
        build(built, built.out)
    assert str(error.value) == (
        f"{sheet}: exists and was not written by Fieldguide; nothing was written. Move it away, or "
        "choose another folder with --out."
    )
    assert contents(built.out) == before


def test_edits_in_a_folder_that_a_killed_build_moved_are_seen(built: Project) -> None:
    edit_sheet(built, "verdict", "ok")
    before = contents(built.out)
    built.out.rename(built.root / ".fieldguide-out.old")
    with pytest.raises(PendingEditsError, match="has 1 edit"):
        build(built, built.out)
    assert contents(built.out) == before
    assert not (built.root / ".fieldguide-out.old").exists()


def test_ignore_sheet_moves_the_sheet_away(built: Project) -> None:
    expected = contents(built.out)
    edit_sheet(built, "verdict", "ok")
    typed = (built.out / "labels.csv").read_bytes()
    build(built, built.out, BuildOptions(ignore_sheet=True))
    assert (built.root / "sheets" / "labels-1.csv").read_bytes() == typed
    assert contents(built.out) == expected


# --- input that does not do -----------------------------------------------------------------------


def broken_taxonomy(project: Project) -> None:
    append(project.taxonomy_file, "colour: red\n")


def no_papers(project: Project) -> None:
    shutil.rmtree(project.root / "papers")


def ledger_without_columns(project: Project) -> None:
    project.ledger_file.write_text("id,facet\np-1,topic\n", encoding="utf-8")


def ledger_of_nothing(project: Project) -> None:
    project.ledger_file.write_bytes(b"")


def wrong_identity(project: Project) -> None:
    project.identity_file.write_text("id,alias,verdict\nx,y,perhaps\n", encoding="utf-8")


BREAKS: dict[Callable[[Project], None], str] = {
    broken_taxonomy: "taxonomy/taxonomy.yaml:",
    no_papers: "taxonomy/taxonomy.yaml: error: found survey.sources 'papers/*'; expected at least "
    "one file. Put the papers there, or change survey.sources.",
    ledger_without_columns: "taxonomy/reviews.csv:1: error: found no column title, value,",
    ledger_of_nothing: "taxonomy/reviews.csv: error: found an empty file; expected some content.",
    wrong_identity: "taxonomy/identity.csv:2: error: found",
}


@pytest.mark.parametrize(("spoil", "message"), BREAKS.items())
def test_a_build_that_fails_leaves_out_as_it_was(
    spoil: Callable[[Project], None], message: str, built: Project
) -> None:
    before = contents(built.out)
    spoil(built)
    with pytest.raises(InputError) as error:
        build(built, built.out)
    assert str(error.value).startswith(message)
    assert contents(built.out) == before
    hidden = [path.name for path in built.root.iterdir() if path.name.startswith(".")]
    assert hidden == [".fieldguide"]


def test_faults_of_taxonomy_identity_and_ledger_are_told_at_once(bread: Project) -> None:
    for spoil in (broken_taxonomy, ledger_without_columns, wrong_identity):
        spoil(bread)
    with pytest.raises(InputError) as error:
        compute(bread)
    assert {fault.file for fault in error.value.faults} == {
        "taxonomy/taxonomy.yaml",
        "taxonomy/reviews.csv",
        "taxonomy/identity.csv",
    }


def test_warnings_are_listed_and_fail_a_strict_build(built: Project) -> None:
    append(
        built.ledger_file,
        "p-ac982c6689,Proofing by Sound,topic,buns,yes,ada,2025-06-03,audit,567e83de9e5e,\n",
    )
    message = (
        "taxonomy/reviews.csv:14: warning: found value 'buns'; expected a category of facet topic. "
        "The row is kept and not used; list the old id under `aliases` of the category that "
        "replaced it."
    )
    result = build(built, built.out)
    assert [str(fault) for fault in result.warnings] == [message]
    before = contents(built.out)
    with pytest.raises(InputError) as error:
        build(built, built.out, BuildOptions(strict=True))
    quarantined, said = str(error.value).splitlines()
    assert said == message
    assert quarantined.startswith("papers/bread.jsonl:13: warning: found a record that cannot be")
    assert contents(built.out) == before


def test_a_record_that_cannot_be_read_is_listed_and_the_rest_goes_on(bread: Project) -> None:
    append(bread.root / "papers" / "bread.jsonl", '{"title": "Half a li\n')
    result = compute(bread)
    rows = list(csv.DictReader(io.StringIO(result.files["quarantine.csv"].decode())))
    assert [(row["file"], row["line"]) for row in rows] == [
        ("papers/bread.jsonl", "13"),
        ("papers/bread.jsonl", "14"),
    ]
    assert rows[1]["reason"].startswith("found no JSON (")
    assert result.fact("papers.total") == 15
    assert result.fact("records.quarantined") == 2


def test_a_folder_of_somebody_else_is_not_replaced(bread: Project, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "thesis.txt").write_text("Years of work.", encoding="utf-8")
    with pytest.raises(OutputError, match="that Fieldguide did not write"):
        build(bread, theirs)
    assert contents(theirs) == {"thesis.txt": b"Years of work."}


# --- labels, changes, comparison ------------------------------------------------------------------


def test_a_decision_wins_over_the_classifier(bread: Project) -> None:
    reviewed = {entry.paper.id: entry for entry in compute(bread).survey.entries}["p-0278e58e9a"]
    assert reviewed.first.categories == ("ovens", "keeping")
    assert (reviewed.first.status, reviewed.first.confidence) == ("reviewed", 1.0)
    bread.ledger_file.unlink()
    alone = {entry.paper.id: entry for entry in compute(bread).survey.entries}["p-0278e58e9a"]
    assert alone.first.primary == "keeping"
    assert alone.first.status != "reviewed"


def test_changes_are_told_against_a_named_baseline(built: Project, tmp_path: Path) -> None:
    old = shutil.copytree(built.out, tmp_path / "old")
    append(built.root / "papers" / "bread.jsonl", '{"title": "A Starter for Rye"}\n')
    append(
        built.ledger_file,
        "p-ee363f6ee9,Does Resting Flour After Milling Pay?,topic,keeping,yes,ada,2025-07-01,"
        "audit,567e83de9e5e,\n",
    )
    assert json.loads(compute(built).files["changes.json"])["baseline"] is None
    changes = json.loads(compute(built, BuildOptions(baseline=old)).files["changes.json"])
    assert changes["baseline"] == {"papers": 15, "kind": "build"}
    assert [paper["title"] for paper in changes["added"]] == ["A Starter for Rye"]
    assert changes["dropped"] == []
    moved = {change["id"]: change for change in changes["relabelled"]}
    assert moved["p-ee363f6ee9"]["before"]["primary"] == "flour"
    assert moved["p-ee363f6ee9"]["now"] == snapshot(
        {
            "title": "Does Resting Flour After Milling Pay?",
            "primary": "keeping",
            "categories": ["keeping"],
            "status": "reviewed",
            "confidence": 1.0,
        }
    )


def test_files_that_differ_are_named(built: Project) -> None:
    files = compute(built).files
    assert differences(files, built.out) == []
    (built.out / "survey.md").write_text("Mine.", encoding="utf-8")
    (built.out / "c" / "flour.bib").unlink()
    assert [one.name for one in differences(files, built.out)] == ["c/flour.bib", "survey.md"]
    missing = differences(files, built.root / "nowhere")
    assert [one.name for one in missing] == sorted(files)
    assert {one.how for one in missing} == {"does not exist"}


def test_progress_is_told_stage_by_stage(bread: Project) -> None:
    told: list[tuple[str, int, int]] = []
    build(bread, bread.out, progress=lambda *state: told.append(state))
    stages = list(dict.fromkeys(stage for stage, _, _ in told))
    assert stages[0] == "Reading papers"
    assert stages[-1] == "Writing"
    assert all(0 <= done <= total for _, done, total in told)


def test_the_shipped_project_is_found_from_anywhere() -> None:
    assert embedded_project().taxonomy_file.is_file()


# --- acts of the editors --------------------------------------------------------------------------

STONE = "p-c2730ff861,The Effect of a Baking Stone on Crust"


def test_a_paper_left_out_is_in_no_list_and_in_no_count(bread: Project) -> None:
    files = compute(bread).files
    published = {"survey.md", "survey.html", "sentences.jsonl"}
    published |= {"excluded.csv", "labels.csv", "evidence.js"}
    holding = {path for path, content in files.items() if b"Baking Stone" in content}
    assert holding == published
    assert not any("p-c2730ff861" in path for path in files)
    assert files["excluded.csv"].decode().splitlines() == [
        "id,title,reason,reviewer,reviewed_on",
        f"{STONE},paid for by a maker of stones,ben,2025-06-03",
    ]
    *_, last = files["labels.csv"].decode().splitlines()
    assert last.startswith(f"{STONE},2024,")
    assert "excluded by ben: paid for by a maker of stones; " in last


def test_an_exclusion_that_is_withdrawn_brings_the_paper_back(bread: Project) -> None:
    append(bread.ledger_file, f"{STONE},exclude,,,ada,2025-06-04,volunteer,567e83de9e5e,\n")
    result = compute(bread)
    assert result.fact("papers.total") == 16
    assert result.fact("papers.left_out") == 0
    assert "p/p-c2730ff861.html" in result.files
    assert "left-out" not in result.files["survey.md"].decode()


def test_a_paper_left_out_that_is_fetched_again_stays_out(bread: Project) -> None:
    before = compute(bread)
    append(
        bread.root / "papers" / "bread.jsonl",
        '{"title": "The effect of a baking stone on crust", "arxiv_id": "2403.00001"}\n',
    )
    after = compute(bread)
    assert after.files["papers.json"] == before.files["papers.json"]
    assert after.files["references.bib"] == before.files["references.bib"]
    (row,) = csv.DictReader(io.StringIO(after.files["excluded.csv"].decode()))
    assert (row["id"], row["reviewer"]) == ("arxiv:2403.00001", "ben")


def test_what_was_decided_on_a_paper_left_out_stays_decided(bread: Project) -> None:
    rye = "arxiv:2304.00111,Keeping a Rye Starter Alive on Four Feedings a Month"
    decided = read_inputs(bread).decisions
    append(bread.ledger_file, f"{rye},exclude,printed twice,,ada,2025-06-04,,567e83de9e5e,\n")
    assert read_inputs(bread).decisions == decided
    result = compute(bread)
    assert (result.fact("papers.reviewed"), result.fact("papers.left_out_reviewed")) == (4, 1)
    rows = csv.DictReader(io.StringIO(result.files["labels.csv"].decode()))
    (row,) = [row for row in rows if row["id"] == "arxiv:2304.00111"]
    assert row["status"] == "reviewed"
    assert row["why"].startswith("excluded by ada: printed twice; decided by ada; ")


def test_a_survey_without_any_paper_left_is_an_error(bread: Project) -> None:
    for paper in read_inputs(bread).corpus.papers:
        row = f'{paper.id},"{paper.title}",exclude,too old,,ada,2025-06-05,,567e83de9e5e,\n'
        append(bread.ledger_file, row)
    with pytest.raises(InputError) as error:
        compute(bread)
    assert str(error.value) == (
        snapshot(
            "taxonomy/reviews.csv: error: found `exclude` for every paper (16 of 16); expected at least "
            "one paper left for the survey. A newer row of the same paper with an empty value "
            "withdraws it, as does `withdraw` in the exclude column of the sheet."
        )
    )
