"""The four services: how each is searched, and how papers are looked up by id and title."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from lxml import etree

from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.client import Client, Service
from classifier.papers.readers.arxiv import entry_fields
from classifier.papers.readers.json_shapes import RETRACTIONS
from classifier.papers.readers.json_sources import source_named

Fields = Mapping[str, object]
"""Fields of one paper, as `papers.fields.read_fields` reads them."""

ARXIV = Service("arxiv", "arXiv", "https://export.arxiv.org", interval=3.0)
OPENALEX = Service(
    "openalex", "OpenAlex", "https://api.openalex.org", 0.2, "mailto", "OPENALEX_API_KEY"
)
CROSSREF = Service("crossref", "Crossref", "https://api.crossref.org", 0.5, "mailto")
HUGGING_FACE = Service("hf-daily", "Hugging Face", "https://huggingface.co", interval=1.0)

BATCH = 50
"""Number of ids in one request."""
N_CANDIDATES = 5
"""Number of papers that are compared with one title."""
_ARXIV_PAGE, _OPENALEX_PAGE, _HUGGING_FACE_PAGE = 200, 200, 100
_ATOM = "{http://www.w3.org/2005/Atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_OPENALEX_FIELDS = (
    "id,doi,title,display_name,publication_date,publication_year,type,type_crossref,language,ids,"
    "primary_location,locations,authorships,keywords,biblio,abstract_inverted_index,is_retracted"
)


@dataclass(frozen=True, slots=True)
class Query:
    """A search."""

    text: str = ""
    """Search terms in the language of the service."""
    since: str = ""
    """First day as ISO date, or ""."""
    until: str = ""
    """Last day as ISO date, or ""."""
    limit: int | None = None
    """Maximum number of papers."""
    filter: str = ""
    """OpenAlex's filter, or ""."""
    dois: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """The papers of one answer."""

    records: Sequence[Fields]
    total: int | None = None
    """Number of all papers of the query, if the service states it."""


# --- arXiv: https://info.arxiv.org/help/api/user-manual.html


def search_arxiv(client: Client, query: Query) -> Iterator[Page]:
    """Yield the papers of a search: the oldest first, or the newest first with a limit."""
    if not query.text.strip():
        raise UsageError('fetch arxiv: no query. Write one such as "cat:cs.AI AND abs:agent".')
    text = query.text
    if query.since or query.until:
        since = (query.since or "1991-01-01").replace("-", "")
        until = (query.until or "2099-12-31").replace("-", "")
        text = f"({text}) AND submittedDate:[{since}0000 TO {until}2359]"
    start, total = 0, 1
    while start < min(total, query.limit or total):
        parameters = {
            "search_query": text,
            "start": start,
            "max_results": min(_ARXIV_PAGE, query.limit or _ARXIV_PAGE),
            "sortBy": "submittedDate",
            "sortOrder": "descending" if query.limit else "ascending",
        }
        for _ in range(3):  # arXiv sometimes returns an empty page before the end.
            records, total = _arxiv_papers(client, parameters)
            if records or start >= total:
                break
        else:
            raise FetchError(
                f"arXiv: no papers from number {start + 1:,} of {total:,}. Split the query with "
                "--since and --until."
            )
        yield Page(records, total)
        start += len(records)
        if not records:
            return


def arxiv_by_id(client: Client, ids: Sequence[str]) -> list[Fields]:
    """Return the papers with some arXiv ids."""
    return _arxiv_papers(client, {"id_list": ",".join(ids), "max_results": len(ids)})[0]


def arxiv_by_title(client: Client, title: str) -> list[Fields]:
    """Return papers whose title contains the words of `title`."""
    query = {"search_query": f'ti:"{_words(title)}"', "max_results": N_CANDIDATES}
    return _arxiv_papers(client, query)[0]


def _arxiv_papers(client: Client, parameters: Mapping[str, object]) -> tuple[list[Fields], int]:
    """Return the papers of an Atom feed, and the number of all papers of the query."""
    body = client.get(ARXIV, "/api/query", parameters)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        feed = etree.fromstring(body or b"", parser)
    except etree.XMLSyntaxError:
        raise FetchError("arXiv: the answer is not XML. Run the command again later.") from None
    entries = feed.findall(f"{_ATOM}entry")
    for entry in entries:
        if "/api/errors" in (entry.findtext(f"{_ATOM}id") or ""):
            reason = " ".join((entry.findtext(f"{_ATOM}summary") or "error").split())
            raise FetchError(f"arXiv: {reason[:300]}. Correct the query.")
    total = (feed.findtext(_TOTAL) or "").strip()
    # The entry of an unknown id has no title.
    papers: list[Fields] = [
        fields for entry in entries if (fields := entry_fields(entry)).get("title")
    ]
    return papers, int(total) if total.isdecimal() else len(papers)


# --- OpenAlex: https://docs.openalex.org


def search_openalex(client: Client, query: Query) -> Iterator[Page]:
    """Yield the works of a search, of a filter, or of both."""
    if not query.text.strip() and not query.filter.strip():
        raise UsageError("fetch openalex: no query. Write words to search, or use --filter.")
    filters = [query.filter] if query.filter else []
    if query.since:
        filters.append(f"from_publication_date:{query.since}")
    if query.until:
        filters.append(f"to_publication_date:{query.until}")
    parameters: dict[str, object] = {"search": query.text, "filter": ",".join(filters)}
    parameters["per-page"] = min(_OPENALEX_PAGE, query.limit or _OPENALEX_PAGE)
    cursor: object = "*"
    while cursor:
        answer = _openalex(client, {**parameters, "cursor": cursor})
        meta = answer.get("meta") or {}
        works = _objects(answer, "results", OPENALEX)
        yield Page(_papers("openalex", works), meta.get("count"))
        cursor = meta.get("next_cursor") if works else None


