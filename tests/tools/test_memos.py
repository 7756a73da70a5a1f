"""Garbage in the cache: a sample of `python -m tools.faults.memos`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_garbage_in_the_memos_leads_no_build(tmp_path: Path) -> None:
    from tools.faults.loaded import load_everything
    from tools.faults.memos import DAMAGES, wrong

    load_everything()
    found = list(wrong("an edit", tmp_path / "bench", 1))
    assert found == [""] * len(DAMAGES)
