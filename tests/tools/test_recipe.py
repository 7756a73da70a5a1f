"""Two cases of `python -m tools.recipe`, which runs five per forge."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from classifier.commands.new.recipe import Forge
from tools.recipe import CASES, Runner, faults

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the steps are shell scripts")


def test_a_request_with_a_broken_taxonomy_fails_and_its_comment_names_the_line(
    tmp_path: Path,
) -> None:
    assert faults(Runner(tmp_path / "forge", Forge.GITHUB), CASES[2]) == []


def test_a_second_pipeline_runs_on_a_runner_that_keeps_its_folder(tmp_path: Path) -> None:
    runner = Runner(tmp_path / "forge", Forge.GITLAB)
    assert faults(runner, CASES[1]) == []
    assert faults(runner, CASES[1]) == []
