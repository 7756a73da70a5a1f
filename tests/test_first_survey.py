"""Read this test first: from a bibliography to a survey, and one label corrected in the sheet."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from classifier.cli.commands import app

BEES = Path(__file__).resolve().parents[1] / "docs" / "examples" / "bees.bib"
TITLE = "An app that warns keepers of spraying"


def run(*arguments: str) -> str:
    """Run `fieldguide ARGUMENTS` and return its output."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def correct_label(sheet: Path, title: str, column: str, category: str) -> None:
    """Change one cell of the row with `title`, as a user of a spreadsheet does."""
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        columns, rows = list(reader.fieldnames or ()), list(reader)
    for row in rows:
        if row["title"] == title:
            row[column] = category
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


def papers_of(category: str) -> str:
    """Return the page of a category on the site that was built last."""
    return Path("out", "c", f"{category}.html").read_text(encoding="utf-8")


def test_a_corrected_label_moves_a_paper_on_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(BEES, "bees.bib")

    # A project from a bibliography: its keywords become categories.
    run("new", "bees", "bees.bib")
    monkeypatch.chdir(tmp_path / "bees")
    run("build")
    assert TITLE in papers_of("monitoring")
    run("build", "--out", "before")

    # A person corrects one cell of the sheet; the decision is kept in taxonomy/reviews.csv.
    correct_label(Path("out", "labels.csv"), TITLE, "review_primary", "pesticides")
    assert "1 answer applied" in run("review", "apply", "--reviewer", "ada")
    assert "pesticides" in Path("taxonomy", "reviews.csv").read_text(encoding="utf-8")

    # The next build files the paper where the person put it, and says what changed.
    run("build")
    assert TITLE in papers_of("pesticides")
    changes = run("diff", "before", "out")
    assert TITLE in changes
    assert "monitoring" in changes
    assert "pesticides" in changes
