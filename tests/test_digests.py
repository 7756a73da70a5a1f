"""The shipped corpus holds digests in own words, held against the real abstracts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from inline_snapshot import snapshot


def test_no_digest_copies_its_abstract(root: Path, shared: Path) -> None:
    command = [shared / "tools" / "check_digests.py", root / "papers" / "agentic-ai.jsonl"]
    run = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert run.stdout.strip() == snapshot("364 papers of 364, 0 faults")
    assert run.returncode == 0
