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


def test_a_digest_lists_new_papers_by_topic(folders: tuple[Path, Path], tmp_path: Path) -> None:
    earlier = tmp_path / "earlier"
    shutil.copytree(folders[0], earlier)
    papers = json.loads((earlier / "papers.json").read_text("utf-8"))
    (earlier / "papers.json").write_text(json.dumps(papers[2:]), "utf-8")
    result = run(earlier, folders[1], "--digest")
    assert (result.exit_code, result.stdout) == (
        0,
        snapshot("""\
New in Sourdough & fermentation

- Keeping a Rye Starter Alive on Four Feedings a Month
  https://arxiv.org/abs/2304.00111
- Proofing by Sound

Labels changed

- What the Starter Remembers: Sourdough & fermentation → Flour & gluten (human)
"""),
    )
    markdown = run(earlier, folders[1], "--digest", "--markdown").stdout
    assert markdown.startswith("## New in ")
    assert run(folders[1], earlier, "--digest").stdout.count("No longer in the survey") == 1
    assert run(folders[0], folders[0], "--digest").stdout == "Nothing changed: 15 papers.\n"
    assert run(*folders, "--digest", "--json").exit_code == 2


def test_a_digest_since_a_day_lists_what_entered_or_moved(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(folders[0], out)
    papers = json.loads((out / "papers.json").read_text("utf-8"))
    papers[0] |= {"entered_on": "2031-05-01"}
    papers[1] |= {"moved_on": "2031-05-02", "moved_from": "flour"}
    papers[2] |= {"published": "2031-05-03"}
    (out / "papers.json").write_text(json.dumps(papers), "utf-8")
    result = run(out, "--digest", "--since", "2031-05-01")
    assert (result.exit_code, result.stdout) == (
        0,
        snapshot("""\
New in Sourdough & fermentation

- Keeping a Rye Starter Alive on Four Feedings a Month
  https://arxiv.org/abs/2304.00111
- What the Starter Remembers

Labels changed

- Proofing by Sound: Flour & gluten → Sourdough & fermentation (2031-05-02)

New by date of publication, without a date of entry: 1.
"""),
    )
    assert run(out, "--digest", "--since", "2032-01-01").stdout == snapshot(
        "No paper entered or moved since 2032-01-01: 15 papers.\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["out", "new", "--digest", "--since", "2025-01-01"],
            snapshot("fieldguide: --since expects --digest and one out/ folder.\n"),
        ),
        (
            ["out", "--digest", "--since", "January"],
            snapshot(
                "fieldguide: --since: 'January' is not a date; expected a date such as 2026-01-31.\n"
            ),
        ),
        (
            ["out"],
            snapshot(
                "fieldguide: Missing NEW: name two folders, or one with --digest and --since.\n"
            ),
        ),
    ],
)
def test_since_expects_one_folder_and_a_day(options: list[str], message: str) -> None:
    result = run(*options)
    assert (result.exit_code, result.stderr) == (2, message)
