"""Projects in which pages are followed: built once, copied for each page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from classifier.build import build
from classifier.options import BuildOptions
from classifier.project import Project
from tests.docs.page import ROOT

Put = Callable[[Path], None]
SHIPPED = ("taxonomy", "papers", "templates")


@pytest.fixture(scope="session")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Put]:
    """Name -> what puts a copy of that project, built, into a folder that is not there."""
    made: dict[str, Path] = {}
    golden = ROOT / "tests" / "golden" / "project"

    def bread(folder: Path) -> None:
        shutil.copytree(golden, folder)

    def shipped(folder: Path) -> None:
        for name in SHIPPED:
            shutil.copytree(ROOT / name, folder / name)

    def built(name: str, fill: Put) -> Put:
        def put(folder: Path) -> None:
            if name not in made:
                source = tmp_path_factory.mktemp("docs") / name
                fill(source)
                build(Project(source), source / "out", BuildOptions())
                made[name] = source
            shutil.copytree(made[name], folder)

        return put

    def empty(folder: Path) -> None:
        folder.mkdir()

    return {"bread": built("bread", bread), "shipped": built("shipped", shipped), "empty": empty}
