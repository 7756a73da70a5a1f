"""taxonomy/versions.csv: which categories the taxonomy had when a decision was made.

A decision names the digest of the taxonomy that its reviewer saw. This record says what that was,
so that a decision is not taken for a "no" to a category that came later.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.table import Row, check_columns, read_table, write_table
from classifier.taxonomy.model import CATEGORY_ID, Category, Facet, Taxonomy, spelling_key

COLUMNS = ("taxonomy_digest", "facet", "categories")
_JOINER = "; "
_DIGEST = re.compile(r"[0-9a-f]{12}")
_CURE = "The file is written by `fieldguide review apply`; restore the row from version control."


@dataclass(frozen=True, slots=True)
class Versions:
    """The categories that each digest of the taxonomy stands for."""

    known: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    """(digest, facet id) -> the ids of all its categories, children and retired ones too."""

    def categories(self, digest: str, facet_id: str) -> frozenset[str] | None:
        """Return the ids of a facet's categories under `digest`; None where nothing says so."""
        return self.known.get((digest, facet_id))

    def records(self, digest: str) -> bool:
        """Say whether the record knows `digest`."""
        return any(digest == recorded for recorded, _ in self.known)

    def unknown(self, digest: str, facet: Facet) -> tuple[str, ...]:
        """Return the ids of today's categories that `digest` says nothing about, in their order.

        A category existed where its id did, or one of its aliases, or a category that it replaces.
        Of the out-of-scope one every decision speaks: who names another category rules it out.
        A digest that is not recorded, or an empty one, leaves none out.
        """
        former = self.categories(digest, facet.id)
        if former is None:
            return ()
        return tuple(
            category.id
            for category in facet.walk()
            if not category.out_of_scope and not former & _former_ids(facet, category)
        )


def read_versions(path: Path, shown: str = "") -> Versions:
    """Read `taxonomy_digest,facet,categories` rows; a file that does not exist records nothing.

    Raises InputError with every faulty row: a digest or an id that is none, an empty facet, two
    rows that say different things of one digest and facet (the same thing twice is one row).
    """
    if not os.path.lexists(path):  # a link that leads nowhere is a fault
        return Versions()
    shown = shown or str(path)
    rows = read_table(path, shown)
    check_columns(rows, COLUMNS, shown)
    faults = [*_row_faults(rows, shown), *_contradictions(rows, shown)]
    if faults:
        raise InputError(sort_faults(faults))
    return Versions({_key(row): _categories(row) for row in rows})


def with_current(versions: Versions, taxonomy: Taxonomy) -> Versions:
    """Return `versions` with the categories that `taxonomy` has now, under its digest."""
    current = {
        (taxonomy.digest, facet.id): frozenset(each.id for each in facet.walk(retired=True))
        for facet in taxonomy.facets.values()
    }
    return Versions({**versions.known, **current})


def versions_bytes(versions: Versions) -> bytes:
    """Return the record as CSV, sorted by digest and facet so that two branches merge."""
    rows = (
        {"taxonomy_digest": digest, "facet": facet, "categories": _JOINER.join(sorted(categories))}
        for (digest, facet), categories in sorted(versions.known.items())
    )
    return write_table(COLUMNS, rows)


def _former_ids(facet: Facet, category: Category) -> set[str]:
    """Return every id under which a category, or one that it replaces, may have stood."""
    meant = [
        each
        for each in facet.walk(retired=True)
        if each is category or facet.resolve(each.id) is category
    ]
    return {spelling_key(text) for each in meant for text in (each.id, *each.aliases)}


def _key(row: Row) -> tuple[str, str]:
    return row.cells["taxonomy_digest"].strip(), row.cells["facet"].strip()


def _categories(row: Row) -> frozenset[str]:
    ids = (text.strip() for text in row.cells["categories"].split(_JOINER.strip()))
    return frozenset(text for text in ids if text)


def _row_faults(rows: Sequence[Row], shown: str) -> Iterator[Fault]:
    """Faults that a row has by itself."""
    for row in rows:
        digest, facet = _key(row)
        ids = sorted(_categories(row))
        wrong = [(f"category '{name}'", "the id of a category; ids are joined by '; '")
                 for name in ids if not re.match(CATEGORY_ID, name)]  # fmt: skip
        if row.extra:
            found = f"'{', '.join(row.extra)}' behind the last column"
            wrong.append((found, f"{len(row.cells)} cells"))
        if not _DIGEST.fullmatch(digest):
            wrong.append((f"taxonomy_digest '{digest}'", "twelve hex digits"))
        if not facet:
            wrong.append(("an empty facet", "a value in facet"))
        if not ids:
            wrong.append(("empty categories", "ids joined by '; '"))
        yield from (Fault("error", shown, row.line, *words, _CURE) for words in wrong)


def _contradictions(rows: Sequence[Row], shown: str) -> Iterator[Fault]:
    """Two rows of one digest and facet with different categories."""
    first: dict[tuple[str, str], Row] = {}
    for row in rows:
        earlier = first.setdefault(_key(row), row)
        if _categories(earlier) != _categories(row):
            digest, facet = _key(row)
            found = f"other categories of {digest} and facet {facet} than on line {earlier.line}"
            expected = "one row for a digest and facet"
            yield Fault("error", shown, row.line, found, expected, _CURE)
