"""Faults beside the lines of a pull request: `fieldguide check --format`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.check import github_commands
from classifier.cli.commands import app
from classifier.errors import Fault
from tools.recipe import break_taxonomy, make_project

ROOT = Path(__file__).parents[2]
HOSTILE = Fault("warning", "papers/a,b:c%.csv", 3, "'x'\n::add-mask::secret\r\n%0A", "a title")


@pytest.fixture
def bees(tmp_path: Path) -> Path:
    """A project in a folder of a repository."""
    (tmp_path / ".git").mkdir()
    make_project(tmp_path / "bees")
    return tmp_path / "bees"


def check(*words: object) -> Result:
    arguments = ["check", *map(str, words)]
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_a_hostile_text_is_one_command_and_no_other(tmp_path: Path) -> None:
    (line,) = github_commands([HOSTILE], tmp_path)
    assert line == (
        snapshot(
            "::warning file=papers/a%2Cb%3Ac%25.csv,line=3::papers/a,b:c%25.csv:3: warning: found "
            "'x'\\n::add-mask::secret\\r\\n%250A; expected a title."
        )
    )


def test_no_name_of_a_file_steers_the_log(tmp_path: Path) -> None:
    fault = Fault("error", "papers/a\x1b[31m.csv", None, "an empty file", "a title", "\x07")
    (line,) = github_commands([fault], tmp_path)
    assert line == (
        snapshot(
            "::error file=papers/a\\x1b[31m.csv::papers/a\\x1b[31m.csv: error: found an empty file; "
            "expected a title. \\x07"
        )
    )


def test_a_letter_that_a_pipe_does_not_know_is_spelled_out(bees: Path) -> None:
    (bees / "papers" / "面.csv").write_text("mood\ncalm\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "classifier", "check", "--format", "github"],
        cwd=bees,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=False,
    )
    assert run.stdout.startswith(
        rb"::warning file=bees/papers/\u9762.csv::papers/\u9762.csv: warning: "
    )
    assert b"Traceback" not in run.stderr


def test_files_are_named_from_the_top_of_the_repository(bees: Path) -> None:
    break_taxonomy(bees)
    result = check("--project", bees, "--format", "github")
    assert result.exit_code == 1
    assert result.stdout.startswith("::error file=bees/taxonomy/taxonomy.yaml,line=8::taxonomy/")
    assert result.stderr.endswith("; nothing was written.\n")


def test_notices_are_counted_and_fail_nothing(bees: Path) -> None:
    broken = '{"abstract": "A record without a title."}\n'
    rest = "".join(f'{{"title": "On loaf {n}"}}\n' for n in range(100))
    (bees / "papers" / "large.jsonl").write_text(broken + rest, encoding="utf-8")
    result = check("--project", bees, "--strict")
    assert (result.exit_code, "no error, 1 notice." in result.stdout) == (0, True)
    (bees / "papers" / "large.jsonl").write_text(broken * 2 + rest, encoding="utf-8")
    result = check("--project", bees, "--strict")
    assert (result.exit_code, "no error, 2 warnings." in result.stdout) == (1, True)
