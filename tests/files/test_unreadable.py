"""Why a file cannot be read, in the user's words, and which other one may be meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.files.reading import read_text


def message(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_text(path, path.name)
    return str(caught.value)


def test_a_slip_in_a_name(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").touch()
    assert message(tmp_path / "lables.csv") == (
        snapshot(
            "lables.csv: error: found no such file; expected a file that exists. Did you mean labels.csv?"
        )
    )


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    assert message(tmp_path / "papers") == (
        snapshot("papers: error: found a folder; expected a file. Name its files: papers/*")
    )


def test_a_folder_that_may_not_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_: object) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", denied)
    assert message(tmp_path / "labels.csv") == (
        snapshot("labels.csv: error: found no such file; expected a file that exists.")
    )
