"""`fieldguide diff`: a table for people, Markdown for a comment, JSON for programs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.pipeline import build
from classifier.project import Project

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The out/ of the bread project, and of the same with one decision more."""
    folder = tmp_path_factory.mktemp("bread")
    project = Project(shutil.copytree(BREAD, folder / "project"))
    build(project, folder / "old")
    with project.ledger_file.open("a", encoding="utf-8") as ledger:
        ledger.write("p-dd0d023955,,topic,flour,yes,ada,2025-06-03,queue,,\n")
    build(project, folder / "new")
    return folder / "old", folder / "new"


def run(*arguments: object) -> Result:
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(app, ["diff", *words], catch_exceptions=False)


def test_a_table(folders: tuple[Path, Path]) -> None:
    result = run(*folders)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:5] == snapshot(
        [
            "15 papers; 3 labels moved (2 human, 1 model).",
            "",
            "Labels moved: a person decided (human)",
            "  paper         facet   change                   title                       why",
            "  p-dd0d023955  topic   sourdough → flour        What the Starter Remembers  "
            "a decision is new",
        ]
    )


def test_markdown(folders: tuple[Path, Path]) -> None:
    result = run(*folders, "--markdown")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "## What changed in the survey\n\n**15 papers; 3 labels moved (2 human, 1 model).**\n"
    )


def test_json(folders: tuple[Path, Path]) -> None:
    result = run(*folders, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["reasons"] == {"human": 2, "model": 1}


def test_equal_folders(folders: tuple[Path, Path]) -> None:
    result = run(folders[0], folders[0])
    assert (result.exit_code, result.stdout) == (0, "Nothing changed: 15 papers.\n")


def test_what_cannot_be_read_is_named(folders: tuple[Path, Path], tmp_path: Path) -> None:
    result = run(folders[0], tmp_path)
    assert result.exit_code == 1
    assert f"{tmp_path}: error: found no papers.json in it;" in result.stderr


def test_two_forms_at_once_are_wrong_use(folders: tuple[Path, Path]) -> None:
    result = run(*folders, "--json", "--markdown")
    assert (result.exit_code, result.stdout) == (2, "")


def test_lost_papers_are_an_alarm(folders: tuple[Path, Path], tmp_path: Path) -> None:
    fewer = tmp_path / "fewer"
    shutil.copytree(folders[1], fewer)
    papers = json.loads((fewer / "papers.json").read_text(encoding="utf-8"))
    (fewer / "papers.json").write_text(json.dumps(papers[1:]), encoding="utf-8")
    result = run(folders[1], fewer, "--alarm", "--markdown")
    assert (result.exit_code, result.stderr) == (
        1, f"1 paper disappeared without an exclusion, such as {papers[0]['id']}.\n",
    )  # fmt: skip
    assert run(*folders, "--alarm").exit_code == 0
