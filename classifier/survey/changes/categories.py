"""What became of categories between two taxonomies: new, gone, renamed, merged, redefined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from classifier.taxonomy.model import Category, Facet, Taxonomy, spelling_key


@dataclass(frozen=True, slots=True)
class CategoryChange:
    """A category that is not what it was."""

    facet: str
    category: str
    """Its id: of today, or of before where it is gone."""
    change: str
    """In words: `new`, `gone`, `was keeping`, `merged into ovens`, `another definition`."""


def category_changes(before: Taxonomy | None, now: Taxonomy | None) -> tuple[CategoryChange, ...]:
    """Return what changed in the facets that both have; nothing where a taxonomy is unknown."""
    if before is None or now is None:
        return ()
    return tuple(
        CategoryChange(facet.id, category, change)
        for facet in now.facets.values()
        if facet.id in before.facets
        for category, change in _of_facet(before.facets[facet.id], facet)
    )


def _of_facet(before: Facet, now: Facet) -> Iterator[tuple[str, str]]:
    """Yield (category id, what changed)."""
    former = {category.id: category for category in before.walk(retired=True)}
    renamed: set[str] = set()
    for category in now.walk(retired=True):
        if category.id in former:
            for change in _of_category(former[category.id], category):
                yield category.id, change
            continue
        spellings = {spelling_key(alias) for alias in category.aliases}
        old = next((name for name in former if spelling_key(name) in spellings), "")
        renamed.add(old)
        yield category.id, f"was {old}" if old else "new"
    for name in former:
        if now.get(name) is None and name not in renamed:
            yield name, "gone"


def _of_category(before: Category, now: Category) -> Iterator[str]:
    if now.replaced_by != before.replaced_by:
        yield f"merged into {now.replaced_by}" if now.replaced_by else "in use again"
    if now.name != before.name:
        yield f"named '{now.name}', was '{before.name}'"
    if _meaning(now) != _meaning(before):
        yield "another definition"


def _meaning(category: Category) -> tuple[object, ...]:
    return category.definition, category.includes, category.excludes
