"""LibreOffice opens and saves the sheet, and no cell is lost."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from classifier.review.edits import filled_rows
from classifier.review.sheet import checksum, human_columns, label_columns, with_checksum
from classifier.review.sheet_file import read_sheet, sheet_file_bytes
from classifier.taxonomy.model import Taxonomy

PROGRAMS = ("soffice", "libreoffice")
FILTERS = {
    "csv": "csv:Text - txt - csv (StarCalc):44,34,76,1",
    "semicolons": "csv:Text - txt - csv (StarCalc):59,34,76,1",
    "unicode": "csv:Text - txt - csv (StarCalc):9,34,65535,1",
    "windows": "csv:Text - txt - csv (StarCalc):59,34,1,1",
    "xlsx": "xlsx",
}
"""Options for saving: delimiter, quote and encoding by number (76 UTF-8, 65535 UTF-16, 1 cp1252)."""
Save = Callable[..., list[Path]]


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Save:
    """Open sheets in LibreOffice and save them in one of the FILTERS."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("needs LibreOffice, which is not installed")
    home = tmp_path_factory.mktemp("libreoffice")
    command = [program, f"-env:UserInstallation={(home / 'profile').as_uri()}", "--headless"]

    def saved(form: str, *paths: Path) -> list[Path]:
        folder = paths[0].parent / form
        opened = ["--infilter=CSV:44,34,76,1"] if paths[0].suffix == ".csv" else []
        arguments = ["--convert-to", FILTERS[form], "--outdir", str(folder), *map(str, paths)]
        subprocess.run(
            [*command, *opened, *arguments], check=True, capture_output=True, timeout=120
        )
        suffix = ".xlsx" if form == "xlsx" else ".csv"
        return [folder / f"{path.stem}{suffix}" for path in paths]

    return saved


def rows(taxonomy: Taxonomy) -> list[dict[str, str]]:
    """Return papers with titles that spreadsheets change, and one with no other field."""
    shown = {"year": "2024", "status": "provisional", "confidence": "0.70", "primary": "dough"}
    labels = {"topics": "dough; taste", "kind": "trial"}
    papers = [
        {"id": "arxiv:2401.10230", "title": "=Rye, “Sour” – l’été", **shown, **labels},
        {"id": "p-0123456789", "title": "-Steam;\n\"hot\" 'air'", **shown, **labels},
        {"id": "doi:10.1000/1e5", "title": "@Home\twith yeast", **shown, **labels},
    ]
    for paper in papers:
        mark = checksum(paper, label_columns(taxonomy), taxonomy.digest)
        paper["why"] = with_checksum("‘rye’ in the title +2.0; “oven” -0.3", mark)
    return papers


EDITS = {
    "verdict": "ok",
    "review_topics": "dough; taste",
    "review_kind": "guide",
    "remark": "+1 “très” bien, said „she“;\nand 'so' did I",
    "reviewer": "Žofie",
    "note": "= rye, or -so",
}


def cells(path: Path) -> list[Mapping[str, str]]:
    return [row.cells for row in read_sheet(path).rows]


def as_seen(row: Mapping[str, str]) -> dict[str, str]:
    """Return a row as LibreOffice saves it: it reads the confidence of a CSV as a number."""
    return {name: cell.replace("0.70", "0.7") for name, cell in row.items()}


@pytest.mark.parametrize(("kind", "form"), [("csv", "windows"), ("xlsx", "xlsx")])
def test_typed_cells_survive_libreoffice(
    tmp_path: Path, taxonomy: Taxonomy, save: Save, kind: str, form: str
) -> None:
    plain, edited = tmp_path / f"plain.{kind}", tmp_path / f"edited.{kind}"
    papers = rows(taxonomy)
    plain.write_bytes(sheet_file_bytes(taxonomy, papers, kind))  # type: ignore[arg-type]
    filled = [{**papers[0], **EDITS}, *papers[1:]]
    edited.write_bytes(sheet_file_bytes(taxonomy, filled, kind))  # type: ignore[arg-type]
    again, back = save(form, plain, edited)
    assert filled_rows(read_sheet(again), taxonomy) == []
    assert [row.row for row in filled_rows(read_sheet(back), taxonomy)] == [2]
    assert list(map(as_seen, cells(back))) == list(map(as_seen, cells(edited)))


def test_text_in_our_workbook_stays_text(tmp_path: Path, taxonomy: Taxonomy, save: Save) -> None:
    texts = ("1e5", "2024-05", "007", "TRUE", "1/2", "'=1", "3,5", " x ")
    path = tmp_path / "labels.xlsx"
    typed = [
        {"id": "p-1", **dict(zip(human_columns(taxonomy), texts, strict=True))},
    ]
    path.write_bytes(sheet_file_bytes(taxonomy, typed, "xlsx"))
    (found,) = cells(*save("csv", path))
    assert tuple(found[name] for name in human_columns(taxonomy)) == texts
