"""The CI recipe has minimal permissions, works in any folder, and overwrites nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from classifier import __version__
from classifier.cli.commands import app
from classifier.commands.new.recipe import (
    Forge,
    installed_requirement,
    requirements_text,
    workflow_text,
)
from classifier.errors import OutputError
from tools.recipe import make_project
from tools.scripts import ROOT, github_workflows, recipes, scripts, with_fetching

WORDS_OF_SHELL = re.compile(r"\$\{\{[^}]*\b(title|body|head_ref|label|name|message)\b[^}]*\}\}")


def run(*words: object) -> Result:
    arguments = [str(word) for word in words]
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


def read(text: str) -> Any:
    return yaml.safe_load(text)


@pytest.mark.parametrize("name", sorted(github_workflows()))
def test_a_workflow_has_minimal_permissions(name: str) -> None:
    workflow = read(github_workflows()[name])
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in str(workflow.keys()) + str(workflow.get(True))
    assert "concurrency" in workflow or name == "release.yml"
    for job_name, job in workflow["jobs"].items():
        writes = [right for right, kind in job.get("permissions", {}).items() if kind == "write"]
        used = [step.get("uses", "").partition("@")[0] for step in job["steps"]]
        runs_code_of_others = "actions/setup-python" in used or "./" in used
        if runs_code_of_others and name != "release.yml":
            assert writes == [], job_name
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert not WORDS_OF_SHELL.search(step.get("run", "")), step


@pytest.mark.parametrize("name", ["action.yml", *github_workflows(), *recipes(Forge.GITLAB)])
def test_actions_of_others_are_pinned_to_a_digest(name: str) -> None:
    """A name such as v5 may mean other code tomorrow; a digest says for ever what was looked at."""
    written = {**github_workflows(), **recipes(Forge.GITLAB)}
    text = written.get(name) or (ROOT / name).read_text("utf-8")
    used = [use for use in re.findall(r"(?:uses|image): (.+)", text) if not use.startswith("./")]
    assert used
    for use in used:
        assert re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$|@sha256:[0-9a-f]{64}$", use), use


def test_the_permissions_of_each_job() -> None:
    jobs = read(workflow_text("github"))["jobs"]
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "build": None,
        "comment": {"pull-requests": "write"},
        "publish": {"pages": "write", "id-token": "write"},
    }
    fetching = read(with_fetching(workflow_text("github")))["jobs"]
    assert list(fetching) == ["build", "comment", "keep", "publish"]
    assert "permissions" not in fetching["build"]
    assert fetching["keep"]["permissions"] == {"contents": "write"}


@pytest.mark.parametrize("name", sorted(recipes(Forge.GITLAB)))
def test_the_gitlab_site_is_built_only_from_the_default_branch(name: str) -> None:
    workflow = read(recipes(Forge.GITLAB)[name])
    assert workflow["pages"]["rules"] == [{"if": "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"}]
    assert workflow["pages"]["artifacts"]["paths"] == ["public"]
    (cache,) = [each for each in workflow["pages"]["cache"] if each["key"] == "published"]
    assert cache["paths"][0].endswith("before/")
    assert "published" not in str(workflow["review"]["cache"])


@pytest.mark.parametrize("forge", Forge)
def test_a_project_in_a_folder_of_a_repository(forge: Any) -> None:
    text = workflow_text(forge, "surveys/bees")
    assert not re.search(r"\b(FOLDER|BASE|VERSION)\b", text)
    assert "surveys/bees/before" in text
    with pytest.raises(OutputError, match="Rename the folder so that it has no spaces"):
        workflow_text(forge, "my bees; rm -rf")


def test_it_is_printed_or_written_and_never_overwritten(tmp_path: Path) -> None:
    project = tmp_path / "repository" / "bees"
    make_project(project)
    (tmp_path / "repository" / ".git").mkdir()
    printed = run("recipe", "github", "--project", project)
    assert f"Written by Fieldguide {__version__}" in printed.stdout
    assert "working-directory: bees\n" in printed.stdout
    assert run("recipe", "github", "--write", "--project", project).exit_code == 0
    workflow = tmp_path / "repository" / ".github" / "workflows" / "survey.yml"
    assert workflow.read_text(encoding="utf-8") == printed.stdout
    again = run("recipe", "github", "--write", "--project", project)
    assert (again.exit_code, again.stderr) == (
        1, f"fieldguide: {workflow}: already exists and was not changed. Move it away first.\n",
    )  # fmt: skip


def test_dependabot_settings_are_written_if_missing(tmp_path: Path) -> None:
    make_project(tmp_path)
    (tmp_path / ".git").mkdir()
    written = run("recipe", "github", "--write", "--project", tmp_path).stdout
    settings = tmp_path / ".github" / "dependabot.yml"
    assert f"{settings}: written" in written
    assert read(settings.read_text("utf-8"))["updates"][0]["package-ecosystem"] == "github-actions"
    settings.write_text("version: 2\n", encoding="utf-8")
    (tmp_path / ".github" / "workflows" / "survey.yml").unlink()
    assert str(settings) not in run("recipe", "github", "--write", "--project", tmp_path).stdout


def test_requirements_have_no_bare_package_name() -> None:
    """A bare `fieldguide==0.1.0` would run the code of whoever registers the name."""
    lines = [line for line in requirements_text().splitlines() if not line.startswith("#")]
    assert all(re.match(r"fieldguide @ \S+[@=][0-9a-f]{40,}$", line) for line in lines)


@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        ("{}", ""),
        ('{"url": "file:///home/ada/fieldguide", "dir_info": {"editable": true}}', ""),
        (
            '{"url": "https://forge.example/fieldguide", "vcs_info": {"vcs": "git", '
            f'"commit_id": "{"0a" * 20}"}}}}',
            f"fieldguide @ git+https://forge.example/fieldguide@{'0a' * 20}",
        ),
    ],
)
def test_the_installed_commit_is_pinned_if_known(
    origin: str, requirement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str:
            assert name == "direct_url.json"
            return origin

    monkeypatch.setattr("classifier.commands.new.recipe.distribution", lambda _: Installed())
    assert installed_requirement() == requirement


# what --ci says, whether it is inside a repository: the workflow that is written
NEW = """
github no   .github/workflows/survey.yml
gitlab no   .gitlab-ci.yml
none   no
github yes
"""


@pytest.mark.parametrize("case", NEW.strip().splitlines())
def test_new_writes_the_workflow(tmp_path: Path, case: str) -> None:
    ci, inside, *expected = case.split()
    if inside == "yes":
        (tmp_path / ".git").mkdir()
    source = tmp_path / "list.md"
    source.write_text(
        "## Bees\n- [Bees at Dawn](https://arxiv.org/abs/2401.00001)\n"
        "## Bread\n- [Rye at Night](https://arxiv.org/abs/2401.00002)\n",
        encoding="utf-8",
    )
    result = run("new", tmp_path / "survey", source, "--ci", ci)
    assert result.exit_code == 0, result.stderr
    written = {path.relative_to(tmp_path / "survey").as_posix()
               for path in (tmp_path / "survey").rglob("*") if path.is_file()}  # fmt: skip
    workflows = {".github/workflows/survey.yml", ".gitlab-ci.yml"}
    assert sorted(written & workflows) == expected
    assert ("requirements.txt" in written) is bool(expected)


def test_every_line_of_a_script_is_a_command() -> None:
    """In YAML a line with “: ” in it is a mapping, which no runner takes."""
    assert all(text.strip() for _, text in scripts())
