"""A disk that is really full, a folder that is really read-only, a clock that is set back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files.folder import write_folder
from classifier.files.writing import write_file

ROOT = Path(__file__).resolve().parents[2]
FIRST = {"index.html": b"one", "labels.csv": b"id\n"}
LARGE = {"index.html": b"two" * 100_000, "labels.csv": b"id\n"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 128 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(disk)]
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root of a Linux may mount a disk")
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FIRST}


def test_a_full_disk_leaves_the_last_folder(small_disk: Path) -> None:
    write_folder(small_disk / "out", FIRST)
    with pytest.raises(OutputError, match="No space left on device"):
        write_folder(small_disk / "out", LARGE)
    assert content(small_disk / "out") == FIRST
    assert os.listdir(small_disk) == ["out"]


def test_a_full_disk_leaves_the_last_file(small_disk: Path) -> None:
    write_file(small_disk / "reviews.csv", b"id\n")
    with pytest.raises(OutputError, match="No space left on device"):
        write_file(small_disk / "reviews.csv", LARGE["index.html"])
    assert (small_disk / "reviews.csv").read_bytes() == b"id\n"
    assert os.listdir(small_disk) == ["reviews.csv"]


def test_a_disk_without_writing_is_told(small_disk: Path) -> None:
    write_folder(small_disk / "out", FIRST)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(OutputError) as caught:
        write_folder(small_disk / "out", {**FIRST, "index.html": b"two"})
    assert str(caught.value) == (
        f"{small_disk / 'out'}: cannot be written (Read-only file system). Close programs that use "
        "the folder, or choose another folder with --out."
    )
    assert content(small_disk / "out") == FIRST


def test_in_a_folder_that_was_deleted_a_command_says_so(tmp_path: Path) -> None:
    code = (
        "import os, sys; os.rmdir(os.getcwd()); sys.argv = ['fieldguide', 'check']\n"
        "from classifier.cli import main; main()"
    )
    gone = tmp_path / "gone"
    gone.mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    expected = "fieldguide: the current folder was deleted. Go to another one.\n"
    assert (ended.returncode, ended.stderr) == (1, expected)
