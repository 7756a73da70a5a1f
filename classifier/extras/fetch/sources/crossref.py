"""Crossref, DOI by DOI: https://api.crossref.org. arXiv's own DOIs are not there."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, unquote, urlsplit

from classifier.errors import UsageError
from classifier.extras.fetch.service import CROSSREF
from classifier.extras.fetch.source import (
    Page,
    Query,
    Source,
    UnreadableError,
    json_object,
    json_objects,
)
from classifier.papers.formats.json_sources import source_named

_READ = source_named("crossref").read


def first(query: Query) -> str:
    """Return the address of the first DOI."""
    if not query.dois:
        raise UsageError("fetch crossref: found no DOI; wanted DOIs, or files that hold some.")
    return _url(query.dois[0])


def _url(doi: str) -> str:
    return CROSSREF.url(f"/works/{quote(doi, safe='')}")


def title_url(title: str, most: int) -> str:
    """Return the address of the works that are most like a title."""
    return CROSSREF.url("/works", {"query.bibliographic": title, "rows": str(most)})


def read(body: bytes | None, url: str, query: Query) -> Page:
    """Return the work of one DOI, or those that are like a title."""
    if not query.dois:
        message = _message(body)
        return Page(tuple(_READ(work) for work in json_objects(message.get("items"))))
    doi = unquote(urlsplit(url).path.rpartition("/")[2])
    position = query.dois.index(doi)
    following = _url(query.dois[position + 1]) if position + 1 < len(query.dois) else ""
    total = len(query.dois)
    if body is None:
        return Page((), following, total, missing=(doi,))
    return Page((_READ(_message(body)),), following, total)


def _message(body: bytes | None) -> Mapping[str, object]:
    message = json_object(body).get("message")
    if not isinstance(message, dict):
        raise UnreadableError("an answer without 'message'")
    return message


SOURCE = Source(CROSSREF, first, read)
