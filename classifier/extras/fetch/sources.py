"""The services that papers are fetched from, and what each is asked and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from urllib.parse import quote, unquote, urlsplit

from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.source import (
    Fields,
    Page,
    Query,
    Service,
    Source,
    UnreadableError,
    count_in,
    json_object,
    json_objects,
    json_value,
    parameter,
    with_parameters,
)
from classifier.papers.readers.arxiv import entry_fields
from classifier.papers.readers.json_sources import source_named


def _papers(source: str, records: Iterable[Mapping[str, object]]) -> tuple[Fields, ...]:
    """Return records as the reader of a source's files reads them."""
    return tuple(map(source_named(source).read, records))


def _words(title: str) -> str:
    """Return a title without what a query would take for signs of its own."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in title).split())


# --- arXiv by its search interface: https://info.arxiv.org/help/api/user-manual.html

ARXIV = Service(
    "arxiv",
    "arXiv",
    "https://export.arxiv.org",
    interval=3.0,  # https://info.arxiv.org/help/api/tou.html
    api="arXiv API, Atom",
    terms="CC0 1.0",
)
_ARXIV_PAGE = 200
ARXIV_DEEPEST = 30_000
"""arXiv gives no results behind this one."""
_ATOM = "{http://www.w3.org/2005/Atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"


def arxiv_first(query: Query) -> str:
    """Return the address of the first page.

    Oldest first, so that what comes in while paging stands behind; with a limit newest first.
    """
    if not query.text.strip():
        raise UsageError('fetch arxiv: found no query; expected one such as "cat:cs.AI AND abs:x".')
    return ARXIV.url(
        "/api/query",
        {
            "search_query": _within_days(query),
            "start": "0",
            "max_results": str(min(_ARXIV_PAGE, query.limit or _ARXIV_PAGE)),
            "sortBy": "submittedDate",
            "sortOrder": "descending" if query.limit else "ascending",
        },
    )


def _within_days(query: Query) -> str:
    if not query.since and not query.until:
        return query.text
    since = (query.since or "1991-01-01").replace("-", "")
    until = (query.until or "2099-12-31").replace("-", "")
    return f"({query.text}) AND submittedDate:[{since}0000 TO {until}2359]"


def arxiv_ids(ids: Sequence[str]) -> str:
    """Return the address of the page with the papers of some arXiv ids."""
    return ARXIV.url("/api/query", {"id_list": ",".join(ids), "max_results": str(len(ids))})


def arxiv_titled(title: str, most: int) -> str:
    """Return the address of the page with papers whose title holds `title`, word by word."""
    query = f'ti:"{_words(title)}"'
    return ARXIV.url("/api/query", {"search_query": query, "max_results": str(most)})


def arxiv_page(body: bytes | None, url: str, query: Query) -> Page:
    """Return what a page holds; an empty one before the end is a known fault of arXiv's."""
    records, total = arxiv_entries(body)
    start = int(parameter(url, "start") or 0)
    end = start + len(records)
    expected = min(total, query.limit or total)
    if not records and start < expected:
        if start >= ARXIV_DEEPEST:
            raise FetchError(
                f"arXiv gives no results behind the {ARXIV_DEEPEST:,}th of {total:,}. Part the "
                "query by time with --since and --until."
            )
        raise UnreadableError(f"an empty page at {start:,} of {total:,}")
    following = with_parameters(url, start=str(end)) if records and end < expected else ""
    return Page(tuple(records), following, total)


