"""Human decisions on which records are the same paper: taxonomy/identity.csv."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from classifier.errors import Fault, InputError, input_error, sort_faults
from classifier.files.reading import read_text
from classifier.files.table import Row, parse_named_table
from classifier.papers.paper import Paper, is_well_formed_id
from classifier.text.normalise import title_id

COLUMNS = ("id", "alias", "verdict")
_EXPECTED_ID = "arxiv:…, doi:10.… or p- and ten hex digits"


@dataclass(frozen=True, slots=True)
class Identity:
    """Verdicts on pairs of ids."""

    same: dict[str, str] = field(default_factory=dict)
    """Id of the same paper, by alias; no id is an alias of another id."""
    different: tuple[tuple[str, str], ...] = ()
    """Pairs of ids whose records are never merged."""

    def resolve(self, known_id: str) -> str:
        """Return the id of which `known_id` is an alias, or `known_id` itself."""
        return self.same.get(known_id, known_id)


def read_identity(path: Path, label: str = "") -> Identity:
    """Read the rows `id,alias,verdict`; if the file does not exist, there are no verdicts.

    label: name of the file for messages. Raises InputError with all faulty rows.
    """
    if not os.path.lexists(path):  # a link that leads nowhere is a fault
        return Identity()
    label = label or str(path)
    header, rows = parse_named_table(read_text(path, label), label, COLUMNS)
    if missing := [name for name in COLUMNS if name not in header]:
        found = f"no column {', '.join(missing)} in '{', '.join(header)}'"
        hint = "Add the header `id,alias,verdict` as the first line."
        raise input_error(label, found, ",".join(COLUMNS), hint, line=1)
    faults = [*_row_faults(rows, label), *_pair_faults(rows, label)]
    if faults:
        raise InputError(sort_faults(faults))
    return Identity(
        {
            row.cells["alias"].strip(): row.cells["id"].strip()
            for row in _rows_with_verdict(rows, "same")
        },
        tuple(sorted({_id_pair(row) for row in _rows_with_verdict(rows, "different")})),
    )


def known_ids(paper: Paper) -> tuple[str, ...]:
    """Return all ids that may identify a record: its own, and those that `mint_id` may give it."""
    return tuple(dict.fromkeys((*own_ids(paper), title_id(paper.title))))


def own_ids(paper: Paper) -> tuple[str, ...]:
    """Return the ids that only this record has: that of its title only if there is no other."""
    ids = (
        paper.id,
        f"arxiv:{paper.arxiv_id}" if paper.arxiv_id else "",
        f"doi:{paper.doi}" if paper.doi else "",
        "" if paper.arxiv_id or paper.doi else title_id(paper.title),
    )
    return tuple(dict.fromkeys(filter(None, ids)))


def _rows_with_verdict(rows: Iterable[Row], *verdicts: str) -> list[Row]:
    return [row for row in rows if row.cells["verdict"].strip().lower() in verdicts]


def _id_pair(row: Row) -> tuple[str, str]:
    first, second = sorted((row.cells["id"].strip(), row.cells["alias"].strip()))
    return first, second


def _row_faults(rows: Sequence[Row], label: str) -> Iterator[Fault]:
    for row in rows:
        if row.extra:
            found = f"'{', '.join(row.extra)}' after the last column"
            hint = (
                "Put quotes around a cell that contains a comma, or name its column in the header."
            )
            yield Fault("error", label, row.line, found, f"{len(row.cells)} cells", hint)
        for name in ("id", "alias"):
            cell = row.cells[name].strip()
            if not is_well_formed_id(cell):
                yield Fault("error", label, row.line, f"{name} {cell!r}", _EXPECTED_ID)
        if not _rows_with_verdict([row], "same", "different"):
            found = f"verdict {row.cells['verdict']!r}"
            yield Fault("error", label, row.line, found, "'same' or 'different'")
        if row.cells["id"].strip() == row.cells["alias"].strip():
            yield Fault("error", label, row.line, "an id that is its own alias", "two ids")


def _pair_faults(rows: Sequence[Row], label: str) -> Iterator[Fault]:
    """Yield the contradictions between rows, such as one alias of two ids."""
    different = {_id_pair(row): row.line for row in _rows_with_verdict(rows, "different")}
    owner: dict[str, Row] = {}
    for row in _rows_with_verdict(rows, "same"):
        earlier = owner.setdefault(row.cells["alias"].strip(), row)
        if earlier.cells["id"].strip() != row.cells["id"].strip():
            found = (
                f"alias {row.cells['alias']} for a second id (line {earlier.line} has another id)"
            )
            yield Fault("error", label, row.line, found, "one id per alias")
        if _id_pair(row) in different:
            found = f"'same' for a pair that line {different[_id_pair(row)]} calls different"
            yield Fault("error", label, row.line, found, "one verdict per pair")
    for row in _rows_with_verdict(rows, "same"):
        above = owner.get(row.cells["id"].strip())
        if above and above is not row:
            found = f"id {row.cells['id']}, which line {above.line} calls an alias"
            hint = f"Write {above.cells['id']} instead."
            yield Fault("error", label, row.line, found, "an id that is not an alias", hint)
    for row in _rows_with_verdict(rows, "different"):
        first, second = (owner.get(name) for name in _id_pair(row))
        if first and second and first.cells["id"].strip() == second.cells["id"].strip():
            found = f"'different' for two aliases of one id (lines {first.line} and {second.line})"
            yield Fault("error", label, row.line, found, "one verdict per pair")
