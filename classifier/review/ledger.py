"""taxonomy/reviews.csv, the ledger: one row for each value that a person gave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from classifier.errors import Fault, InputError
from classifier.files.table import Row, read_table, write_table
from classifier.labelling.labels import Decision
from classifier.taxonomy.model import Facet, Taxonomy

COLUMNS = (
    "id",
    "title",
    "facet",
    "value",
    "primary",
    "reviewer",
    "reviewed_on",
    "drawn_by",
    "taxonomy_digest",
    "note",
)
EDITORIAL_FACETS = ("exclude", "remark", "key")
"""Facets of the ledger that are acts of the editors, not labels."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One row of the ledger."""

    id: str
    title: str
    facet: str
    value: str
    primary: bool
    reviewer: str
    reviewed_on: str
    drawn_by: str
    taxonomy_digest: str
    note: str
    line: int = field(default=0, compare=False)
    """1-based line in the file; 0 for a new entry."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All decisions, old and new."""

    entries: tuple[Entry, ...] = ()

    def decisions(
        self, taxonomy: Taxonomy, aliases: Mapping[str, str]
    ) -> dict[str, dict[str, Decision]]:
        """Return paper id -> facet -> the decision in force: the newest of any reviewer.

        Groups of one date are settled by reviewer name, so that the order of rows never matters.
        Values that the taxonomy no longer knows are left out (`faults` names them).
        """
        groups: dict[tuple[str, str], dict[tuple[str, str], list[Entry]]] = {}
        for entry in self.entries:
            if entry.facet in taxonomy.facets:
                paper_id = aliases.get(entry.id, entry.id)
                by_person = groups.setdefault((paper_id, entry.facet), {})
                by_person.setdefault((entry.reviewed_on, entry.reviewer), []).append(entry)
        decided: dict[str, dict[str, Decision]] = {}
        for (paper_id, facet_id), by_person in sorted(groups.items()):
            decision = _decision(taxonomy.facet(facet_id), by_person[max(by_person)])
            if decision is not None:
                decided.setdefault(paper_id, {})[facet_id] = decision
        return decided

    def editorial(self, act: str, aliases: Mapping[str, str]) -> dict[str, str]:
        """Return paper id -> value of the newest editorial act of one kind ("" withdraws it)."""
        newest: dict[str, Entry] = {}
        for entry in sorted(self.entries, key=lambda e: (e.reviewed_on, e.reviewer, e.value)):
            if entry.facet == act:
                newest[aliases.get(entry.id, entry.id)] = entry
        return {paper_id: entry.value for paper_id, entry in sorted(newest.items()) if entry.value}

    def faults(self, taxonomy: Taxonomy, shown: str) -> list[Fault]:
        """Return a warning for each row whose facet or value the taxonomy does not know."""
        faults: list[Fault] = []
        for entry in self.entries:
            if entry.facet in EDITORIAL_FACETS:
                continue
            if entry.facet not in taxonomy.facets:
                wanted = f"one of {', '.join([*taxonomy.facets, *EDITORIAL_FACETS])}"
                faults.append(Fault("warning", shown, entry.line, f"facet '{entry.facet}'", wanted))
            elif taxonomy.facet(entry.facet).resolve(entry.value) is None:
                faults.append(
                    Fault(
                        "warning",
                        shown,
                        entry.line,
                        f"value '{entry.value}'",
                        f"a category of facet {entry.facet}",
                        "The row is kept and not used; list the old id under `aliases` of the "
                        "category that took its place.",
                    )
                )
        return faults


def _decision(facet: Facet, entries: Sequence[Entry]) -> Decision | None:
    values: set[str] = set()
    primary = ""
    entries = sorted(entries)
    for entry in entries:
        category = facet.resolve(entry.value)
        if category is None:
            continue
        values |= {category.id, facet.top_of(category.id)}
        if entry.primary or facet.kind == "single":
            primary = facet.top_of(category.id)
    if not values:
        return None
    first = entries[0]
    tops = [category_id for category_id in facet.ids if category_id in values]
    return Decision(
        tuple(sorted(values)),
        primary or tops[0],
        first.reviewer,
        first.reviewed_on,
        first.drawn_by,
        first.taxonomy_digest,
        first.note,
    )


def read_ledger(path: Path, shown: str) -> Ledger:
    """Read the ledger; a project without one has no decisions yet.

    Raises InputError naming every column that is missing and every row without id, facet or value.
    """
    if not path.exists():
        return Ledger()
    rows = read_table(path, shown)
    missing = [column for column in COLUMNS if rows and column not in rows[0].cells]
    if missing:
        fault = Fault("error", shown, 1, f"no column {', '.join(missing)}", ", ".join(COLUMNS))
        raise InputError([fault])
    faults = [
        Fault("error", shown, row.line, f"an empty {column}", f"a value in {column}")
        for row in rows
        for column in ("id", "facet")
        if not row.cells[column].strip()
    ]
    if faults:
        raise InputError(faults)
    return Ledger(tuple(_entry(row) for row in rows))


def _entry(row: Row) -> Entry:
    cells = {column: row.cells[column].strip() for column in COLUMNS}
    return Entry(
        **{name: cells[name] for name in COLUMNS if name != "primary"},
        primary=cells["primary"].lower() == "yes",
        line=row.line,
    )


def ledger_bytes(entries: Iterable[Entry]) -> bytes:
    """Return the ledger as CSV, sorted by id so that two branches merge."""

    def order(entry: Entry) -> tuple[str, ...]:
        return (entry.id, entry.facet, entry.reviewed_on, entry.reviewer, entry.value)

    rows = (
        {
            **{column: str(getattr(entry, column)) for column in COLUMNS},
            "primary": "yes" if entry.primary else "",
        }
        for entry in sorted(entries, key=order)
    )
    return write_table(COLUMNS, rows)
