"""The four services: how to search each, and how to look up papers by id and title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from lxml import etree

from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.client import Client, Service
from classifier.papers.readers.arxiv import entry_fields
from classifier.papers.readers.json_shapes import RETRACTIONS
from classifier.papers.readers.json_sources import source_by_name

Fields = Mapping[str, object]
"""Fields of one paper, as `papers.fields.read_fields` reads them."""
Page = tuple[Sequence[Fields], int]
"""Papers of one answer, and the number of all papers of the query; 0 if it is not stated."""

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
_PAGE, _HUGGING_FACE_PAGE = 200, 100
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


# --- arXiv: https://info.arxiv.org/help/api/user-manual.html


def search_arxiv(client: Client, query: Query) -> Iterator[Page]:
    """Yield the papers that match a query: oldest first; with a limit, newest first."""
    if not query.text.strip():
        raise UsageError('fetch arxiv: no query. Write one such as "cat:cs.AI AND abs:agent".')
    text = query.text
    if query.since or query.until:
        since = (query.since or "1991-01-01").replace("-", "")
        until = (query.until or "2099-12-31").replace("-", "")
        text = f"({text}) AND submittedDate:[{since}0000 TO {until}2359]"
    parameters: dict[str, object] = {
        "search_query": text,
        "max_results": min(_PAGE, query.limit or _PAGE),
        "sortBy": "submittedDate",
        "sortOrder": "descending" if query.limit else "ascending",
    }
    start, total, n_empty = 0, 1, 0
    while start < min(total, query.limit or total):
        records, total = _arxiv_papers(client, {**parameters, "start": start})
        start += len(records)
        # arXiv sometimes returns an empty page before the end.
        n_empty = 0 if records else n_empty + 1
        if n_empty == 3:
            raise FetchError(
                f"arXiv: no papers from number {start + 1:,} of {total:,}. Split the query with "
                "--since and --until."
            )
        yield records, total


def arxiv_by_id(client: Client, ids: Sequence[str]) -> list[Fields]:
    """Return the papers with these arXiv ids."""
    return _arxiv_papers(client, {"id_list": ",".join(ids), "max_results": len(ids)})[0]


def arxiv_by_title(client: Client, title: str) -> list[Fields]:
    """Return papers whose title contains the words of `title`."""
    query = {"search_query": f'ti:"{_words(title)}"', "max_results": N_CANDIDATES}
    return _arxiv_papers(client, query)[0]


def _arxiv_papers(client: Client, parameters: Mapping[str, object]) -> tuple[list[Fields], int]:
    """Return the papers in an Atom feed, and the total number of papers that match the query."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        feed = etree.fromstring(client.get(ARXIV, "/api/query", parameters), parser)
    except etree.XMLSyntaxError:
        raise FetchError("arXiv: the response is not XML. Run the command again later.") from None
    papers: list[Fields] = []
    for entry in feed.findall(f"{_ATOM}entry"):
        if "/api/errors" in (entry.findtext(f"{_ATOM}id") or ""):
            reason = " ".join((entry.findtext(f"{_ATOM}summary") or "error").split())
            raise FetchError(f"arXiv: {reason[:300]}. Correct the query.")
        fields = entry_fields(entry)
        if fields.get("title"):  # The entry of an unknown id has no title.
            papers.append(fields)
    total = (feed.findtext(_TOTAL) or "").strip()
    return papers, int(total) if total.isdecimal() else len(papers)


# --- OpenAlex: https://docs.openalex.org


def search_openalex(client: Client, query: Query) -> Iterator[Page]:
    """Yield the works that match a search, a filter, or both."""
    if not query.text.strip() and not query.filter.strip():
        raise UsageError("fetch openalex: no query. Write words to search, or use --filter.")
    filters = [query.filter] if query.filter else []
    if query.since:
        filters.append(f"from_publication_date:{query.since}")
    if query.until:
        filters.append(f"to_publication_date:{query.until}")
    n_works = min(_PAGE, query.limit or _PAGE)
    cursor: object = "*"
    while cursor:
        works, meta = _openalex(
            client, ",".join(filters), n_works, search=query.text, cursor=cursor
        )
        yield works, meta.get("count") or 0
        cursor = meta.get("next_cursor") if works else None


def openalex_by_doi(client: Client, dois: Sequence[str]) -> list[Fields]:
    """Return the works with these DOIs."""
    return _openalex(client, f"doi:{'|'.join(dois)}", len(dois))[0]


