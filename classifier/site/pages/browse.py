"""The browse page: what it shows without a script; with one, see templates/browse.js."""

from __future__ import annotations

from dataclasses import dataclass

from classifier.site.listing import Catalogue, CategoryItem, top_categories


@dataclass(frozen=True, slots=True)
class BrowsePage:
    """What the browse page shows before its script runs."""

    categories: tuple[CategoryItem, ...]
    """Where papers of a topic are listed without a script."""


def browse_page(catalogue: Catalogue) -> BrowsePage:
    """Return what the browse page shows without a script."""
    return BrowsePage(tuple(map(catalogue.category, top_categories(catalogue.edition))))
