"""OpenAlex, paged by cursor: https://docs.openalex.org/how-to-use-the-api/get-lists-of-entities."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.errors import UsageError
from classifier.extras.fetch.service import OPENALEX
from classifier.extras.fetch.source import (
    Page,
    Query,
    Source,
    UnreadableError,
    count_in,
    json_object,
    json_objects,
    with_parameters,
)
from classifier.papers.formats.json_sources import source_named

PAGE = 200
_SELECTED = (
    "id,doi,title,display_name,publication_date,publication_year,type,type_crossref,language,ids,"
    "primary_location,locations,authorships,keywords,biblio,abstract_inverted_index"
)
"""What `fields` reads: a whole work is ten times as long."""

_READ = source_named("openalex").read


def first(query: Query) -> str:
    """Return the address of the first page."""
    filters = [
        query.filter,
        f"from_publication_date:{query.since}" if query.since else "",
        f"to_publication_date:{query.until}" if query.until else "",
    ]
    if not query.text.strip() and not query.filter.strip():
        wanted = 'wanted words to search, or --filter such as "concepts.id:C41008148"'
        raise UsageError(f"fetch openalex: found no query; {wanted}.")
    return OPENALEX.url(
        "/works",
        {
            "search": query.text,
            "filter": ",".join(part for part in filters if part),
            "per-page": str(min(PAGE, query.limit or PAGE)),
            "cursor": "*",
            "select": _SELECTED,
        },
    )


def title_url(title: str, most: int) -> str:
    """Return the address of the works whose title holds the words of `title`."""
    words = "".join(sign if sign.isalnum() else " " for sign in title).split()
    wanted = {"filter": f"title.search:{' '.join(words)}", "per-page": str(most)}
    return OPENALEX.url("/works", {**wanted, "select": _SELECTED})


def dois_url(dois: Sequence[str]) -> str:
    """Return the address of the works of up to 50 DOIs."""
    wanted = {"filter": f"doi:{'|'.join(dois)}", "per-page": str(len(dois))}
    return OPENALEX.url("/works", {**wanted, "select": _SELECTED})


def read(body: bytes | None, url: str, query: Query) -> Page:
    """Return what a page holds."""
    answer = json_object(body)
    meta = answer.get("meta")
    if not isinstance(meta, dict):
        raise UnreadableError("an answer without 'meta'")
    works = json_objects(answer.get("results"))
    cursor = meta.get("next_cursor")
    more = works and isinstance(cursor, str) and cursor
    following = with_parameters(url, cursor=cursor) if more and isinstance(cursor, str) else ""
    return Page(tuple(_READ(work) for work in works), following, count_in(meta.get("count")))


SOURCE = Source(OPENALEX, first, read)
