"""A table a kind: how a case is handed in, and what is said of it."""

from __future__ import annotations

from pathlib import Path

from classifier.errors import InputError
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.project import Project
from classifier.review.ledger import COLUMNS, ledger_bytes, read_ledger
from classifier.review.ledger_check import ledger_faults
from classifier.taxonomy.lint import lint_taxonomy
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy
from tests.review.bakery import apply_sheet, cells, sheet
from tools.hostile.cases import Case
from tools.hostile.judge import said_of
from tools.hostile.made_files import make_file
from tools.hostile.project_cases import said_of_project

RYE = Paper("Keeping Rye", id="p-0000000001")
FLOUR = Taxonomy.model_validate(
    {
        "survey": {"title": "Bread"},
        "facets": {"topic": {"kind": "multi", "categories": [{"id": "flour"}, {"id": "ovens"}]}},
    }
)


def said_of_taxonomy(folder: Path, case: Case) -> list[str]:
    """Read a taxonomy.yaml, with the doubts that lint finds; its digest is made, too."""
    path = folder / "taxonomy.yaml"
    path.write_text(case.input + "\n", encoding="utf-8")
    try:
        loaded = load_taxonomy(path, path.name)
    except InputError as error:
        return said_of(error.faults)
    assert loaded.taxonomy.digest
    return ["read", *said_of([*loaded.warnings, *lint_taxonomy(loaded, [])])]


def said_of_ledger(folder: Path, case: Case) -> list[str]:
    """Read a ledger, judge it against one paper, and write it again: nothing may get lost."""
    path = folder / "reviews.csv"
    text = case.input.replace("«HEAD»", ",".join(COLUMNS))
    path.write_text(text + "\n", encoding="utf-8", newline="")
    try:
        ledger = read_ledger(path, path.name)
    except InputError as error:
        return said_of(error.faults)
    faults = ledger_faults(ledger, FLOUR, [RYE], {}, path.name)
    assert ledger.decisions(FLOUR, {}) is not None
    path.write_bytes(ledger_bytes(ledger))
    again = read_ledger(path, path.name)
    assert sorted(again.entries) == sorted(ledger.entries), case.name
    return ["read", *said_of(faults)]


def said_of_sheet(folder: Path, case: Case) -> list[str]:
    """Take up a row of a sheet; what was taken is told by its facet, what was not by its cell."""
    row = cells()
    for line in case.input.split("\n"):
        column, _, value = line.partition("=")
        row[column] = value
    taken_up = apply_sheet(sheet(row))
    taken = [f"taken: {each.facet}: {each.text}" for each in taken_up.answers]
    return [*taken, *(f"refused: {cell}" for cell in taken_up.refused)]


def said_of_file(folder: Path, case: Case) -> list[str]:
    """Read the papers of a project as a build does: those of the file (`read: 1`), a good one."""
    project = Project(folder / "project")
    papers = project.root / "papers"
    papers.mkdir(parents=True)
    make_file(papers, case.input)
    (papers / "good.jsonl").write_text('{"title": "Crust of the good file"}\n', encoding="utf-8")
    try:
        files = project.paper_files(["papers/*"])
        corpus = load_papers(files, project.root)
        skipped = project.skipped_sources(["papers/*"])
    except InputError as error:
        return said_of(error.faults)
    unread = [f"unread: {record.actual}" for record in corpus.quarantined]
    return [f"read: {len(corpus.papers) - 1}", *unread, *said_of([*corpus.faults, *skipped])]


TABLES = {
    "taxonomy": said_of_taxonomy,
    "ledger": said_of_ledger,
    "sheet": said_of_sheet,
    "files": said_of_file,
    "projects": said_of_project,
}
"""Name of a table -> what reads a case of it in a folder, and returns what was said."""
