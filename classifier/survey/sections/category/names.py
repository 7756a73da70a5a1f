"""Papers that name the same benchmark, model or environment."""

from __future__ import annotations

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.escape import escape_cell
from classifier.survey.facts.terms import NONE
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, joined, number, opening, verb

# A name in fewer texts than this says nothing of a field.
_SHARED_AT_LEAST = 3
_MOST_NAMES = 4


def names_draft(subject: Subject, lexicon: str, name: str = "") -> Draft | None:
    """Return which papers hold the same name of a lexicon, and how many hold none."""
    names = [found for found in subject.material.facts.values(lexicon) if found != NONE]
    groups = [(found, subject.papers((lexicon, found))) for found in names]
    often = sorted(
        ((found, group) for found, group in groups if group.number >= _SHARED_AT_LEAST),
        key=lambda item: (-item[1].number, item[0]),
    )[:_MOST_NAMES]
    if not often:
        return None
    (first, group), *rest = often
    parts = [f"{number(group.number)} texts name {escape_cell(first)} {cited(group)}"]
    parts += [f"{number(g.number)} {escape_cell(found)} {cited(g)}" for found, g in rest]
    text, sources = opening(joined(parts)), [g for _, g in often]
    without = subject.papers((lexicon, NONE))
    if 2 * without.number > subject.number:
        text += f"; {number(without.number)} name none of the {lexicon} that the survey knows"
        sources.append(without)
    return shared(name or f"by-{lexicon}", f"{text}.", *sources)


def name_draft(subject: Subject, lexicon: str, found: str, name: str) -> Draft:
    """Return which papers hold one name of a lexicon."""
    total, group = subject.papers(), subject.papers((lexicon, found))
    if not group.number:
        text = f"None of the {number(total.number)} names {escape_cell(found)}."
        return computed(name, text, group, total)
    names = verb(group.number, "names", "name")
    text = (
        f"{opening(number(group.number))} of the {number(total.number)} {names} "
        f"{escape_cell(found)} {cited(group)}."
    )
    return shared(name, text, group, total)
