"""Hits of the DBLP search API: https://dblp.org/faq/How+to+use+the+dblp+search+API.html."""

from __future__ import annotations

import html
import re
from typing import Final

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

_TYPES: Final = {
    "Books and Theses": "book", "Conference and Workshop Papers": "paper-conference",
    "Data and Artifacts": "dataset", "Editorship": "book", "Informal Publications": "article",
    "Informal and Other Publications": "article", "Journal Articles": "article-journal",
    "Parts in Books or Collections": "chapter", "Reference Works": "entry",
}  # fmt: skip


def is_record(record: Object) -> bool:
    """Say whether an object is a hit, or what it holds."""
    info = _info(record)
    return "title" in info and "dblp" in text_of(info.get("url")) and "key" in info


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a hit; DBLP ends each title with a full stop that is its own."""
    info = _info(record)
    title = _line(info.get("title"))
    doi, links = text_of(info.get("doi")), texts_of(info.get("ee"))
    return {
        "title": title.removesuffix(".") if not title.endswith("..") else title,
        "authors": _authors(object_of(info.get("authors")).get("author")),
        "published": text_of(info.get("year")),
        "venue": venue_of(_line(info.get("venue"))),
        "arxiv_id": arxiv_id_in((doi, *links)),
        "doi": doi,
        "url": url_of(*links, text_of(info.get("url"))),
        "reference": filled(
            type=_TYPES.get(text_of(info.get("type")), ""),
            volume=text_of(info.get("volume")),
            issue=text_of(info.get("number")),
            page=text_of(info.get("pages")),
            publisher=_line(info.get("publisher")),
            ISBN=text_of(info.get("isbn")),
        ),
    }


def _info(record: Object) -> Object:
    return object_of(record.get("info")) or record


def _line(value: object) -> str:
    return html.unescape(line_of(value))


def _authors(value: object) -> list[str]:
    """Return the authors without the numbers by which DBLP tells namesakes apart."""
    people = value if isinstance(value, list) else [value]
    names = (_line(p.get("text") if isinstance(p, dict) else p) for p in people)
    return [re.sub(r" \d{4}$", "", name) for name in names if name]
