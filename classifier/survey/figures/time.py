"""Figures over time; drawn only where enough papers are dated to the month.

The rule: at least 80 % of the papers in question, and at least 5 of them, state a month.
"""

from __future__ import annotations

from collections.abc import Sequence

from classifier.papers.paper import Published
from classifier.survey.document import Figure
from classifier.survey.facts.query import Term
from classifier.survey.facts.terms import UNDATED
from classifier.survey.survey import Survey
from classifier.survey.wording import counted, long_date, verb
from classifier.taxonomy.model import Category

_DATED_SHARE = 0.8
FEWEST_DATED = 5
_MOST_MONTHS = 60
_MOST_FOLLOWED = 5


def months_figure(material: Survey) -> Figure | None:
    """Return the papers of each month by category; None where too few are dated."""
    months = _months(material)
    if not _is_dated(material) or len(months) < 2:
        return None
    facts = material.facts
    followed = followed_categories(material)
    rows = []
    for month in months:
        counts = [facts.count(filed=category.id, month=month) for category in followed]
        rows.append((month, *map(str, counts), str(facts.count(month=month) - sum(counts))))
    totals = [facts.count(month=month) for month in months]
    return Figure(
        "months",
        f"From which months are the papers of this survey? {_dated_note(material, months)}",
        f"Stacked columns, {_in_words(months[0])} to {_in_words(months[-1])}. "
        f"{_fullest(months, totals)}",
        ("Month", *(category.name for category in followed), "Other categories"),
        tuple(rows),
        "columns",
    )


def followed_categories(material: Survey) -> list[Category]:
    """Return the categories that figures over time tell apart: the core, else the largest."""
    core = [category for category in material.in_scope if category.core]
    largest = sorted(material.in_scope, key=lambda category: -material.filed(category))
    return (core or largest)[:_MOST_FOLLOWED]


def _is_dated(material: Survey, *terms: Term) -> bool:
    total = material.facts.count(*terms)
    dated = total - material.facts.count(*terms, month=UNDATED)
    return dated >= max(FEWEST_DATED, _DATED_SHARE * total)


def _months(material: Survey) -> list[str]:
    """Return every month from the first to the last that some paper states, at most five years."""
    stated = [month for month in material.facts.values("month") if month != UNDATED]
    if not stated:
        return []
    first, last = (int(m[:4]) * 12 + int(m[5:]) - 1 for m in (stated[0], stated[-1]))
    first = max(first, last - _MOST_MONTHS + 1)
    return [f"{n // 12:04}-{n % 12 + 1:02}" for n in range(first, last + 1)]


def _dated_note(material: Survey, months: Sequence[str], *terms: Term) -> str:
    """Return how many papers are dated to the month, and what the picture leaves out."""
    shown = sum(material.facts.count(*terms, month=month) for month in months)
    dated = material.facts.count(*terms) - material.facts.count(*terms, month=UNDATED)
    left = dated - shown
    are = verb(left, "is", "are")
    older = f"; {left} of these {are} older than the first month shown" if left else ""
    return f"{_dated(material, *terms)}{older}."


def _dated(material: Survey, *terms: Term) -> str:
    total = material.facts.count(*terms)
    dated = total - material.facts.count(*terms, month=UNDATED)
    return f"{dated} of {total:,} papers are dated to the month"


def _fullest(months: Sequence[str], counts: Sequence[int]) -> str:
    """Return which month has the most papers; where several have as many, how many it is."""
    most = max(counts)
    if counts.count(most) > 1:
        return f"No month has more than {counted(most, 'paper')}."
    return (
        f"The fullest month is {_in_words(months[counts.index(most)])}: {counted(most, 'paper')}."
    )


def _in_words(month: str) -> str:
    return long_date(Published(month))
