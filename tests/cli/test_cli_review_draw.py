"""`fieldguide review next`, `audit` and `status`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.files.table import read_table

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture(autouse=True)
def bread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every command runs in a copy of the golden project."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(GOLDEN, tmp_path, dirs_exist_ok=True)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["review", *arguments], catch_exceptions=False)


def test_next_writes_a_sheet_and_says_what_to_do(bread: Path) -> None:
    result = run("next", "2", "-o", "mine.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(read_table(bread / "mine.csv")) == 2
    assert result.stdout.splitlines()[-1] == (
        snapshot("Fill mine.csv, then run `fieldguide review apply mine.csv`.")
    )


def test_without_out_nothing_is_learned_or_written(bread: Path) -> None:
    result = run("next")
    assert result.exit_code == 2
    assert "out/ was not built yet" in result.stderr
    assert not (bread / "out").exists()


@pytest.mark.parametrize("name", ["labels.csv", "excluded.csv"])
def test_what_a_build_writes_is_no_place_for_a_sheet(
    built_bread: Path, bread: Path, name: str
) -> None:
    shutil.copytree(built_bread, bread, dirs_exist_ok=True)
    result = run("next", "2", "-o", f"out/{name}")
    assert (result.exit_code, f"out/{name}: is written by a build" in result.stderr) == (2, True)


def test_audit_writes_into_out(built_bread: Path, bread: Path) -> None:
    shutil.copytree(built_bread, bread, dirs_exist_ok=True)
    result = run("audit", "3")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [row.cells["drawn_by"] for row in read_table(bread / "out" / "audit.csv")] == [
        "audit", "audit", "audit"
    ]  # fmt: skip


def test_an_unknown_category_is_wrong_use(bread: Path) -> None:
    result = run("next", "--category", "buns", "-o", "mine.csv")
    assert result.exit_code == 2
    assert result.stderr.startswith("fieldguide: 'buns' is not a category; expected one of ")


def test_a_drawing_needs_papers(bread: Path) -> None:
    assert run("next", "0").exit_code == 2


def test_status_counts(bread: Path) -> None:
    result = run("status")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "papers reviewed" in result.stdout.splitlines()[0]
    assert "too few for an estimate" in result.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("next", "-o", "x.ods"), "x.ods: found ending '.ods'; expected one of .csv, .xlsx."),
        (("audit", "3", "-o", "x"), "x: found no ending; expected one of .csv, .xlsx."),
        (("agreement", "-o", "x.xlsx"), "x.xlsx: found ending '.xlsx'; expected .csv."),
        (
            ("next", "--category", "bunz", "-o", "x.csv"),
            "'bunz' is not a category; expected one of ",
        ),
    ],
)
def test_wrong_use_is_told_before_a_paper_is_read(
    arguments: tuple[str, ...], message: str, bread: Path
) -> None:
    shutil.rmtree(bread / "papers")
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"fieldguide: {message}")


def test_the_summary_of_each_command_stands_whole() -> None:
    summaries = run("--help").stdout.partition("Commands:")[2]
    assert "agreement" in summaries
    assert "..." not in summaries
