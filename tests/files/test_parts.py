"""Finished parts of a long run: whole or absent, and never over what is not ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files.parts import PartsFolder, file_mark


@pytest.fixture
def parts(tmp_path: Path) -> PartsFolder:
    return PartsFolder(tmp_path / "labels.csv", {"the input": [1, "a"], "the format": ".csv"})


def test_parts_lie_beside_the_output_until_they_are_cleared(parts: PartsFolder) -> None:
    assert parts.path.name == "labels.csv.parts"
    parts.keep(3, b"rye\n\0")
    assert (parts.recall(3), parts.recall(4)) == (b"rye\n\0", None)
    assert (parts.open(), parts.holds_parts()) == ("", True)
    parts.clear()
    assert not parts.path.exists()
    assert (parts.recall(3), parts.open(), parts.holds_parts()) == (None, "", False)


def test_a_part_that_is_torn_counts_as_absent(parts: PartsFolder) -> None:
    parts.keep(0, b"rye and oats")
    (file,) = parts.path.glob("*.part")
    file.write_bytes(file.read_bytes()[:-1])
    assert parts.recall(0) is None
    file.write_bytes(b"")
    assert parts.recall(0) is None


def test_parts_of_something_else_are_deleted_and_what_changed_is_named(parts: PartsFolder) -> None:
    parts.keep(0, b"rye")
    other = PartsFolder(parts.path.with_suffix(""), {"the input": [2], "the format": ".csv"})
    assert other.open() == "the input"
    assert (other.recall(0), other.open()) == (None, "")


@pytest.mark.parametrize("restart", [True, False])
def test_parts_that_say_nothing_are_deleted(parts: PartsFolder, restart: bool) -> None:
    parts.keep(0, b"rye")
    if not restart:
        (parts.path / "fieldguide-parts.json").write_text("torn", encoding="utf-8")
    assert parts.open(restart=restart) == ""
    assert not parts.path.exists()


def test_what_somebody_else_put_there_stays(parts: PartsFolder) -> None:
    parts.keep(0, b"rye")
    (parts.path / "notes.txt").write_text("mine", encoding="utf-8")
    parts.clear()
    assert [path.name for path in parts.path.iterdir()] == ["notes.txt"]
    with pytest.raises(OutputError) as error:
        parts.open()
    assert str(error.value) == (
        f"{parts.path}: exists and was not written by Fieldguide; name another file with -o."
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(parts: PartsFolder) -> None:
    parts.keep(0, b"rye")
    parts.path.chmod(0o500)
    with pytest.raises(OutputError, match=r"labels\.csv\.parts: cannot be written"):
        parts.keep(0, b"rye")


def test_a_file_is_known_by_size_time_and_start(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"rye")
    before = file_mark(path)
    assert file_mark(path) == before
    os.utime(path, ns=(0, 0))
    assert file_mark(path) != before
