"""Where a category ends: the topics that it meets or never meets, and papers on the line."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.edition import Entry
from classifier.survey.escape import escape_cell
from classifier.survey.facts.facts import Selection
from classifier.survey.pairs import may_meet
from classifier.survey.paper_names import called
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, joined, linked, linked_count, number, verb
from classifier.taxonomy.model import Category

# Topics that meet in fewer papers are no neighbours worth a sentence.
_MET_AT_LEAST = 3
MET_IF_INDEPENDENT = 3
"""That two topics never meet is said only where chance alone would give this many papers."""
_MOST_MET = 4
_MOST_NAMED = 4


def border_drafts(subject: Subject) -> list[Draft | None]:
    """Return what is known of the border of a category."""
    if not subject.number:
        return []
    return [_met(subject), _never_met(subject), provisional_draft(subject)]


def topics_draft(subject: Subject, others: Sequence[Category], name: str) -> Draft:
    """Return how many of the papers filed here belong to other topics, too."""
    topic = subject.material.first.id
    selected = [(subject.papers((topic, other.id)), other) for other in others]
    (first, _), *_ = selected
    verbs = [verb(first.number, "also belongs to", "also belong to"), *["to"] * len(others)]
    parts = [
        f"{linked_count(s)} {said} {escape_cell(c.name) if '/' in c.id else linked(c)}"
        for said, (s, c) in zip(verbs, selected, strict=False)
    ]
    text = f"Of the {number(subject.number)}, {joined(parts)}."
    return computed(name, text, subject.papers(), *(selection for selection, _ in selected))


def _others(subject: Subject) -> list[Category]:
    return [c for c in subject.material.in_scope if c.id != subject.category.id]


def _met(subject: Subject) -> Draft | None:
    """Return with which other topics this one shares most papers, wherever they are filed."""
    both = [(_both(subject, other), other) for other in _others(subject)]
    ranked = sorted(
        ((s, other) for s, other in both if s.number >= _MET_AT_LEAST),
        key=lambda item: -item[0].number,
    )
    if not ranked:
        return None
    met, others = ranked[:_MOST_MET], ranked[_MOST_MET:]
    most = "The topic overlaps most with"
    if others and others[0][0].number == met[-1][0].number:
        most = "Among the largest overlaps of the topic are those with"
    (first, category), *rest = met
    parts = [f"{linked(category)} ({linked_count(first)} papers have both topics)"]
    parts += [f"{linked(other)} ({linked_count(s)})" for s, other in rest]
    text = f"{most} {joined(parts)}."
    return computed("neighbours", text, *(s for s, _ in met))


def _both(subject: Subject, other: Category) -> Selection:
    topic = subject.material.first.id
    return subject.material.facts.select((topic, subject.category.id), (topic, other.id))


def _never_met(subject: Subject) -> Draft | None:
    """Return the large topics that no paper joins with this one, where one may."""
    if not may_meet(subject.material.first):
        return None
    facts, topic = subject.material.facts, subject.material.first.id
    total, here = facts.number("papers.total"), subject.belonging
    gaps: list[tuple[Selection, Selection, Category]] = []
    for other in _others(subject):
        there = facts.select((topic, other.id))
        both = _both(subject, other)
        if not both.number and here.number * there.number >= MET_IF_INDEPENDENT * total:
            gaps.append((both, there, other))
    if not gaps:
        return None
    named = joined([linked(other) for _, _, other in gaps], "or")
    text = f"No paper joins this topic with {named}, though by size alone a few should."
    sources = [s for both, there, _ in gaps for s in (both, there)]
    return computed("never-met", text, here, *sources)


def provisional_draft(subject: Subject) -> Draft | None:
    """Return the papers that are filed here under reserve, and where else they might be."""
    filed = subject.papers(("status", "provisional"))
    if not filed.number:
        return None
    if filed.number > _MOST_NAMED:
        text = f"Filed here provisionally are {number(filed.number)} papers {cited(filed)}."
    else:
        named = joined([_with_alternative(subject, entry) for entry in filed.entries])
        text = f"Filed here provisionally {verb(filed.number, 'is', 'are')} {named}."
    return shared("provisional", text, filed)


def _with_alternative(subject: Subject, entry: Entry) -> str:
    """Return the name of a paper, and the topic that is likeliest besides."""
    chances = entry.first.probabilities
    ranked = sorted(
        (other for other in _others(subject) if chances.get(other.id, 0.0) > 0.0),
        key=lambda other: (-chances[other.id], other.id),
    )
    return f"{called(entry)} (next choice: {linked(ranked[0])})" if ranked else called(entry)
