"""`fieldguide build`: what it prints, how it ends, what it leaves alone."""

from __future__ import annotations

import importlib
import re
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.files.table import read_table, write_table
from classifier.project import Project

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture
def bread(tmp_path: Path) -> Path:
    """A copy of the bread project, to be edited."""
    return shutil.copytree(BREAD, tmp_path / "bread")


@pytest.fixture
def built(built_bread: Path, tmp_path: Path) -> Path:
    """The same with its out/."""
    return shutil.copytree(built_bread, tmp_path / "bread")


def run(*arguments: object) -> Result:
    """Run the command in this process; an error that is a bug shows as itself."""
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert "Traceback" not in result.stderr
    return result


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_says_where_the_survey_is_and_what_waits(
    bread: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bread / "papers")
    result = run("build")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert re.fullmatch(r"Survey of 15 papers in \d+\.\d s: \S+/bread/out/index\.html", lines[0])
    assert lines[1].startswith("5 labels are reviewed, 0 confident, 10 wait for review: ")
    assert lines[2] == (
        snapshot(
            "Of the labels waiting for review, 1 comes from a title alone and 9 are not checked by decisions: see `why` in the sheet."
        )
    )
    assert lines.pop(3).startswith("No label is confident, because too few ")
    assert re.fullmatch(r"1 paper is left out by the editors: \S+/out/excluded\.csv", lines[3])
    assert lines[4].startswith("1 paper without abstract was labelled by title alone: ")
    assert lines[4].endswith("/out/browse.html?text=none")
    assert lines[5].startswith("1 paper occurs more than once in the files ")
    assert lines[6].startswith("1 record could not be read: ")
    assert len(lines) == 7
    assert (bread / "out" / "index.html").is_file()


def test_out_may_be_elsewhere(bread: Path, tmp_path: Path) -> None:
    result = run("build", "--project", bread, "--out", tmp_path / "site")
    assert result.exit_code == 0
    assert (tmp_path / "site" / "survey.md").is_file()
    assert not (bread / "out").exists()


def test_check_of_what_was_never_built_writes_nothing(bread: Path) -> None:
    first = run("build", "--project", bread, "--check")
    assert first.exit_code == 1
    assert not (bread / "out").exists()
    assert "files would change. Run `fieldguide build`." in first.stderr


def test_check_writes_nothing_and_tells_whether_out_is_up_to_date(built: Path) -> None:
    second = run("build", "--project", built, "--check")
    assert (second.exit_code, second.stderr) == (0, "")
    assert second.stdout == f"{built / 'out'} is up to date.\n"
    (built / "out" / "survey.md").write_text("Mine.", encoding="utf-8")
    before = contents(built)
    third = run("build", "--project", built, "--check")
    assert third.exit_code == 1
    assert third.stderr == (
        f"differs: {built / 'out' / 'survey.md'}: "
        "line 1 is “Mine.”, and would be “# A field guide to bread”\n"
        "1 file would change. Run `fieldguide build`.\n"
    )
    assert contents(built) == before


def test_a_check_wants_the_options_of_the_build(bread: Path) -> None:
    assert run("build", "--project", bread, "--bom").exit_code == 0  # the former name
    assert (bread / "out" / "labels.csv").read_bytes().startswith(b"\xef\xbb\xbfid;title;")
    assert run("build", "--project", bread, "--check", "--excel").exit_code == 0
    plain = run("build", "--project", bread, "--check")
    told = plain.stderr.splitlines()[0]
    assert plain.exit_code == 1
    assert told.startswith(f"differs: {bread / 'out' / 'labels.csv'}: line 1 is “\\ufeffid;title;")
    assert "…”, and would be “id,title," in told


