"""Where a reader tells the editors of a mistake or a missing paper: issues that are begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from urllib.parse import quote

from classifier.site.paths import web_address
from classifier.survey.entry import Entry
from classifier.taxonomy.model import Facet, Taxonomy


def correction(taxonomy: Taxonomy, entry: Entry) -> str:
    """Return the address of an issue that names a paper and its labels; "" without repository."""
    if not taxonomy.survey.repository:
        return ""
    labels = (
        f"\n{facet.name}: {_labelled(facet, entry)}"
        for facet in taxonomy.facets.values()
        if facet.id in entry.labels.facets
    )
    title = entry.paper.title_display
    body = (title, f" ({entry.paper.id})", *labels, "\n\nShould be, because: ")
    return _issue(taxonomy, {"title": ("Correction: ", title), "body": body})


def new_paper(taxonomy: Taxonomy) -> str:
    """Return the address of an issue that asks for a paper; "" without repository."""
    body = "Title: \nAddress (arXiv, DOI or web): \nWhy it belongs here: "
    return _issue(taxonomy, {"title": ("Paper to add: ",), "body": (body,)})


def _labelled(facet: Facet, entry: Entry) -> str:
    labels = entry.labels.facets[facet.id]
    names = []
    for category_id in labels.categories:
        category = facet.get(category_id)
        filed = " (filed)" if category_id == labels.primary and facet.kind == "multi" else ""
        names.append(f"{category.name if category else category_id}{filed}")
    return ", ".join(names) or "none found"


def _issue(taxonomy: Taxonomy, fields: Mapping[str, Sequence[str]]) -> str:
    """Return the address of an issue; fields: name -> the parts of which its text is made."""
    repository = web_address(taxonomy.survey.repository)
    if not repository:
        return ""
    query = "&".join(f"{key}={''.join(map(_quoted, parts))}" for key, parts in fields.items())
    return f"{repository.rstrip('/')}/issues/new?{query}"


@lru_cache(maxsize=2**12)  # most parts are the same for many papers, and a title stands there twice
def _quoted(text: str) -> str:
    return quote(text, safe="/:,;()")
