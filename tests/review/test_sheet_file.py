"""Sheets are read from the files of any spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.errors import InputError
from classifier.review.sheet import sheet_columns
from classifier.review.sheet_file import (
    SheetFile,
    is_sheet,
    read_sheet,
    sheet_file_bytes,
)
from classifier.taxonomy.model import Taxonomy


def read(folder: Path, data: bytes) -> SheetFile:
    path = folder / "labels.csv"
    path.write_bytes(data)
    return read_sheet(path, "out/labels.csv")


def message_of(folder: Path, data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, data)
    return str(caught.value)


TEXT = "id,title,note\narxiv:2401.10230,“Pão” – l’été,it’s naïve\n"
SEMICOLONS = TEXT.replace(",", ";")
TABS = TEXT.replace(",", "\t")
STORED = {
    "comma": (TEXT.encode(), ","),
    "semicolon": (SEMICOLONS.encode(), ";"),
    "tab": (TABS.encode(), "\t"),
    "bar": (TEXT.replace(",", "|").encode(), "|"),
    "mark": (TEXT.encode("utf-8-sig"), ","),
    "CRLF": (TEXT.replace("\n", "\r\n").encode(), ","),
    "lone CR": (TEXT.replace("\n", "\r").encode(), ","),
    "Windows-1252": (SEMICOLONS.encode("cp1252"), ";"),
    "Windows-1252, lone CR": (TEXT.replace("\n", "\r").encode("cp1252"), ","),
    "Unicode text": (b"\xff\xfe" + TABS.encode("utf-16-le"), "\t"),
    "UTF-16-BE": (b"\xfe\xff" + TEXT.encode("utf-16-be"), ","),
    "no last newline": (TEXT.rstrip().encode(), ","),
    "quotes": (
        "".join(
            ",".join(f'"{cell}"' for cell in line.split(",")) + "\n" for line in TEXT.splitlines()
        ).encode(),
        ",",
    ),
    "trailing empty column": (TEXT.replace("\n", ",\n").encode(), ","),
    "empty rows": (("\n,,\n" + TEXT + "\n , ,\n").encode(), ","),
    "names in any case": (TEXT.replace("id,title", " ID ,\tTitle").encode(), ","),
}


@pytest.mark.parametrize(("data", "delimiter"), STORED.values(), ids=STORED.keys())
def test_files_of_spreadsheets_are_read(tmp_path: Path, data: bytes, delimiter: str) -> None:
    sheet = read(tmp_path, data)
    assert sheet.columns == ("id", "title", "note")
    assert [row.cells for row in sheet.rows] == [
        {"id": "arxiv:2401.10230", "title": "“Pão” – l’été", "note": "it’s naïve"}
    ]
    assert sheet.delimiter == delimiter


def test_rows_have_the_numbers_of_the_spreadsheet(tmp_path: Path) -> None:
    data = b'id,note\n1,"two\nlines"\n\n2,x\r3,"y\r\nz"\n'
    sheet = read(tmp_path, data)
    assert [(row.row, row.line, row.cells["id"]) for row in sheet.rows] == [
        (2, 3, "1"),
        (4, 5, "2"),
        (5, 7, "3"),
    ]
    assert sheet.rows[2].cells["note"] == "y\nz"


def test_cells_without_a_column_name_are_kept(tmp_path: Path) -> None:
    sheet = read(tmp_path, b"id,,title,\n1,why?,A,\n2,,B,,=C\n3\n")
    assert sheet.columns == ("id", "title")
    assert [(row.cells, row.extra) for row in sheet.rows] == [
        ({"id": "1", "title": "A"}, ("why?",)),
        ({"id": "2", "title": "B"}, ("=C",)),
        ({"id": "3", "title": ""}, ()),
    ]


def test_the_columns_of_a_list_are_merged(tmp_path: Path) -> None:
    data = (
        b"id,review_topics,review_topics 2,Review_Topics  3,note\n"
        b"1,a,b,c,\n2,,b,,x\n3,a, ,c,\n4,add a; drop b,,,\n"
    )
    sheet = read(tmp_path, data)
    assert sheet.columns == ("id", "review_topics", "note")
    assert [row.cells["review_topics"] for row in sheet.rows] == [
        "a; b; c",
        "b",
        "a; c",
        "add a; drop b",
    ]


def test_cells_are_text_and_not_numbers_dates_or_formulas(tmp_path: Path) -> None:
    cells = ("2401.10230", "1e5", "2024-05", "007", "TRUE", "NA", "0.70", "'=1+1", "'")
    sheet = read(tmp_path, b"id,title\n" + "".join(f"x,{c}\n" for c in cells).encode())
    assert [row.cells["title"] for row in sheet.rows] == [
        *("2401.10230", "1e5", "2024-05", "007", "TRUE", "NA", "0.70", "=1+1", "'"),
    ]


def test_a_second_byte_order_mark_is_removed(tmp_path: Path) -> None:
    for marks in ("\ufeff", "\ufeff\ufeff", "\ufeff \ufeff"):
        for encoding in ("utf-8", "utf-16-le"):
            sheet = read(tmp_path, f"{marks}id,title\n1,A\n".encode(encoding))
            assert sheet.columns == ("id", "title"), encoding


def test_an_added_column_keeps_its_name(
    tmp_path: Path,
) -> None:
    for name in (b"+1?", b"'+1?"):  # as typed, and as it is written
        sheet = read(tmp_path, b"id,title,%s\n1,A,yes\n" % name)
        assert sheet.columns == ("id", "title", "+1?")
        assert sheet.rows[0].cells["+1?"] == "yes"


SAVE = "Save it as CSV UTF-8 or as a workbook (.xlsx)."
FAULTS = {
    "empty": (b" \n", ": error: found an empty file; expected a sheet as CSV or .xlsx."),
    "PDF": (
        b"%PDF-1.7",
        f": error: found a PDF file; expected a sheet as CSV or .xlsx. {SAVE}",
    ),
    "a workbook as flat XML": (
        b'<?xml version="1.0" encoding="utf-8"?>\n<office:document/>',
        f": error: found an HTML, XML or JSON file; expected a sheet as CSV or .xlsx. {SAVE}",
    ),
    "binary": (
        b"\x01\0\0\0\0\0\x02",
        f": error: found a binary file; expected a sheet as CSV or .xlsx. {SAVE}",
    ),
    "NUL": (
        b"id,title\n1,a\0bcdefghijk\n",
        f":2: error: found a NUL character; expected a sheet as CSV or .xlsx. {SAVE}",
    ),
    "NUL below an empty line": (
        b"\nid,title\n1,a\0bcdefghijk\n",
        f":3: error: found a NUL character; expected a sheet as CSV or .xlsx. {SAVE}",
    ),
    "damaged UTF-8": (
        "id,title\n1,Pão é pão\n2,l’été P\xc3".encode()[:-1],
        f":3: error: found byte 0xc3; expected UTF-8 text. {SAVE}",
    ),
    "no encoding of ours": (
        b"id,title\n1,a\xc3bc\n",
        f":2: error: found byte 0xc3; expected UTF-8 text. {SAVE}",
    ),
    "cut UTF-16": (
        TEXT.encode("utf-16")[:-1],
        f":2: error: found byte 0x0a; expected UTF-8 text. {SAVE}",
    ),
    "twice": (
        b"\nid,title,Note,note\n",
        ":2: error: found the column 'note' twice; expected unique column names. Move the cells of one into the other, and delete it.",
    ),
    "another table": (
        b"jar,text\n1,Rye\n",
        ":1: error: found no column id or title in 'jar, text'; expected the sheet's header. Write the header of Fieldguide's sheet into the first row: id,title,…",
    ),
    "no header": (
        b",,\n;\n",
        ":2: error: found no column id or title in ';'; expected the sheet's header. Write the header of Fieldguide's sheet into the first row: id,title,…",
    ),
    "a row of answers without the header": (
        b"p-1,Rye,ok,ok\n",
        ":1: error: found no column id or title in 'p-1, rye, ok, ok'; expected the sheet's header. Write the header of Fieldguide's sheet into the first row: id,title,…",
    ),
    "cut off within a note": (
        b"id,title,note,abstract\n1,Rye,too old,Of rye\n2,Oats,not abo",
        ":3: error: found the end of the file after 3 of 4 cells of the row; expected a complete row. The file was cut off: save it again. If it is complete, add a line break at its end.",
    ),
    "unclosed quote": (
        b'id,title\n1,"A\n2,B\n',
        ':2: error: found an unclosed quote; expected a closing " at the end of the cell.',
    ),
    "unclosed quote, lone CR": (
        b'id,title\r1,B\r2,"A\r3,"B"\r',
        ':3: error: found an unclosed quote; expected a closing " at the end of the cell.',
    ),
}


@pytest.mark.parametrize(("data", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_faults(tmp_path: Path, data: bytes, message: str) -> None:
    assert message_of(tmp_path, data) == f"out/labels.csv{message}"


def test_a_missing_file_is_reported_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.csv: error: found no such file"):
        read_sheet(tmp_path / "none.csv")


def test_the_text_of_a_sheet(taxonomy: Taxonomy) -> None:
    rows = [{"id": "p-1", "title": "-A,", "mine": "x"}, {"id": "p-2"}]
    names = sheet_columns(taxonomy)
    for for_excel, mark, separator in ((False, "", ","), (True, "\ufeff", ";")):
        written = sheet_file_bytes(taxonomy, rows, for_excel=for_excel, further_columns=("mine",))
        blank = separator * len(names)
        title = "'-A," if for_excel else '"\'-A,"'
        assert written.decode().splitlines() == [
            f"{mark}{separator.join(names)}{separator}mine",
            f"p-1{separator}{title}{blank[1:]}x",
            f"p-2{blank}",
        ]


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("id,title,status,primary\n", True),
        ("\ufeffid;title;year;status;primary\r\np-1;Rye;;;dough\r\n", True),
        ('"id"\t"title"\t"status"\t"primary"', True),
        ("id,title,facet,value,primary\n", False),
        ("id title status primary\n", False),
        ("Rye\nid,title,status,primary\n", False),
    ],
)
def test_a_sheet_is_recognised_by_its_columns(tmp_path: Path, text: str, ours: bool) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8")
    assert is_sheet(path) is ours
    assert not is_sheet(tmp_path)


# --- round trips ----------------------------------------------------------------------------------

WINDOWS = "aZ09 ,;\t'\"=+-@\n“é’–_x."
TEXTS = {
    "utf-8": st.text(alphabet=WINDOWS + "→饼\u0301\x0b"),
    "utf-16-le": st.text(alphabet=WINDOWS + "→饼\u0100"),
    "utf-16-be": st.text(alphabet=WINDOWS + "→饼\u0100"),
    "cp1252": st.text(alphabet=WINDOWS),
}
STORES = st.sampled_from(sorted(TEXTS)).flatmap(
    lambda encoding: st.fixed_dictionaries(
        {
            "encoding": st.just(encoding),
            "mark": st.booleans() if encoding == "utf-8" else st.just(encoding != "cp1252"),
            "delimiter": st.sampled_from(",;\t"),
            "newline": st.sampled_from(["\n", "\r\n", "\r"]),
            "quoting": st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
            "rows": st.lists(st.lists(TEXTS[encoding], min_size=4, max_size=4), max_size=4),
            "order": st.permutations(["id", "title", "review_topics", "Mine"]),
        }
    )
)


def stored(store: dict[str, object], rows: Sequence[Sequence[str]]) -> bytes:
    """Return rows as a spreadsheet may save them."""
    stream = io.StringIO()
    csv.writer(
        stream,
        delimiter=str(store["delimiter"]),
        lineterminator=str(store["newline"]),
        # csv.writer takes \n for no newline where records end otherwise.
        quoting=csv.QUOTE_ALL if store["newline"] == "\r" else store["quoting"],  # type: ignore[arg-type]
    ).writerows(rows)
    text = stream.getvalue()
    return (("\ufeff" if store["mark"] else "") + text).encode(str(store["encoding"]))


@given(STORES)
def test_every_cell_is_read_unchanged_from_any_csv(
    tmp_path_factory: pytest.TempPathFactory, store: dict[str, object]
) -> None:
    order: list[str] = store["order"]  # type: ignore[assignment]
    rows: list[list[str]] = store["rows"]  # type: ignore[assignment]
    rows = [row for row in rows if any(map(str.strip, row))]  # others are empty rows
    sheet = read(tmp_path_factory.getbasetemp(), stored(store, [order, *rows]))
    assert sheet.columns == tuple(name.lower() for name in order)
    assert [[row.cells[name.lower()] for name in order] for row in sheet.rows] == [
        [unescaped(cell) for cell in row] for row in rows
    ]


def unescaped(cell: str) -> str:
    """Return a cell as it is read, computed by the rule in the documentation."""
    if cell.startswith("'") and cell.lstrip("'")[:1] in ("=", "+", "-", "@", "\t", "\r"):
        cell = cell[1:]
    return cell


@given(st.lists(st.tuples(*[TEXTS["utf-8"]] * 4), max_size=3), st.sampled_from(["csv", "xlsx"]))
def test_a_written_file_is_read_unchanged(
    tmp_path_factory: pytest.TempPathFactory,
    taxonomy: Taxonomy,
    given_rows: list[tuple[str, str, str, str]],
    kind: str,
) -> None:
    names = ("title", "review_topics", "note", "mine")
    rows = [
        {"id": "p-1", **dict(zip(names, cells, strict=True)), "year": "2024", "confidence": "0.70"}
        for cells in given_rows
    ]
    written = sheet_file_bytes(taxonomy, rows, kind, further_columns=("mine",))  # type: ignore[arg-type]
    sheet = read(tmp_path_factory.getbasetemp(), written)
    assert sheet.columns == (*sheet_columns(taxonomy), "mine")
    if kind == "xlsx":
        rows = [row | {"confidence": "0.7"} for row in rows]
    expected = [{name: row.get(name, "") for name in sheet.columns} for row in rows]
    assert [row.cells for row in sheet.rows] == expected
