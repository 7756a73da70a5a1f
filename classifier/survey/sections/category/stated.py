"""What can be checked: how many papers state a result with a figure, and how many release code."""

from __future__ import annotations

from classifier.survey.draft import Draft, shared
from classifier.survey.facts.facts import Selection
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, how_many, number, opening, verb

_COUNTED_AT_LEAST = 3


def result_draft(subject: Subject, name: str = "results") -> Draft:
    """Return how many papers state a result with a figure."""
    stating = subject.papers(("result", "stated"))
    text = (
        f"{_share(stating, subject)} {verb(stating.number, 'states', 'state')} a result with a "
        f"figure{_cited(stating)}."
    )
    return shared(name, text, stating, subject.papers())


def code_draft(subject: Subject, name: str = "code") -> Draft:
    """Return how many papers link code or announce a release."""
    n = (releasing := subject.papers(("code", "yes"))).number
    text = (
        f"{_share(releasing, subject)} {verb(n, 'links', 'link')} code or "
        f"{verb(n, 'announces', 'announce')} a release{_cited(releasing)}."
    )
    return shared(name, text, releasing, subject.papers())


def stated_drafts(subject: Subject, told: set[str]) -> list[Draft | None]:
    """Return what can be checked, without what already stands under a claim (`told`)."""
    if subject.number < _COUNTED_AT_LEAST:
        return []
    return [
        None if "result" in told else result_draft(subject),
        None if "code" in told else code_draft(subject),
    ]


def _share(selection: Selection, subject: Subject) -> str:
    """Return a count and what it is a part of, as the start of a sentence."""
    total, n = subject.number, selection.number
    if n == total > 1:
        return f"All {number(total)}"
    return f"{opening(how_many(n))} of the {number(total)}"


def _cited(selection: Selection) -> str:
    return f" {cited(selection)}" if selection.number else ""
