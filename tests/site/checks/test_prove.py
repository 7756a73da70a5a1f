"""The golden survey is proven; and whatever is tampered with in it is named."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.site.checks.proof import prose_faults, prove
from classifier.survey.document import Paragraph, Section, Sentence
from classifier.survey.survey import Survey

BREAD = Path(__file__).resolve().parents[2] / "golden" / "project"


@pytest.fixture(scope="module")
def bread() -> BuildResult:
    """The golden survey, in memory."""
    return compute(Project(BREAD))


def with_sentence(survey: Survey, identifier: str, **changed: object) -> Survey:
    """Return the survey with one sentence changed."""

    def sentence(each: Sentence) -> Sentence:
        return replace(each, **changed) if each.id == identifier else each  # type: ignore[arg-type]

    def section(each: Section) -> Section:
        blocks = (
            Paragraph(tuple(map(sentence, block.sentences)))
            if isinstance(block, Paragraph)
            else block
            for block in each.blocks
        )
        return replace(each, blocks=tuple(blocks))

    document = survey.document
    sections = tuple(map(section, document.sections))
    return replace(survey, document=replace(document, sections=sections))


def with_text(survey: Survey, old: str, new: str) -> Survey:
    """Return the survey with a text of a paper changed."""
    entries = tuple(
        replace(entry, paper=replace(entry.paper, abstract=entry.paper.abstract.replace(old, new)))
        for entry in survey.entries
    )
    return replace(survey, entries=entries)


def test_the_golden_survey_is_proven(bread: BuildResult) -> None:
    assert prove(bread.survey) == []


COUNTED = "method-quarantined"


@pytest.mark.parametrize(
    ("identifier", "changed", "expected"),
    [
        (
            COUNTED,
            {"text": "This section holds 77 papers."},
            r"survey.md: error: found sentence 'method-quarantined': the number 77 in “This "
            r"section holds 77 papers.”; expected a value of its source: .*",
        ),
        (COUNTED, {"text": "This section holds nine papers."}, r".*: the number 9 in .*"),
        (
            COUNTED,
            {"source": "facts: papers.eaten"},
            r".* the source 'papers.eaten'; expected a key of facts.json.",
        ),
        (
            "sourdough-exemplar-p-ac982c6689",
            {"span": None},
            r".* no span; expected where the text of p-ac982c6689 says it.",
        ),
        (
            "sourdough-exemplar-p-ac982c6689",
            {"source": "paper: p-0000000000"},
            r".* the source 'paper: p-0000000000'; expected the id of a paper of the survey.",
        ),
        (
            "sourdough-exemplar-p-ac982c6689",
            {"kind": "P"},
            r".* kind P; expected P for a digest, Q for an abstract.",
        ),
    ],
)
def test_a_sentence_that_is_tampered_with_is_named(
    identifier: str, changed: dict[str, object], expected: str, bread: BuildResult
) -> None:
    (fault,) = prove(with_sentence(bread.survey, identifier, **changed))
    assert re.fullmatch(expected, str(fault), re.DOTALL), str(fault)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "steam after the fourth minute",
            "steam after the fifth minute",
            r".*'ovens-(?:exemplar|finding)-p-e1267a85a1': “.*”; expected what p-e1267a85a1 says, .*",
        ),
        (
            "Introduces a lid of wet clay",
            "Introduces a lid of dry clay",
            r".*'ovens-exemplar-p-fdffdc591c': “.*wet clay.*”; expected what p-fdffdc591c says, .*",
        ),
    ],
)
def test_words_that_the_paper_does_not_say_are_named(
    old: str, new: str, expected: str, bread: BuildResult
) -> None:
    faults = prove(with_text(bread.survey, old, new))
    assert faults
    for fault in faults:
        assert re.fullmatch(expected, str(fault), re.DOTALL), str(fault)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("\n\nNot about bread.", "\n\nBread is good.\n\nNot about bread.", "“Bread is good.”"),
        ("one is out of scope. ", "one is out of scope. Bread is good. ", "“Bread is good.”"),
        ("\n\n## Ovens & heat", "\nBread is good.\n\n## Ovens & heat", "Bread is good.”"),
        ("## Contents", "Bread is good.\n\n## Contents", "survey.md:7: .*“Bread is good.”"),
        ("\n\nNot about bread.", "", "no trace of sentence 'other-definition'"),
    ],
)
def test_prose_that_a_template_adds_or_drops_is_named(
    bread: BuildResult, old: str, new: str, expected: str
) -> None:
    survey = bread.files["survey.md"].decode("utf-8")
    assert not list(prose_faults(survey, bread.survey.document))
    assert old in survey
    changed = survey.replace(old, new, 1)
    faults = [str(fault) for fault in prose_faults(changed, bread.survey.document)]
    assert any(re.search(expected, fault) for fault in faults), faults
