"""Without changes a build only prints the last report again."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.files.built_folder import stamps_of
from classifier.pipeline import build
from classifier.project import Project
from classifier.survey.last_build import (
    LIBRARIES,
    BuildOptions,
    BuildReport,
    build_cache,
    inputs_digest,
    report_if_up_to_date,
    store_build,
)

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
PLAIN = BuildOptions()
SOURCES = ("papers/*",)
REPORT = BuildReport(3, 1, 0, 1, 1, "", 0, 0, (), 0, (), (), (), (0, ""), "", ("", ""))


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    """A project whose last build is made up: this is about what lies there, not what it says."""
    project = Project(shutil.copytree(BREAD, tmp_path / "bread"))
    (project.root / "templates").mkdir()
    (project.root / "templates" / "404.html").write_text("gone", encoding="utf-8")
    (project.out / "c").mkdir(parents=True)
    for name in ("index.html", "c/rye.html", "labels.csv", "manifest.json"):
        (project.out / name).write_text(name, encoding="utf-8")
    pretend_built(project, PLAIN)
    return project


def pretend_built(project: Project, options: BuildOptions) -> None:
    """Store the current files as the result of a build."""
    inputs = inputs_digest(project, options, SOURCES)
    cache = build_cache(project, options)
    store_build(cache, project.out, inputs, SOURCES, REPORT, stamps_of(project.out))


def is_up_to_date(project: Project, options: BuildOptions = PLAIN) -> bool:
    return report_if_up_to_date(project, project.out, options) is not None


def write(name: str, text: str) -> Callable[[Project], object]:
    return lambda project: (project.root / name).write_text(text, encoding="utf-8")


def append(name: str, text: str) -> Callable[[Project], object]:
    def edit(project: Project) -> None:
        with (project.root / name).open("a", encoding="utf-8") as stream:
            stream.write(text)

    return edit


def remove(name: str) -> Callable[[Project], object]:
    return lambda project: (project.root / name).unlink()


def empty_folder_with_a_file(project: Project) -> None:
    (project.root / "papers" / "more").mkdir()
    (project.root / "papers" / "more" / "list.bib").write_text("@misc{a}", encoding="utf-8")


def damaged_cache(project: Project) -> None:
    for cached in (project.root / ".fieldguide").glob("build-*.json"):
        cached.write_bytes(cached.read_bytes() + b"!")


EDITS: dict[str, Callable[[Project], object]] = {
    "a paper": append("papers/bread.jsonl", '{"title": "Salt"}\n'),
    "another file of papers": write("papers/more.jsonl", '{"title": "Salt"}\n'),
    "a folder of papers that is not read": empty_folder_with_a_file,
    "a comment in the taxonomy": append("taxonomy/taxonomy.yaml", "# mine\n"),
    "a decision gone": lambda project: project.ledger_file.write_text(
        project.ledger_file.read_text(encoding="utf-8").rpartition("\np-")[0] + "\n", "utf-8"
    ),
    "names": write("taxonomy/lexicons.yaml", "method: {}\n"),
    "a lock": write("taxonomy/labels.lock.csv", "id\n"),
    "a verdict on identity": write("taxonomy/identity.csv", "id,alias,verdict\n"),
    "a template": append("templates/404.html", "!"),
    "another template": write("templates/index.html", "mine"),
    "a template gone": remove("templates/404.html"),
    "a page gone": remove("out/index.html"),
    "a page changed": append("out/c/rye.html", "!"),
    "a cell typed": append("out/labels.csv", "mine"),
    "the manifest gone": remove("out/manifest.json"),
    "the cache damaged": damaged_cache,
}


def test_without_changes_the_last_build_is_up_to_date(bread: Project) -> None:
    assert report_if_up_to_date(bread, bread.out, PLAIN) == REPORT
    assert is_up_to_date(bread, BuildOptions(strict=True, ignore_sheet=True))


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_after_an_edit_the_last_build_is_not_up_to_date(
    edit: Callable[[Project], object], bread: Project
) -> None:
    edit(bread)
    assert not is_up_to_date(bread)


def test_other_files_next_to_the_site_do_not_matter(bread: Project) -> None:
    (bread.out / "CNAME").write_text("survey.example", encoding="utf-8")
    assert is_up_to_date(bread)


@pytest.mark.parametrize("options", [BuildOptions(for_excel=True), BuildOptions(pdf=True)])
def test_other_options_need_a_new_build(options: BuildOptions, bread: Project) -> None:
    assert not is_up_to_date(bread, options)


def test_a_pdf_is_always_built_again(bread: Project) -> None:
    pretend_built(bread, BuildOptions(pdf=True))
    assert not is_up_to_date(bread, BuildOptions(pdf=True))


def test_the_content_of_a_baseline_counts(bread: Project, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    (old / "papers.json").write_text("[]", encoding="utf-8")
    compared = BuildOptions(baseline=old)
    assert not is_up_to_date(bread, compared)
    pretend_built(bread, compared)
    assert is_up_to_date(bread, compared)
    (old / "papers.json").write_text("[ ]", encoding="utf-8")
    assert not is_up_to_date(bread, compared)


def test_every_library_that_files_depend_on_is_listed(root: Path) -> None:
    declared = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[<>=]", each)[0] for each in declared["dependencies"]}
    assert names - {"filelock", "rich", "typer", "threadpoolctl"} == set(LIBRARIES)


# --- with real builds -----------------------------------------------------------------------------


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["build", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def doubtful(tmp_path: Path) -> Path:
    """A built project with warnings, a foreign table and a record that cannot be read."""
    folder = shutil.copytree(BREAD, tmp_path / "bread")
    table = "Document Title,Abstract,mood\nRye at Night,It keeps.,good\n"
    (folder / "papers" / "more.csv").write_text(table, encoding="utf-8")
    return folder


def test_an_unchanged_build_prints_the_same_report_and_writes_nothing(doubtful: Path) -> None:
    first = run("--project", doubtful)
    before = stamps_of(doubtful)
    again = run("--project", doubtful)
    assert (again.exit_code, again.stderr) == (0, first.stderr)
    assert "more.csv" in first.stderr
    head, reviewed, waits, border, *rest = first.stdout.splitlines()
    head_again, *told = again.stdout.splitlines()
    assert waits.startswith("Of the labels waiting for review, 1 comes from a title alone")
    assert told == [reviewed, waits, border, "Nothing has changed.", *rest]
    assert head_again.partition(" in ")[0] == head.partition(" in ")[0]
    assert stamps_of(doubtful) == before


def test_a_strict_build_stops_at_the_same_faults(doubtful: Path) -> None:
    fresh = run("--project", doubtful, "--strict")
    run("--project", doubtful)
    again = run("--project", doubtful, "--strict")
    assert (again.exit_code, again.stdout, again.stderr) == (1, "", fresh.stderr)


def test_a_deleted_file_is_written_again(doubtful: Path) -> None:
    project = Project(doubtful)
    files = build(project, project.out).files
    assert is_up_to_date(project)
    (project.out / "survey.md").unlink()
    (project.out / "404.html").write_text("Mine.", encoding="utf-8")
    assert not is_up_to_date(project)
    build(project, project.out)
    assert is_up_to_date(project)
    assert {name: (project.out / name).read_bytes() for name in files} == files


def test_an_edit_during_a_build_is_built_by_the_next_one(
    doubtful: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(doubtful)

    def recover(*_: object) -> None:
        append("papers/bread.jsonl", '{"title": "Salt"}\n')(project)

    monkeypatch.setattr("classifier.site.exports.sheets.recover", recover)
    build(project, project.out)
    assert not is_up_to_date(project)


def test_no_slow_library_is_imported(doubtful: Path) -> None:
    project = Project(doubtful)
    build(project, project.out)
    code = (
        "import sys; from pathlib import Path\n"
        "from classifier.survey.last_build import report_if_up_to_date\n"
        "from classifier.survey.last_build import BuildOptions\n"
        "from classifier.project import Project\n"
        f"folder = Path({str(doubtful)!r})\n"
        "assert report_if_up_to_date(Project(folder), folder / 'out', BuildOptions())\n"
        "heavy = ('numpy', 'pandas', 'sklearn', 'jinja2', 'pydantic', 'yaml', 'lxml')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert shown.stdout.strip() == "[]"
