"""The two set-ups of the README, copied from it and run in a clean clone.

They install packages from an index, so they run only where FIELDGUIDE_SETUP is set, as at night;
`python -m tools.newcomer` continues to a survey of one's own papers.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.newcomer import MOST_COMMANDS, ROOT, commands

BLOCKS = re.findall(
    r"^```sh[^\n]*\n(.*?)\n```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
SETUPS = {"build": BLOCKS[0], "test": BLOCKS[1]}


def test_a_newcomer_types_few_commands() -> None:
    assert commands()[0].startswith("git clone")
    assert commands()[-1] == "fieldguide build"
    assert len(commands()) <= MOST_COMMANDS


def test_each_setup_is_one_line() -> None:
    assert SETUPS["build"].endswith("fieldguide build")
    assert SETUPS["test"].endswith("pytest")
    assert all("\n" not in line for line in SETUPS.values())


@pytest.mark.skipif("FIELDGUIDE_SETUP" not in os.environ, reason="installs packages")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SETUPS)
def test_a_setup_runs_in_a_clean_clone(name: str, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    line = SETUPS[name]
    if name == "test":  # The whole suite takes minutes; that pytest finds and runs it is enough.
        line += " -q tests/test_errors.py tests/golden"
    environment = {**os.environ, "PATH": f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin"}
    environment.pop("VIRTUAL_ENV", None)
    # This test alone may use the network: the guard of the other tests is on PYTHONPATH.
    command = ["env", "-u", "PYTHONPATH", "bash", "-c", line]
    done = subprocess.run(command, cwd=clone, env=environment, check=False)
    assert done.returncode == 0
    assert name == "test" or (clone / "out" / "index.html").exists()
