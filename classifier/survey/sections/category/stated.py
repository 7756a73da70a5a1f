"""What can be checked: how many papers state a result with a figure, and how many release code."""

from __future__ import annotations

from classifier.survey.draft import Draft, computed
from classifier.survey.facts.facts import Selection
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import linked_count, number, verb

_COUNTED_AT_LEAST = 3


def result_draft(subject: Subject, name: str = "results") -> Draft:
    """Return how many papers state a result with a figure."""
    stating = _stating(subject)
    return computed(name, f"{_of(subject)} {_states(stating)}.", subject.papers(), stating)


def code_draft(subject: Subject, name: str = "code") -> Draft:
    """Return how many papers link code or announce a release."""
    releasing = _releasing(subject)
    return computed(name, f"{_of(subject)} {_releases(releasing)}.", subject.papers(), releasing)


def stated_draft(subject: Subject) -> Draft | None:
    """Return what can be checked; of what no paper of the survey has, the abstract says so once."""
    results, code = subject.material.tells_of_results, subject.material.tells_of_code
    if subject.number < _COUNTED_AT_LEAST or not (results or code):
        return None
    if not results:
        return code_draft(subject)
    if not code:
        return result_draft(subject)
    stating, releasing = _stating(subject), _releasing(subject)
    text = f"{_of(subject)} {_states(stating)}, and {_releases(releasing)}."
    return computed("evidence", text, subject.papers(), stating, releasing)


def _stating(subject: Subject) -> Selection:
    return subject.papers(("result", "stated"))


def _releasing(subject: Subject) -> Selection:
    return subject.papers(("code", "yes"))


def _of(subject: Subject) -> str:
    return f"Of the {number(subject.number)}," if subject.number > 1 else "Of the one paper,"


def _states(stating: Selection) -> str:
    return (
        f"{linked_count(stating)} {verb(stating.number, 'states', 'state')} a result with a figure"
    )


def _releases(releasing: Selection) -> str:
    n = releasing.number
    return (
        f"{linked_count(releasing)} {verb(n, 'links', 'link')} code or "
        f"{verb(n, 'announces', 'announce')} a release"
    )
