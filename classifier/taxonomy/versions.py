"""taxonomy/versions.csv: the categories in earlier versions of the taxonomy.

A decision records the digest of the taxonomy that its reviewer used. This file ensures that a
decision does not count as a "no" to a category that was added later.
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
_HINT = "The file is written by `fieldguide review apply`; restore the row from version control."


@dataclass(frozen=True, slots=True)
class Versions:
    """The categories of each recorded version of the taxonomy."""

    known: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    """(digest, facet id) -> ids of all its categories, including children and retired ones."""

    def categories(self, digest: str, facet_id: str) -> frozenset[str] | None:
        """Return the ids of a facet's categories in version `digest`; None if unrecorded."""
        return self.known.get((digest, facet_id))

    def has_version(self, digest: str) -> bool:
        """Return whether version `digest` is recorded."""
        return any(digest == recorded for recorded, _ in self.known)

    def unknown_ids(self, digest: str, facet: Facet) -> tuple[str, ...]:
        """Return the ids of current categories that version `digest` did not have, in order.

        A version had a category if it had the category's id, one of its aliases, or a category that
        it replaces. The out-of-scope category is never returned, because it cannot be combined with
        another category. If the digest is empty or not recorded, the result is empty.
        """
        former = self.categories(digest, facet.id)
        if former is None:
            return ()
        return tuple(
            category.id
            for category in facet.walk()
            if not category.out_of_scope and not former & _former_ids(facet, category)
        )


def read_versions(path: Path, display_name: str = "") -> Versions:
    """Read the rows `taxonomy_digest,facet,categories`; a missing file gives no versions.

    Raises InputError with all faulty rows: malformed digests or ids, empty facets, and rows that
    contradict each other. Identical rows count once.
    """
    if not os.path.lexists(path):  # a dangling link is an error
        return Versions()
    display_name = display_name or str(path)
    rows = read_table(path, display_name)
    check_columns(rows, COLUMNS, display_name)
    faults = [*_row_faults(rows, display_name), *_contradictions(rows, display_name)]
    if faults:
        raise InputError(sort_faults(faults))
    return Versions({_row_key(row): _row_categories(row) for row in rows})


def with_current(versions: Versions, taxonomy: Taxonomy) -> Versions:
    """Add the current version of `taxonomy` to `versions`."""
    current = {
        (taxonomy.digest, facet.id): frozenset(each.id for each in facet.walk(include_retired=True))
        for facet in taxonomy.facets.values()
    }
    return Versions({**versions.known, **current})


def versions_bytes(versions: Versions) -> bytes:
    """Return the versions as CSV.

    The rows are sorted by digest and facet, so that two branches can be merged.
    """
    rows = (
        {"taxonomy_digest": digest, "facet": facet, "categories": _JOINER.join(sorted(categories))}
        for (digest, facet), categories in sorted(versions.known.items())
    )
    return write_table(COLUMNS, rows)


def _former_ids(facet: Facet, category: Category) -> set[str]:
    """Return all former ids of a category and of the categories that it replaced."""
    merged = [
        each
        for each in facet.walk(include_retired=True)
        if each is category or facet.resolve(each.id) is category
    ]
    return {spelling_key(text) for each in merged for text in (each.id, *each.aliases)}


def _row_key(row: Row) -> tuple[str, str]:
    """Return digest and facet of a row."""
    return row.cells["taxonomy_digest"].strip(), row.cells["facet"].strip()


def _row_categories(row: Row) -> frozenset[str]:
    """Return the category ids of a row."""
    ids = (text.strip() for text in row.cells["categories"].split(_JOINER.strip()))
    return frozenset(text for text in ids if text)


def _row_faults(rows: Sequence[Row], display_name: str) -> Iterator[Fault]:
    """Yield the faults within single rows."""
    for row in rows:
        digest, facet = _row_key(row)
        ids = sorted(_row_categories(row))
        wrong = [(f"category '{name}'", "the id of a category; ids are joined by '; '")
                 for name in ids if not re.match(CATEGORY_ID, name)]  # fmt: skip
        if row.extra:
            found = f"'{', '.join(row.extra)}' after the last column"
            wrong.append((found, f"{len(row.cells)} cells"))
        if not _DIGEST.fullmatch(digest):
            wrong.append((f"taxonomy_digest '{digest}'", "twelve hex digits"))
        if not facet:
            wrong.append(("an empty facet", "the id of a facet"))
        if not ids:
            wrong.append(("empty categories", "ids joined by '; '"))
        yield from (Fault("error", display_name, row.line, *words, _HINT) for words in wrong)


def _contradictions(rows: Sequence[Row], display_name: str) -> Iterator[Fault]:
    """Yield rows that contradict an earlier row with the same digest and facet."""
    first: dict[tuple[str, str], Row] = {}
    for row in rows:
        earlier = first.setdefault(_row_key(row), row)
        if _row_categories(earlier) != _row_categories(row):
            digest, facet = _row_key(row)
            found = f"categories of {digest} and facet {facet} that differ from line {earlier.line}"
            expected = "one row per digest and facet"
            yield Fault("error", display_name, row.line, found, expected, _HINT)
