"""Groups of papers that give the same answer to a question asked of their category."""

from __future__ import annotations

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.facts.facts import Selection
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, counted, joined, number, opening, verb
from classifier.taxonomy.model import Category, Facet


def group_draft(subject: Subject, facet: Facet, name: str = "") -> Draft | None:
    """Return which papers give which answer of a facet, and how many do not say."""
    total, present, silent = subject.number, subject.answers(facet), subject.silent(facet)
    if not total or silent.number == total:
        return None
    asked = f"*{facet.name}*"
    name = name or f"by-{facet.id}"
    if len(present) == 1 and present[0][0].number == total:
        text = f"{asked}: {_lower(present[0][1])} in each of the {number(total)}."
        return computed(name, text, present[0][0], subject.papers())
    first, *rest = present
    parts = [f"{_lower(first[1])} in {counted(first[0].number, 'paper')} {cited(first[0])}"]
    parts += [f"{_lower(category)} in {number(s.number)} {cited(s)}" for s, category in rest]
    text = f"{asked}: {joined(parts)}{_silence(silent, total)}."
    return shared(name, text, *(s for s, _ in present), silent)


def answer_draft(subject: Subject, facet: Facet, category: Category, name: str) -> Draft | None:
    """Return which papers give one answer of a facet."""
    total, selection = subject.papers(), subject.papers((facet.id, category.id))
    asked = f"*{facet.name}*: {_lower(category)}"
    if not total.number:
        return None
    if not selection.number:
        text = f"{asked} – none of the {number(total.number)} says so."
        return computed(name, text, total, selection)
    n = selection.number
    text = (
        f"{asked} – {number(n)} of the {number(total.number)} {verb(n, 'says', 'say')} so "
        f"{cited(selection)}."
    )
    return shared(name, text, selection, total)


def unanswered_draft(subject: Subject) -> Draft | None:
    """Return the questions asked of these papers that none of their texts answers."""
    total = subject.papers()
    unanswered = [f for f in subject.own_facets if subject.silent(f).number == total.number]
    if not total.number or not unanswered:
        return None
    asked = joined([f"*{facet.name}*" for facet in unanswered], "or")
    text = f"No text says anything under {asked}."
    return computed("unanswered", text, total, *(subject.silent(facet) for facet in unanswered))


def _silence(silent: Selection, total: int) -> str:
    """Return how many papers give no answer, as the end of a sentence."""
    if not silent.number:
        return ""
    others = "other " if 2 * silent.number < total and silent.number > 1 else ""
    do = verb(silent.number, "does", "do")
    return f"; the {others}{number(silent.number)} {do} not say" if others else (
        f"; {number(silent.number)} {do} not say"
    )


def _lower(category: Category) -> str:
    """Return a category's name as a sentence has it: acronyms and proper names stay."""
    first = category.name.partition(" ")[0]
    return category.name if not first[1:].islower() else _small(category.name)


def _small(name: str) -> str:
    return name[:1].lower() + name[1:]


__all__ = ["answer_draft", "group_draft", "opening", "unanswered_draft"]
