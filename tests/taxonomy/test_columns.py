"""What a person may type into a typed column, and what `columns:` may say."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.taxonomy.columns import (
    cell_text,
    dates_in,
    expected_form,
    numbers_in,
    parse_typed_cell,
)
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import TypedColumn

DOSE = TypedColumn(id="dose", kind="number", units={"mg": ("milligram",)})
ROUTE = TypedColumn(id="route", kind="one of", values={"oral": (), "nasal": ()}, several=True)
OPEN = TypedColumn(id="open", kind="one of", values={"code": ()}, promised=("will be",))
ENDED = TypedColumn(id="ended", kind="date")
DRUG = TypedColumn(id="drug", kind="text")


@pytest.mark.parametrize(
    ("column", "cell", "text"),
    [
        (DOSE, "5", "5 mg"),
        (DOSE, "1,500 milligrams", "1,500 mg"),
        (DOSE, "1,00,000 mg", "100,000 mg"),
        (DOSE, "0,5 mg", "0.5 mg"),  # as much of Europe writes it
        (DOSE, "97,25", "97.25 mg"),
        (ROUTE, "Nasal; oral", "nasal; oral"),
        (OPEN, "Code (promised)", "code (promised)"),
        (ENDED, "6 May 2024", "2024-05-06"),
        (ENDED, "2024-05", "2024-05"),
        (DRUG, "aspirin", "aspirin"),
        (DRUG, "none", ""),
    ],
)
def test_a_typed_value_is_read(column: TypedColumn, cell: str, text: str) -> None:
    values = parse_typed_cell(column, cell)
    assert not isinstance(values, str)
    assert cell_text(values) == text
    assert all(value.source == "by hand" for value in values)


@pytest.mark.parametrize(
    ("column", "cell"),
    [(DOSE, "much"), (DOSE, "5 g"), (DOSE, "5; 6"), (ROUTE, "by mouth"), (ENDED, "2024-13")],
)
def test_another_text_is_refused_with_the_expected_form(column: TypedColumn, cell: str) -> None:
    assert parse_typed_cell(column, cell) == expected_form(column)


def test_numbers_are_read_with_their_unit() -> None:
    size = TypedColumn(id="size", kind="number", units={"B": (), "tasks": ("task",), "GPUs": ()})
    text = "Qwen3-8B learns from 17,000 verifiable tasks or 60k tasks, on 64 X300 GPUs, in 8b bits"
    found = [value.text for value in numbers_in(size, f"{text}, 1,5 B parameters")]
    assert found == ["8 B", "17,000 tasks", "60,000 tasks", "64 GPUs", "1.5 B"]


def test_dates_are_read() -> None:
    text = "from 6 May 2024 to July 2025, and in 2026-02-03; 20240 and 2024-99 are none"
    assert [value.text for value in dates_in(text)] == ["2024-05-06", "2025-07", "2026-02-03"]


FAULTY = """
survey: {title: Trials}
facets:
  topic:
    kind: multi
    categories: [{id: asthma}, {id: gout}]
columns:
  year: {kind: date}
  Dose: {kind: number, units: {mg: []}}
  amount: {kind: number}
  route: {kind: one of, units: {mg: []}, values: {oral: [by mouth]}}
  drug: {kind: text, lexicon: drugs, applies_to: [astma]}
  size: {kind: numbr}
  arm: {kind: text, colour: red, cues: [_]}
"""


def test_all_faults_of_columns_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.yaml"
    path.write_text(FAULTY, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_taxonomy(path, "taxonomy.yaml")
    assert "\n".join(map(str, raised.value.faults)) == snapshot("""\
taxonomy.yaml:8: error: found the column id 'year'; expected an id that no facet, lexicon, sheet column or browse key has. Choose another id.
taxonomy.yaml:9: error: found the column id 'Dose'; expected lower-case words joined by underscores. Write 'dose'.
taxonomy.yaml:10: error: found no 'units' in the column 'amount' of kind number; expected 'units'. Add it: 'units: {mg: [milligram]}'.
taxonomy.yaml:11: error: found 'units' in a column of kind one of; expected 'units' only with 'kind: number'. Delete the line, or change the kind.
taxonomy.yaml:12: error: found the lexicon 'drugs'; expected the name of a lexicon.
taxonomy.yaml:12: error: found the unknown category 'astma' in 'applies_to'; expected a category of the first facet. Did you mean 'asthma'?
taxonomy.yaml:13: error: found 'numbr' for 'kind'; expected 'text', 'number', 'one of' or 'date'.
taxonomy.yaml:14: error: found the cue '_' with only open words; expected a phrase to search for. Add a required word.
taxonomy.yaml:14: error: found the unknown key 'colour' in a column; expected one of name, definition, kind, applies_to, several, lexicon, units, values, promised, cues, against.\
""")
