"""A file is written wholly or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files.writing import write_file


def full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_file_is_written_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    write_file(path, b"one\n")
    write_file(path, b"two\r\n\0")
    assert path.read_bytes() == b"two\r\n\0"
    assert os.listdir(tmp_path) == ["labels.csv"]


@pytest.mark.parametrize("operation", ["replace", "fsync", "chmod"])
def test_a_file_that_cannot_be_written_keeps_its_old_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    path = tmp_path / "labels.csv"
    write_file(path, b"old")
    monkeypatch.setattr(os, operation, full_disk)
    with pytest.raises(OutputError) as caught:
        write_file(path, b"new")
    assert (
        str(caught.value)
        == f"{path}: cannot be written (No space left on device). Free some space, then run the command again."
    )
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["labels.csv"]


def test_a_file_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "labels.csv"
    with pytest.raises(OutputError) as caught:
        write_file(path, b"new")
    assert str(caught.value) == f"{path}: cannot be written (No such file or directory)."


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    link = tmp_path / "reviews.csv"
    link.symlink_to(shared / "reviews.csv")
    for text in (b"new", b"newer"):  # what it leads to need not be there
        write_file(link, text)
        assert link.is_symlink()
        assert (shared / "reviews.csv").read_bytes() == text
    assert os.listdir(shared) == ["reviews.csv"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_who_may_read_a_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    before = os.umask(0o027)
    try:
        write_file(path, b"new")
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o664)
        write_file(path, b"newer")
        assert path.stat().st_mode & 0o777 == 0o664
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(OutputError) as caught:
        write_file(path, b"new")
    assert str(caught.value) == (
        f"{path}: cannot be written (the file is read-only). Allow writing with "
        f"`chmod u+w {path}`, then run the command again."
    )
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["reviews.csv"]
