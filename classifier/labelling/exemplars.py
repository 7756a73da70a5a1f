"""Exemplars: titles that the taxonomy names as certainly in a category."""

from __future__ import annotations

from classifier.taxonomy.model import Facet
from classifier.text.normalise import title_key


def exemplar_categories(facet: Facet) -> dict[str, str]:
    """Return title key -> id of the top category in use that the title is an exemplar of.

    Those of a category that was merged go where its decisions go; what is certainly in a child is
    in its parent, too. Of several categories that name one title the last counts.
    """
    found: dict[str, str] = {}
    for category in facet.walk(retired=True):
        meant = facet.resolve(category.id)
        if meant is not None:
            key = facet.top_of(meant.id)
            found.update({title_key(title): key for title in category.exemplars})
    return found
