"""A whole small survey, file by file, as a reader gets it.

After an intended change: `pytest tests/golden --update-golden`, then read the diff.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from classifier.pipeline import compute
from classifier.project import Project

FOLDER = Path(__file__).resolve().parent
EXPECTED = FOLDER / "expected"

# What people read; every other file is made of the same edition. Numbers that stand here have two
# digits at most, so that they are the same with every linear algebra library.
NAMES = (
    "survey.md",
    "labels.csv",
    "facts.json",
    "sentences.jsonl",
    "changes.json",
    "quarantine.csv",
    "references.bib",
    "results.csv",
    "CITATION.cff",
    "c/sourdough.atom",
    "c/sourdough.html",
    "p/p-0278e58e9a.html",
    "figures/flow.svg",
    "figures/months.svg",
)


@pytest.fixture(scope="module")
def built(request: pytest.FixtureRequest) -> Mapping[str, bytes]:
    """Every file that a build of the golden project writes."""
    files = compute(Project(FOLDER / "project")).files
    if request.config.getoption("--update-golden", default=False):
        shutil.rmtree(EXPECTED, ignore_errors=True)
        for name in NAMES:
            path = EXPECTED / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[name])
    return files


@pytest.mark.parametrize("name", NAMES)
def test_a_build_of_the_bread_project_gives(name: str, built: Mapping[str, bytes]) -> None:
    assert built[name].decode("utf-8") == (EXPECTED / name).read_text(encoding="utf-8")


def test_every_expected_file_is_compared(built: Mapping[str, bytes]) -> None:
    found = {path.relative_to(EXPECTED).as_posix() for path in EXPECTED.rglob("*.*")}
    assert found == set(NAMES)
