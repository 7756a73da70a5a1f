"""The taxonomy as the survey prints it: what each category takes in, and how much it holds."""

from __future__ import annotations

import re

from classifier.survey.document import Block, Section, Table
from classifier.survey.escape import escape_cell
from classifier.survey.figures import tree_figure
from classifier.survey.material import Material, current
from classifier.taxonomy.model import Category, Facet


def taxonomy_sections(material: Material) -> list[Section]:
    """Return the taxonomy."""
    figure = tree_figure(material)
    blocks: tuple[Block, ...] = (*([figure] if figure else []), taxonomy_table(material))
    return [Section("taxonomy", "Taxonomy", 1, blocks)]


def taxonomy_table(material: Material) -> Table:
    """Return what each category means and how many papers it holds."""
    return Table(
        "categories",
        "What does each category take in, and how many papers are in it?",
        ("Category", "Includes", "Leaves out", "Filed", "With it", "Reviewed"),
        tuple(_row(material, category) for category in current(material.first.categories)),
        numeric=(3, 4, 5),
    )


def _row(material: Material, category: Category) -> tuple[str, ...]:
    first, facts = material.first, material.facts
    filed = facts.count(filed=category.id)
    reviewed = facts.count(filed=category.id, status="reviewed")
    name = f"[{escape_cell(category.name)}](#{category.id})"
    return (
        f"{name}{' (core)' if category.core else ''}",
        escape_cell(_named("; ".join(category.includes), first) or category.definition),
        escape_cell(_named("; ".join(category.excludes), first)),
        str(filed),
        str(facts.count((first.id, category.id))),
        f"{100 * reviewed / filed:.0f}%" if filed else "–",
    )


def _named(text: str, facet: Facet) -> str:
    """Return `text` with ids in parentheses, "(gui-agents)", as the names of their categories."""

    def names(match: re.Match[str]) -> str:
        found = [facet.get(part.strip()) for part in match.group(1).split(",")]
        known = [category.name for category in found if category is not None]
        return f"({', '.join(known)})" if len(known) == len(found) else match.group(0)

    return re.sub(r"\(([a-z0-9/, -]+)\)", names, text)
