"""The sentences on sources, labels and dates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from classifier.labelling.labels import Decision
from classifier.survey.document import Draft, Table
from classifier.survey.entry import SurveyPaper
from classifier.survey.sections.method import (
    labelling_drafts,
    labelling_sentence,
    method_sentences,
    split_tables,
)
from classifier.survey.survey import Survey

MakeEntry = Callable[..., SurveyPaper]
SurveyOf = Callable[..., Survey]

FIGURE = "Introduces a spade. It digs 12% more."


def texts_of(drafts: list[Draft | None]) -> list[str]:
    return [draft.text for draft in drafts if draft]


# dates -> the sentence on time, or ""
DATED = {
    ("",): "",
    ("2024-01",): "It is dated, in 2024.",
    ("2024-01", "2024"): "All papers are dated, in 2024.",
    ("2023-01", "2024", ""): "Of the three papers, two are dated, from 2023 to 2024. "
    "Undated papers are left out of all counts over time.",
    ("2024-01", ""): "Of the two papers, one is dated, in 2024. Undated papers are left "
    "out of all counts over time.",
    ("2022", "2024-05-01"): "All papers are dated, from 2022 to 2024.",
    ("2023", *["2025-01"] * 10): "All papers are dated, from 2023 to 2025.",
}


@pytest.mark.parametrize(("dates", "expected"), DATED.items())
def test_dated_papers_are_counted(
    dates: tuple[str, ...],
    expected: str,
    make_entry: MakeEntry,
    survey_of: SurveyOf,
) -> None:
    entries = [make_entry(n, published=date) for n, date in enumerate(dates, 1)]
    texts = texts_of(method_sentences(survey_of(entries).facts))
    assert [text for text in texts if "dated" in text] == ([expected] if expected else [])


# (digests, titles alone, quarantined) -> the sentences on sources
METHOD = {
    (1, 0, 0): "The survey reads one record from one file; merging leaves one distinct paper. | "
    "The classifier's labels are based on a digest that rewords the abstract (one paper).",
    (0, 2, 1): "The survey reads two records from one file, each of a different paper. | "
    "quarantine.csv lists one record that could not be read. | "
    "The classifier's labels are based on the title alone (two papers). | No full text was read.",
    (10, 1, 2): "The survey reads 11 records from one file, each of a different paper. | "
    "quarantine.csv lists two records that could not be read. | The classifier's labels are "
    "based on a digest that rewords the abstract (10 papers) and on the title alone (one paper).",
}


@pytest.mark.parametrize(("counts", "expected"), METHOD.items())
def test_records_and_papers_are_counted(
    counts: tuple[int, int, int],
    expected: str,
    make_entry: MakeEntry,
    survey_of: SurveyOf,
) -> None:
    digests, titles, quarantined = counts
    contents = [FIGURE] * digests + [""] * titles
    entries = [make_entry(n, text=text) for n, text in enumerate(contents, 1)]
    texts = texts_of(method_sentences(survey_of(entries, quarantined).facts))
    assert " | ".join(texts).startswith(expected)


@pytest.mark.parametrize(
    ("status", "expected"),
    {
        "reviewed": ", trained on the readers' decisions. A reader's decision overrides them.",
        "confident": ". Readers have not decided any of them yet.",
    }.items(),
)
def test_the_origin_of_labels_is_stated(
    status: str, expected: str, make_entry: MakeEntry, survey_of: SurveyOf
) -> None:
    facts = survey_of([make_entry(1, status=status), make_entry(2)]).facts
    assert labelling_sentence(facts) == (
        "Labels come from the cues of the taxonomy and, if there are enough papers to learn "
        f"from, from logistic regressions on those cues and on TF-IDF features{expected}"
    )


# (imported, decided by readers) -> sentence on imported labels
IMPORTED = {
    (0, 2): "",
    (2, 0): "The labels of two papers are imported from the headings, collections or "
    "keywords of the sources.",
}


@pytest.mark.parametrize(("counts", "expected"), IMPORTED.items())
def test_imported_labels_are_counted(
    counts: tuple[int, int], expected: str, make_entry: MakeEntry, survey_of: SurveyOf
) -> None:
    imported, decided = counts
    entries = [
        make_entry(n, status="imported" if n <= imported else "reviewed")
        for n in range(1, imported + decided + 1)
    ]
    texts = texts_of(labelling_drafts(survey_of(entries)))
    assert [text for text in texts if "are imported" in text] == ([expected] if expected else [])


def test_the_agreement_of_readers_is_counted(make_entry: MakeEntry, survey_of: SurveyOf) -> None:
    survey = survey_of([make_entry(n) for n in range(1, 5)])
    notes = ("3/3 readers gave the primary", "2/3 readers", "3/3 readers", "I think so")
    decided = {
        entry.paper.id: {survey.first.id: Decision(("dirt",), "dirt", note=note)}
        for entry, note in zip(survey.entries, notes, strict=True)
    }
    texts = texts_of(labelling_drafts(replace(survey, decisions=decided)))
    assert (
        "Three of three readers agreed on two papers and two of three readers agreed on one paper."
        in texts
    )


def test_a_table_in_the_editors_method_is_a_table_of_the_survey() -> None:
    account = "Ada read.\n\n| Read | By | Wrong |\n|---|---|---|\n| labels | Ada | |\n| | Ben | 2 |"
    [table], words = split_tables(account)
    assert words == "Ada read."
    assert isinstance(table, Table)
    assert table.columns == ("Read", "By", "Wrong")
    assert table.rows == (("labels", "Ada", ""), ("", "Ben", "2"))
