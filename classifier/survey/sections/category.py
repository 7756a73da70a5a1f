"""The section of a category: what the data says of it, most general first."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.document import Block, Section
from classifier.survey.draft import Draft, computed, paragraphs, shared, told
from classifier.survey.edition import Entry
from classifier.survey.editorial import key_sentence, remark_paragraphs
from classifier.survey.exemplars import choose_exemplars
from classifier.survey.facts.facts import Facts, Selection
from classifier.survey.facts.terms import NONE
from classifier.survey.material import Material, current
from classifier.survey.sections.comparison import comparison_table
from classifier.survey.wording import (
    citations,
    counted,
    how_many,
    joined,
    number,
    verb,
    with_article,
)
from classifier.taxonomy.model import Category

# A name in fewer texts than this says nothing of a field.
_SHARED_AT_LEAST = 3
# Categories that meet in fewer papers are no neighbours worth a sentence.
_MET_AT_LEAST = 3
_MOST_NAMES = 4


def category_sections(material: Material, category: Category) -> list[Section]:
    """Return the section of a top category."""
    filed = list(material.facts.select(filed=category.id).entries)
    blocks: list[Block] = [
        *paragraphs(
            category.id,
            [_definition(material, category)],
            *([claim] for claim in _claims(material, category)),
            category_drafts(material, category),
            exemplar_drafts(filed),
        ),
        *([comparison_table(material.taxonomy, category, filed)] if filed else []),
        *remark_paragraphs(filed),
    ]
    return [Section(category.id, category.name, 1, tuple(blocks))]


def _definition(material: Material, category: Category) -> Draft | None:
    text = category.definition.strip()
    source = f"taxonomy: {material.first.id}/{category.id}/definition"
    return Draft("definition", text, "D", source) if text else None


def _claims(material: Material, category: Category) -> list[Draft]:
    source = f"taxonomy: {material.first.id}/{category.id}/claims"
    return [
        Draft(
            f"claim-{position}",
            f"{claim.text.strip()} — {claim.by}{', ' + claim.on if claim.on else ''}",
            "H",
            source,
        )
        for position, claim in enumerate(category.claims, 1)
    ]


def category_drafts(material: Material, category: Category) -> list[Draft | None]:
    """Return what the data says of one category."""
    filed = material.facts.select(filed=category.id)
    if not filed.number:
        return [computed("scale", f"No paper is filed under {category.name}.", filed)]
    return [
        _scale(material, category),
        key_sentence(filed.entries),
        _kinds(material, category),
        _children(material, category),
        _neighbours(material, category),
        _shared_names(material.facts, category, "benchmarks", "benchmark"),
        _evidence_stated(material.facts, category),
    ]


def exemplar_drafts(filed: Sequence[Entry]) -> list[Draft]:
    """Return what the most central papers filed here do, each in the words of its digest."""
    drafts: list[Draft] = []
    for position, entry in enumerate(choose_exemplars(filed)):
        stated, lead = entry.contribution, "" if position else "For example, "
        name = f"exemplar-{entry.slug}"
        if entry.paper.abstract_kind == "digest":
            text = f"{lead}{citations([entry])} {stated[:1].lower()}{stated[1:]}"
        else:
            text = f"{lead}{citations([entry])} states: “{stated}”"
        drafts.append(told(name, text, entry))
    return drafts


def _scale(material: Material, category: Category) -> Draft:
    filed = material.facts.select(filed=category.id)
    having = material.facts.select((material.first.id, category.id))
    also = having.number - filed.number
    text = f"This section holds {counted(filed.number, 'paper')}"
    if also:
        belong, are = verb(also, "belongs", "belong"), verb(also, "is", "are")
        text += f"; {number(also)} more {belong} here too but {are} filed elsewhere"
    return computed("scale", f"{text}.", filed, having)


def _kinds(material: Material, category: Category) -> Draft | None:
    """What kind of contribution the papers make, where a facet of that name exists."""
    facts, filed = material.facts, material.facts.select(filed=category.id)
    if "contribution" not in material.taxonomy.facets or filed.number < 3:
        return None
    kinds = current(material.taxonomy.facet("contribution").categories)
    selected = [(facts.select(filed=category.id, contribution=k.id), k) for k in kinds]
    present = sorted(
        ((s, kind) for s, kind in selected if s.number),
        key=lambda item: (-item[0].number, item[1].id),
    )
    if not present:
        return None
    top, kind = present[0]
    sources = [filed, *(selection for selection, _ in present)]
    if top.number == filed.number:
        text = f"Each of them contributes {with_article(kind.name.lower())}."
        return computed("kinds", text, *sources)
    contribute = verb(top.number, "contributes", "contribute")
    parts = [f"{number(top.number)} {contribute} {with_article(kind.name.lower())}"]
    parts += [f"{number(s.number)} {with_article(other.name.lower())}" for s, other in present[1:4]]
    return computed("kinds", f"Of the {number(filed.number)}, {joined(parts)}.", *sources)


def _children(material: Material, category: Category) -> Draft | None:
    facts, first = material.facts, material.first
    selected = [(facts.select((first.id, c.id)), c) for c in current(category.children)]
    ordered = sorted(
        ((s, child) for s, child in selected if s.number),
        key=lambda item: (-item[0].number, item[1].id),
    )
    if not ordered:
        return None
    parts = [f"{child.name} ({selection.number})" for selection, child in ordered]
    having = facts.select((first.id, category.id))
    text = (
        f"Of the {counted(having.number, 'paper')} with this topic, those that could be placed in "
        f"a part of it are in {joined(parts)}."
    )
    return computed("children", text, having, *(selection for selection, _ in ordered))


def _neighbours(material: Material, category: Category) -> Draft | None:
    others = [c for c in material.in_scope if c.id != category.id]
    topic = material.first.id
    selected = [(material.facts.select((topic, c.id), filed=category.id), c) for c in others]
    ordered = sorted(selected, key=lambda item: (-item[0].number, item[1].id))
    met = [(s, c) for s, c in ordered if s.number >= _MET_AT_LEAST][:3]
    if not met:
        return None
    parts = [f"{other.name} ({selection.number})" for selection, other in met]
    text = f"Its papers most often also belong to {joined(parts)}."
    return computed("neighbours", text, *(selection for selection, _ in met))


def _shared_names(facts: Facts, category: Category, lexicon: str, noun: str) -> Draft | None:
    """Which papers name the same benchmark: a join over papers that share a fact."""
    names = [name for name in facts.values(lexicon) if name != NONE]
    groups: list[tuple[str, Selection]] = [
        (name, facts.select((lexicon, name), filed=category.id)) for name in names
    ]
    often = sorted(
        ((name, group) for name, group in groups if group.number >= _SHARED_AT_LEAST),
        key=lambda item: (-item[1].number, item[0]),
    )[:_MOST_NAMES]
    if not often:
        return None
    parts = [
        f"{name} in {counted(group.number, 'text')} {citations(group.entries, 8)}"
        for name, group in often
    ]
    nouns = noun if len(often) == 1 else f"{noun}s"
    text = f"The {nouns} named most {verb(len(often), 'is', 'are')} {joined(parts)}."
    return shared(lexicon, text, *(group for _, group in often))


def _evidence_stated(facts: Facts, category: Category) -> Draft | None:
    filed = facts.select(filed=category.id)
    figure = facts.select(filed=category.id, result="stated")
    code = facts.select(filed=category.id, code="yes")
    if filed.number < 3:
        return None
    n = code.number
    state = verb(figure.number, "states", "state")
    text = (
        f"Of the {number(filed.number)}, {how_many(figure.number)} {state} a numeric result, and "
        f"{how_many(n)} {verb(n, 'links', 'link')} code or {verb(n, 'announces', 'announce')} a "
        "release."
    )
    return computed("evidence", text, filed, figure, code)
