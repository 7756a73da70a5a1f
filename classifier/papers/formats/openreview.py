"""Notes of OpenReview: API v2 (`content.title.value`), v1 (`content.title`), or laid flat.

https://docs.openreview.net/reference/api-v2/entities/note.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    filled,
    line_of,
    object_of,
    text_of,
    texts_of,
    url_of,
    venue_of,
)

_ONLY_NOTES = ("invitation", "invitations", "venueid", "signatures")


def is_record(record: Object) -> bool:
    """Say whether an object is a note."""
    return "forum" in record and any(name in record for name in _ONLY_NOTES)


def why_no_paper(record: Object) -> str:
    """Return "reply" for a note in the discussion of a paper, else ""."""
    return "reply" if text_of(record.get("replyto")) else ""


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a submission; its date is the one on which it became public."""
    content = _content(record)
    forum = text_of(record.get("forum")) or text_of(record.get("id"))
    links = [text_of(content.get(name)) for name in ("url", "html", "ee", "pdf", "_bibtex")]
    return {
        "title": line_of(content.get("title")),
        "abstract": text_of(content.get("abstract")),
        "authors": [" ".join(name.split()) for name in texts_of(content.get("authors"))],
        "published": _date(record),
        "venue": venue_of(line_of(content.get("venue"))),
        "arxiv_id": arxiv_id_in(links[:-1]),
        "doi": text_of(content.get("doi")),
        "url": url_of(f"https://openreview.net/forum?id={forum}" if forum else "", *links),
        "code_urls": [
            url for url in (url_of(text_of(content.get(n))) for n in ("code", "github")) if url
        ],
        "keywords": _listed(content.get("keywords")),
        "collections": _listed(content.get("subject_areas"))
        + texts_of(content.get("primary_area")),
        "reference": filled(citation_key=_cite_key(text_of(content.get("_bibtex")))),
    }


def _content(record: Object) -> Object:
    """Return what a note says, without the wrapping of each value of API v2."""
    content = object_of(record.get("content")) or record
    return {
        name: value.get("value") if isinstance(value, Mapping) else value
        for name, value in content.items()
    }


def _listed(value: object) -> list[str]:
    """Return a list, or the parts of a text between commas or semicolons."""
    if isinstance(value, str):
        return [word.strip() for word in re.split(r"[;,]", value) if word.strip()]
    return texts_of(value)


def _date(record: Object) -> str:
    """Return the first date known of publication, of going online, of creation (milliseconds)."""
    for name in ("pdate", "odate", "cdate", "tcdate"):
        value = record.get(name)
        if isinstance(value, int) and 0 < value < 10**14:
            return datetime.fromtimestamp(value // 1000, UTC).date().isoformat()
    return ""


def _cite_key(bibtex: str) -> str:
    match = re.match(r"\s*@\w+\s*\{\s*([^\s,{}]{1,200}),", bibtex)
    return match[1] if match else ""