def test_a_pdf_that_is_not_written_any_more_is_named(
    bread: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("classifier.pipeline")
    monkeypatch.setattr(module, "require_pdf", lambda: None)
    monkeypatch.setattr(module, "survey_pdf", lambda *_: b"%PDF-1.7")
    assert "any more" not in run("build", "--project", bread, "--pdf").stdout
    paper = bread / "out" / "survey.pdf"
    line = f"Removed {paper}: this build ran without --pdf.\n"
    assert line in run("build", "--project", bread).stdout
    assert not paper.exists()


def test_a_sheet_with_edits_is_refused_with_the_way_out(built: Path) -> None:
    sheet = built / "out" / "labels.csv"
    cells = [row.cells for row in read_table(sheet)]
    cells[0]["verdict"] = "ok"
    sheet.write_bytes(write_table(list(cells[0]), cells))
    before = contents(built)
    result = run("build", "--project", built)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(
        f"fieldguide: {sheet}: has 1 edit not in the ledger; nothing was written. The first: "
    )
    assert "`fieldguide build --ignore-sheet` moves the sheet to sheets/" in result.stderr
    assert contents(built) == before
    assert run("build", "--project", built, "--ignore-sheet").exit_code == 0


def test_faults_are_listed_and_counted(built: Path) -> None:
    before = contents(built / "out")
    ledger = built / "taxonomy" / "reviews.csv"
    ledger.write_bytes(b"")
    (built / "taxonomy" / "identity.csv").write_text(
        "id,alias,verdict\narxiv:2401.00001,arxiv:2401.00002,perhaps\n", encoding="utf-8"
    )
    result = run("build", "--project", built)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        snapshot(
            "taxonomy/identity.csv:2: error: found verdict 'perhaps'; expected 'same' or 'different'.\n"
            "taxonomy/reviews.csv: error: found an empty file; expected some content.\n"
            "2 errors; nothing was written.\n"
        )
    )
    assert contents(built / "out") == before


def test_warnings_are_printed_and_fail_under_strict(bread: Path) -> None:
    (bread / "papers" / "more.csv").write_text("title,mood\nRye,good\n", encoding="utf-8")
    relaxed = run("build", "--project", bread)
    assert relaxed.exit_code == 0
    assert relaxed.stderr.startswith("papers/more.csv:1: warning: found unknown column 'mood';")
    assert relaxed.stdout.endswith("1 warning: `fieldguide check` lists all.\n")
    assert run("build", "--project", bread, "--strict").exit_code == 1
    assert run("build", "--project", bread, "--strict", "--check").exit_code == 1


def test_a_baseline_that_is_none_is_a_fault(bread: Path) -> None:
    result = run("build", "--project", bread, "--baseline", bread / "papers")
    assert result.exit_code == 1
    assert "papers: error: found no papers.json in it;" in result.stderr
    assert not (bread / "out").exists()


def test_a_folder_of_somebody_else_is_refused(bread: Path) -> None:
    result = run("build", "--project", bread, "--out", bread / "papers")
    assert result.exit_code == 1
    assert "nothing was written. Choose an empty folder with --out." in result.stderr


def test_outside_a_project_the_cure_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("build")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("fieldguide: No project here: ")
    assert "`fieldguide build --demo`" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--project", "."], "fieldguide: .: no project here (no taxonomy/taxonomy.yaml).\n"),
        (
            ["--demo", "--project", "."],
            "fieldguide: --demo and --project cannot be used together: --demo builds the example project.\n",
        ),
    ],
)
def test_wrong_use(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("build", *arguments)
    assert (result.exit_code, result.stderr) == (2, message)
    assert list(tmp_path.iterdir()) == []


def test_demo_builds_the_shipped_survey_in_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bread project stands for the shipped one, which `.ci/wheel` builds from the wheel."""
    monkeypatch.setattr("classifier.cli.build.embedded_project", lambda: Project(BREAD))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["build", "--demo", "--cache", str(tmp_path / "cache")])
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("Survey of 15 papers in ")
    assert (tmp_path / "out" / "survey.md").is_file()
