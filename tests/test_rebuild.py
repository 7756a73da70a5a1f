"""Whatever was edited, a rebuild writes what a build into an empty folder would, and no more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from classifier.build import build
from classifier.files.memo import FOLDER
from classifier.files.stamps import stamps_of
from classifier.options import BuildOptions
from classifier.project import Project
from tools.fuzz.edits import EDITS, Edit, differences, fresh_project


def named(name: str) -> Edit:
    """Return the edit of that name."""
    return next(edit for edit in EDITS if edit.__name__ == name)


@pytest.mark.parametrize("seed", range(4))
def test_after_random_edits(seed: int, tmp_path: Path) -> None:
    """`python -m tools.fuzz.edits 300` tries more of them."""
    project, chance = fresh_project(tmp_path), random.Random(seed)
    build(project, project.out)
    edits = chance.sample(EDITS, 3)
    for edit in edits:
        edit(project, chance)
    assert differences(project, BuildOptions(ignore_sheet=True)) == [], edits


WRITTEN: dict[str, set[str]] = {
    "nothing": set(),
    "template_404.html": {"404.html"},
    "template_moved.html": {"p/p-42f2c1e9d4.html"},
}


@pytest.fixture
def built(tmp_path: Path) -> Project:
    project = fresh_project(tmp_path)
    build(project, project.out)
    return project


def rewritten(project: Project, edit: Edit) -> set[str]:
    """Return the files that the build after an edit writes, its own records aside."""
    before = stamps_of(project.out)
    edit(project, random.Random(0))
    build(project, project.out)
    after = stamps_of(project.out)
    assert after.keys() >= before.keys() - {"labels.xlsx"}
    changed = {name for name in after if after[name] != before.get(name)}
    return {name for name in changed if FOLDER not in name} - {"manifest.json"}


def test_one_template_writes_one_page(built: Project) -> None:
    assert rewritten(built, named("template_404.html")) == {"404.html"}


def test_the_template_of_papers_writes_their_pages(built: Project) -> None:
    written = rewritten(built, named("template_paper.html"))
    assert written == {f"p/{path.stem}.html" for path in (built.out / "p").glob("*.bib")}


def test_a_claim_leaves_lists_exports_and_labels(built: Project) -> None:
    written = rewritten(built, named("taxonomy_text: Starters are"))
    exports = {"papers.json", "labels.csv", "references.bib", "search-index.js", "feed.atom"}
    assert not written & exports
    assert not any(name.endswith((".bib", ".ris")) and name != "cite.bib" for name in written)


def test_a_claim_writes_only_pages_that_show_it_or_the_version(built: Project) -> None:
    written = rewritten(built, named("taxonomy_text: Starters are"))
    shown = {path.name for path in built.out.glob("*.html") if "Starters are" in path.read_text()}
    pages = {name for name in written if name.endswith(".html") and "/" not in name}
    assert pages - shown <= {"index.html", "survey.html", "method.html", "data.html"}
    assert not any(name.startswith("p/") and name.endswith(".html") for name in written)


def test_a_remark_leaves_the_references(built: Project) -> None:
    written = rewritten(built, named("act_remark"))
    assert any(name.startswith("p/") for name in written)
    assert not any(name.endswith((".bib", ".ris")) for name in written - {"cite.bib"})
