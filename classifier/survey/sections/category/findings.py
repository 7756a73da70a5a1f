"""What a category measures: its benchmarks and studies, and what they found."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.draft import Draft, shared
from classifier.survey.edition import Entry
from classifier.survey.exemplars import choose_exemplars, stands_alone
from classifier.survey.facts.facts import Selection
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_behind
from classifier.survey.wording import cited, joined, number, plural
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
    if not chosen:
        return []
    return [
        _measuring(measuring, len(chosen)),
        *(told_behind(f"finding-{e.slug}", e, finding_of(e)) for e in chosen),
    ]


def measured_by(subject: Subject) -> list[tuple[Selection, Category]]:
    """Return the papers of each kind that measures, where there are any."""
    return [(selection, kind) for selection, kind in subject.kinds if kind.id in MEASURING]


def finding_of(entry: Entry) -> str:
    """Return the first result that a paper states in a sentence that stands alone, or ""."""
    stated = (s.span.text for s in entry.sentences if s.role == "result")
    return next((text for text in stated if stands_alone(text)), "")


def _measuring(measuring: Sequence[tuple[Selection, Category]], found: int) -> Draft:
    """Return which papers measure, as the introduction to what `found` of them found."""
    parts = [f"{_number_of(selection, kind)} {cited(selection)}" for selection, kind in measuring]
    some = "some of " if found < sum(selection.number for selection, _ in measuring) else ""
    text = f"What {some}its {joined(parts)} found:"
    return shared("measuring", text, *(selection for selection, _ in measuring))


def _number_of(selection: Selection, kind: Category) -> str:
    noun = kind.name.lower()
    return noun if selection.number == 1 else f"{number(selection.number)} {plural(noun)}"
