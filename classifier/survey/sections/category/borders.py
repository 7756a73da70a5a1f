"""Where a category ends: the topics that it meets or never meets, and papers on the line."""

from __future__ import annotations

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.edition import Entry
from classifier.survey.facts.facts import Selection
from classifier.survey.paper_names import called
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, joined, number, opening, verb
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
    return [_met(subject), _from_elsewhere(subject), _never_met(subject), _provisional(subject)]


def _others(subject: Subject) -> list[Category]:
    return [c for c in subject.material.in_scope if c.id != subject.category.id]


def _met(subject: Subject) -> Draft | None:
    """Return to which other topics the papers filed here belong most often."""
    topic = subject.material.first.id
    selected = [(subject.papers((topic, other.id)), other) for other in _others(subject)]
    met = sorted(
        ((s, other) for s, other in selected if s.number >= _MET_AT_LEAST),
        key=lambda item: -item[0].number,
    )[:_MOST_MET]
    if not met:
        return None
    (first, category), *rest = met
    parts = [f"{number(first.number)} also belong to {_link(category)} {cited(first, 6)}"]
    parts += [f"{number(s.number)} to {_link(other)} {cited(s, 6)}" for s, other in rest]
    text = f"Of the papers filed here, {joined(parts)}."
    return shared("neighbours", text, *(s for s, _ in met))


def _from_elsewhere(subject: Subject) -> Draft | None:
    """Return where the papers are filed that belong here, too."""
    facts, topic = subject.material.facts, subject.material.first.id
    mine = (topic, subject.category.id)
    selected = [(facts.select(mine, filed=other.id), other) for other in _others(subject)]
    present = sorted((i for i in selected if i[0].number), key=lambda item: -item[0].number)
    if not present:
        return None
    parts = [f"{_link(other)} {cited(s, 6)}" for s, other in present]
    text = f"Papers on this topic are also filed under {joined(parts)}."
    return shared("elsewhere", text, *(s for s, _ in present))


def _never_met(subject: Subject) -> Draft | None:
    """Return the large topics that no paper joins with this one."""
    facts, topic = subject.material.facts, subject.material.first.id
    total, here = facts.number("papers.total"), subject.belonging
    gaps: list[tuple[Selection, Selection, Category]] = []
    for other in _others(subject):
        there = facts.select((topic, other.id))
        both = facts.select((topic, subject.category.id), (topic, other.id))
        if not both.number and here.number * there.number >= MET_IF_INDEPENDENT * total:
            gaps.append((both, there, other))
    if not gaps:
        return None
    named = joined([_link(other) for _, _, other in gaps], "or")
    text = f"No paper joins this topic with {named}, though their sizes would let one expect some."
    sources = [s for both, there, _ in gaps for s in (both, there)]
    return computed("never-met", text, here, *sources)


def _provisional(subject: Subject) -> Draft | None:
    """Return the papers that are filed here under reserve, and where else they might be."""
    filed = subject.papers(("status", "provisional"))
    if not filed.number:
        return None
    are = verb(filed.number, "paper is", "papers are")
    if filed.number > _MOST_NAMED:
        text = f"{opening(number(filed.number))} {are} filed here provisionally {cited(filed)}."
    else:
        named = joined([_with_alternative(subject, entry) for entry in filed.entries])
        text = f"Filed here provisionally: {named}."
    return shared("provisional", text, filed)


def _with_alternative(subject: Subject, entry: Entry) -> str:
    """Return the name of a paper, and the topic that is likeliest besides."""
    chances = entry.first.probabilities
    ranked = sorted(
        (other for other in _others(subject) if chances.get(other.id, 0.0) > 0.0),
        key=lambda other: (-chances[other.id], other.id),
    )
    return f"{called(entry)}, next to {_link(ranked[0])}" if ranked else called(entry)


def _link(category: Category) -> str:
    return f"[{category.name}](#{category.id})"
