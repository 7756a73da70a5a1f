"""Where a project is found, and what it reads."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot

import classifier
from classifier.errors import InputError, UsageError
from classifier.files.folder import write_folder
from classifier.pipeline import build
from classifier.project import (
    Project,
    embedded_project,
    find_project,
    open_project,
    shipped_folder,
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with some papers, two hidden files among them."""
    for name in (
        "taxonomy/taxonomy.yaml", "papers/b.csv", "papers/a.jsonl", "papers/old/c.bib",
        "papers/.a.jsonl.swp", "papers/.trash/d.csv", "README.md",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return Project(tmp_path)


def papers_of(project: Project, *patterns: str) -> list[str]:
    return [project.shown(path) for path in project.paper_files(patterns)]


def test_the_paths_of_a_project() -> None:
    project = Project(Path("bread"))
    assert [
        path.as_posix()
        for path in (
            project.taxonomy_file,
            project.ledger_file,
            project.identity_file,
            project.out,
        )
    ] == [
        "bread/taxonomy/taxonomy.yaml",
        "bread/taxonomy/reviews.csv",
        "bread/taxonomy/identity.csv",
        "bread/out",
    ]


def test_a_projects_own_templates_come_first() -> None:
    assert Project(Path("bread")).template_folders == (
        Path("bread/templates"),
        shipped_folder("templates"),
    )


def test_a_project_is_found_from_any_folder_below(project: Project) -> None:
    for start in (project.root, project.root / "papers" / "old"):
        assert find_project(start) == Project(project.root.resolve())


def test_the_nearest_project_wins(project: Project) -> None:
    inner = project.root / "papers" / "old"
    (inner / "taxonomy").mkdir()
    (inner / "taxonomy" / "taxonomy.yaml").touch()
    assert find_project(inner) == Project(inner.resolve())


def test_a_folder_named_is_not_searched_upwards(project: Project) -> None:
    assert open_project(project.root) == project
    with pytest.raises(UsageError) as caught:
        open_project(project.root / "papers")
    assert str(caught.value) == (
        f"{project.root / 'papers'}: no project here (no taxonomy/taxonomy.yaml)."
    )


def test_outside_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        open_project(None)
    assert str(caught.value) == (
        snapshot(
            """\
No project here: neither this folder nor its parents contain taxonomy/taxonomy.yaml.
Go to the folder of a project, or choose one with --project DIR. Create one from your papers with
`fieldguide new my-survey FILE`, or build the shipped example into ./out with `fieldguide build --demo`.\
"""
        )
    )


def test_inside_a_project(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.root / "papers")
    assert open_project(None) == Project(project.root.resolve())


def test_a_file_is_no_project(project: Project) -> None:
    path = project.root / "README.md"
    with pytest.raises(UsageError) as caught:
        open_project(path)
    assert str(caught.value) == (
        f"{path}: is a file; --project expects the folder that contains taxonomy/taxonomy.yaml."
    )


def deny(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """Let the system answer for a folder of this name as it does to who may not read it."""
    stat, listdir = Path.stat, os.listdir

    def refuse(path: Path) -> None:
        if folder in (path.name, path.parent.name):
            raise PermissionError(13, "Permission denied", str(path))

    def denied_stat(path: Path, **options: bool) -> os.stat_result:
        if path.name != folder:
            refuse(path)
        return stat(path, **options)

    def denied_listdir(path: Path) -> list[str]:
        refuse(path)
        return listdir(path)

    monkeypatch.setattr(Path, "stat", denied_stat)
    monkeypatch.setattr(os, "listdir", denied_listdir)


def test_a_taxonomy_that_may_not_be_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    deny(monkeypatch, "taxonomy")
    monkeypatch.chdir(project.root)
    for folder in (project.root, None):
        with pytest.raises(InputError) as caught:
            open_project(folder)
        assert str(caught.value) == (
            snapshot("taxonomy/: error: found permission denied; expected a readable folder.")
        )


def test_papers_that_may_not_be_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    deny(monkeypatch, "papers")
    with pytest.raises(InputError) as caught:
        papers_of(project, "papers/*.csv", "README.md", "papers/a.jsonl")
    assert str(caught.value) == (
        snapshot("papers/: error: found permission denied; expected a readable folder.")
    )


def test_what_sources_match_and_nothing_reads_is_named(project: Project) -> None:
    papers = project.root / "papers"
    (papers / "lost.csv").symlink_to(papers / "nowhere.csv")
    (papers / "empty").mkdir()
    assert [str(fault) for fault in project.skipped_sources(["papers/*"])] == snapshot(
        [
            "papers/lost.csv: warning: found a broken link; expected a file. Delete the link, or restore its target.",
            "papers/old/: warning: found a folder in which survey.sources matches no file; expected files. Add 'papers/old/*' to survey.sources, or move its files up.",
        ]
    )
    (papers / "lost.csv").unlink()
    for patterns in (["papers/**/*"], ["papers/*", "papers/old/*"], ["papers/*.csv"]):
        assert project.skipped_sources(patterns) == []


def test_a_subfolder_that_may_not_be_read(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    deny(monkeypatch, "old")
    assert [str(fault) for fault in project.skipped_sources(["papers/*"])] == snapshot(
        ["papers/old/: warning: found permission denied; expected a readable folder."]
    )


@pytest.mark.parametrize(
    ("patterns", "files"),
    [
        (["papers/*"], ["papers/a.jsonl", "papers/b.csv"]),
        (["papers/*.csv", "papers/*"], ["papers/a.jsonl", "papers/b.csv"]),
        (["papers/**/*"], ["papers/a.jsonl", "papers/b.csv", "papers/old/c.bib"]),
        (["README.md"], ["README.md"]),
    ],
)
def test_sources_are_sorted_once_each_and_never_hidden(
    project: Project, patterns: list[str], files: list[str]
) -> None:
    assert papers_of(project, *patterns) == files


@pytest.mark.parametrize("out", ["out", "public/survey"])
def test_no_source_is_what_a_build_wrote_or_people_decided(project: Project, out: str) -> None:
    before = papers_of(project, "**/*.bib", "**/*.csv")
    write_folder(project.root / out, {"references.bib": b"@book{a}", "browse/labels.csv": b"id"})
    (project.root / out / "next.csv").touch()
    (project.root / "taxonomy" / "metadata-matches.csv").touch()
    assert papers_of(project, "**/*.bib", "**/*.csv") == before
    assert project.skipped_sources(["*", "**/*.bib"]) == []


def test_every_source_without_a_file_is_named(project: Project) -> None:
    with pytest.raises(InputError) as caught:
        papers_of(project, "papers/*.ris", "papers/*", "../other/*", "/etc/*", "papers/**x", ".")
    start = "taxonomy/taxonomy.yaml: error: found survey.sources "
    cure = "Put the papers there, or change survey.sources."
    assert str(caught.value).splitlines() == [
        f"{start}'papers/*.ris'; expected at least one file. {cure}",
        f"{start}'../other/*'; expected a pattern inside the project folder.",
        f"{start}'/etc/*'; expected a pattern inside the project folder.",
        f"{start}'papers/**x'; expected at least one file. {cure}",
        f"{start}'.'; expected at least one file. {cure}",
    ]


def test_files_are_named_from_the_project_folder(project: Project) -> None:
    assert project.shown(project.root / "papers" / "a.jsonl") == "papers/a.jsonl"
    assert project.shown(project.root / "taxonomy" / ".." / "README.md") == "README.md"
    assert project.shown(Path("/elsewhere/list.csv")) == "/elsewhere/list.csv"


def test_what_ships_is_there() -> None:
    assert (shipped_folder("templates") / "layout.html").is_file()
    assert embedded_project().taxonomy_file.is_file()
    assert embedded_project().paper_files(["papers/*"])


def test_the_public_functions_take_paths_as_strings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    golden = Path(__file__).parent / "golden" / "project"
    root = str(shutil.copytree(golden, tmp_path / "bread"))
    project = classifier.open_project(root)
    assert classifier.load_taxonomy(f"{root}/taxonomy/taxonomy.yaml").taxonomy.first.id == "topic"
    corpus = classifier.load_papers([f"{root}/papers/bread.jsonl"])
    assert corpus.papers[0].id == "arxiv:2304.00111"
    build(project, f"{root}/site")
    assert (tmp_path / "bread" / "site" / "index.html").is_file()
    monkeypatch.chdir(root)
    assert classifier.open_project().root == Path(root).resolve()
