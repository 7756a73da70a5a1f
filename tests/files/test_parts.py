"""Finished parts of a long run: whole or absent, and never over what is not ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files.parts import PartsFolder, file_mark


@pytest.fixture
def parts(tmp_path: Path) -> PartsFolder:
    folder = PartsFolder(tmp_path / "labels.csv")
    folder.begin({"the input": [1, "a"]})
    return folder


def test_parts_lie_beside_the_output_until_they_are_cleared(parts: PartsFolder) -> None:
    assert parts.path.name == "labels.csv.parts"
    parts.keep(3, b"rye\n\0")
    assert (parts.recall(3), parts.recall(4)) == (b"rye\n\0", None)
    assert parts.made_of() == {"the input": [1, "a"]}
    parts.clear()
    assert not parts.path.exists()
    assert (parts.recall(3), parts.made_of()) == (None, None)


def test_a_part_that_is_torn_counts_as_absent(parts: PartsFolder) -> None:
    parts.keep(0, b"rye and oats")
    (file,) = parts.path.glob("*.part")
    file.write_bytes(file.read_bytes()[:-1])
    assert parts.recall(0) is None
    file.write_bytes(b"")
    assert parts.recall(0) is None


def test_beginning_anew_forgets_earlier_parts(parts: PartsFolder) -> None:
    parts.keep(0, b"rye")
    (parts.path / "fieldguide-parts.json").write_text("torn", encoding="utf-8")
    assert parts.made_of() == {}
    parts.begin({"the input": 2})
    assert (parts.recall(0), parts.made_of()) == (None, {"the input": 2})


def test_what_somebody_else_put_there_stays(parts: PartsFolder) -> None:
    (parts.path / "notes.txt").write_text("mine", encoding="utf-8")
    parts.keep(0, b"rye")
    parts.clear()
    assert [path.name for path in parts.path.iterdir()] == ["notes.txt"]
    with pytest.raises(OutputError) as error:
        parts.check()
    assert str(error.value) == (
        f"{parts.path}: exists and was not written by Fieldguide; name another file with -o."
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(parts: PartsFolder) -> None:
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
