"""What systems leave in a folder is no input, and what else is none stops no build."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.project import Project
from classifier.survey.inputs import read_inputs

BREAD = Path(__file__).resolve().parent / "golden" / "project"


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    return Project(shutil.copytree(BREAD, tmp_path / "bread"))


@pytest.mark.parametrize(
    "name",
    [
        "Thumbs.db",
        "desktop.ini",
        ".DS_Store",
        "~$list.xlsx",
        "a.bib~",
        "._list.bib",
        ".~lock.list.ods#",
    ],
)
def test_litter_is_passed_over_in_silence(bread: Project, name: str) -> None:
    before = read_inputs(bread)
    (bread.root / "papers" / name).write_bytes(b"\x00\x01")
    (bread.root / "papers" / "empty.csv").write_bytes(b"")
    after = read_inputs(bread)
    assert (after.warnings, after.version) == (before.warnings, before.version)


@pytest.mark.parametrize(
    ("name", "content"), [("notes.bin", b"\x00\x01\x02"), ("notes.txt", b"Ask Ada about rye.\n")]
)
def test_another_file_that_is_no_input_is_a_warning_that_names_it(
    bread: Project, name: str, content: bytes
) -> None:
    (bread.root / "papers" / name).write_bytes(content)
    (warning,) = [f for f in read_inputs(bread).warnings if f.file == f"papers/{name}"]
    assert warning.severity == "warning"
    assert warning.hint == snapshot("It was not read. Move it out of the folder, or convert it.")


@pytest.mark.parametrize("separator", [";", ","])
def test_a_name_that_is_nearly_a_known_one_is_asked_about(bread: Project, separator: str) -> None:
    """A table without titles is a broken input, not litter: it stays an error."""
    table = bread.root / "papers" / "broken.csv"
    text = "Tittle;Abstract;Jahr\nRye;We bake.;2020\nOats;We eat.;2021\n"
    table.write_text(text.replace(";", separator))
    with pytest.raises(InputError, match=r"broken\.csv.*'Tittle': did you mean Title\?"):
        read_inputs(bread)


def test_a_column_that_is_nearly_a_known_one_is_asked_about(bread: Project) -> None:
    table = bread.root / "papers" / "broken.csv"
    table.write_text("Title,Abstrct\nRye and oats in the oven,We bake.\nOats,We eat.\n")
    assert any(f.hint.startswith("Did you mean Abstract?") for f in read_inputs(bread).warnings)


def test_without_any_paper_it_is_an_error(bread: Project) -> None:
    shutil.rmtree(bread.root / "papers")
    (bread.root / "papers").mkdir()
    (bread.root / "papers" / "notes.bin").write_bytes(b"\x00\x01\x02")
    with pytest.raises(InputError):
        read_inputs(bread)


def test_columns_that_nothing_reads_are_named(bread: Project) -> None:
    text = "Document Title,Resumen,Oven,Loft\nRye and oats in the oven,We bake.,hot,\n"
    (bread.root / "papers" / "more.csv").write_text(text)
    (line,) = [file.columns_line() for file in read_inputs(bread).corpus.files if file.columns]
    assert line.endswith("abstract ← Resumen; not read: 'Oven'")
