"""Papers that name the same benchmark, model or environment."""

from __future__ import annotations

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.escape import escape_cell
from classifier.survey.facts.terms import NONE
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, joined, number, verb

# A name in fewer texts than this, or in a smaller share of them, says nothing of a field.
_SHARED_AT_LEAST = 3
_SHARED_BY = 0.1
_MOST_NAMES = 4


def names_draft(subject: Subject, lexicon: str, name: str = "") -> Draft | None:
    """Return which papers hold the same name of a lexicon."""
    names = [found for found in subject.material.facts.values(lexicon) if found != NONE]
    groups = [(found, subject.papers((lexicon, found))) for found in names]
    least = max(_SHARED_AT_LEAST, _SHARED_BY * subject.number)
    often = sorted(
        ((found, group) for found, group in groups if group.number >= least),
        key=lambda item: (-item[1].number, item[0]),
    )[:_MOST_NAMES]
    if not often:
        return None
    (first, group), *rest = often
    parts = [f"{escape_cell(first)} is named in {number(group.number)} texts {cited(group)}"]
    parts += [f"{escape_cell(found)} in {number(g.number)} {cited(g)}" for found, g in rest]
    return shared(name or f"by-{lexicon}", f"{joined(parts)}.", *(g for _, g in often))


def name_draft(subject: Subject, lexicon: str, found: str, name: str) -> Draft:
    """Return which papers hold one name of a lexicon."""
    total, group = subject.papers(), subject.papers((lexicon, found))
    if not group.number:
        text = f"None of the {number(total.number)} names {escape_cell(found)}."
        return computed(name, text, group, total)
    names = verb(group.number, "names", "name")
    text = (
        f"Of the {number(total.number)}, {number(group.number)} {names} {escape_cell(found)} "
        f"{cited(group)}."
    )
    return shared(name, text, group, total)