def openalex_by_doi(client: Client, dois: Sequence[str]) -> list[Fields]:
    """Return the works with some DOIs."""
    return _openalex_works(client, f"doi:{'|'.join(dois)}", len(dois))


def openalex_by_title(client: Client, title: str) -> list[Fields]:
    """Return works whose title contains the words of `title`."""
    return _openalex_works(client, f"title.search:{_words(title)}", N_CANDIDATES)


def _openalex_works(client: Client, filter_: str, n_works: int) -> list[Fields]:
    answer = _openalex(client, {"filter": filter_, "per-page": n_works})
    return _papers("openalex", _objects(answer, "results", OPENALEX))


def _openalex(client: Client, parameters: Mapping[str, object]) -> dict[str, Any]:
    body = client.get(OPENALEX, "/works", {**parameters, "select": _OPENALEX_FIELDS})
    return _json_object(body, OPENALEX)


# --- Crossref: https://api.crossref.org. It does not have the DOIs of arXiv.


def search_crossref(client: Client, query: Query) -> Iterator[Page]:
    """Yield the works with the DOIs of the query."""
    if not query.dois:
        raise UsageError("fetch crossref: no DOI. Write DOIs, or files that contain some.")
    for start in range(0, len(query.dois), BATCH):
        works = _crossref_works(client, _with_dois(query.dois[start : start + BATCH]), BATCH)
        yield Page(_papers("crossref", works), len(query.dois))


def crossref_by_doi(client: Client, dois: Sequence[str]) -> list[Fields]:
    """Return the works with some DOIs, and a record per paper that a notice among them retracts."""
    works = _crossref_works(client, _with_dois(dois), BATCH)
    return [*_papers("crossref", works), *_retracted_by_notices(works)]


def _with_dois(dois: Sequence[str]) -> dict[str, object]:
    return {"filter": ",".join(f"doi:{doi}" for doi in dois)}


def crossref_by_title(client: Client, title: str) -> list[Fields]:
    """Return works whose reference resembles `title`."""
    works = _crossref_works(client, {"query.bibliographic": title}, N_CANDIDATES)
    return _papers("crossref", works)


def _crossref_works(
    client: Client, parameters: Mapping[str, object], rows: int
) -> list[dict[str, Any]]:
    answer = _json_object(client.get(CROSSREF, "/works", {**parameters, "rows": rows}), CROSSREF)
    message = answer.get("message")
    return _objects(message if isinstance(message, dict) else {}, "items", CROSSREF)


def _retracted_by_notices(works: Sequence[Mapping[str, Any]]) -> Iterator[Fields]:
    """Yield a record for each paper that a notice among `works` retracts (`update-to`)."""
    for work in works:
        for update in work.get("update-to") or ():
            if isinstance(update, dict) and update.get("type") in RETRACTIONS:
                doi = update.get("DOI", "")
                yield {"title": doi, "doi": doi, "retracted": f"Crossref, {work.get('DOI')}"}


# --- Hugging Face: https://huggingface.co/papers, one day per request


def search_hugging_face(client: Client, query: Query) -> Iterator[Page]:
    """Yield the Daily Papers from `query.since` to `query.until`."""
    day, last = date.fromisoformat(query.since), date.fromisoformat(query.until)
    while day <= last:
        number = 0
        while True:
            parameters = {"date": day.isoformat(), "limit": _HUGGING_FACE_PAGE, "p": number}
            body = client.get(HUGGING_FACE, "/api/daily_papers", parameters)
            papers = _json(body, HUGGING_FACE) if body is not None else []
            records = [item for item in papers if isinstance(item, dict)]
            yield Page(_papers("hugging-face", records))
            number += 1
            if len(records) < _HUGGING_FACE_PAGE:
                break
        day += timedelta(days=1)


SEARCHES: Mapping[str, tuple[Service, Callable[[Client, Query], Iterator[Page]]]] = {
    "arxiv": (ARXIV, search_arxiv),
    "openalex": (OPENALEX, search_openalex),
    "crossref": (CROSSREF, search_crossref),
    "hf-daily": (HUGGING_FACE, search_hugging_face),
}
BY_TITLE: Mapping[str, Callable[[Client, str], list[Fields]]] = {
    "openalex": openalex_by_title,
    "arxiv": arxiv_by_title,
    "crossref": crossref_by_title,
}
"""Searches by title, in the order in which they are tried."""


def _papers(source: str, records: Iterable[Mapping[str, object]]) -> list[Fields]:
    """Return the fields of records, read as the reader of that service's files does."""
    return [source_named(source).read(record) for record in records]


def _words(title: str) -> str:
    """Return a title without the operators of a query language."""
    return " ".join("".join(char if char.isalnum() else " " for char in title).split())


def _json(body: bytes | None, service: Service) -> Any:
    try:
        return json.loads(body or b"")
    except (ValueError, RecursionError):
        text = f"{service.label}: the answer is not JSON. Run the command again later."
        raise FetchError(text) from None


def _json_object(body: bytes | None, service: Service) -> dict[str, Any]:
    value = _json(body, service)
    return value if isinstance(value, dict) else {}


def _objects(answer: Mapping[str, Any], name: str, service: Service) -> list[dict[str, Any]]:
    """Return the list of objects in an answer; raise FetchError if there is none."""
    value = answer.get(name)
    if not isinstance(value, list):
        raise FetchError(f"{service.label}: the answer has no list '{name}'. Try again later.")
    return [item for item in value if isinstance(item, dict)]
