"""The golden survey is proven; and whatever is tampered with in it is named."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.site.checks.proof import prose_faults, prove
from classifier.survey.document import Block, Paragraph, Section, Sentence, Table
from classifier.survey.survey import Survey

CLAIMS = """\
- claim: Steam makes a crust thinner.
  finding: Steam changes the gloss of a crust, and not in every oven.
  topic: ovens
  for: {p-fdffdc591c: of wet clay}
  against: {p-e1267a85a1: after the fourth minute}
  by: Ada, 2026-11
- judgement: A lid of clay is enough.
  for: p-fdffdc591c
  against: none
  settles: a blind test with nine ovens
  by: Ada, 2026-11
"""
BREAD = Path(__file__).resolve().parents[2] / "golden" / "project"


@pytest.fixture(scope="module")
def bread(tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    """The golden survey with a claim, in memory."""
    root = Path(shutil.copytree(BREAD, tmp_path_factory.mktemp("proof") / "bread"))
    (root / "taxonomy" / "claims.yaml").write_text(CLAIMS, encoding="utf-8")
    return compute(Project(root))


def with_sentence(survey: Survey, identifier: str, **changed: object) -> Survey:
    """Return the survey with one sentence changed."""

    def sentence(each: Sentence) -> Sentence:
        return replace(each, **changed) if each.id == identifier else each  # type: ignore[arg-type]

    def section(each: Section) -> Section:
        return replace(each, blocks=tuple(map(block, each.blocks)))

    def block(each: Block) -> Block:
        if isinstance(each, Paragraph):
            return Paragraph(tuple(map(sentence, each.sentences)))
        if isinstance(each, Table):
            rows = (
                tuple(c if isinstance(c, str) else sentence(c) for c in row) for row in each.rows
            )
            return replace(each, rows=tuple(rows))
        return each

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
QUOTED = "ovens-claim-1c9632-against-p-e1267a85a1"


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
            QUOTED,
            {"span": None},
            r".* no span; expected where the text of p-e1267a85a1 says it.",
        ),
        (
            QUOTED,
            {"source": "paper: p-0000000000"},
            r".* the source 'paper: p-0000000000'; expected the id of a paper of the survey.",
        ),
        (
            QUOTED,
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
            r".*'ovens-claim-\w+-against-p-e1267a85a1': “.*”; expected what p-e1267a85a1 says, .*",
        ),
        (
            "Introduces a lid of wet clay",
            "Introduces a lid of dry clay",
            r".*'ovens-claim-\w+-for-p-fdffdc591c': “.*wet clay.*”; expected what p-fdffdc591c says, .*",
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
