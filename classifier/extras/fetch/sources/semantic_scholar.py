"""Semantic Scholar by bulk search: https://api.semanticscholar.org/api-docs/graph."""

from __future__ import annotations

from classifier.errors import UsageError
from classifier.extras.fetch.service import SEMANTIC_SCHOLAR
from classifier.extras.fetch.source import (
    Page,
    Query,
    Source,
    count_in,
    json_object,
    json_objects,
    with_parameters,
)
from classifier.papers.formats.json_sources import source_named

_FIELDS = (
    "title,abstract,authors,year,publicationDate,venue,publicationVenue,journal,publicationTypes,"
    "externalIds,url,fieldsOfStudy"
)

_READ = source_named("semantic-scholar").read


def first(query: Query) -> str:
    """Return the address of the first page."""
    if not query.text.strip():
        raise UsageError("fetch semanticscholar: found no query; wanted words to search.")
    days = f"{query.since}:{query.until}" if query.since or query.until else ""
    return SEMANTIC_SCHOLAR.url(
        "/graph/v1/paper/search/bulk",
        {"query": query.text, "fields": _FIELDS, "publicationDateOrYear": days},
    )


def title_url(title: str, most: int) -> str:
    """Return the address of the one paper whose title is nearest to `title`."""
    del most
    return SEMANTIC_SCHOLAR.url("/graph/v1/paper/search/match", {"query": title, "fields": _FIELDS})


def read(body: bytes | None, url: str, query: Query) -> Page:
    """Return what a page holds; where a title matches nothing, the server answers 404."""
    if body is None and url.partition("?")[0].endswith("/match"):
        return Page(())
    answer = json_object(body)
    papers = json_objects(answer.get("data"))
    token = answer.get("token")
    following = with_parameters(url, token=token) if papers and isinstance(token, str) else ""
    return Page(tuple(_READ(paper) for paper in papers), following, count_in(answer.get("total")))


SOURCE = Source(SEMANTIC_SCHOLAR, first, read)
