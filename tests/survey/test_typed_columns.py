"""A medical project with typed columns: cues fill them, people correct them."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from pathlib import Path

import pytest

from classifier.commands.apply import apply_sheets
from classifier.pipeline import BuildResult, build, compute
from classifier.project import Project
from classifier.survey.typed_columns import ColumnFiller
from classifier.taxonomy.load import load_taxonomy
from classifier.text.roles import roled_sentences

TAXONOMY = """
survey: {title: Trials of pain relief}
facets:
  topic:
    kind: multi
    categories:
      - {id: migraine, cues: {anywhere: [migraine~]}}
      - {id: gout, cues: {anywhere: [gout]}}
      - {id: other, out_of_scope: true}
lexicons:
  drugs: {aspirin: [acetylsalicylic acid], colchicine: [], ibuprofen: []}
"""
# The ten lines that add two columns.
COLUMNS = """
columns:
  dose:
    kind: number
    units: {mg: [milligram]}
    cues: [VALUE of _ daily, dose~ of VALUE]
  drug:
    kind: text
    lexicon: drugs
    cues: [received VALUE, given VALUE]
    against: [than VALUE]
"""
ABSTRACTS = {
    "Aspirin for migraine": "Patients with migraine received aspirin at a dose of 1,000 mg. "
    "Pain fell sooner than with ibuprofen at 400 mg.",
    "Colchicine for gout": "We randomised 80 adults with gout. They were given colchicine, "
    "0.5 mg of it daily, without ibuprofen.",
    "Rest for gout": "Adults with gout rested. Nothing was given.",
}


@pytest.fixture
def trials(tmp_path: Path) -> Project:
    (tmp_path / "taxonomy").mkdir()
    (tmp_path / "papers").mkdir()
    (tmp_path / "taxonomy/taxonomy.yaml").write_text(TAXONOMY + COLUMNS, encoding="utf-8")
    rows = [{"title": title, "abstract": text} for title, text in ABSTRACTS.items()]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "papers/trials.jsonl").write_text(lines, encoding="utf-8")
    return Project(tmp_path)


def sheet(result: BuildResult) -> dict[str, dict[str, str]]:
    text = result.files["labels.csv"].decode("utf-8-sig")
    return {row["title"]: row for row in csv.DictReader(io.StringIO(text))}


def test_a_column_is_declared_in_ten_lines() -> None:
    assert len(COLUMNS.strip().splitlines()) <= 10 + 1  # with the line `columns:`


def test_cues_fill_the_sheet(trials: Project) -> None:
    rows = sheet(compute(trials))
    cells = {title: (row["dose"], row["drug"]) for title, row in rows.items()}
    assert cells == {
        "Aspirin for migraine": ("1,000 mg", "aspirin"),
        "Colchicine for gout": ("0.5 mg", "colchicine"),
        "Rest for gout": ("", ""),
    }


def test_each_value_has_its_sentence(trials: Project) -> None:
    papers = json.loads(compute(trials).files["papers.json"])
    (aspirin,) = [paper for paper in papers if paper["title"] == "Aspirin for migraine"]
    (dose,) = aspirin["columns"]["dose"]
    assert aspirin["abstract"][dose["start"] : dose["end"]] == "1,000 mg"
    assert dose["sentence"].startswith("Patients with migraine received aspirin")
    assert (dose["number"], dose["unit"], dose["source"]) == (1000, "mg", "text")


def test_the_table_and_the_browse_page_have_the_columns(trials: Project) -> None:
    result = compute(trials)
    assert result.survey.table["drug"].tolist().count(("aspirin",)) == 1
    assert result.survey.facts.select(drug="colchicine").number == 1
    assert '"id":"dose"' in result.files["search-index.js"].decode()
    assert "| Dose | Drug |" in result.files["survey.md"].decode()
    assert "*Drug* for two of three papers" in result.files["survey.md"].decode()


def fill(trials: Project, title: str, **cells: str) -> list[str]:
    """Type cells into the row of a paper, and return what is refused."""
    path = trials.root / "out/labels.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    for row in rows:
        row |= cells if row["title"] == title else {}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, reader.fieldnames or ())
        writer.writeheader()
        writer.writerows(rows)
    applied = apply_sheets(trials, [path], reviewer="ada", today=date(2025, 6, 1))
    return [str(fault) for fault in applied.refused]


def test_a_typed_value_wins_and_is_signed(trials: Project) -> None:
    build(trials, trials.root / "out")
    assert fill(trials, "Aspirin for migraine", col_dose="900", col_drug="none") == []
    ledger = trials.ledger_file.read_text(encoding="utf-8")
    assert "col_dose,900," in ledger
    result = build(trials, trials.root / "out")
    row = sheet(result)["Aspirin for migraine"]
    assert (row["dose"], row["drug"], row["col_dose"]) == ("900 mg", "", "")
    assert "900 mg (by ada)" in result.files["survey.md"].decode()
    assert fill(trials, "Aspirin for migraine", col_dose="withdraw", col_drug="withdraw") == []
    row = sheet(build(trials, trials.root / "out"))["Aspirin for migraine"]
    assert (row["dose"], row["drug"]) == ("1,000 mg", "aspirin")


def test_a_value_of_another_type_is_refused_and_nothing_is_lost(trials: Project) -> None:
    build(trials, trials.root / "out")
    (fault,) = fill(trials, "Rest for gout", col_dose="a little")
    assert "col_dose" in fault
    assert "a number with a unit (mg)" in fault
    assert "a little" in (trials.root / "out/labels.csv").read_text(encoding="utf-8")


OVENS = """
survey: {title: Bread}
facets: {topic: {kind: multi, categories: [{id: bread}, {id: other, out_of_scope: true}]}}
lexicons:
  ovens: {Brik: [], Stove: []}
