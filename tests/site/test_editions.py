"""Editions: what was published once stays at its address."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.errors import InputError, UsageError
from classifier.pipeline import compute, freeze
from classifier.project import Project
from classifier.survey.last_build import BuildOptions

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    shutil.copytree(BREAD, tmp_path / "bread", ignore=shutil.ignore_patterns("out", ".fieldguide"))
    return Project(tmp_path / "bread")


def test_an_edition_stays_as_it_was_below_the_survey_that_goes_on(project: Project) -> None:
    before = compute(project).files
    freeze(project, "2026", BuildOptions())
    kept = (project.editions / "2026.zip").read_bytes()
    papers = next((project.root / "papers").glob("*.jsonl"))
    papers.write_text("\n".join(papers.read_text("utf-8").splitlines()[1:]) + "\n", "utf-8")
    files = compute(project).files
    assert files["2026/survey.md"] == before["survey.md"] != files["survey.md"]
    assert b'href="2026/index.html"' in files["changes.html"]
    assert b'version: "2026 (' in files["2026/CITATION.cff"]
    assert not any(path.startswith("2026/2026") for path in files)
    (project.editions / "2026.zip").unlink()
    shutil.copytree(BREAD / "papers", project.root / "papers", dirs_exist_ok=True)
    freeze(project, "2026", BuildOptions())
    assert (project.editions / "2026.zip").read_bytes() == kept


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".x", "c"])
def test_a_name_that_is_none_or_a_part_of_the_site_is_refused(project: Project, name: str) -> None:
    with pytest.raises(UsageError, match="--edition"):
        freeze(project, name, BuildOptions())
    assert not project.editions.exists()


def test_an_edition_is_made_once_and_a_broken_one_is_told(project: Project) -> None:
    freeze(project, "2026", BuildOptions())
    with pytest.raises(UsageError, match="an edition never changes"):
        freeze(project, "2026", BuildOptions())
    (project.editions / "2026.zip").write_bytes(b"PK broken")
    with pytest.raises(InputError, match=r"2026\.zip"):
        compute(project)


def test_an_edition_is_made_again_byte_for_byte(project: Project) -> None:
    command = ["build", "--project", str(project.root), "--edition", "2026"]
    unknown = CliRunner().invoke(app, [*command, "--check"])
    assert (unknown.exit_code, unknown.stderr) == (
        2,
        "fieldguide: --edition 2026: this edition does not exist. Existing editions: none.\n",
    )
    freeze(project, "2026", BuildOptions())
    same = CliRunner().invoke(app, [*command, "--check"])
    assert (same.exit_code, same.stdout) == (
        0,
        "Edition 2026: every file was reproduced byte for byte.\n",
    )
    papers = next((project.root / "papers").glob("*.jsonl"))
    papers.write_text("\n".join(papers.read_text("utf-8").splitlines()[1:]) + "\n", "utf-8")
    other = CliRunner().invoke(app, [*command, "--check"])
    assert other.exit_code == 1
    assert "differs: 2026/CITATION.cff\n" in other.stderr
    assert "Check out the commit that made the edition" in other.stderr
