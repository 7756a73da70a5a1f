"""Groups of papers that give the same answer to a question asked of their category."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.facts.facts import Selection
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, counted, how_many, joined, number
from classifier.taxonomy.model import Category, Facet

# "Trained by", "Acts on": such a name goes on into the answer; after another one stands a colon.
_GOES_ON = re.compile(r"\b(?:as|at|by|for|from|in|of|on|through|to|under|with)$")


def group_draft(
    subject: Subject, facet: Facet, name: str = "", told: Collection[str] = ()
) -> Draft | None:
    """Return which papers give which answer of a facet, and how many do not say.

    `told` are answers (category ids) that another sentence tells of.
    """
    total, silent = subject.papers(), subject.silent(facet)
    present = [(s, category) for s, category in subject.answers(facet) if category.id not in told]
    if not present:
        return None
    name = name or f"by-{facet.id}"
    first, *rest = present
    if first[0].number == total.number > 1 and not rest:
        text = f"{_asked(facet)} {first[1].name} in each of the {number(total.number)}."
        return computed(name, text, first[0], total)
    parts = [f"{first[1].name} in {counted(first[0].number, 'paper')} {cited(first[0])}"]
    parts += [f"{category.name} in {number(s.number)} {cited(s)}" for s, category in rest]
    text = f"{_asked(facet)} {joined(parts)}{_silence(silent, '' if told else 'the other ')}."
    return shared(name, text, *(s for s, _ in present), silent)


def answers_draft(
    subject: Subject, facet: Facet, categories: Sequence[Category], name: str
) -> Draft:
    """Return which papers give some answers of a facet."""
    total = subject.papers()
    selected = [(subject.papers((facet.id, category.id)), category) for category in categories]
    whole = f" of the {counted(total.number, 'paper')}"
    parts = [
        f"{category.name} in {how_many(s.number)}{'' if position else whole}"
        f"{f' {cited(s)}' if s.number else ''}"
        for position, (s, category) in enumerate(selected)
    ]
    text = f"{_asked(facet)} {joined(parts)}."
    return shared(name, text, total, *(selection for selection, _ in selected))


def unanswered_draft(
    subject: Subject, facets: Iterable[Facet], name: str = "unanswered"
) -> Draft | None:
    """Return the questions of `facets` that no text of the section answers."""
    unanswered = [facet for facet in facets if not subject.answers(facet)]
    if not subject.number or not unanswered:
        return None
    asked = joined([f"*{facet.name}*" for facet in unanswered], "or")
    text = f"No text says anything under {asked}."
    return computed(name, text, *(subject.silent(facet) for facet in unanswered))


def _asked(facet: Facet) -> str:
    """Return the name of a facet as the start of its answers."""
    return f"*{facet.name}*{'' if _GOES_ON.search(facet.name) else ':'}"


def _silence(silent: Selection, others: str) -> str:
    """Return how many papers give no answer, as the end of a sentence."""
    if not silent.number:
        return ""
    if silent.number == 1:
        return f"; one does not say {cited(silent)}"
    return f"; {others}{number(silent.number)} do not say"