columns:
  oven: {kind: text, lexicon: ovens, several: true, cues: [VALUE fired with, built on VALUE]}
  size: {kind: number, units: {L: [litre]}, several: true, cues: [VALUE fired with]}
  open:
    kind: one of
    several: true
    values: {recipes: [recipe~], flour: [flour]}
    promised: [will be]
    cues: [is released, are released, be released, are releasing]
"""


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("We test Brik-30L-Pro fired with wood.", {"oven": "Brik-30L-Pro", "size": "30 L"}),
        ("A Brik 30L fired with wood bakes.", {"size": "30 L"}),
        (
            "Two ovens, Brik-30L-Pro and Stove-8L, fired with wood, bake.",
            {"oven": "Brik-30L-Pro; Stove-8L", "size": "30 L; 8 L"},
        ),
        ("Crumb-40L and 60L bake faster than Stove-8L.", {"size": "40 L; 60 L"}),
        ("Crumb-40L and Stove-8L bake.", {"size": "40 L"}),
        ("Built on Stove, Crumb bakes.", {"oven": "Stove"}),
        ("Recipes and flour are released.", {"open": "recipes; flour"}),
        ("Recipes and flour will be released.", {"open": "recipes (promised); flour (promised)"}),
        ("Flour is released; recipes will be released.", {"open": "flour; recipes (promised)"}),
        ("We are releasing flour.", {"open": "flour"}),
        ("Flour will be released. Flour is released.", {"open": "flour"}),
    ],
)
def test_names_with_numbers_and_promises(tmp_path: Path, text: str, cells: dict[str, str]) -> None:
    file = tmp_path / "taxonomy.yaml"
    file.write_text(OVENS, encoding="utf-8")
    taxonomy = load_taxonomy(file).taxonomy
    assert taxonomy is not None
    found = ColumnFiller(taxonomy).fill(roled_sentences(text), "Crumb")
    texts = {column: {value.text for value in values} for column, values in found.items()}
    assert texts == {column: set(values.split("; ")) for column, values in cells.items()}


@pytest.mark.parametrize(
    ("sentence", "column", "values"),
    [
        ("Introduces Oven, an open LLM with 1 trillion parameters.", "model_size", ["1 T"]),
        ("Presents Oven, a language model of 560 billion parameters.", "model_size", ["560 B"]),
        ("Proposes a language model of approximately 1.6B parameters.", "model_size", ["1.6 B"]),
        ("Introduces Oven, a family of 15B models.", "model_size", ["15 B"]),
        ("The toolkit made a corpus, which is being released.", "open", ["data"]),
        ("Benchmark and toolkit are released.", "open", ["code", "data"]),
        ("Model and code are public.", "open", ["code", "weights"]),
        ("The framework is planned to be open-sourced.", "open", ["code (promised)"]),
        ("A collection of papers, data and projects is available.", "open", []),
    ],
)
def test_columns_of_the_shipped_taxonomy(
    root: Path, sentence: str, column: str, values: list[str]
) -> None:
    filler = ColumnFiller(load_taxonomy(root / "taxonomy" / "taxonomy.yaml").taxonomy)
    found = filler.fill(roled_sentences(f"Loaves are heavy. {sentence}"))
    assert [value.text for value in found.get(column, ())] == values


def test_sizes_and_releases_of_foundation_models_are_listed(root: Path) -> None:
    columns = load_taxonomy(root / "taxonomy" / "taxonomy.yaml").taxonomy.columns
    for column in ("model_size", "open"):
        assert columns[column].applies_to_topics({"foundation-models"})
