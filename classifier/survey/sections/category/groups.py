"""Groups of papers that give the same answer to a question asked of their category."""

from __future__ import annotations

import re

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.facts.facts import Selection
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, counted, joined, number, verb
from classifier.taxonomy.model import Category, Facet

# "Trained by", "Acts on": such a name goes on into the answer; after another one stands a colon.
_GOES_ON = re.compile(r"\b(?:as|at|by|for|from|in|of|on|through|to|under|with)$")


def group_draft(subject: Subject, facet: Facet, name: str = "") -> Draft | None:
    """Return which papers give which answer of a facet, and how many do not say."""
    total, present, silent = subject.papers(), subject.answers(facet), subject.silent(facet)
    if not present:
        return None
    name = name or f"by-{facet.id}"
    first, *rest = present
    if first[0].number == total.number > 1 and not rest:
        text = f"{_asked(facet)} {first[1].name} in each of the {number(total.number)}."
        return computed(name, text, first[0], total)
    parts = [f"{first[1].name} in {counted(first[0].number, 'paper')} {cited(first[0])}"]
    parts += [f"{category.name} in {number(s.number)} {cited(s)}" for s, category in rest]
    text = f"{_asked(facet)} {joined(parts)}{_silence(silent)}."
    return shared(name, text, *(s for s, _ in present), silent)


def answer_draft(subject: Subject, facet: Facet, category: Category, name: str) -> Draft | None:
    """Return which papers give one answer of a facet."""
    total, selection = subject.papers(), subject.papers((facet.id, category.id))
    if not total.number:
        return None
    asked, n = f"{_asked(facet)} {category.name}", selection.number
    if not n:
        text = f"{asked}: none of the {number(total.number)} says so."
        return computed(name, text, selection, total)
    says = verb(n, "says", "say")
    text = f"{asked}: {number(n)} of the {number(total.number)} {says} so {cited(selection)}."
    return shared(name, text, selection, total)


def unanswered_draft(subject: Subject) -> Draft | None:
    """Return the questions asked of these papers that none of their texts answers."""
    unanswered = [facet for facet in subject.own_facets if not subject.answers(facet)]
    if not subject.number or not unanswered:
        return None
    asked = joined([f"*{facet.name}*" for facet in unanswered], "or")
    text = f"No text says anything under {asked}."
    return computed("unanswered", text, *(subject.silent(facet) for facet in unanswered))


def _asked(facet: Facet) -> str:
    """Return the name of a facet as the start of its answers."""
    return f"*{facet.name}*{'' if _GOES_ON.search(facet.name) else ':'}"


def _silence(silent: Selection) -> str:
    """Return how many papers give no answer, as the end of a sentence."""
    if not silent.number:
        return ""
    if silent.number == 1:
        return f"; one does not say {cited(silent)}"
    return f"; the other {number(silent.number)} do not say"
