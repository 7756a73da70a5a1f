"""Human decisions on which records are the same paper: taxonomy/identity.csv."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

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
    verdicts = [_Verdict(row.line, *(row.cells[name].strip() for name in COLUMNS)) for row in rows]
    same = [each for each in verdicts if each.is_about("same")]
    different = [each for each in verdicts if each.is_about("different")]
    faults = [*_row_faults(rows, verdicts, label), *_pair_faults(same, different, label)]
    if faults:
        raise InputError(sort_faults(faults))
    pairs = tuple(sorted({each.pair for each in different}))
    return Identity({each.alias: each.id for each in same}, pairs)


class _Verdict(NamedTuple):
    """A row, without blanks around its cells."""

    line: int
    id: str
    alias: str
    verdict: str

    @property
    def pair(self) -> tuple[str, str]:
        return min(self.id, self.alias), max(self.id, self.alias)

    def is_about(self, verdict: str) -> bool:
        return self.verdict.lower() == verdict


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


def _row_faults(rows: Sequence[Row], verdicts: Sequence[_Verdict], label: str) -> Iterator[Fault]:
    for row, each in zip(rows, verdicts, strict=True):
        if row.extra:
            found = f"'{', '.join(row.extra)}' after the last column"
            hint = (
                "Put quotes around a cell that contains a comma, or name its column in the header."
            )
            yield Fault("error", label, row.line, found, f"{len(row.cells)} cells", hint)
        for name, known_id in (("id", each.id), ("alias", each.alias)):
            if not is_well_formed_id(known_id):
                yield Fault("error", label, row.line, f"{name} {known_id!r}", _EXPECTED_ID)
        if not (each.is_about("same") or each.is_about("different")):
            found = f"verdict {row.cells['verdict']!r}"
            yield Fault("error", label, row.line, found, "'same' or 'different'")
        if each.id == each.alias:
            yield Fault("error", label, row.line, "an id that is its own alias", "two ids")


def _pair_faults(
    same: Sequence[_Verdict], different: Sequence[_Verdict], label: str
) -> Iterator[Fault]:
    """Yield the contradictions between rows, such as one alias of two ids."""
    lines = {each.pair: each.line for each in different}
    owner: dict[str, _Verdict] = {}
    for each in same:
        earlier = owner.setdefault(each.alias, each)
        if earlier.id != each.id:
            found = f"alias {each.alias} for a second id (line {earlier.line} has another id)"
            yield Fault("error", label, each.line, found, "one id per alias")
        if each.pair in lines:
            found = f"'same' for a pair that line {lines[each.pair]} calls different"
            yield Fault("error", label, each.line, found, "one verdict per pair")
    for each in same:
        above = owner.get(each.id)
        if above and above is not each:
            found = f"id {each.id}, which line {above.line} calls an alias"
            hint = f"Write {above.id} instead."
            yield Fault("error", label, each.line, found, "an id that is not an alias", hint)
    for each in different:
        first, second = (owner.get(name) for name in each.pair)
        if first and second and first.id == second.id:
            found = f"'different' for two aliases of one id (lines {first.line} and {second.line})"
            yield Fault("error", label, each.line, found, "one verdict per pair")
