"""Numbers that several papers report on one benchmark, beside each other and without a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.document import Block, Draft, Section, Table, paragraphs
from classifier.survey.escape import escape_cell
from classifier.survey.paper_names import called
from classifier.survey.sections.category.telling import told_behind
from classifier.survey.side_by_side import LEAST_PAPERS, Disagreement, disagreements, side_by_side
from classifier.survey.survey import Survey

ID = "numbers"


def numbers_sections(material: Survey) -> list[Section]:
    """Return which levels stand on one version of a benchmark; none where nothing does."""
    compared = side_by_side(material.entries)
    differing = disagreements(material.entries)
    if not compared and not differing:
        return []
    rows = [
        (escape_cell(name), escape_cell(result.short.removesuffix(f" on {name}")), called(entry))
        for name, found in compared.items()
        for entry, result in found
    ]
    table = Table(
        ID,
        "Which levels do papers report as their own on a version of a benchmark on which at least "
        f"{LEAST_PAPERS} do? (splits, systems and budgets differ: do not rank)",
        ("Benchmark", "Level", "Paper"),
        tuple(rows),
    )
    blocks: list[Block] = [table] if rows else []
    blocks += paragraphs(ID, *[_differing(differing, each) for each in differing])
    return [Section(ID, "Numbers side by side", 1, tuple(blocks))]


def _differing(every: Sequence[Disagreement], each: Disagreement) -> list[Draft | None]:
    """Return the two sentences that give one system two numbers."""
    (own, level), (other, result) = each.own, each.other
    name = f"{every.index(each) + 1}"
    system, benchmark = escape_cell(each.system), escape_cell(each.benchmark)
    lead = f"{system} has two numbers on {benchmark}, its own paper's and another's: "
    return [
        told_behind(f"{name}-own", own, level.sentence.text, lead),
        told_behind(f"{name}-other", other, result.sentence.text),
    ]
