"""Makes the pictures of docs/review-labels.md: the small bread project's sheet, by LibreOffice.

python docs/images/make.py, where soffice (libreoffice-calc) and pdftoppm are installed. No test
runs it; look at what it made.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from openpyxl import load_workbook
from PIL import Image, ImageChops

from classifier.commands.review_batch import write_all
from classifier.project import Project

HERE = Path(__file__).resolve().parent
BREAD = HERE.parents[1] / "tests" / "golden" / "project"
TYPED = {
    2: {"verdict": "ok"},
    3: {"review_topics": "add ovens"},
    4: {"verdict": "ok; key"},
    5: {"review_primary": "ovens"},
    6: {"exclude": "about microphones, not bread"},
    7: {"review_topics": "ovens", "review_topics 2": "keeping"},
    8: {"review_topics": "sourdo"},
}
"""Row -> column -> what a reviewer types."""
ALWAYS = ("id", "title", "status", "confidence", "primary", "topics", "why", "verdict")
FILLED = ("title", "primary", "topics", "verdict", "review_primary", "review_topics",
          "review_topics 2", "exclude")  # fmt: skip
ROWS = 9


def main() -> None:
    """Write review-sheet.png and review-cells.png beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(shutil.copytree(BREAD, Path(folder) / "bread"))
        sheet = project / "labels.xlsx"
        write_all(Project(project), sheet)
        photograph(sheet, HERE / "review-sheet.png", ALWAYS)
        photograph(fill(sheet), HERE / "review-cells.png", FILLED)


def fill(path: Path) -> Path:
    """Type into a copy of the sheet."""
    book = load_workbook(path)
    sheet = book["Labels"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row, cells in TYPED.items():
        for name, text in cells.items():
            sheet.cell(row, columns[name]).value = text
    filled = path.with_name("filled.xlsx")
    book.save(filled)
    return filled


def photograph(path: Path, picture: Path, shown: tuple[str, ...]) -> None:
    """Print the first rows of some columns on one page, and keep what is on it."""
    book = load_workbook(path)
    sheet = book["Labels"]
    for cell in sheet[1]:
        sheet.column_dimensions[cell.column_letter].hidden = cell.value not in shown
    sheet.print_area = f"A1:{sheet.cell(1, sheet.max_column).column_letter}{ROWS}"
    sheet.print_options.headings = sheet.print_options.gridLines = True
    for row in range(2, ROWS + 1):
        sheet.row_dimensions[row].height = 46  # what a cell on the screen would cut off
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    for side in ("oddHeader", "oddFooter"):
        getattr(sheet, side).center.text = ""
    with tempfile.TemporaryDirectory() as folder:
        printed = Path(folder) / "sheet.xlsx"
        book.save(printed)
        office = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless"]
        command = [*office, "--convert-to", "pdf", "--outdir", folder, str(printed)]
        subprocess.run(command, check=True, capture_output=True)
        drawn = ["pdftoppm", "-png", "-singlefile", "-r", "170", str(printed.with_suffix(".pdf"))]
        subprocess.run([*drawn, str(printed.with_suffix(""))], check=True)
        page = Image.open(printed.with_suffix(".png")).convert("RGB")
        blank = Image.new("RGB", page.size, "white")
        page.crop(ImageChops.difference(page, blank).getbbox()).quantize(32).save(picture)


if __name__ == "__main__":
    main()
