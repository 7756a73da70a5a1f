"""The sentences of the abstract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from classifier.survey.document import Draft
from classifier.survey.entry import SurveyPaper
from classifier.survey.sections.frame import (
    abstract_drafts,
    abstract_sections,
    editors_abstract,
    labelling_statement,
)
from classifier.survey.survey import Survey

MakeEntry = Callable[..., SurveyPaper]
SurveyOf = Callable[..., Survey]


def texts_of(drafts: list[Draft | None]) -> list[str]:
    return [draft.text for draft in drafts if draft]


# primaries of the papers -> how they are sorted, and by which facts
SORTED = {
    "soil": ("This survey covers one paper in one category.", ""),
    "soil seeds soil": ("This survey covers three papers in two categories.", ""),
    "soil other": (
        "This survey sorts one of two papers into one category; one is out of scope.",
        ", filed=other",
    ),
    "soil seeds soil other other": (
        "This survey sorts three of five papers into two categories; two are out of scope.",
        ", filed=other",
    ),
    "other other": (
        "This survey sorts none of two papers into any category; two are out of scope.",
        ", filed=other",
    ),
}


@pytest.mark.parametrize(("primaries", "expected"), SORTED.items(), ids=SORTED)
def test_the_abstract_counts_papers_and_categories(
    primaries: str,
    expected: tuple[str, str],
    make_entry: MakeEntry,
    survey_of: SurveyOf,
) -> None:
    entries = [make_entry(n, primary) for n, primary in enumerate(primaries.split(), 1)]
    draft = abstract_drafts(survey_of(entries))[0]
    assert draft is not None
    assert (draft.text, draft.kind) == (expected[0], "C")
    assert draft.source == f"facts: papers.total, filed=soil, filed=seeds{expected[1]}"


# (reviewed, confident, provisional) -> whose labels they are
DECIDED = {
    (0, 1, 0): "The classifier labelled the paper.",
    (0, 0, 1): "The classifier labelled the paper, provisionally.",
    (0, 2, 1): "The classifier labelled all of them, one of them provisionally.",
    (1, 0, 0): "Readers decided the labels of all papers.",
    (3, 0, 0): "Readers decided the labels of all papers.",
    (1, 1, 0): "Readers decided the labels of one paper; the classifier labelled the other one.",
    (2, 0, 1): "Readers decided the labels of two papers; the classifier labelled the other one, "
    "provisionally.",
    (1, 2, 0): "Readers decided the labels of one paper; the classifier labelled the other two, "
    "none of them provisionally.",
    (2, 10, 2): "Readers decided the labels of two papers; the classifier labelled the other 12, "
    "two of them provisionally.",
    (2, 0, 4): "Readers decided the labels of two papers; the classifier labelled the other four, "
    "all provisionally.",
}


@pytest.mark.parametrize(("counts", "expected"), DECIDED.items())
def test_the_abstract_counts_decisions(
    counts: tuple[int, int, int],
    expected: str,
    make_entry: MakeEntry,
    survey_of: SurveyOf,
) -> None:
    reviewed, confident, provisional = counts
    statuses = ["reviewed"] * reviewed + ["confident"] * confident + ["provisional"] * provisional
    entries = [make_entry(n, status=status) for n, status in enumerate(statuses, 1)]
    texts = texts_of(abstract_drafts(survey_of(entries)))
    assert expected in texts


# (papers, reviewed, provisional, imported) -> sentence
IMPORTED = {
    (30, 0, 6, 20): "The labels of 20 papers are imported from the sources; "
    "the classifier labelled the other 10, six of them provisionally.",
    (2, 0, 0, 1): "The labels of one paper are imported from the sources; the "
    "classifier labelled the other one.",
    (9, 0, 0, 9): "The labels of all papers are imported from the sources.",
    (30, 5, 0, 20): "Readers decided the labels of five papers; those of 20 are imported from "
    "the sources; the classifier labelled the rest, none of them provisionally.",
    # A count of six would not be a fact, so the sentence says "the rest".
    (31, 5, 2, 20): "Readers decided the labels of five papers; those of 20 are imported from "
    "the sources; the classifier labelled the rest, two of them provisionally.",
}


@pytest.mark.parametrize(("counts", "expected"), IMPORTED.items())
def test_the_sentence_counts_imported_labels(
    counts: tuple[int, int, int, int], expected: str
) -> None:
    assert labelling_statement(*counts) == expected


def test_the_text_of_the_editors_comes_first(make_entry: MakeEntry, survey_of: SurveyOf) -> None:
    survey = survey_of([make_entry(1)])
    assert editors_abstract(survey) is None
    settings = survey.taxonomy.survey.model_copy(update={"abstract": "Gardens *grow*."})
    survey = replace(survey, taxonomy=survey.taxonomy.model_copy(update={"survey": settings}))
    first = abstract_sections(survey)[0].blocks[0].sentences[0]  # type: ignore[union-attr]
    assert (first.text, first.kind, first.source) == (
        "Gardens *grow*.",
        "H",
        "taxonomy: survey/abstract",
    )
