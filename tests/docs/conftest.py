"""Projects in which pages are followed: built once, copied for each page."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from classifier.pipeline import build
from classifier.project import Project
from classifier.survey.last_build import BuildOptions
from tests.docs.page import ROOT, page_blocks
from tests.docs.reader import Reader

Put = Callable[[Path], None]
GOLDEN = ROOT / "tests" / "golden" / "project"
SHIPPED = ("taxonomy", "papers", "templates")


@pytest.fixture(scope="session")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Put]:
    """Name -> what puts a copy of that project, built, into a folder that is not there."""
    return copies(lambda name: tmp_path_factory.mktemp("docs") / name)


def copies(place: Callable[[str], Path]) -> Mapping[str, Put]:
    """Return name -> what copies that project; it is built, in its `place`, when first wanted."""
    made: dict[str, Path] = {}

    def built(name: str, fill: Put) -> Put:
        def put(folder: Path) -> None:
            if name not in made:
                source = place(name)
                fill(source)
                build(Project(source), source / "out", BuildOptions())
                made[name] = source
            shutil.copytree(made[name], folder)

        return put

    return {
        "tutorial": built("tutorial", _tutorial),
        "bread": built("bread", lambda folder: _copy(GOLDEN, folder)),
        "shipped": built("shipped", _shipped),
        "empty": lambda folder: folder.mkdir(),
    }


def _tutorial(folder: Path) -> None:
    """The project that the tutorial ends with, made by following it; outputs are not compared."""
    with tempfile.TemporaryDirectory() as home, contextlib.chdir(home):
        reader = Reader(Path(home), {"empty": lambda empty: empty.mkdir()})
        for block in page_blocks(ROOT / "docs" / "tutorial.md"):
            if block.kind != "text":
                reader.follow(block)
        _copy(Path.cwd(), folder)


def _copy(source: Path, folder: Path) -> None:
    shutil.copytree(source, folder)


def _shipped(folder: Path) -> None:
    for name in SHIPPED:
        _copy(ROOT / name, folder / name)
