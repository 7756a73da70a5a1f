"""`fieldguide review agreement`: figures, the conflicts as a sheet, and a way to begin."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "project"
DISPUTE = "arxiv:2304.00111,,topic,flour,yes,ben,2025-06-03,audit,,\n"


@pytest.fixture(autouse=True)
def bread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every command runs in a copy of the golden project."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(GOLDEN, tmp_path, dirs_exist_ok=True)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["review", "agreement", *arguments], catch_exceptions=False)


def dispute(project: Path) -> None:
    with (project / "taxonomy" / "reviews.csv").open("a", encoding="utf-8") as ledger:
        ledger.write(DISPUTE)


def test_without_a_common_paper_it_says_how_to_begin(bread: Path) -> None:
    result = run()
    assert (result.exit_code, result.stderr) == (0, "")
    assert "`fieldguide review next 30`" in result.stdout
    assert not (bread / "out").exists()


def test_without_out_it_says_how_to_get_the_sheet(bread: Path) -> None:
    dispute(bread)
    result = run()
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith(
        "To get a sheet with them, run `fieldguide build` first"
    )


def test_it_writes_conflicts(bread: Path) -> None:
    dispute(bread)
    result = run("-o", "settle.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1] == (
        snapshot("Fill settle.csv, then run `fieldguide review apply settle.csv`.")
    )
    with (bread / "settle.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["id"], row["reviewer"]) == ("arxiv:2304.00111", "adjudicated")
    first = (bread / "settle.csv").read_bytes()
    assert run("-o", "settle.csv").exit_code == 0
    assert first == (bread / "settle.csv").read_bytes()


def test_it_refuses_files_that_are_not_its_own(bread: Path) -> None:
    dispute(bread)
    result = run("-o", "settle.txt")
    assert result.exit_code == 2
    assert result.stderr.startswith("fieldguide: ")


def test_outside_a_project_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "taxonomy" / "taxonomy.yaml").unlink()
    result = run()
    assert result.exit_code == 2
    assert result.stderr.startswith("fieldguide: No project here")
