"""The section "Numbers side by side": levels on benchmarks, costs and savings, amounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classifier.survey.document import Block, Draft, Section, Table, make_paragraphs
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import cited_name
from classifier.survey.sections.category.quotes import quote_with_lead
from classifier.survey.side_by_side import (
    MIN_PAPERS,
    Amounts,
    Disagreement,
    amounts_made,
    amounts_used,
    comparable_levels,
    disagreements,
    saving_phase,
    savings,
)
from classifier.survey.survey import Survey
from classifier.survey.wording import count_in_words, escape_cell, quotation
from classifier.taxonomy.model import Roles
from classifier.text.result import Result

ID = "numbers"
SAVINGS, USED = "savings", "what-it-took"
MADE, TESTED = "how-many", "how-many-tested"
"""Ids of the tables of costs and savings, resources, amounts made, and sizes of benchmarks."""


def numbers_sections(survey: Survey) -> list[Section]:
    """Return the section; [] if the taxonomy lists no benchmarks.

    In a field without benchmarks, a time in a text is usually a finding and not a saving.
    """
    if not survey.taxonomy.lexicons.get(survey.roles.benchmarks):
        return []
    compared = comparable_levels(survey.entries)
    differing = disagreements(survey.entries)
    about = {category.id for category in survey.in_scope}
    entries = [entry for entry in survey.entries if entry.first.primary in about]
    saved = _savings_table(entries)
    amounts = amounts_made(entries)
    of_benchmarks = [row for row in amounts if _is_benchmark(row[0], survey.roles)]
    others = [row for row in amounts if not _is_benchmark(row[0], survey.roles)]
    counted = [
        *_amounts_table(USED, _USED_CAPTION, amounts_used(entries)),
        *_amounts_table(MADE, _MADE_CAPTION, others),
        *_amounts_table(TESTED, _TESTED_CAPTION, of_benchmarks),
    ]
    if not compared and not differing and not saved and not counted:
        return []
    blocks: list[Block] = [_scores_table(compared)] if compared else []
    blocks += make_paragraphs(ID, *[_disagreement_drafts(differing, each) for each in differing])
    title = "Numbers, costs and savings side by side" if saved else "Numbers side by side"
    return [Section(ID, title, 1, (*blocks, *saved, *counted))]


def _scores_table(levels_by_version: Mapping[str, Sequence[tuple[SurveyPaper, Result]]]) -> Table:
    """Return the table of benchmark scores, with one row per clause that reports a score."""
    clauses: dict[tuple[str, str, str], list[str]] = {}
    for name, found in levels_by_version.items():
        for entry, result in found:
            clause = (
                escape_cell(name),
                cited_name(entry),
                _quotation_cell(entry, result.sentence.text),
            )
            clauses.setdefault(clause, []).append(result.cell_text.removesuffix(f" on {name}"))
    rows: list[tuple[str, ...]] = [
        (name, escape_cell("; ".join(levels)), paper, sentence)
        for (name, paper, sentence), levels in clauses.items()
    ]
    n_papers = f"{count_in_words(MIN_PAPERS)} papers"
    benchmarks = f"benchmarks for which at least {n_papers} report one"
    columns: tuple[str, ...] = ("Benchmark", "Level", "Paper", "The sentence")
    if len(levels_by_version) == 1:
        benchmarks = f"{rows[0][0]}, the only benchmark for which {n_papers} report one"
        columns, rows = columns[1:], [row[1:] for row in rows]
    caption = (
        f"Levels that papers report as their own on {benchmarks}; "
        "systems and budgets differ, so the rows are no ranking"
    )
    return Table(ID, caption, columns, tuple(rows))


_USED_CAPTION = "GPUs, hours, tokens and calls that were used"
_MADE_CAPTION = "Training data, tasks and environments that were made or used"
_TESTED_CAPTION = "Tasks, questions and samples in benchmarks"


def _is_benchmark(entry: SurveyPaper, roles: Roles) -> bool:
    """Return whether the contribution of a paper is a benchmark."""
    labels = entry.labels.facets.get(roles.contribution)
    return labels is not None and labels.primary == roles.benchmark


def _amounts_table(name: str, caption: str, found_amounts: Amounts) -> list[Table]:
    """Return a table of quantities and the sentences with them; [] for fewer than three papers."""
    rows = [
        (escape_cell("; ".join(amounts)), cited_name(entry), _quotation_cell(entry, sentence.words))
        for entry, sentence, amounts in found_amounts
    ]
    if len({entry.number for entry, _, _ in found_amounts}) < MIN_PAPERS:
        return []
    return [Table(name, caption, ("How much", "Paper", "The sentence"), tuple(rows))]


def _savings_table(entries: Sequence[SurveyPaper]) -> list[Table]:
    """Return the table of costs and savings; [] for fewer than three papers."""
    saved = savings(entries)
    rows = [
        (
            spent,
            saving_phase(entry, results[0]),
            escape_cell("; ".join(map(_saving_text, results))),
            cited_name(entry),
            _quotation_cell(entry, results[0].sentence.text),
        )
        for spent, found in saved.items()
        for entry, results in found
    ]
    if len({row[3] for row in rows}) < MIN_PAPERS:
        return []
    caption = "Costs and savings, each against what its sentence names; the rows are no ranking"
    columns = ("Of what", "In", "How much", "Paper", "The sentence")
    return [Table(SAVINGS, caption, columns, tuple(rows))]


def _saving_text(result: Result) -> str:
    """Return a saving as the text of a cell; a remaining cost in per cent is `to 40 %`."""
    if (result.kind, result.unit) == ("cost", "%"):
        return f"to {result.cell_text}"
    return result.cell_text


def _quotation_cell(entry: SurveyPaper, sentence: str) -> str:
    """Return a sentence as the text of a cell, in quotation marks unless it is from a digest."""
    return quotation(entry, escape_cell(sentence.removesuffix(".").rstrip()))


def _disagreement_drafts(
    disagreements: Sequence[Disagreement], disagreement: Disagreement
) -> list[Draft | None]:
    """Return two sentences that report different scores of one system.

    disagreements: all of them, which number the sentences. disagreement: the one to print.
    """
    (own, level), (other, result) = disagreement.own, disagreement.other
    name = f"{disagreements.index(disagreement) + 1}"
    system, benchmark = escape_cell(disagreement.system), escape_cell(disagreement.benchmark)
    lead = f"Two papers report different numbers for {system} on {benchmark}. Its own paper: "
    return [
        quote_with_lead(f"{name}-own", own, level.sentence.text, lead),
        quote_with_lead(f"{name}-other", other, result.sentence.text, "The other paper: "),
    ]
