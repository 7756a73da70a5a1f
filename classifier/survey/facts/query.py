"""Queries: which papers a number counts, as terms that all hold; written like a web query."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import parse_qsl, quote

Term = tuple[str, str]
"""A key and its value, such as ("filed", "benchmarks"); the keys stand in `terms.py`."""


def query_id(terms: Iterable[Term]) -> str:
    """Return the query as the browse page reads it behind its `?`; the order of terms is no matter.

    >>> query_id([("filed", "benchmarks"), ("code", "yes")])
    'code=yes&filed=benchmarks'
    >>> query_id([])
    'all'
    """
    return "&".join(sorted(_written(term) for term in set(terms))) or "all"


@lru_cache(maxsize=2**14)  # few terms make up many queries
def _written(term: Term) -> str:
    key, value = term
    return f"{quote(key, safe='')}={quote(value, safe='/')}"


def terms_of(query: str) -> list[Term]:
    """Return the terms of a query.

    >>> terms_of("benchmarks=Mind2Web&filed=gui-agents")
    [('benchmarks', 'Mind2Web'), ('filed', 'gui-agents')]
    """
    return [] if query == "all" else parse_qsl(query, keep_blank_values=True, strict_parsing=True)


def in_words(terms: Iterable[Term]) -> str:
    """Return what a query counts, in words.

    >>> in_words([("filed", "benchmarks"), ("code", "yes")])
    'papers with code yes, filed benchmarks'
    """
    named = ", ".join(f"{key} {value}" for key, value in sorted(set(terms)))
    return f"papers with {named}" if named else "papers in the survey"
