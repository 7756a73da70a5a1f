"""The way of a title through a build, as the tool counts it."""

from __future__ import annotations

import re
import sys

import pytest

from tools import trace


def test_a_title_is_followed_from_its_file_to_its_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["trace", "--show"])
    trace.main()
    *passed, told = capsys.readouterr().out.splitlines()
    ways = ["papers/fields.py: read_fields", "text/clean.py: clean_title", "site/markup.py"]
    assert all(any(line.startswith(way) for line in passed) for way in ways)
    assert re.fullmatch(r"A title passes \d+ functions in \d+ modules; the build loads \d+\.", told)