def openalex_by_title(client: Client, title: str) -> list[Fields]:
    """Return works whose title contains the words of `title`."""
    return _openalex(client, f"title.search:{_words(title)}", N_CANDIDATES)[0]


def _openalex(
    client: Client, filter_: str, n_works: int, **more: object
) -> tuple[list[Fields], Mapping[str, Any]]:
    """Return works, and OpenAlex's metadata about all works that match the query."""
    parameters = {**more, "filter": filter_, "per-page": n_works, "select": _OPENALEX_FIELDS}
    answer = _object(client.get_json(OPENALEX, "/works", parameters))
    return _papers("openalex", _objects(answer, "results", OPENALEX)), _object(answer.get("meta"))


# --- Crossref: https://api.crossref.org. It does not have the DOIs of arXiv.


def search_crossref(client: Client, query: Query) -> Iterator[Page]:
    """Yield the works with the DOIs of the query."""
    if not query.dois:
        raise UsageError("fetch crossref: no DOI. Write DOIs, or files that contain some.")
    for start in range(0, len(query.dois), BATCH):
        works = _crossref(client, BATCH, filter=_any_of(query.dois[start : start + BATCH]))
        yield _papers("crossref", works), len(query.dois)


def crossref_by_doi(client: Client, dois: Sequence[str]) -> list[Fields]:
    """Return the works with these DOIs.

    For each retraction notice among them, a record of the retracted paper is added.
    """
    works = _crossref(client, BATCH, filter=_any_of(dois))
    return [*_papers("crossref", works), *_retracted_papers(works)]


def crossref_by_title(client: Client, title: str) -> list[Fields]:
    """Return works whose reference is similar to `title`."""
    return _papers("crossref", _crossref(client, N_CANDIDATES, **{"query.bibliographic": title}))


def _any_of(dois: Sequence[str]) -> str:
    """Return a filter that matches any of these DOIs."""
    return ",".join(f"doi:{doi}" for doi in dois)


def _crossref(client: Client, n_works: int, **parameters: object) -> list[dict[str, Any]]:
    """Return works from Crossref."""
    answer = _object(client.get_json(CROSSREF, "/works", {**parameters, "rows": n_works}))
    return _objects(_object(answer.get("message")), "items", CROSSREF)


def _retracted_papers(works: Sequence[Mapping[str, Any]]) -> Iterator[Fields]:
    """Yield a record for each paper that a notice among `works` retracts (`update-to`)."""
    for work in works:
        for update in map(_object, work.get("update-to") or ()):
            if update.get("type") in RETRACTIONS:
                doi = update.get("DOI", "")
                yield {"title": doi, "doi": doi, "retracted": f"Crossref, {work.get('DOI')}"}


# --- Hugging Face: https://huggingface.co/papers, one day per request


def search_hugging_face(client: Client, query: Query) -> Iterator[Page]:
    """Yield the Daily Papers from `query.since` to `query.until`."""
    day, last = date.fromisoformat(query.since), date.fromisoformat(query.until)
    number = 0
    while day <= last:
        parameters = {"date": day.isoformat(), "limit": _HUGGING_FACE_PAGE, "p": number}
        answer = client.get_json(HUGGING_FACE, "/api/daily_papers", parameters)
        found = answer if isinstance(answer, list) else []
        records = [item for item in found if isinstance(item, dict)]
        yield _papers("hugging-face", records), 0
        number += 1
        if len(records) < _HUGGING_FACE_PAGE:
            day, number = day + timedelta(days=1), 0


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
    """Return the fields of records, parsed like files of that service."""
    return [source_by_name(source).read(record) for record in records]


def _words(title: str) -> str:
    """Return a title without the operators of the query language."""
    return " ".join("".join(char if char.isalnum() else " " for char in title).split())


def _object(value: object) -> dict[str, Any]:
    """Return an object unchanged; {} for any other value."""
    return value if isinstance(value, dict) else {}


def _objects(answer: Mapping[str, Any], name: str, service: Service) -> list[dict[str, Any]]:
    """Return the list of objects in a response; raise FetchError if there is none."""
    value = answer.get(name)
    if not isinstance(value, list):
        raise FetchError(f"{service.label}: the response has no list '{name}'. Try again later.")
    return [item for item in value if isinstance(item, dict)]
