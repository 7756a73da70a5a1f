"""Papers of Hugging Face: `/api/daily_papers`, `/api/papers/ID`, and the data in its pages."""

from __future__ import annotations

from collections.abc import Mapping

from classifier.papers.dates import read_date
from classifier.papers.formats.arxiv_snapshot import unwrapped
from classifier.papers.formats.values import (
    Object,
    filled,
    first_of,
    line_of,
    object_of,
    text_of,
    url_of,
)
from classifier.papers.paper import clean_arxiv_id

_ONLY_HERE = ("upvotes", "discussionId", "submittedOnDailyAt", "ai_summary", "numComments")


def is_record(record: Object) -> bool:
    """Say whether an object is an entry of Daily Papers, or a paper of Hugging Face."""
    paper = record.get("paper")
    if isinstance(paper, Mapping):
        return "id" in paper and ("publishedAt" in record or "summary" in paper)
    return "title" in record and any(name in record for name in _ONLY_HERE)


def fields(record: Object) -> dict[str, object]:
    """Return the fields of an entry; its paper is the day's, its date that on arXiv."""
    paper = object_of(record.get("paper")) or record
    organisation = object_of(paper.get("organization") or record.get("organization"))
    comments = record.get("numComments")
    return {
        "title": line_of(paper.get("title")) or line_of(record.get("title")),
        "abstract": unwrapped(text_of(paper.get("summary")) or first_of(record, "summary")),
        "authors": _authors(paper.get("authors")),
        "organisation": line_of(first_of(organisation, "fullname", "name")),
        "published": read_date(first_of(paper, "publishedAt") or first_of(record, "publishedAt")),
        "arxiv_id": clean_arxiv_id(text_of(paper.get("id"))),
        "code_urls": [url for url in [url_of(text_of(paper.get("githubRepo")))] if url],
        "comment_count": comments if type(comments) is int and comments >= 0 else None,
        "reference": filled(type="article"),
    }


def _authors(value: object) -> list[str]:
    named = value if isinstance(value, list) else []
    names = (line_of(n.get("name")) if isinstance(n, Mapping) else line_of(n) for n in named)
    return [name for name in names if name]
