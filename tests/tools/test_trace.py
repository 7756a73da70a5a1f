"""The way of a title through a build, as the tool counts it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_title_is_followed_from_its_file_to_its_page() -> None:
    command = [sys.executable, "-m", "tools.trace", "--show"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    *passed, told = run.stdout.splitlines()
    ways = ["papers/fields.py: read_fields", "text/clean.py: clean_title", "site/markup.py"]
    assert all(any(line.startswith(way) for line in passed) for way in ways)
    assert re.fullmatch(r"A title passes \d+ functions in \d+ modules; the build loads \d+\.", told)
