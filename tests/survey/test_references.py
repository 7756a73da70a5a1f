"""The reference list: all papers, or of very many those that the survey cites."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from classifier.build import BuildResult, compute
from classifier.project import Project
from classifier.survey.sections.category import comparison
from classifier.survey.sections.category.comparison import Cut

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
REFERENCE = re.compile(r'<a id="ref-(\d+)"></a>')


@pytest.fixture(scope="module")
def cut_bread() -> BuildResult:
    """The golden survey with tables of three rows at most; a build proves what it makes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "LONG", Cut(most_rows=3, most_central=1, most_newest=1))
        return compute(Project(BREAD))


def test_a_survey_that_cites_every_paper_lists_every_paper(bread: BuildResult) -> None:
    references = bread.edition.document.references
    assert [reference.number for reference in references] == [
        entry.number for entry in bread.edition.entries
    ]
    assert "references.listed" not in bread.edition.facts


def test_of_a_cut_survey_the_references_hold_what_it_cites_and_say_so(
    cut_bread: BuildResult,
) -> None:
    survey = cut_bread.files["survey.md"].decode()
    listed = REFERENCE.findall(survey)
    body = survey.partition('<a id="reference-list"></a>')[0]
    assert set(listed) == set(re.findall(r"\]\(#ref-(\d+)\)", body))
    total = len(cut_bread.edition.entries)
    assert 0 < len(listed) < total
    facts = json.loads(cut_bread.files["facts.json"])
    assert facts["references.listed"]["value"] == len(listed)
    assert f"The references hold {len(listed)} of {total} papers, those that the survey" in survey


def test_the_papers_that_a_cut_survey_leaves_out_stand_in_every_export(
    cut_bread: BuildResult,
) -> None:
    ids = {entry.paper.id for entry in cut_bread.edition.entries}
    assert {paper["id"] for paper in json.loads(cut_bread.files["papers.json"])} == ids
    assert cut_bread.files["references.bib"].count(b"\n@") + 1 >= len(ids)
