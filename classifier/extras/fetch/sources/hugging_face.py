"""Hugging Face Daily Papers, day by day: https://huggingface.co/api/daily_papers?date=…."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from classifier.errors import UsageError
from classifier.extras.fetch.service import HUGGING_FACE
from classifier.extras.fetch.source import (
    Page,
    Query,
    Source,
    UnreadableError,
    json_objects,
    json_value,
    parameter,
    with_parameters,
)
from classifier.papers.formats.json_sources import source_named

PAGE = 100

_READ = source_named("hugging-face").read


def first(query: Query) -> str:
    """Return the address of the first day."""
    if not query.since or not query.until:
        raise UsageError("fetch hf-daily: wanted the first and the last day.")
    days = {"date": query.since, "limit": str(PAGE), "p": "0"}
    return HUGGING_FACE.url("/api/daily_papers", days)


def read(body: bytes | None, url: str, query: Query) -> Page:
    """Return the papers of a day, or of a page of it; a day may have none."""
    answer = json_value(body if body is not None else b"[]")
    if isinstance(answer, Mapping):
        raise UnreadableError(f"an answer that is no list ({str(answer.get('error', ''))[:80]})")
    papers = json_objects(answer)
    return Page(tuple(_READ(paper) for paper in papers), _following(url, query, len(papers)))


def _following(url: str, query: Query, found: int) -> str:
    if found >= PAGE:
        return with_parameters(url, p=str(int(parameter(url, "p")) + 1))
    day = date.fromisoformat(parameter(url, "date")) + timedelta(days=1)
    if day > date.fromisoformat(query.until):
        return ""
    return with_parameters(url, date=day.isoformat(), p="0")


SOURCE = Source(HUGGING_FACE, first, read)
