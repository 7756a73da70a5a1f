"""When the papers of a category appeared."""

from __future__ import annotations

from classifier.papers.paper import Published
from classifier.survey.draft import Draft, computed
from classifier.survey.facts.terms import UNDATED
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import long_date, number

_DATED_AT_LEAST = 3
_TO_MONTH = len("2025-08")


def dates_draft(subject: Subject) -> Draft | None:
    """Return how many papers are dated, from when to when, and the year of most of them."""
    total, undated = subject.papers(), subject.papers(("year", UNDATED))
    dated = total.number - undated.number
    if total.number < _DATED_AT_LEAST or not dated:
        return None
    dates = sorted(e.paper.published.date for e in total.entries if e.paper.published.date)
    oldest, newest = _bound(subject, "oldest", dates[0]), _bound(subject, "newest", dates[-1])
    known = f"{number(dated)} of them" if undated.number else "all of them"
    text = f"Dates are known for {known}, {_span(dates[0], dates[-1])}"
    sources = [total, undated]
    by_year = [subject.papers(("year", year)) for year in sorted({date[:4] for date in dates})]
    most = max(by_year, key=lambda s: s.number)
    if len(by_year) > 1 and 2 * most.number > dated:
        year = most.entries[0].paper.published.date[:4]
        text += f", {number(most.number)} in {year}"
        sources.append(most)
    return computed("dates", f"{text}.", *sources, oldest, newest)


def _bound(subject: Subject, which: str, date: str) -> str:
    """Note the date of the oldest or newest paper as a fact and return its id."""
    facts = subject.material.facts
    fact_id = f"{subject.category.id}.{which}"
    if fact_id in facts.by_id:  # a category called `papers`, as all of them are
        fact_id = f"{subject.category.id}.filed.{which}"
    facts.add(fact_id, date, f"{which} date of {subject.papers().id}")
    return fact_id


def _span(oldest: str, newest: str) -> str:
    first, last = (long_date(Published(date[:_TO_MONTH])) for date in (oldest, newest))
    year = oldest[:4]
    if first != last and newest.startswith(year):
        first = first.removesuffix(f" {year}")
    return f"in {first}" if first == last else f"from {first} to {last}"
