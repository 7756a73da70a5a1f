"""Projects in which pages are followed: built once, copied for each page."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from classifier.pipeline import build
from classifier.project import Project
from classifier.survey.last_build import BuildOptions
from tests.docs.page import ROOT
from tests.docs.reader import Reader

Put = Callable[[Path], None]
GOLDEN = ROOT / "tests" / "golden" / "project"
SHIPPED = ("taxonomy", "papers", "templates")


@pytest.fixture(scope="session")
def tutorial(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The project that the tutorial ends with, and what was not as it says."""
    return follow_tutorial(tmp_path_factory.mktemp("tutorial"))


def follow_tutorial(home: Path) -> tuple[Path, list[str]]:
    with contextlib.chdir(home):
        reader = Reader(home, {"empty": lambda empty: empty.mkdir()})
        faults = reader.to_the_end(ROOT / "docs" / "tutorial.md")
        return Path.cwd(), faults


@pytest.fixture(scope="session")
def projects(
    tutorial: tuple[Path, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Put]:
    """Name -> what puts a copy of that project into a folder that is not there."""
    bread = Project(tmp_path_factory.mktemp("docs") / "bread")
    return copies(tutorial[0], bread)


def copies(tutorial: Path, bread: Project) -> Mapping[str, Put]:
    """Return name -> what copies that project; `bread` is built first."""
    _copy(GOLDEN, bread.root)
    build(bread, bread.out, BuildOptions())
    return {
        "tutorial": lambda folder: _copy(tutorial, folder),
        "bread": lambda folder: _copy(bread.root, folder),
        "shipped": _shipped,
        "empty": lambda folder: folder.mkdir(),
    }


def _copy(source: Path, folder: Path) -> None:
    shutil.copytree(source, folder)


def _shipped(folder: Path) -> None:
    for name in SHIPPED:
        _copy(ROOT / name, folder / name)
