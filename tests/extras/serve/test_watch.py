"""What counts as a change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from classifier.extras.serve import live_site
from classifier.extras.serve.live_site import ANY_DEPTH, Place, Watch, changed, place_of


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_site, "EVERY", 0.01)
    monkeypatch.setattr(live_site, "_QUIET", 0.01)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("papers/a.bib", "papers/deep/b.bib", "out/labels.csv", "out/index.html", "c.bib"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(name)
    return tmp_path


CASES = """\
papers/*            papers  1
papers/*.bib        papers  1
*.bib               .       1
papers/*/b.bib      papers  2
papers/**/*.bib     papers  any
data/2024/x.csv     data/2024  1
a/[bc]/d/*.csv      a       3
"""


@pytest.mark.parametrize("case", CASES.splitlines())
def test_a_pattern_says_where_its_files_lie(case: str) -> None:
    pattern, folder, depth = case.split()
    wanted = Place(Path("/p") / folder, ANY_DEPTH if depth == "any" else int(depth))
    assert place_of(Path("/p"), pattern) == wanted


def differences(project: Path, *edits: str) -> list[str]:
    """Return which files are seen to be others after edits: `+` adds, `-` deletes, `~` changes."""
    eye = Watch([Place(project / "papers", ANY_DEPTH)], project / "out")
    before = eye.look()
    for edit in edits:
        path = project / edit[1:]
        if edit[0] == "-":
            path.unlink()
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text("other")
    return [Path(path).relative_to(project).as_posix() for path in changed(before, eye.look())]


EDITS = """\
+papers/new.bib          papers/new.bib
~papers/a.bib            papers/a.bib
~papers/deep/b.bib       papers/deep/b.bib
-papers/a.bib            papers/a.bib
+papers/.a.bib.swp       -
+papers/.git/index       -
~c.bib                   -
~out/labels.csv          out/labels.csv
-out/labels.csv          out/labels.csv
~out/index.html          -
+out/manifest.json       out/manifest.json
"""


@pytest.mark.parametrize("case", EDITS.splitlines())
def test_what_the_survey_is_made_of_counts_and_nothing_else(project: Path, case: str) -> None:
    edit, seen = case.split()
    assert differences(project, edit) == ([] if seen == "-" else [seen])


def test_the_output_folder_inside_a_watched_one_does_not_count(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.parent)
    os.symlink(project, project.parent / "link")
    for root in (project, Path(project.name), Path("link")):
        eye = Watch([Place(root, ANY_DEPTH)], root / "out")
        assert str(root / "out" / "index.html") not in eye.look()
        assert str(root / "c.bib") in eye.look()


def test_a_link_that_leads_upwards_ends(project: Path) -> None:
    os.symlink(project, project / "papers" / "up")
    eye = Watch([Place(project / "papers", ANY_DEPTH)], project / "out")
    assert len(eye.look()) < 20


def test_it_waits_until_something_changes_and_names_it(project: Path) -> None:
    eye = Watch([Place(project / "papers", ANY_DEPTH)], project / "out")
    before = eye.look()
    assert eye.wait(before, seconds=0.03) == []
    (project / "papers" / "a.bib").write_text("other")
    assert eye.wait(before) == [str(project / "papers" / "a.bib")]


def test_a_missing_folder_is_no_fault(tmp_path: Path) -> None:
    eye = Watch([Place(tmp_path / "papers", 1)], tmp_path / "out")
    before = eye.look()
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.bib").write_text("")
    assert eye.wait(before) == [str(tmp_path / "papers" / "a.bib")]
