"""Works outside a survey that its papers mention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from inline_snapshot import snapshot

from classifier.survey.document import Table
from classifier.survey.landmarks import landmarks
from classifier.survey.sections.landscape import landscape_sections
from classifier.survey.survey import Survey
from tests.survey.conftest import MakeEntry

SurveyOf = Callable[..., Survey]


def gardens(survey_of: SurveyOf, make_entry: MakeEntry, *texts: str) -> Survey:
    entries = [make_entry(number, text=text) for number, text in enumerate(texts, 1)]
    survey = survey_of(entries)
    known = {"DigIt": (), "RakeNet": ("rake network",), "Paper 1": (), "HoeBot": ()}
    return replace(survey, taxonomy=survey.taxonomy.model_copy(update={"landmarks": known}))


def test_a_landmark_is_listed_with_the_papers_that_mention_it(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    survey = gardens(
        survey_of,
        make_entry,
        "Presents a spade that beats DigIt.",
        "Proposes soil checks, DigIt loops and a rake network.",
        "Builds a DigIt-based spade on RakeNet-XL.",
        "Uses Flow-DigIt and digit sums.",
    )
    found = [(each.name, [e.number for e in each.entries]) for each in landmarks(survey)]
    assert found == [("DigIt", [1, 2, 3]), ("RakeNet", [2]), ("HoeBot", [])]
    section = landscape_sections(survey)[-1]
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert section.title == "Landmarks outside the sample"
    assert [row[:3] for row in table.rows] == [("DigIt", "other work", "3")]


def test_a_benchmark_is_a_landmark_unless_a_paper_introduces_it(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    texts = ["Results on Worm count are good.", "Results on Worm count are bad."]
    survey = gardens(survey_of, make_entry, *texts, "We test on Worm count and on Spade test.")
    assert landmarks(survey)[0].name == "Worm count"
    survey = gardens(survey_of, make_entry, *texts, "We introduce Worm count, a test of soil.")
    assert "Worm count" not in [each.name for each in landmarks(survey)]


def test_without_mentioned_landmarks_there_is_no_section(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    survey = gardens(survey_of, make_entry, "Presents DigIt twice: DigIt and DigIt.")
    assert [section.title for section in landscape_sections(survey)] == snapshot(["Landscape"])
