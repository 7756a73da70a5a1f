"""A new project's folder is whole, or was never there; and nobody is told otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files.folder import write_new_folder
from classifier.files.writing import written

FILES = {"papers/a.bib": b"@misc{a}", "taxonomy/taxonomy.yaml": b"survey:\n"}


@pytest.fixture(autouse=True)
def nothing_written() -> Iterator[None]:
    written.clear()
    yield
    written.clear()


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    write_new_folder(tmp_path, FILES)
    assert (tmp_path / "papers" / "a.bib").read_bytes() == b"@misc{a}"
    assert written == [tmp_path]


def test_a_folder_that_holds_anything_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".notes").touch()
    with pytest.raises(OutputError) as caught:
        write_new_folder(tmp_path, FILES)
    assert str(caught.value) == (
        f"{tmp_path}: contains .notes; nothing was written. Choose a folder that does not exist yet."
    )
    assert written == []


def test_a_shell_that_stands_in_the_folder_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_new_folder(Path(), FILES)
    assert Path("papers/a.bib").read_bytes() == b"@misc{a}"
    assert sorted(os.listdir()) == ["papers", "taxonomy"]


@pytest.mark.parametrize("is_here", [True, False])
def test_whoever_stops_it_when_all_is_in_place_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_here: bool
) -> None:
    """Ctrl-C behind the last rename."""
    rename = os.rename

    def stopped(source: Path, target: Path) -> None:
        rename(source, target)
        if (tmp_path / "rye" / "taxonomy").exists():
            monkeypatch.setattr(os, "rename", rename)
            raise KeyboardInterrupt

    (tmp_path / "rye").mkdir()
    if is_here:
        monkeypatch.chdir(tmp_path / "rye")
    monkeypatch.setattr(os, "rename", stopped)
    with suppress(KeyboardInterrupt):
        write_new_folder(tmp_path / "rye", FILES)
    is_there = (tmp_path / "rye" / "taxonomy" / "taxonomy.yaml").exists()
    assert written == ([tmp_path / "rye"] if is_there else [])
    assert os.listdir(tmp_path) == ["rye"]
