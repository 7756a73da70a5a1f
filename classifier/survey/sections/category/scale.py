"""How many papers, decided by whom, of what kind, in which parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.escape import escape_cell
from classifier.survey.material import current
from classifier.survey.sections.category.subject import CONTRIBUTION, Subject
from classifier.survey.wording import (
    citations,
    cited,
    counted,
    how_many,
    in_prose,
    joined,
    linked,
    linked_count,
    named,
    number,
    opening,
    verb,
    with_article,
)
from classifier.taxonomy.model import Category

# Of fewer papers a reader sees the kinds in the table.
_DIVIDED_AT_LEAST = 3
_MOST_KINDS = 5
_MOST_CITED = 9


def scale_draft(subject: Subject) -> Draft:
    """Return how many papers are filed here, and how many more belong here."""
    filed, having = subject.papers(), subject.belonging
    if not filed.number:
        return computed("scale", f"No paper is filed under {named(subject.category)}.", filed)
    text = f"This section holds {counted(filed.number, 'paper')}"
    if also := having.number - filed.number:
        belong, are = verb(also, "belongs", "belong"), verb(also, "is", "are")
        text += f"; {number(also)} more {belong} here too but {are} filed elsewhere"
    return computed("scale", f"{text}.", filed, having)


def part_scale_draft(subject: Subject, parent: Subject) -> Draft:
    """Return which of a category's papers belong to a part of it, and which others do."""
    here, whole, having = subject.papers(), parent.papers(), subject.belonging
    belong = verb(here.number, "belongs", "belong")
    text = f"Of the {number(whole.number)}, {number(here.number)} {belong} here {cited(here)}"
    if here.number == whole.number:
        text = f"All {number(here.number)} belong here {cited(here)}"
    numbers = {entry.number for entry in here.entries}
    elsewhere = [entry for entry in having.entries if entry.number not in numbers]
    if also := len(elsewhere):
        text += f", and so {verb(also, 'does one', f'do {number(also)}')} filed elsewhere"
        text += f" {citations(elsewhere)}" if also <= _MOST_CITED else ""
    return shared("scale", f"{text}.", here, whole, having)


def decided_draft(subject: Subject) -> Draft | None:
    """Return how many labels readers decided, where it is half as often as elsewhere or less."""
    facts = subject.material.facts
    filed, decided = subject.papers(), subject.papers(("status", "reviewed"))
    share = facts.number("papers.reviewed") / max(facts.number("papers.total"), 1)
    if filed.number < _DIVIDED_AT_LEAST or decided.number > filed.number * share / 2 or not share:
        return None
    labels = f"{number(decided.number)} of these labels" if decided.number else "none of them"
    text = f"Readers have decided {labels}; the others are the classifier's."
    if not decided.number:
        text = "No reader has decided on any of them yet; the labels are the classifier's."
    return computed("decided", text, decided, filed)


def kinds_draft(subject: Subject, name: str = "kinds", also: Collection[str] = ()) -> Draft | None:
    """Return what kind of contribution the papers make, where a facet of that name exists.

    also: ids of kinds that are told of even if no paper is of them.
    """
    facet = subject.material.taxonomy.facets.get(CONTRIBUTION)
    total, present = subject.number, subject.answers(facet, also) if facet else []
    if not present or (total < _DIVIDED_AT_LEAST and not also):
        return None
    sources = [subject.papers(), *(selection for selection, _ in present)]
    top, kind = present[0]
    if top.number == total and len(present) == 1:
        text = f"Each contributes {with_article(in_prose(named(kind)))}."
        return computed(name, text, *sources)
    contribute = verb(top.number, "contributes", "contribute")
    parts = [f"{how_many(top.number)} {contribute} {with_article(in_prose(named(kind)))}"]
    shown = [*present[1:_MOST_KINDS], *(i for i in present[_MOST_KINDS:] if i[1].id in also)]
    parts += [f"{how_many(s.number)} {with_article(in_prose(named(other)))}" for s, other in shown]
    return computed(name, f"Of the {number(total)}, {joined(parts)}.", *sources)


def parts_draft(
    subject: Subject,
    sections: Sequence[Category],
    name: str = "parts",
    also: Collection[str] = (),
) -> Draft | None:
    """Return into which parts the papers fall; those with a subsection are linked to it.

    also: ids of parts that are told of even if no paper falls there.
    """
    children = current(subject.category.children)
    topic = subject.material.first.id
    selected = [(subject.papers((topic, child.id)), child) for child in children]
    told = [(s, child) for s, child in selected if s.number or child.id in also]
    present = sorted(told, key=lambda item: -item[0].number)
    if not present or not subject.number or (subject.number < _DIVIDED_AT_LEAST and not also):
        return None
    shown = {child.id for child in sections}
    written = [(s, linked(c) if c.id in shown else escape_cell(c.name)) for s, c in present]
    text = f"The papers fall under {joined([f'{part} ({linked_count(s)})' for s, part in written])}"
    if len(written) == 1:
        (selection, part), *_ = written
        belong = f"{verb(selection.number, 'paper falls', 'papers fall')} under {part}"
        text = f"{opening(number(selection.number))} {belong}"
    placed = sum(selection.number for selection, _ in present)
    tail = "; the others fit no part" if 0 < placed < subject.number else ""
    return computed(name, f"{text}{tail}.", *(s for s, _ in present))
