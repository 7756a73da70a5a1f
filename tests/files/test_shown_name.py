"""How a file is named: by its place in the project, in letters that every file can hold."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from classifier.files.reading import display_path


def test_a_file_is_named_from_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "bees" / "papers" / "a.csv"
    assert display_path(inside, tmp_path / "bees") == "papers/a.csv"
    assert display_path(inside, tmp_path / "rye") == inside.as_posix()
    monkeypatch.chdir(tmp_path)
    assert display_path(Path("bees/papers/a.csv"), Path("bees")) == "papers/a.csv"


def test_a_link_that_leads_out_is_named_by_its_place(tmp_path: Path) -> None:
    papers = tmp_path / "bees" / "papers"
    papers.mkdir(parents=True)
    (tmp_path / "home.csv").write_text("title\nx\n", encoding="utf-8")
    (papers / "link.csv").symlink_to(tmp_path / "home.csv")
    assert display_path(papers / "link.csv", tmp_path / "bees") == "papers/link.csv"


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux alone")
def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")
    assert display_path(path, tmp_path) == r"caf\xe9.csv"
