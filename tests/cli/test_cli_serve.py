"""`fieldguide serve`: what it prints, and how it ends."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from classifier.cli.commands import app

ROOT = Path(__file__).resolve().parents[2]
BREAD = ROOT / "tests" / "golden" / "project"


@pytest.fixture
def bread(tmp_path: Path) -> Path:
    return shutil.copytree(BREAD, tmp_path / "bread")


@pytest.fixture
def serving(bread: Path) -> Iterator[subprocess.Popen[str]]:
    """The command, in a process of its own, at a free port."""
    words = [sys.executable, "-u", "-m", "classifier", "serve", "--project", str(bread)]
    process = subprocess.Popen(
        [*words, "--port", "0"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    yield process
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def lines_until(process: subprocess.Popen[str], start: str) -> list[str]:
    """Return what is printed, to the first line that begins so."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith(start):
            return lines
    raise AssertionError(lines)


def test_it_builds_serves_rebuilds_tells_faults_and_ends(
    bread: Path, serving: subprocess.Popen[str]
) -> None:
    *built, address = lines_until(serving, "Serving ")
    assert re.match(r"Survey of 15 papers in \d+\.\d s: ", built[0])
    found = re.fullmatch(
        r"Serving (http://127\.0\.0\.1:\d+/) to this computer, watching taxonomy/, papers/, "
        r"templates/\. Press Ctrl-C to stop\.", address,
    )  # fmt: skip
    assert found
    with urllib.request.urlopen(found[1], timeout=20) as page:
        assert b"A field guide to bread" in page.read()
    taxonomy = bread / "taxonomy" / "taxonomy.yaml"
    good = taxonomy.read_text(encoding="utf-8")
    taxonomy.write_text(good.replace("Sourdough & f", "Sour dough, f"), encoding="utf-8")
    review, line = lines_until(serving, "taxonomy.yaml changed")
    with urllib.request.urlopen(review.removeprefix("Review page: "), timeout=60) as page:
        assert b"<title>Review: A field guide to bread" in page.read()
    assert re.fullmatch(r"taxonomy\.yaml changed: \d+ pages rebuilt in \d+\.\d s\.", line)
    taxonomy.write_text(good + "x: [", encoding="utf-8")
    first, fault, *_ = lines_until(serving, "Nothing was written; the last good survey is served")
    assert first == "taxonomy.yaml changed:"
    assert fault.startswith("taxonomy/taxonomy.yaml:")
    serving.send_signal(signal.SIGINT)
    assert serving.stdout is not None
    assert serving.stdout.read() == "Stopped serving.\n"
    assert serving.wait() == 0


def test_outside_a_project_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["serve"])
    assert result.exit_code == 2
    assert result.stderr.startswith("fieldguide: No project here: ")


def test_a_port_that_is_taken_ends_it_before_it_builds(bread: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(app, ["serve", "--project", str(bread), "--port", str(port)])
    assert result.exit_code == 2
    assert result.stderr == (
        f"fieldguide: Port {port} is in use. Choose another with --port, or any free port with "
        "--port 0.\n"
    )
    assert not (bread / "out").exists()
