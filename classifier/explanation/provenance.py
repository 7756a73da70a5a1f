"""Which record each field of a merged paper was taken from, read off the records themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classifier.papers.combine import record_order
from classifier.papers.identity import Identity
from classifier.papers.match import Evidence, Link, Texts, find_links
from classifier.papers.paper import Paper, Source

FIELDS = (
    "title", "abstract", "authors", "author_count", "organisation", "published", "venue",
    "arxiv_id", "doi", "url", "code_urls", "comment_count", "keywords", "collections", "reference",
)  # fmt: skip
"""The fields that a record may state, in the order in which a person reads them."""


@dataclass(frozen=True, slots=True)
class FieldOrigin:
    """Where the value of one field was read."""

    field: str
    """One of FIELDS."""
    sources: tuple[Source, ...]
    """Every record that states this value, the one that gave it first; of a list, those that state
    a part of it."""
    others: tuple[Source, ...]
    """Records that state another value, which was not kept."""


def field_origins(paper: Paper, records: Sequence[Paper]) -> tuple[FieldOrigin, ...]:
    """Return the origin of each field that `paper` has; records: those that it was merged from.

    A value that no record states as it is (a count of the authors that are named) has no sources.
    """
    records = sorted(records, key=record_order)
    return tuple(_origin(paper, name, records) for name in FIELDS if _stated(paper, name))


@dataclass(frozen=True, slots=True)
class Join:
    """Why a record counts as one of the same paper."""

    source: Source
    other: Source
    """A record before it that it was joined with."""
    evidence: Evidence


def joins(records: Sequence[Paper], identity: Identity) -> tuple[Join, ...]:
    """Return why the records of one paper were merged: the strongest link of each to one before.

    records: those that the paper was merged from, each with one source.
    """
    records = sorted(records, key=record_order)
    reached: dict[int, Link] = {}
    links = find_links(Texts.of(records), identity)
    # A verdict reaches all records of its ids, also those that would be joined without it.
    for link in sorted(links, key=lambda link: (link.evidence == Evidence.VERDICT, link)):
        reached.setdefault(link.second, link)
    return tuple(
        Join(records[second].sources[0], records[link.first].sources[0], link.evidence)
        for second, link in sorted(reached.items())
    )


def missing_fields(paper: Paper) -> tuple[str, ...]:
    """Return the fields that no record states."""
    return tuple(name for name in FIELDS if not _stated(paper, name))


def _stated(paper: Paper, name: str) -> bool:
    value = paper.published.date if name == "published" else getattr(paper, name)
    return value not in ("", (), None)


def _origin(paper: Paper, name: str, records: Sequence[Paper]) -> FieldOrigin:
    stating = [record for record in records if _stated(record, name)]
    agreeing = [record for record in stating if _agrees(record, paper, name)]
    return FieldOrigin(
        name,
        tuple(source for record in agreeing for source in record.sources),
        tuple(s for record in stating if record not in agreeing for s in record.sources),
    )


def _agrees(record: Paper, paper: Paper, name: str) -> bool:
    value, kept = getattr(record, name), getattr(paper, name)
    if name in ("code_urls", "keywords", "collections"):  # merged from all records
        return bool(set(value) & set(kept))
    if name == "reference":  # of one record, with the cite key of another
        return set(value) <= set(kept)
    return bool(value == kept)