def arxiv_entries(body: bytes | None) -> tuple[list[Fields], int]:
    """Return the papers of an Atom feed, and how many there are in all.

    Raises UnreadableError where it is no feed, and FetchError where arXiv calls the query wrong.
    """
    from lxml import etree  # late: only who fetches needs it

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        feed = etree.fromstring(body or b"", parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableError("an answer that is no whole XML") from error
    if feed.tag != f"{_ATOM}feed":
        raise UnreadableError("an answer that is no Atom feed")
    found = feed.findall(f"{_ATOM}entry")
    for entry in found:
        if "/api/errors" in (entry.findtext(f"{_ATOM}id") or ""):
            said = " ".join((entry.findtext(f"{_ATOM}summary") or "an error").split())[:300]
            raise FetchError(f"arXiv: {said}. Correct the query.")
    total = (feed.findtext(_TOTAL) or "").strip()
    # For an id that is unknown arXiv gives an entry without a title.
    papers = [fields for entry in found if (fields := entry_fields(entry)).get("title")]
    return papers, int(total) if total.isdecimal() else len(papers)


# --- OpenAlex, paged by cursor: https://docs.openalex.org/how-to-use-the-api/get-lists-of-entities

OPENALEX = Service(
    "openalex",
    "OpenAlex",
    "https://api.openalex.org",
    interval=0.2,
    api="OpenAlex works",
    terms="CC0 1.0",
    mailto="mailto",
    key_variable="OPENALEX_API_KEY",
    key_parameter="api_key",
)
_OPENALEX_PAGE = 200
_WORK_FIELDS = (
    "id,doi,title,display_name,publication_date,publication_year,type,type_crossref,language,ids,"
    "primary_location,locations,authorships,keywords,biblio,abstract_inverted_index"
)
"""What `fields` reads: a whole work is ten times as long."""


def _openalex_first(query: Query) -> str:
    filters = [
        query.filter,
        f"from_publication_date:{query.since}" if query.since else "",
        f"to_publication_date:{query.until}" if query.until else "",
    ]
    if not query.text.strip() and not query.filter.strip():
        expected = 'expected words to search, or --filter such as "concepts.id:C41008148"'
        raise UsageError(f"fetch openalex: found no query; {expected}.")
    return OPENALEX.url(
        "/works",
        {
            "search": query.text,
            "filter": ",".join(part for part in filters if part),
            "per-page": str(min(_OPENALEX_PAGE, query.limit or _OPENALEX_PAGE)),
            "cursor": "*",
            "select": _WORK_FIELDS,
        },
    )


def openalex_titled(title: str, most: int) -> str:
    """Return the address of the works whose title holds the words of `title`."""
    expected = {"filter": f"title.search:{_words(title)}", "per-page": str(most)}
    return OPENALEX.url("/works", {**expected, "select": _WORK_FIELDS})


def openalex_dois(dois: Sequence[str]) -> str:
    """Return the address of the works of up to 50 DOIs."""
    expected = {"filter": f"doi:{'|'.join(dois)}", "per-page": str(len(dois))}
    return OPENALEX.url("/works", {**expected, "select": _WORK_FIELDS})


def _openalex_page(body: bytes | None, url: str, query: Query) -> Page:
    answer = json_object(body)
    meta = answer.get("meta")
    if not isinstance(meta, dict):
        raise UnreadableError("an answer without 'meta'")
    works = json_objects(answer.get("results"))
    cursor = meta.get("next_cursor")
    more = works and isinstance(cursor, str) and cursor
    following = with_parameters(url, cursor=cursor) if more and isinstance(cursor, str) else ""
    return Page(_papers("openalex", works), following, count_in(meta.get("count")))


# --- Semantic Scholar by bulk search: https://api.semanticscholar.org/api-docs/graph

SEMANTIC_SCHOLAR = Service(
    "semanticscholar",
    "Semantic Scholar",
    "https://api.semanticscholar.org",
    interval=1.1,
    api="Semantic Scholar Academic Graph v1",
    terms="ODC-BY 1.0",
    key_variable="SEMANTIC_SCHOLAR_API_KEY",
    key_header="x-api-key",
)
_SCHOLAR_FIELDS = (
    "title,abstract,authors,year,publicationDate,venue,publicationVenue,journal,publicationTypes,"
    "externalIds,url,fieldsOfStudy"
)


def scholar_first(query: Query) -> str:
    """Return the address of the first page."""
    if not query.text.strip():
        raise UsageError("fetch semanticscholar: found no query; expected words to search.")
    days = f"{query.since}:{query.until}" if query.since or query.until else ""
    return SEMANTIC_SCHOLAR.url(
        "/graph/v1/paper/search/bulk",
        {"query": query.text, "fields": _SCHOLAR_FIELDS, "publicationDateOrYear": days},
    )


def _scholar_titled(title: str, _: int) -> str:
    """Return the address of the one paper whose title is nearest to `title`."""
    return SEMANTIC_SCHOLAR.url(
        "/graph/v1/paper/search/match", {"query": title, "fields": _SCHOLAR_FIELDS}
    )


def _scholar_page(body: bytes | None, url: str, query: Query) -> Page:
    """Return what a page holds; where a title matches nothing, the server answers 404."""
    if body is None and url.partition("?")[0].endswith("/match"):
        return Page(())
    answer = json_object(body)
    papers = json_objects(answer.get("data"))
    token = answer.get("token")
    following = with_parameters(url, token=token) if papers and isinstance(token, str) else ""
    return Page(_papers("semantic-scholar", papers), following, count_in(answer.get("total")))


# --- Hugging Face, a day a page: https://huggingface.co/papers

HUGGING_FACE = Service(
    "hf-daily",
    "Hugging Face",
    "https://huggingface.co",
    interval=1.0,
    api="Hugging Face daily papers",
    terms="terms of huggingface.co",
)
_HUGGING_FACE_PAGE = 100


def _hugging_face_first(query: Query) -> str:
    if not query.since or not query.until:
        raise UsageError("fetch hf-daily: expected the first and the last day.")
    days = {"date": query.since, "limit": str(_HUGGING_FACE_PAGE), "p": "0"}
    return HUGGING_FACE.url("/api/daily_papers", days)


def _hugging_face_page(body: bytes | None, url: str, query: Query) -> Page:
    """Return the papers of a day, or of a page of it; a day may have none."""
    answer = json_value(body if body is not None else b"[]")
    if isinstance(answer, Mapping):
        raise UnreadableError(f"an answer that is no list ({str(answer.get('error', ''))[:80]})")
    papers = json_objects(answer)
    return Page(_papers("hugging-face", papers), _next_day(url, query, len(papers)))


def _next_day(url: str, query: Query, found: int) -> str:
    if found >= _HUGGING_FACE_PAGE:
        return with_parameters(url, p=str(int(parameter(url, "p")) + 1))
    day = date.fromisoformat(parameter(url, "date")) + timedelta(days=1)
    if day > date.fromisoformat(query.until):
        return ""
    return with_parameters(url, date=day.isoformat(), p="0")


# --- Crossref, DOI by DOI: https://api.crossref.org. arXiv's own DOIs are not there.

CROSSREF = Service(
    "crossref",
    "Crossref",
    "https://api.crossref.org",
    interval=0.5,
    api="Crossref REST v1",
    terms="facts, free to use; abstracts belong to their publishers",
    mailto="mailto",
)


def _crossref_first(query: Query) -> str:
    if not query.dois:
        raise UsageError("fetch crossref: found no DOI; expected DOIs, or files that hold some.")
    return _work_url(query.dois[0])


def _work_url(doi: str) -> str:
    return CROSSREF.url(f"/works/{quote(doi, safe='')}")


def _crossref_titled(title: str, most: int) -> str:
    return CROSSREF.url("/works", {"query.bibliographic": title, "rows": str(most)})


def _crossref_page(body: bytes | None, url: str, query: Query) -> Page:
    """Return the work of one DOI, or those that are like a title."""
    if not query.dois:
        message = _message(body)
        return Page(_papers("crossref", json_objects(message.get("items"))))
    doi = unquote(urlsplit(url).path.rpartition("/")[2])
    position = query.dois.index(doi)
    following = _work_url(query.dois[position + 1]) if position + 1 < len(query.dois) else ""
    total = len(query.dois)
    if body is None:
        return Page((), following, total, missing=(doi,))
    return Page(_papers("crossref", [_message(body)]), following, total)


def _message(body: bytes | None) -> Mapping[str, object]:
    message = json_object(body).get("message")
    if not isinstance(message, dict):
        raise UnreadableError("an answer without 'message'")
    return message


SOURCES = {
    source.service.name: source
    for source in (
        Source(OPENALEX, _openalex_first, _openalex_page, openalex_titled),
        Source(ARXIV, arxiv_first, arxiv_page, arxiv_titled),
        Source(CROSSREF, _crossref_first, _crossref_page, _crossref_titled),
        Source(SEMANTIC_SCHOLAR, scholar_first, _scholar_page, _scholar_titled),
        Source(HUGGING_FACE, _hugging_face_first, _hugging_face_page),
    )
}
"""Name of a service -> how it is asked, in the order in which they are asked for a title."""
