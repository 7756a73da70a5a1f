"""Whatever was edited, a rebuild writes what a build into an empty folder would."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from classifier.pipeline import build
from classifier.survey.last_build import BuildOptions
from tools.fuzz.edits import EDITS, differences, fresh_project


@pytest.mark.parametrize("seed", range(3))
def test_after_random_edits(seed: int, tmp_path: Path) -> None:
    """`python -m tools.fuzz.edits 300` tries more of them."""
    project, chance = fresh_project(tmp_path), random.Random(seed)
    build(project, project.out)
    edits = chance.sample(EDITS, 3)
    for edit in edits:
        edit(project, chance)
    assert differences(project, BuildOptions(ignore_sheet=True)) == [], edits
