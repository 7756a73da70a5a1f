"""Makes the pictures of docs/review-labels.md: the small bread project's sheet in LibreOffice.

python docs/images/make.py, where soffice (libreoffice-calc, libreoffice-gtk3), Xvfb, xdotool and
import (ImageMagick) are installed. No test runs it; look at what it made.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from openpyxl import load_workbook

from classifier.pipeline import build
from classifier.project import Project
from classifier.survey.last_build import BuildOptions

HERE = Path(__file__).resolve().parent
BREAD = HERE.parents[1] / "tests" / "golden" / "project"
WIDTH, HEIGHT = 1280, 560
TYPED = {
    2: {"verdict": "ok"},
    3: {"review_topics": "add ovens"},
    4: {"verdict": "ok; key"},
    5: {"review_primary": "Keeping & staling"},
    6: {"exclude": "a review of models, not of bread"},
    7: {"review_topics": "ovens", "review_topics 2": "keeping"},
    8: {"review_topics": "sourdo"},
}
"""Row -> column -> what a reviewer types."""


def main() -> None:
    """Write review-sheet.png and review-cells.png beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(shutil.copytree(BREAD, Path(folder) / "bread"))
        build(Project(project), project / "out", BuildOptions(xlsx=True))
        sheet = project / "out" / "labels.xlsx"
        photograph(sheet, HERE / "review-sheet.png", pointer=(330, 315))
        sheet = fill(sheet)
        photograph(sheet, HERE / "review-cells.png", pointer=(640, 20))


def fill(path: Path) -> Path:
    """Type into a copy of the sheet, columns hidden that a reviewer may do without."""
    book = load_workbook(path)
    sheet = book["Labels"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row, cells in TYPED.items():
        for name, text in cells.items():
            sheet.cell(row, columns[name]).value = text
    for name in ("year", "url", "status", "confidence", "contribution", "why"):
        sheet.column_dimensions[sheet.cell(1, columns[name]).column_letter].hidden = True
    for column in ("B", "G", "H", "I", "L", "M", "N", "O", "P"):
        sheet.column_dimensions[column].width *= 0.8
    sheet.sheet_view.zoomScale = 75
    filled = path.with_name("filled.xlsx")
    book.save(filled)
    return filled


def photograph(path: Path, picture: Path, pointer: tuple[int, int]) -> None:
    """Open `path` in LibreOffice on a screen that nobody sees, and keep what is on it."""
    screen = ":77"
    environment = {**os.environ, "DISPLAY": screen}
    with tempfile.TemporaryDirectory() as profile:
        virtual = ["Xvfb", screen, "-screen", "0", f"{WIDTH}x{HEIGHT}x24"]
        office = ["soffice", f"-env:UserInstallation=file://{profile}", "--nologo", "--norestore"]
        office += ["--nofirststartwizard", "--calc", str(path)]
        with (
            subprocess.Popen(virtual, stderr=subprocess.DEVNULL) as display,
            subprocess.Popen(office, env=environment, stderr=subprocess.DEVNULL) as program,
        ):
            time.sleep(15)
            place = ["windowsize", "%@", str(WIDTH), str(HEIGHT), "windowmove", "%@", "0", "0"]
            run = ["xdotool", "search", "--name", "Calc", *place]
            subprocess.run(run, env=environment, check=False)
            for shift in (0, 3):  # a note shows where the pointer comes to rest
                x, y = pointer[0] + shift, pointer[1]
                move = ["xdotool", "mousemove", str(x), str(y)]
                subprocess.run(move, env=environment, check=True)
                time.sleep(2)
            shot = ["import", "-window", "root", "+dither", "-colors", "32", str(picture)]
            subprocess.run(shot, env=environment, check=True)
            subprocess.run(["pkill", "-f", profile], check=False)
            program.wait()
            display.terminate()


if __name__ == "__main__":
    main()
