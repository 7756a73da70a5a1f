"""When the papers are from, and what changed between two years, where dates allow a word on it."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.draft import Draft, computed
from classifier.survey.facts.facts import Selection
from classifier.survey.facts.terms import UNDATED
from classifier.survey.material import Material
from classifier.survey.trend import comparable_years, differs, is_dated
from classifier.survey.wording import joined, linked, number
from classifier.taxonomy.model import Category

_MOST_YEARS = 10
"""A longer list of years is not read; the figure and the timeline show them all."""
_NAMED_YEARS = 3


def year_drafts(material: Material) -> list[Draft | None]:
    """Return the papers by year and the shares that changed; nothing where too few are dated."""
    if not is_dated(material.facts):
        return []
    changes = [_changes(material, *years) for years in comparable_years(material.facts)]
    return [_by_year(material), *changes]


def _by_year(material: Material) -> Draft | None:
    facts = material.facts
    years = [year for year in facts.values("year") if year != UNDATED]
    if len(years) < 2:
        return None
    selections = [facts.select(year=year) for year in years]
    total, dated = facts.number("papers.total"), facts.number("papers.dated")
    which = f"all {number(total)}" if dated == total else f"{dated} of {total}"
    known = f"The dates of {which} papers are known"
    if len(years) > _MOST_YEARS:
        text = f"{known}, {_span(years, selections)}."
    else:
        parts = [f"{year} ({s.number})" for s, year in zip(selections, years, strict=True)]
        text = f"{known}: {joined(parts)}."
    return computed("years", text, "papers.dated", "papers.total", *selections)


def _span(years: Sequence[str], selections: Sequence[Selection]) -> str:
    """Say from when to when, and which years hold most, where a list of all is too long to read."""
    span = f"from {years[0]} to {years[-1]}"
    most = max(selection.number for selection in selections)
    fullest = [year for year, s in zip(years, selections, strict=True) if s.number == most]
    if most == 1 or len(fullest) > _NAMED_YEARS:
        return span
    each = " each" if len(fullest) > 1 else ""
    return f"{span}, with the most in {joined(fullest)} ({most}{each})"


def _changes(material: Material, before: str, after: str) -> Draft | None:
    """The categories whose share of a year's papers differs from the year before beyond chance."""
    facts = material.facts
    old, new = facts.select(year=before), facts.select(year=after)
    found: list[tuple[bool, Selection, Selection, Category]] = []
    for category in material.in_scope:
        was = facts.select(year=before, filed=category.id)
        now = facts.select(year=after, filed=category.id)
        if differs((was.number, old.number), (now.number, new.number)):
            rose = now.number * old.number > was.number * new.number
            found.append((rose, was, now, category))
    sources = [old, new, *(s for _, was, now, _ in found for s in (was, now))]
    if not found:
        text = f"From {before} to {after} no category's share changed beyond chance."
        return computed(f"years-{before}-{after}", text, old, new)
    parts = [
        f"{linked(category)} {'rose' if rose else 'fell'} ({was.number} of {old.number} papers, "
        f"then {now.number} of {new.number})"
        for rose, was, now, category in found
    ]
    text = f"From {before} to {after} the share of {joined(parts)}."
    return computed(f"years-{before}-{after}", text, *sources)
