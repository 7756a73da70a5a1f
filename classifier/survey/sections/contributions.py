"""What kind of contribution the papers make, and where each kind is found."""

from __future__ import annotations

from classifier.survey.draft import Draft, computed
from classifier.survey.escape import escape_cell
from classifier.survey.material import Material, current
from classifier.survey.wording import (
    counted,
    how_many,
    in_prose,
    joined,
    linked,
    number,
    opening,
    verb,
    with_article,
)
from classifier.taxonomy.model import Category

FACET = "contribution"
# A kind is spoken of from so many papers on, and concentrated where one category holds most.
_WORTH_SAYING = 5
_MOST_KINDS = 3
_WORTH_COMPARING = 10
_MOST_EXCEPTIONS = 4


def contribution_drafts(material: Material) -> list[Draft | None]:
    """Return which kinds of contribution gather in one category, and which are rare."""
    return [_majority(material), _gathered(material), _rare(material)]


def _kinds(material: Material) -> list[Category]:
    taxonomy = material.taxonomy
    return current(taxonomy.facet(FACET).categories) if FACET in taxonomy.facets else []


def _majority(material: Material) -> Draft | None:
    """The kind that more than half of the papers are, and where it is not the most frequent."""
    facts, total = material.facts, material.facts.number("papers.total")
    kinds = [(facts.select(contribution=kind.id), kind) for kind in _kinds(material)]
    common = next(((s, kind) for s, kind in kinds if 2 * s.number > total), None)
    if common is None:
        return None
    selection, kind = common
    text = f"More than half of the papers ({selection.number} of {total}) contribute {_a(kind)}"
    exceptions = [
        c
        for c in material.in_scope
        if facts.select(filed=c.id).number >= _WORTH_COMPARING
        and 2 * facts.select(filed=c.id, contribution=kind.id).number
        < facts.select(filed=c.id).number
    ]
    if len(exceptions) > _MOST_EXCEPTIONS:
        exceptions = []
    if exceptions:
        text += f"; fewer than half do in {joined([linked(c) for c in exceptions])}"
    sources = [facts.select(filed=c.id, contribution=kind.id) for c in exceptions]
    return computed("kinds-majority", f"{text}.", selection, "papers.total", *sources)


def _gathered(material: Material) -> Draft | None:
    """The kinds that mostly stand in one category."""
    facts, found = material.facts, []
    for kind in _kinds(material):
        every = facts.select(contribution=kind.id)
        held = [(facts.select(filed=c.id, contribution=kind.id), c) for c in material.in_scope]
        most = max(held, key=lambda item: item[0].number, default=None)
        enough = every.number >= _WORTH_SAYING
        if most and enough and 2 * most[0].number > every.number:
            found.append((every, *most, kind))
    if not found:
        return None
    parts = [
        f"of the {counted(every.number, 'paper')} that contribute {_a(kind)}, "
        f"{'all' if there.number == every.number else number(there.number)} are filed under "
        f"{linked(category)}"
        for every, there, category, kind in found[:_MOST_KINDS]
    ]
    sources = [s for every, there, _, _ in found[:_MOST_KINDS] for s in (every, there)]
    return computed("kinds-gathered", f"{opening('; '.join(parts))}.", *sources)


def _rare(material: Material) -> Draft | None:
    facts, total = material.facts, material.facts.number("papers.total")
    counted_kinds = [(facts.select(contribution=kind.id), kind) for kind in _kinds(material)]
    rare = [(s, kind) for s, kind in counted_kinds if s.number * 50 < total]
    if not rare or total < 50:
        return None
    parts = [
        f"{how_many(s.number)} {verb(s.number, 'contributes', 'contribute')} {_a(kind)}"
        for s, kind in rare
    ]
    text = f"Of all {counted(total, 'paper')}, {joined(parts)}."
    return computed("kinds-rare", text, "papers.total", *(s for s, _ in rare))


def _a(kind: Category) -> str:
    return escape_cell(with_article(in_prose(kind.name)))
