"""A new project's folder is whole, or was never there; and nobody is told otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files.atomic import written
from classifier.files.folder import NEW, write_new_folder

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
        f"{tmp_path}: holds .notes; nothing was written. Name a folder that is not there yet."
    )
    assert written == []


def test_whoever_stops_it_when_all_is_in_place_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the emptied staging folder is looked at."""
    listed = os.listdir

    def stopped(path: str | Path) -> list[str]:
        if Path(path).name == NEW and not listed(path):
            raise KeyboardInterrupt
        return listed(path)

    monkeypatch.setattr(os, "listdir", stopped)
    with suppress(KeyboardInterrupt):
        write_new_folder(tmp_path, FILES)
    assert (tmp_path / "taxonomy" / "taxonomy.yaml").exists()
    assert written == [tmp_path]
