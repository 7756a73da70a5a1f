"""Sheets as programs and people save them are read, or refused with a hint."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.review.sheet_file import SheetFile, read_sheet, read_tabs, sheet_file_bytes
from tests.review.bakery import BAKERY, CLAY, RYE, apply_sheet, cells, decided

TEXT = sheet_file_bytes(
    BAKERY,
    [
        cells(RYE, verdict="ok", remark="Übung “quoted”, she’d say – é", abstract='So "good", ah'),
        cells(CLAY, abstract="Of stone, of clay"),
    ],
).decode()


def saved(folder: Path, data: bytes) -> SheetFile:
    path = folder / "labels.csv"
    path.write_bytes(data)
    return read_sheet(path, "labels.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_encoding_of_a_spreadsheet(tmp_path: Path, encoding: str, newline: str) -> None:
    found = saved(tmp_path, TEXT.replace("\n", newline).encode(encoding, "replace"))
    assert found.rows[0].cells["remark"] == "Übung “quoted”, she’d say – é"
    assert "topic" in decided(apply_sheet(found))


@pytest.mark.parametrize("word", ["Gärung über Nacht", "für März", "mañana"])
@pytest.mark.parametrize("encoding", ["cp850", "mac_roman"])
def test_other_encodings_are_refused_with_a_hint(tmp_path: Path, word: str, encoding: str) -> None:
    """“CSV (MS-DOS)” and “CSV (Macintosh)” of Excel."""
    text = TEXT.replace("Übung “quoted”, she’d say – é", word)
    with pytest.raises(InputError, match=r"expected UTF-8 text\. Save it as CSV UTF-8 or"):
        saved(tmp_path, text.encode(encoding, "replace"))


def test_a_guessed_encoding_is_reported_with_words_of_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(
        TEXT.replace("Übung “quoted”, she’d say – é", "ask Jiří").encode("cp1250", "replace")
    )
    assert read_tabs(path, "labels.csv")[1] == snapshot(
        [
            "labels.csv: read as Windows-1252: Jiøí. If letters are wrong, save it as CSV UTF-8 and apply it again."
        ]
    )
    path.write_bytes(TEXT.encode())
    assert read_tabs(path, "labels.csv")[1] == []


@pytest.mark.parametrize("word", ["Gärung über Nacht", "pâte à pain", "“so”", "it’s"])
def test_a_few_letters_identify_windows_1252(tmp_path: Path, word: str) -> None:
    text = TEXT.replace("Übung “quoted”, she’d say – é", word).replace("‘rye’", "rye")
    found = saved(tmp_path, text.encode("cp1252"))
    assert found.rows[0].cells["remark"] == word


def one_column(text: str, delimiter: str = ";") -> str:
    """Return a CSV with commas as saved by a spreadsheet that expects semicolons."""
    lines = []
    for number, line in enumerate(text.splitlines()):
        cell = f'"{line.replace(chr(34), 2 * chr(34))}"' if '"' in line else line
        lines.append(f"{cell}{delimiter}{'ok' if number else ''}")
    return "\n".join(lines)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_sheet_in_one_column_is_refused_with_a_hint(tmp_path: Path, delimiter: str) -> None:
    with pytest.raises(InputError) as caught:
        saved(tmp_path, one_column(TEXT, delimiter).encode())
    assert "found all cells of a row in its first column" in str(caught.value)
    assert "fieldguide build --excel" in str(caught.value)


def test_a_sheet_for_excel_has_semicolons_and_a_byte_order_mark(tmp_path: Path) -> None:
    data = sheet_file_bytes(BAKERY, [cells(RYE, verdict="ok")], for_excel=True)
    assert data.startswith(b"\xef\xbb\xbfid;title;")
    assert "topic" in decided(apply_sheet(saved(tmp_path, data)))


def test_a_stray_quote_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        saved(tmp_path, TEXT.replace('"Übung “quoted”, she’d say – é"', '"Übung').encode())
    assert "labels.csv:2: error: found text after a closing quote" in str(caught.value)


@pytest.mark.parametrize("identifier", ["", "1.23E+09", "01.02.2024", "ARXIV:2401.10230", "#####"])
def test_a_mangled_id_is_found_by_its_title(tmp_path: Path, identifier: str) -> None:
    found = saved(tmp_path, TEXT.replace(RYE, identifier).encode())
    assert "topic" in decided(apply_sheet(found))


def test_without_the_id_column_papers_are_found_by_title(tmp_path: Path) -> None:
    text = "\n".join(line.partition(",")[2] for line in TEXT.splitlines())
    assert "topic" in decided(apply_sheet(saved(tmp_path, text.encode())))


def test_a_mangled_id_next_to_a_mangled_title_is_refused(tmp_path: Path) -> None:
    found = saved(tmp_path, TEXT.replace(RYE, "1.23E+09").replace("Rye at Rest", "R?e").encode())
    (fault,) = apply_sheet(found).refused
    assert str(fault).startswith("labels.csv: row 2, id: found '1.23E+09'; expected the id, or the")
