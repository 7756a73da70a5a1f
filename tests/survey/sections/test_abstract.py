"""What the abstract says, by the shape of the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from classifier.survey.document import Draft
from classifier.survey.entry import SurveyPaper
from classifier.survey.sections.frame import (
    abstract_drafts,
    abstract_sections,
    editors_words,
    who_decided,
)
from classifier.survey.survey import Survey

MakeEntry = Callable[..., SurveyPaper]
SurveyOf = Callable[..., Survey]

FIGURE = "Introduces a spade. It digs 12% more."
CODE = "Introduces a spade. It is sharp. Code is available."


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
def test_how_the_papers_are_sorted(
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
def test_who_decided(
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


# (papers, reviewed, provisional, imported) -> whose labels they are
TAKEN_OVER = {
    (30, 0, 6, 20): "The labels of 20 papers are taken over from where they were filed before; "
    "the classifier labelled the other 10, six of them provisionally.",
    (2, 0, 0, 1): "The labels of one paper are taken over from where it was filed before; the "
    "classifier labelled the other one.",
    (9, 0, 0, 9): "The labels of all papers are taken over from where they were filed before.",
    (30, 5, 0, 20): "Readers decided the labels of five papers; those of 20 are taken over from "
    "where they were filed before; the classifier labelled the rest, none of them provisionally.",
    # Six is no difference of two of the four: a build that printed it was refused.
    (31, 5, 2, 20): "Readers decided the labels of five papers; those of 20 are taken over from "
    "where they were filed before; the classifier labelled the rest, two of them provisionally.",
}


@pytest.mark.parametrize(("counts", "expected"), TAKEN_OVER.items())
def test_who_had_filed_papers_before(counts: tuple[int, int, int, int], expected: str) -> None:
    assert who_decided(*counts) == expected


# (papers with a figure, with code, others) -> what the abstract says of them
STATED = {
    (0, 0, 2): "In the text that we read, none states a numeric result, and none links code or "
    "announces a release.",
    (1, 1, 0): "In the text that we read, one states a numeric result, and one links code or "
    "announces a release.",
    (2, 2, 7): "In the text that we read, two state a numeric result, and two link code or "
    "announce a release.",
    (12, 0, 0): "In the text that we read, 12 state a numeric result, and none links code or "
    "announces a release.",
}


# contributions of the papers -> what the abstract says of them
KINDS = {
    "": "",
    "method method": "",
    "method study": "Of all papers, one contributes a method and one a study.",
    "study study analysis": "Of all papers, two contribute a study and one an analysis.",
    "method method study study analysis": "Of all papers, two contribute a method, two a study and "
    "one an analysis.",
}


def test_the_editors_come_first(make_entry: MakeEntry, survey_of: SurveyOf) -> None:
    survey = survey_of([make_entry(1)])
    assert editors_words(survey) is None
    settings = survey.taxonomy.survey.model_copy(update={"abstract": "Gardens *grow*."})
    survey = replace(survey, taxonomy=survey.taxonomy.model_copy(update={"survey": settings}))
    first = abstract_sections(survey)[0].blocks[0].sentences[0]  # type: ignore[union-attr]
    assert (first.text, first.kind, first.source) == (
        "Gardens *grow*.",
        "H",
        "taxonomy: survey/abstract",
    )


# months of the papers -> what is said of their years
DATED = {
    "19 papers are too few": (["2024"] * 19, ""),
    "most are from one year": (
        ["2023"] * 8 + ["2024"] * 14,
        "Of the 22 dated papers, 14 are from 2024.",
    ),
    "no year holds most": (
        ["2022"] * 8 + ["2023"] * 8 + ["2024"] * 8,
        "The 24 dated papers appeared from 2022 to 2024.",
    ),
    "all are from one year": (["2024"] * 20, "The 20 dated papers appeared in 2024."),
    "too few are dated": (["2024"] * 20 + [""] * 20, ""),
}
