"""The taxonomy as the survey prints it: what each category takes in."""

from __future__ import annotations

import re

from classifier.survey.document import Block, Draft, Section, Table, paragraphs
from classifier.survey.sections.rules import own_words
from classifier.survey.survey import Survey, current
from classifier.survey.wording import escape_cell, linked
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import without_dead_links

_CORE = "Core categories come first; the quality of the labels is judged by them before all others."


def taxonomy_sections(material: Survey) -> list[Section]:
    """Return the taxonomy; none where nobody has written what its categories mean."""
    prose, table = taxonomy_drafts(material), taxonomy_table(material)
    blocks: list[Block] = [*paragraphs("taxonomy", prose), *table]
    return [Section("taxonomy", "Taxonomy", 1, tuple(blocks))] if blocks else []


def taxonomy_drafts(material: Survey) -> list[Draft | None]:
    """Return what the facet asks by which the survey is grouped, and where the rest is found."""
    first = material.first
    definition = without_dead_links(first.definition.strip())
    named = f"**{escape_cell(first.name)}.** {definition}"
    asked = Draft("facet", named, "D", f"taxonomy: {first.id}/definition")
    core = any(category.core for category in current(first.categories))
    return [
        asked if definition else None,
        own_words("core", _CORE) if core else None,
    ]


def taxonomy_table(material: Survey) -> list[Table]:
    """Return what each category means; none where that is written of one at most."""
    categories = current(material.first.categories)
    rows = [_row(category, material.first) for category in categories]
    if sum(any(row[1:]) for row in rows) < 2:
        return []
    if any(category.excludes for category in categories):
        caption = "What does each category take in, and what does it leave out?"
        return [Table("categories", caption, ("Category", "Includes", "Leaves out"), tuple(rows))]
    caption = "What does each category take in?"
    return [Table("categories", caption, ("Category", "Includes"), tuple(row[:2] for row in rows))]


def _row(category: Category, first: Facet) -> tuple[str, ...]:
    return (
        f"{linked(category)}{' (core)' if category.core else ''}",
        escape_cell(_named("; ".join(category.includes), first) or category.definition),
        escape_cell(_named("; ".join(category.excludes), first)),
    )


def _named(text: str, facet: Facet) -> str:
    """Return `text` with ids in parentheses, "(gui-agents)", as the names of their categories."""

    def names(match: re.Match[str]) -> str:
        found = [facet.get(part.strip()) for part in match.group(1).split(",")]
        known = [category.name for category in found if category is not None]
        return f"({', '.join(known)})" if len(known) == len(found) else match.group(0)

    return re.sub(r"\(([a-z0-9/, -]+)\)", names, text)
