"""Where a reader tells the editors of a mistake or a missing paper: issues that are begun."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from classifier.site.paths import web_address
from classifier.survey.edition import Entry
from classifier.taxonomy.model import Facet, Taxonomy


def correction(taxonomy: Taxonomy, entry: Entry) -> str:
    """Return the address of an issue that names a paper and its labels; "" without repository."""
    labels = (
        f"{facet.name}: {_labelled(facet, entry)}"
        for facet in taxonomy.facets.values()
        if facet.id in entry.labels.facets
    )
    title = entry.paper.title_display
    body = "\n".join((f"{title} ({entry.paper.id})", *labels, "", "Should be, because: "))
    return _issue(taxonomy, {"title": f"Correction: {title}", "body": body})


def new_paper(taxonomy: Taxonomy) -> str:
    """Return the address of an issue that asks for a paper; "" without repository."""
    body = "Title: \nAddress (arXiv, DOI or web): \nWhy it belongs here: "
    return _issue(taxonomy, {"title": "Paper to add: ", "body": body})


def _labelled(facet: Facet, entry: Entry) -> str:
    labels = entry.labels.facets[facet.id]
    names = []
    for category_id in labels.categories:
        category = facet.get(category_id)
        filed = " (filed)" if category_id == labels.primary and facet.kind == "multi" else ""
        names.append(f"{category.name if category else category_id}{filed}")
    return ", ".join(names) or "not stated"


def _issue(taxonomy: Taxonomy, fields: Mapping[str, str]) -> str:
    repository = web_address(taxonomy.survey.repository)
    if not repository:
        return ""
    query = "&".join(f"{key}={quote(value, safe='/:,;()')}" for key, value in fields.items())
    return f"{repository.rstrip('/')}/issues/new?{query}"
