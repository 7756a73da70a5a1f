"""Numbers that several papers report on one benchmark, next to each other and not ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classifier.survey.document import Block, Draft, Section, Table, paragraphs
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import cited_name
from classifier.survey.sections.category.telling import quote_with_lead
from classifier.survey.side_by_side import (
    MIN_PAPERS,
    Amounts,
    Disagreement,
    amounts_made,
    amounts_used,
    disagreements,
    saving_phase,
    savings,
    side_by_side,
)
from classifier.survey.survey import Survey
from classifier.survey.wording import escape_cell
from classifier.taxonomy.model import Roles
from classifier.text.result import Result

ID = "numbers"
SAVINGS, TOOK = "savings", "what-it-took"
MADE, TESTED = "how-many", "how-many-tested"
"""Ids of the tables of costs and savings, resources, amounts made, and sizes of benchmarks."""


def numbers_sections(survey: Survey) -> list[Section]:
    """Return the levels per version of a benchmark, and the costs and savings.

    Empty in a field without benchmarks: there, a time is a finding and not a saving.
    """
    if not survey.taxonomy.lexicons.get(survey.roles.benchmarks):
        return []
    compared = side_by_side(survey.entries)
    differing = disagreements(survey.entries)
    about = {category.id for category in survey.in_scope}
    entries = [entry for entry in survey.entries if entry.first.primary in about]
    saved = _savings(entries)
    amounts = amounts_made(entries)
    of_benchmarks = [row for row in amounts if _is_benchmark(row[0], survey.roles)]
    others = [row for row in amounts if not _is_benchmark(row[0], survey.roles)]
    counted = [
        *_amounts(TOOK, _WHAT_IT_TOOK, amounts_used(entries)),
        *_amounts(MADE, _HOW_MANY, others),
        *_amounts(TESTED, _HOW_MANY_TESTED, of_benchmarks),
    ]
    if not compared and not differing and not saved and not counted:
        return []
    blocks: list[Block] = [_levels(compared)] if compared else []
    blocks += paragraphs(ID, *[_differing(differing, each) for each in differing])
    title = "Numbers, costs and savings side by side" if saved else "Numbers side by side"
    return [Section(ID, title, 1, (*blocks, *saved, *counted))]


def _levels(compared: Mapping[str, Sequence[tuple[SurveyPaper, Result]]]) -> Table:
    """Return the levels on each version of a benchmark, one row per clause."""
    clauses: dict[tuple[str, str, str], list[str]] = {}
    for name, found in compared.items():
        for entry, result in found:
            clause = (escape_cell(name), cited_name(entry), _quoted(entry, result.sentence.text))
            clauses.setdefault(clause, []).append(result.short.removesuffix(f" on {name}"))
    rows: list[tuple[str, ...]] = [
        (name, escape_cell("; ".join(levels)), paper, said)
        for (name, paper, said), levels in clauses.items()
    ]
    those = f"benchmarks for which at least {MIN_PAPERS} papers report one"
    columns: tuple[str, ...] = ("Benchmark", "Level", "Paper", "The sentence")
    if len(compared) == 1:
        those = f"{rows[0][0]}, the only benchmark for which {MIN_PAPERS} or more papers report one"
        columns, rows = columns[1:], [row[1:] for row in rows]
    caption = (
        f"Levels that papers report as their own on {those}. Levels on a part of a benchmark are "
        "left out. Systems and budgets differ: do not rank."
    )
    return Table(ID, caption, columns, tuple(rows))


_WHAT_IT_TOOK = "GPUs, hours, tokens and calls that something took"
_HOW_MANY = "Training data, tasks and environments that were made or used"
_HOW_MANY_TESTED = "Tasks, questions and samples in benchmarks"


def _is_benchmark(entry: SurveyPaper, roles: Roles) -> bool:
    labels = entry.labels.facets.get(roles.contribution)
    return labels is not None and labels.primary == roles.benchmark


def _amounts(name: str, caption: str, found: Amounts) -> list[Table]:
    """Return amounts with their sentences; empty for fewer than three papers."""
    rows = [
        (escape_cell("; ".join(amounts)), cited_name(entry), _quoted(entry, sentence.words))
        for entry, sentence, amounts in found
    ]
    if len({entry.number for entry, _, _ in found}) < MIN_PAPERS:
        return []
    return [Table(name, caption, ("How much", "Paper", "The sentence"), tuple(rows))]


def _savings(entries: Sequence[SurveyPaper]) -> list[Table]:
    """Return the costs and savings that papers report; empty for fewer than three papers."""
    saved = savings(entries)
    rows = [
        (
            spent,
            saving_phase(entry, results[0]),
            escape_cell("; ".join(map(_how_much, results))),
            cited_name(entry),
            _quoted(entry, results[0].sentence.text),
        )
        for spent, found in saved.items()
        for entry, results in found
    ]
    if len({row[3] for row in rows}) < MIN_PAPERS:
        return []
    caption = "Costs and savings, each against what its sentence names. Do not rank."
    columns = ("Of what", "In", "How much", "Paper", "The sentence")
    return [Table(SAVINGS, caption, columns, tuple(rows))]


def _how_much(result: Result) -> str:
    """Return the text of a cell: "to 40 %" is the cost that remains, not the saving."""
    return f"to {result.short}" if (result.kind, result.unit) == ("cost", "%") else result.short


def _quoted(entry: SurveyPaper, sentence: str) -> str:
    words = escape_cell(sentence.removesuffix("."))
    return words if entry.paper.abstract_kind == "digest" else f"“{words}”"


def _differing(every: Sequence[Disagreement], each: Disagreement) -> list[Draft | None]:
    """Return the two sentences that report different numbers for one system."""
    (own, level), (other, result) = each.own, each.other
    name = f"{every.index(each) + 1}"
    system, benchmark = escape_cell(each.system), escape_cell(each.benchmark)
    lead = f"{system} has two numbers on {benchmark}, its own paper's and another's: "
    return [
        quote_with_lead(f"{name}-own", own, level.sentence.text, lead),
        quote_with_lead(f"{name}-other", other, result.sentence.text),
    ]
