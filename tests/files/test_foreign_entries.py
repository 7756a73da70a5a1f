"""A build keeps what others put into its folder exactly as it is."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.extras.serve.site_folder import SiteFolder
from classifier.files.folder import write_folder

FIRST = {"index.html": b"one", "papers/a.html": b"a"}
SECOND = {"index.html": b"two", "papers/b.html": b"b"}
LONG_AGO = 1_600_000_000_000_000_000


def built(tmp_path: Path) -> Path:
    write_folder(tmp_path / "out", FIRST)
    return tmp_path / "out"


@pytest.fixture(params=["with hard links", "without hard links"])
def out(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if request.param == "without hard links":

        def refuse(*_: object, **__: object) -> None:
            raise OSError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
    return built(tmp_path)


def test_links_stay_links(out: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_bytes(b"secret")
    targets = {"leak.txt": "../secret.txt", "data": "../elsewhere", "papers/up": "..", "x": "none"}
    (tmp_path / "elsewhere").mkdir()
    for name, target in targets.items():
        (out / name).symlink_to(target)
    write_folder(out, SECOND)
    assert {name: os.readlink(out / name) for name in targets} == targets
    assert SiteFolder(out).read("leak.txt") is None


def test_empty_folders_modes_and_times_stay(out: Path) -> None:
    (out / "keep" / "empty").mkdir(parents=True)
    (out / "keep" / "run.sh").write_bytes(b"#!/bin/sh\n")
    (out / "keep" / "run.sh").chmod(0o750)
    (out / "keep" / "empty").chmod(0o555)
    for name in ("keep/run.sh", "keep/empty", "keep"):
        os.utime(out / name, ns=(LONG_AGO, LONG_AGO))
    out.chmod(0o700)
    write_folder(out, SECOND)
    write_folder(out, FIRST)
    for name, mode in (("keep/run.sh", 0o750), ("keep/empty", 0o555), ("keep", 0o755)):
        state = (out / name).stat()
        assert (name, stat.S_IMODE(state.st_mode)) == (name, mode)
        assert (name, state.st_mtime_ns) == (name, LONG_AGO)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert os.listdir(out.parent) == ["out"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    out = built(tmp_path)
    os.mkfifo(out / "pipe")
    write_folder(out, SECOND)
    assert stat.S_ISFIFO(os.lstat(out / "pipe").st_mode)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_packed_git_repository_stays_one(out: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(out))
        run = subprocess.run(["git", *identity, *arguments], capture_output=True, check=True)
        return run.stdout.decode()

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    git("gc", "-q")
    write_folder(out, SECOND)
    assert git("rev-parse", "--show-toplevel").strip() == str(out.resolve())
    assert " M index.html" in git("status", "--porcelain").splitlines()


@pytest.mark.parametrize(
    ("make", "name"),
    [
        pytest.param(lambda path: path.write_bytes(b"mine"), "feed.xml", id="file of other bytes"),
        pytest.param(lambda path: path.symlink_to("notes.txt"), "feed.xml", id="link for a file"),
        pytest.param(lambda path: path.mkdir(), "feed.xml", id="folder for a file"),
        pytest.param(lambda path: path.symlink_to(".."), "topics", id="link for a folder"),
        pytest.param(lambda path: path.write_bytes(b"mine"), "topics", id="file for a folder"),
    ],
)
def test_a_name_that_the_build_needs_is_not_taken_from_others(
    tmp_path: Path, make: Callable[[Path], object], name: str
) -> None:
    out = built(tmp_path)
    make(out / name)
    before = sorted(os.listdir(out))
    with pytest.raises(OutputError) as caught:
        write_folder(out, {**SECOND, "feed.xml": b"<rss/>", "topics/rye.html": b"rye"})
    assert str(caught.value).startswith(
        f"{out / name}: was not written by Fieldguide, but the build needs this name; "
        "nothing was written."
    )
    assert sorted(os.listdir(out)) == before
    assert not (tmp_path / "rye.html").exists()


def test_a_link_in_the_place_of_a_built_file_is_not_replaced(tmp_path: Path) -> None:
    out = built(tmp_path)
    (out / "index.html").unlink()
    (tmp_path / "mine.html").write_bytes(b"mine")
    (out / "index.html").symlink_to("../mine.html")
    with pytest.raises(OutputError, match="the build needs this name"):
        write_folder(out, SECOND)
    assert (out / "index.html").is_symlink()


def test_a_folder_that_cannot_be_read_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = built(tmp_path)
    (out / "private").mkdir()
    scandir = os.scandir

    def scan(folder: str | int) -> object:
        if str(folder).endswith("private"):
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", scan)
    with pytest.raises(OutputError, match="Permission denied"):
        write_folder(out, SECOND)
    assert (out / "private").is_dir()
    assert (out / "index.html").read_bytes() == b"one"
