"""The reference list: the papers that the survey cites."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from classifier.papers.paper import Paper, Published
from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.survey.document import Reference
from classifier.survey.references import reference_entry
from classifier.survey.sections.category import comparison

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
HAY = Paper("Hay", authors=("Ann Ott",), author_count=1)
# a paper -> its entry in the list
ENTRIES = [
    (HAY, "Ann Ott. Hay."),
    (replace(HAY, title="Why hay?"), "Ann Ott. Why hay?"),
    (replace(HAY, url="https://hay.example/1"), "Ann Ott. [Hay](https://hay.example/1)."),
    (replace(HAY, title="Hay!", url="https://a.example"), "Ann Ott. [Hay!](https://a.example)"),
    (replace(HAY, authors=tuple("ABCDEF")), "A, B, C, D, E, F. Hay."),
    (replace(HAY, authors=tuple("ABCDEFG")), "A, B, C, D, E, F et al. Hay."),
    (replace(HAY, author_count=None), "Ann Ott et al. Hay."),
    (replace(HAY, author_count=9), "Ann Ott et al. Hay."),
    (replace(HAY, authors=("Ott, Ann", "Bo B.")), "Ann Ott, Bo B. Hay."),
    (replace(HAY, organisation="Hay Ltd"), "Ann Ott. Hay."),
    (replace(HAY, authors=()), "[Authors unknown] Hay."),
    (replace(HAY, authors=(), organisation="Hay Ltd"), "[Authors unknown] Hay."),
    (replace(HAY, venue="Barn"), "Ann Ott. Hay. Barn."),
    (replace(HAY, venue="J. Barn."), "Ann Ott. Hay. J. Barn."),
    (
        replace(HAY, arxiv_id="2401.10230", doi="10.1/hay"),
        "Ann Ott. [Hay](https://arxiv.org/abs/2401.10230). arXiv:2401.10230.",
    ),
    (
        replace(HAY, doi="10.1/hay", published=Published("2024-05-06")),
        "Ann Ott. [Hay](https://doi.org/10.1/hay). doi:10.1/hay. 6 May 2024.",
    ),
    (replace(HAY, title="Hay [dry] *now*"), r"Ann Ott. Hay \[dry\] \*now\*."),
]
REFERENCE = re.compile(r'<a id="ref-(\d+)"></a>')


@pytest.fixture(scope="module")
def cut_bread() -> BuildResult:
    """The golden survey with tables of three rows at most; a build proves what it makes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "LONG", (3, 1))
        return compute(Project(BREAD))


@pytest.mark.parametrize(("paper", "expected"), ENTRIES, ids=[expected for _, expected in ENTRIES])
def test_the_entry_of_a_paper(paper: Paper, expected: str, bread: BuildResult) -> None:
    entry = replace(bread.survey.entries[0], paper=paper, number=7)
    assert reference_entry(entry) == Reference(7, paper.id, expected)


def test_a_survey_that_cites_every_paper_lists_every_paper(bread: BuildResult) -> None:
    references = bread.survey.document.references
    assert [reference.number for reference in references] == [
        entry.number for entry in bread.survey.entries
    ]
    assert "references.listed" not in bread.survey.fact_values


def test_a_cut_survey_lists_only_the_papers_that_it_cites(
    cut_bread: BuildResult,
) -> None:
    survey = cut_bread.files["survey.md"].decode()
    listed = REFERENCE.findall(survey)
    body = survey.partition('<a id="reference-list"></a>')[0]
    assert set(listed) == set(re.findall(r"\]\(#ref-(\d+)\)", body))
    total = len(cut_bread.survey.entries)
    assert 0 < len(listed) < total
    facts = json.loads(cut_bread.files["facts.json"])
    assert facts["references.listed"]["value"] == len(listed)
    assert f"The references list {len(listed)} of {total} papers, those that the survey" in survey
    assert '<a id="references-listed"></a>' in survey


def test_exports_of_a_cut_survey_contain_all_papers(
    cut_bread: BuildResult,
) -> None:
    ids = {entry.paper.id for entry in cut_bread.survey.entries}
    assert {paper["id"] for paper in json.loads(cut_bread.files["papers.json"])} == ids
    assert cut_bread.files["references.bib"].count(b"\n@") + 1 >= len(ids)
