"""What a category measures: its benchmarks and studies, and what they found."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.draft import Draft, shared
from classifier.survey.edition import Entry
from classifier.survey.exemplars import choose_exemplars, stands_alone
from classifier.survey.facts.facts import Selection
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_behind
from classifier.survey.wording import cited, joined, number, plural, verb
from classifier.taxonomy.model import Category

MEASURING = ("benchmark", "study")
"""Kinds of contribution that measure and report what they found."""

_MOST_FOUND = 3


def finding_drafts(subject: Subject, most: int = _MOST_FOUND) -> list[Draft | None]:
    """Return which papers measure, and what the most central of them found."""
    measuring = measured_by(subject)
    if not measuring:
        return []
    papers = sorted({e.number: e for s, _ in measuring for e in s.entries}.items())
    entries = [entry for _, entry in papers]
    chosen = choose_exemplars(entries, most, finding_of)
    return [
        _measuring(measuring),
        *(told_behind(f"finding-{e.slug}", e, finding_of(e)) for e in chosen),
    ]


def measured_by(subject: Subject) -> list[tuple[Selection, Category]]:
    """Return the papers of each kind that measures, where there are any."""
    return [(selection, kind) for selection, kind in subject.kinds if kind.id in MEASURING]


def finding_of(entry: Entry) -> str:
    """Return the first result that a paper states in a sentence that stands alone, or ""."""
    stated = (s.span.text for s in entry.sentences if s.role == "result")
    return next((text for text in stated if stands_alone(text)), "")


def _measuring(measuring: Sequence[tuple[Selection, Category]]) -> Draft:
    parts = [f"{_number_of(selection, kind)} {cited(selection)}" for selection, kind in measuring]
    are = verb(measuring[0][0].number, "is", "are")
    text = f"Among them {are} {joined(parts)}."
    return shared("measuring", text, *(selection for selection, _ in measuring))


def _number_of(selection: Selection, kind: Category) -> str:
    noun = kind.name.lower()
    return f"{number(selection.number)} {noun if selection.number == 1 else plural(noun)}"

