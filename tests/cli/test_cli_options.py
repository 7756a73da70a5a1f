"""Options that all commands share: help, verbosity, completion."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app

GOLDEN = Path(__file__).parents[1] / "golden" / "project"


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project without a build."""
    shutil.copytree(GOLDEN, tmp_path / "project")
    return tmp_path / "project"


@pytest.mark.parametrize("command", [[], ["build"], ["review"], ["review", "next"], ["label"]])
def test_h_prints_help_without_types_of_python(command: list[str]) -> None:
    result = run(*command, "-h")
    assert result.exit_code == 0
    assert result.stdout == run(*command, "--help").stdout
    for leak in ("<", "{", "[[", "x>=", "Path"):
        assert leak not in result.stdout


def test_arguments_are_shown_as_they_are_typed() -> None:
    assert run("label", "-h").stdout.splitlines()[0] == "Usage: fieldguide label [OPTIONS] FILE..."
    usage = run("review", "next", "-h").stdout.splitlines()[0]
    assert usage == "Usage: fieldguide review next [OPTIONS] [N]"
    assert "[N]  Number of papers.  [default: 20; at least 1]" in run("review", "next", "-h").stdout


def test_verbose_prints_each_step_of_a_build_once(project: Path) -> None:
    result = run("build", "-v", "--project", project)
    steps = [line.partition(" (")[0] for line in result.stderr.splitlines() if line.endswith(" s")]
    assert steps == snapshot(
        [
            "Reading papers",
            "Learning",
            "Labelling",
            "Composing the survey",
            "Writing pages",
            "Writing",
        ]
    )


def test_quiet_prints_errors_only(project: Path) -> None:
    result = run("-q", "build", "--project", project)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    (project / "taxonomy" / "taxonomy.yaml").write_text("facets: 3\n", encoding="utf-8")
    result = run("build", "--quiet", "--project", project)
    assert result.exit_code == 1
    assert "taxonomy.yaml:1: error" in result.stderr


def test_quiet_and_verbose_exclude_each_other() -> None:
    result = run("build", "-q", "-v")
    assert (result.exit_code, result.stderr) == (
        2, "fieldguide: --quiet and --verbose cannot be used together. Use one of them.\n",
    )  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_a_shell_is_printed(shell: str) -> None:
    # Typer then takes the name of the shell instead of looking for the running one.
    environment = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "classifier", "--show-completion", shell]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "COMPLETE" in result.stdout
