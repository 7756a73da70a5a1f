"""Which category a person means."""

from __future__ import annotations

from rapidfuzz import process

from classifier.errors import UsageError
from classifier.taxonomy.model import Category, Facet, Taxonomy


def find_top_category(taxonomy: Taxonomy, text: str) -> tuple[Facet, Category]:
    """Return the top category that `text` names, as `find_category`, and its facet.

    Raises UsageError where there is none, and for a child, with the category above it.
    """
    facet, category = find_category(taxonomy, text)
    if category.id not in facet.ids:
        raise UsageError(
            f"--category {text}: papers are found for top categories; use "
            f"{facet.top_of(category.id)}."
        )
    return facet, category


def find_category(taxonomy: Taxonomy, text: str) -> tuple[Facet, Category]:
    """Return the first category, by facets, whose id, name or alias is `text`, and its facet.

    Raises UsageError where there is none, with the likeliest that was meant.
    """
    for facet in taxonomy.facets.values():
        found = facet.resolve(text)
        if found is not None:
            return facet, found
    known = [name for facet in taxonomy.facets.values() for name in facet.ids]
    likest = process.extractOne(text.casefold(), known, score_cutoff=60)
    cure = f" Did you mean {likest[0]}?" if likest else ""
    raise UsageError(f"No category is '{text}'; wanted one of {', '.join(known)}.{cure}")
