"""arXiv by its search interface: https://info.arxiv.org/help/api/user-manual.html."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.service import ARXIV
from classifier.extras.fetch.source import (
    Fields,
    Page,
    Query,
    Source,
    UnreadableError,
    parameter,
    with_parameters,
)
from classifier.papers.formats.arxiv import entry_fields

PAGE = 200
DEEPEST = 30_000
"""arXiv gives no results behind this one."""
_ATOM = "{http://www.w3.org/2005/Atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"


def first(query: Query) -> str:
    """Return the address of the first page.

    Oldest first, so that what comes in while paging stands behind; with a limit newest first.
    """
    if not query.text.strip():
        raise UsageError('fetch arxiv: found no query; wanted one such as "cat:cs.AI AND abs:x".')
    return ARXIV.url(
        "/api/query",
        {
            "search_query": f"({query.text}){_days(query)}" if _days(query) else query.text,
            "start": "0",
            "max_results": str(min(PAGE, query.limit or PAGE)),
            "sortBy": "submittedDate",
            "sortOrder": "descending" if query.limit else "ascending",
        },
    )


def _days(query: Query) -> str:
    if not query.since and not query.until:
        return ""
    since = (query.since or "1991-01-01").replace("-", "")
    until = (query.until or "2099-12-31").replace("-", "")
    return f" AND submittedDate:[{since}0000 TO {until}2359]"


def ids_url(ids: Sequence[str]) -> str:
    """Return the address of the page with the papers of some arXiv ids."""
    return ARXIV.url("/api/query", {"id_list": ",".join(ids), "max_results": str(len(ids))})


def title_url(title: str, most: int) -> str:
    """Return the address of the page with papers whose title holds `title`, word by word."""
    words = "".join(sign if sign.isalnum() else " " for sign in title).split()
    query = f'ti:"{" ".join(words)}"'
    return ARXIV.url("/api/query", {"search_query": query, "max_results": str(most)})


def read(body: bytes | None, url: str, query: Query) -> Page:
    """Return what a page holds; an empty one before the end is a known fault of arXiv's."""
    records, total = entries(body)
    start = int(parameter(url, "start") or 0)
    end = start + len(records)
    wanted = min(total, query.limit or total)
    if not records and start < wanted:
        if start >= DEEPEST:
            raise FetchError(
                f"arXiv gives no results behind the {DEEPEST:,}th of {total:,}. Part the query by "
                "time with --since and --until."
            )
        raise UnreadableError(f"an empty page at {start:,} of {total:,}")
    following = with_parameters(url, start=str(end)) if records and end < wanted else ""
    return Page(tuple(records), following, total)


def entries(body: bytes | None) -> tuple[list[Fields], int]:
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
        _refuse_error(entry)
    total = (feed.findtext(_TOTAL) or "").strip()
    # For an id that is unknown arXiv gives an entry without a title.
    papers = [fields for entry in found if (fields := entry_fields(entry)).get("title")]
    return papers, int(total) if total.isdecimal() else len(papers)


def _refuse_error(entry: Any) -> None:
    if "/api/errors" in (entry.findtext(f"{_ATOM}id") or ""):
        said = " ".join((entry.findtext(f"{_ATOM}summary") or "an error").split())[:300]
        raise FetchError(f"arXiv: {said}. Correct the query.")


SOURCE = Source(ARXIV, first, read)
