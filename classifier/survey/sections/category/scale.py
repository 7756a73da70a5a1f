"""How many papers, decided by whom, of what kind, in which parts."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.escape import escape_cell
from classifier.survey.material import current
from classifier.survey.sections.category.subject import CONTRIBUTION, Subject
from classifier.survey.wording import (
    cited,
    counted,
    how_many,
    joined,
    linked,
    number,
    verb,
    with_article,
)
from classifier.taxonomy.model import Category

# Of fewer papers a reader sees the kinds in the table.
_DIVIDED_AT_LEAST = 3
_MOST_KINDS = 5


def scale_draft(subject: Subject) -> Draft:
    """Return how many papers are filed here, and how many more belong here."""
    filed, having = subject.papers(), subject.belonging
    if not filed.number:
        return computed("scale", f"No paper is filed under {subject.category.name}.", filed)
    text = f"This section holds {counted(filed.number, 'paper')}"
    if also := having.number - filed.number:
        belong, are = verb(also, "belongs", "belong"), verb(also, "is", "are")
        text += f"; {number(also)} more {belong} here too but {are} filed elsewhere"
    return computed("scale", f"{text}.", filed, having)


def part_scale_draft(subject: Subject, parent: Subject) -> Draft:
    """Return how many of a category's papers belong to a part of it, and how many others do."""
    here, whole, having = subject.papers(), parent.papers(), subject.belonging
    belong = verb(here.number, "belongs", "belong")
    text = f"Of the {number(whole.number)}, {number(here.number)} {belong} here"
    if here.number == whole.number:
        text = f"All {number(here.number)} belong here"
    if also := having.number - here.number:
        text += f", and so {verb(also, 'does one', f'do {number(also)}')} filed under other topics"
    return computed("scale", f"{text}.", here, whole, having)


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


def kinds_draft(subject: Subject, name: str = "kinds") -> Draft | None:
    """Return what kind of contribution the papers make, where a facet of that name exists."""
    total, present = subject.number, subject.kinds
    if total < _DIVIDED_AT_LEAST or not present:
        return None
    sources = [subject.papers(), *(selection for selection, _ in present)]
    top, kind = present[0]
    if top.number == total:
        text = f"Each contributes {with_article(kind.name.lower())}."
        return computed(name, text, *sources)
    contribute = verb(top.number, "contributes", "contribute")
    parts = [f"{number(top.number)} {contribute} {with_article(kind.name.lower())}"]
    shown = present[1:_MOST_KINDS]
    parts += [f"{number(s.number)} {with_article(other.name.lower())}" for s, other in shown]
    return computed(name, f"Of the {number(total)}, {joined(parts)}.", *sources)


def kind_draft(subject: Subject, kinds: Sequence[Category], name: str) -> Draft:
    """Return which papers make certain kinds of contribution."""
    total = subject.number
    made = [(subject.papers((CONTRIBUTION, kind.id)), kind) for kind in kinds]
    parts = [
        f"{'all' if s.number == total > 1 else how_many(s.number)} "
        f"{verb(s.number, 'contributes', 'contribute')} {with_article(kind.name.lower())}"
        f"{f' {cited(s)}' if s.number else ''}"
        for s, kind in made
    ]
    text = f"Of the {number(total)}, {joined(parts)}."
    return shared(name, text, subject.papers(), *(selection for selection, _ in made))


def parts_draft(subject: Subject, sections: Sequence[Category]) -> Draft | None:
    """Return into which parts the papers fall; those with a subsection are linked to it."""
    children = current(subject.category.children)
    topic = subject.material.first.id
    selected = [(subject.papers((topic, child.id)), child) for child in children]
    present = sorted((i for i in selected if i[0].number), key=lambda item: -item[0].number)
    if not present or subject.number < _DIVIDED_AT_LEAST:
        return None
    shown = {child.id for child in sections}
    named = [(s, linked(c) if c.id in shown else escape_cell(c.name)) for s, c in present]
    parts = [f"{name} ({s.number:,})" for s, name in named]
    text = f"By their cues they fall under {joined(parts)}"
    if len(parts) == 1:
        (selection, name), *_ = named
        fall = verb(selection.number, "falls", "fall")
        text = f"By their cues, {number(selection.number)} {fall} under {name}"
    placed = sum(selection.number for selection, _ in present)
    tail = "; the others fit no part of it" if placed < subject.number else ""
    return computed("parts", f"{text}{tail}.", *(s for s, _ in present))
