"""The landscape: tables of the sample."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from classifier.survey.document import Paragraph, Table
from classifier.survey.sections.landscape import landscape_sections, sample_table, terms_table


def test_the_sample_is_one_table(make_entry: Any, survey_of: Any) -> None:
    dated = ["2023", "2025", ""]
    survey = survey_of([make_entry(n, published=d) for n, d in enumerate(dated, 1)])
    table = sample_table(survey)
    row = table.rows[0]
    assert table.columns[:3] == ("Category", "Filed", "Also here")
    assert row[1:3] == ("3", "0")
    assert row[-2:] == ("2023–2025", "1")


def test_the_landscape_has_no_prose(make_entry: Any, survey_of: Any) -> None:
    (section,) = landscape_sections(survey_of([make_entry(n) for n in range(1, 6)]))
    assert not any(isinstance(block, Paragraph) for block in section.blocks)
    assert any(isinstance(block, Table) and block.id == "sample" for block in section.blocks)


def test_a_changed_term_is_listed_with_its_counts(make_entry: Any, survey_of: Any) -> None:
    old = [
        make_entry(n, published="2024-03", text=f"Digs with a steel spade {n}.")
        for n in range(1, 41)
    ]
    new = [
        make_entry(n, published="2024-09", text=f"Digs with a robot {n}.") for n in range(41, 81)
    ]
    assert terms_table(survey_of([*old, *new])) == []  # the words of digests are not the papers'
    theirs = [
        replace(entry, paper=replace(entry.paper, abstract_kind="abstract")) for entry in old + new
    ]
    (table,) = terms_table(survey_of(theirs))
    assert ("robot", "0", "40", "<0.0001") in table.rows
    assert ("spade", "40", "0", "<0.0001") in table.rows
    # "digs" did not change, and "steel" is in the same papers as "spade"
    assert not {"digs", "steel"} & {row[0] for row in table.rows}


def test_without_enough_dated_papers_there_are_no_changed_terms(
    make_entry: Any, survey_of: Any
) -> None:
    assert terms_table(survey_of([make_entry(n, published="") for n in range(1, 80)])) == []
