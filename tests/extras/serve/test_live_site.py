"""A project that is edited while its site is served: what is rebuilt, and what is said."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.extras.serve import live_site as module
from classifier.extras.serve.live_site import LiveSite, live_site
from classifier.pipeline import compute
from classifier.project import Project
from classifier.survey.changes.report import changes_summary
from classifier.survey.last_build import BuildOptions


@pytest.fixture
def project(tmp_path: Path, built_bread: Path) -> Project:
    """The bread project, built, to be edited."""
    return Project(shutil.copytree(built_bread, tmp_path / "bread"))


@pytest.fixture
def site(project: Project) -> Iterator[LiveSite]:
    with live_site(project, project.out, BuildOptions(), 0) as live:
        live.rebuild()
        yield live


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_edit_is_built_and_what_it_did_is_told(project: Project, site: LiveSite) -> None:
    edit(project.taxonomy_file, "name: Sourdough & fermentation", "name: Sour dough")
    assert site.wait(5) == [str(project.taxonomy_file)]
    attempt = site.rebuild()
    assert attempt.report is not None
    assert attempt.pages > 10
    assert attempt.changes is not None
    assert changes_summary(attempt.changes) == snapshot("15 papers; no label moved")
    assert site.wait(0.5) == []


def test_what_is_served_is_what_a_build_writes(project: Project, site: LiveSite) -> None:
    edit(project.taxonomy_file, "name: Sourdough & fermentation", "name: Sour dough")
    site.rebuild()
    for name, content in compute(project).files.items():
        assert (project.out / name).read_bytes() == content, name


def test_a_fault_leaves_the_site_and_is_gone_when_it_is_mended(
    project: Project, site: LiveSite
) -> None:
    before = (project.out / "manifest.json").read_bytes()
    edit(project.taxonomy_file, "at_most: 2", "at_most: two")
    problem = site.rebuild().problem
    assert problem is not None
    assert (problem.kind, problem.title) == snapshot(
        (
            "fault",
            "1 fault in your files; this is the last good survey",
        )
    )
    assert [fault.file for fault in problem.faults] == ["taxonomy/taxonomy.yaml"]
    assert (project.out / "manifest.json").read_bytes() == before
    assert site.wait(0.5) == []
    edit(project.taxonomy_file, "at_most: two", "at_most: 2")
    assert site.wait(5)
    attempt = site.rebuild()
    assert (attempt.problem, attempt.pages) == (None, 0)


def test_a_sheet_with_edits_waits_and_is_never_overwritten(
    project: Project, site: LiveSite
) -> None:
    sheet = project.out / "labels.csv"
    rows = list(csv.reader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    rows[1][rows[0].index("verdict")] = "ok"
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    sheet.write_text(text.getvalue(), encoding="utf-8")
    assert site.wait(5) == [str(sheet)]
    edit(project.taxonomy_file, "name: Sourdough & fermentation", "name: Sour dough")
    problem = site.rebuild().problem
    assert problem is not None
    assert (problem.kind, problem.title) == snapshot(
        ("waits", "A sheet has edits to apply; the survey stays as it is")
    )
    assert "has 1 edit" in problem.text
    assert "`fieldguide review apply` adds answers to the ledger" in problem.text
    assert sheet.read_text(encoding="utf-8") == text.getvalue()


def test_papers_elsewhere_are_watched_once_the_taxonomy_names_them(
    project: Project, site: LiveSite
) -> None:
    more = project.root / "more" / "deep"
    more.mkdir(parents=True)
    shutil.copy(project.root / "papers" / "bread.jsonl", more / "bread.jsonl")
    edit(project.taxonomy_file, "survey:\n", "survey:\n  sources: ['papers/*', 'more/**/*']\n")
    assert site.rebuild().problem is None
    assert site.watched_paths == ("taxonomy/", "papers/", "templates/", "more/**/*")
    (more / "bread.jsonl").unlink()
    assert site.wait(5) == [str(more / "bread.jsonl")]


def test_a_vanished_out_folder_is_built_anew(project: Project, site: LiveSite) -> None:
    shutil.rmtree(project.out)
    assert site.wait(5)
    assert site.rebuild().problem is None
    assert (project.out / "index.html").is_file()


def test_a_build_in_another_terminal_is_noticed(project: Project, site: LiveSite) -> None:
    edit(project.taxonomy_file, "name: Sourdough & fermentation", "name: Sour dough")
    with live_site(project, project.out, BuildOptions(), 0) as other:
        other.rebuild()
    assert str(project.out / "manifest.json") in site.wait(5)
    assert site.rebuild().problem is None


def test_warnings_fail_a_strict_build_that_stands(project: Project) -> None:
    with live_site(project, project.out, BuildOptions(strict=True), 0) as strict:
        problem = strict.rebuild().problem
    assert problem is not None
    assert {fault.severity for fault in problem.faults} == {"warning"}


def test_a_fault_of_our_own_is_told_and_the_site_goes_on(
    site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise TypeError("no such thing")

    monkeypatch.setattr(module, "report_if_up_to_date", fail)
    problem = site.rebuild().problem
    assert problem is not None
    assert problem.text == (
        snapshot("A bug in Fieldguide (TypeError: no such thing). Please report it.")
    )
    assert problem.title == snapshot("The build failed; this is the last good survey")
    assert "in fail" in problem.trace
    monkeypatch.undo()
    assert site.rebuild().problem is None


EDITS = """\
+papers/new.bib          papers/new.bib
~papers/bread.jsonl      papers/bread.jsonl
+papers/deep/b.bib       papers/deep/b.bib
-taxonomy/reviews.csv    taxonomy/reviews.csv
+papers/.a.bib.swp       -
+papers/.git/index       -
+c.bib                   -
~out/labels.csv          out/labels.csv
-out/labels.csv          out/labels.csv
~out/index.html          -
-out/manifest.json       out/manifest.json
"""


def test_what_the_survey_is_made_of_counts_and_nothing_else(
    project: Project, site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVERY", 0.01)
    monkeypatch.setattr(module, "_QUIET", 0.01)
    (project.root / "papers" / "up").symlink_to(project.root)
    assert site.wait(0.05) == []
    for case in EDITS.splitlines():
        edited, seen = case.split()
        path = project.root / edited[1:]
        before = path.read_bytes() if path.exists() else None
        path.parent.mkdir(exist_ok=True)
        if edited[0] == "-":
            path.unlink()
        else:
            path.write_text("other", encoding="utf-8")
        changed = [Path(name).relative_to(project.root).as_posix() for name in site.wait(0.05)]
        assert changed == ([] if seen == "-" else [seen]), case
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)
        site._built_from = site._snapshot()
