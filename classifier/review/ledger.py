"""The ledger, taxonomy/reviews.csv: one row per value of a decision; and the current decisions.

The current decision is that of the reviewer `adjudicated`, or else the newest. If reviewers differ
on one day, the earlier decision stays current until one is adjudicated. No other reviewer has
priority.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from classifier.errors import Fault, InputError, input_error
from classifier.files.reading import read_text
from classifier.files.table import Row, parse_named_table, write_table
from classifier.labelling.labels import IMPORTED, Decision
from classifier.papers.dates import is_full_date
from classifier.review.columns import JOINER
from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy
from classifier.taxonomy.versions import Versions

ADJUDICATED = "adjudicated"
"""The reviewer whose decisions settle conflicts, whatever their dates."""
NO_NAME = "(no name)"
"""The reviewer in messages about decisions without a name."""
Group = tuple[str, str]
"""(ISO date, reviewer): the key of one decision on a facet of a paper."""
T = TypeVar("T")


def decision_sort_key(group: Group) -> tuple[str, bool, str]:
    """Return the sort key of a decision: by date, imported ones before those of reviewers."""
    date, reviewer = group
    return date, reviewer != IMPORTED, reviewer


def current_decision(
    answers: Mapping[Group, T], agree: Callable[[Sequence[T]], bool]
) -> Group | None:
    """Return the key of the newest adjudicated decision, else of the newest undisputed one.

    A decision is undisputed if all reviewers who decided on that day agree. The result is None if
    the reviewers of every day disagree.

    answers: date and reviewer -> answer, of one facet of a paper. agree: returns whether answers of
    one day agree.
    """
    adjudicated = [group for group in answers if group[1] == ADJUDICATED]
    if adjudicated:
        return max(adjudicated)
    newest_first = sorted(answers, key=decision_sort_key, reverse=True)
    for _, day in groupby(newest_first, key=lambda group: decision_sort_key(group)[:2]):
        groups = list(day)
        if agree([answers[group] for group in groups]):
            return groups[0]
    return None


def agree(facet: Facet, decisions: Collection[Decision], *, is_first: bool) -> bool:
    """Return whether decisions agree, without categories that did not exist for a reviewer.

    is_first: whether this is the first facet; in others the primary category is ignored.
    """
    unknown = {category for decision in decisions for category in decision.unknown}
    has_primary = is_first and not any(decision.primary in unknown for decision in decisions)

    def decision_text(decision: Decision) -> str:
        values = (v for v in decision.values if not {v, facet.top_id_of(v)} & unknown)
        primary = decision.primary if has_primary else ""
        return answer_text(facet, replace(decision, values=tuple(values), primary=primary))

    return len(decisions) < 2 or len(set(map(decision_text, decisions))) == 1


def answer_text(facet: Facet, decision: Decision) -> str:
    """Return a decision as text: the primary first, the others in the taxonomy's order.

    A category is left out if one of its children is listed.
    """
    leaves = facet.leaves(decision.values)
    listed = sorted(leaves, key=lambda value: facet.top_id_of(value) != decision.primary)
    return JOINER.join(listed) or (NOT_STATED if facet.may_be_unstated else "")


EXPECTED_DATE = "a date such as 2025-06-01"
_FIRST_LINE = re.compile(r"[^\r\n]{0,80}")
_NO_VERSIONS = Versions()


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
    further: tuple[str, ...] = field(default=(), compare=False)
    """Cells of other columns, in the order of `Ledger.further_columns`."""


COLUMNS = tuple(each.name for each in fields(Entry) if each.compare)
"""The columns of the file."""

Groups = dict[tuple[str, str], dict[Group, list[Entry]]]
"""(paper id, facet) -> date and reviewer -> the rows of that decision."""

Unknown = Mapping[tuple[str, str], frozenset[str]]
"""(taxonomy digest, facet) -> current categories that did not exist then."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All decisions, old and new."""

    entries: tuple[Entry, ...] = ()
    further_columns: tuple[str, ...] = ()
    """Other columns of the file; they are written back unchanged."""

    @property
    def digests(self) -> frozenset[str]:
        """Digests of the taxonomies of the decisions, with "" if one is not recorded."""
        return frozenset(entry.taxonomy_digest for entry in self.entries)

    def decisions(
        self,
        taxonomy: Taxonomy,
        aliases: Mapping[str, str],
        versions: Versions = _NO_VERSIONS,
    ) -> dict[str, dict[str, Decision]]:
        """Return the current decisions (see `current_decision`) by paper id and facet.

        Values that the taxonomy does not have are left out (`ledger_faults` reports them).
        `drawn_by` is that of the first decision: how the paper was selected for review.
        `versions` has the categories that existed when a decision was made.
        """
        unknown = self._unknown_categories(taxonomy, versions)
        decided: dict[str, dict[str, Decision]] = {}
        for (paper_id, facet_id), by_group in sorted(self.groups(aliases, taxonomy).items()):
            facet = taxonomy.facet(facet_id)
            _, decision = _current_decision_of_group(
                facet, by_group, unknown, is_first=facet is taxonomy.first
            )
            if decision is not None:
                # The queue selects audited papers for a second look. If they left the audit,
                # the measured accuracy would rise without reason.
                drawn_by = by_group[min(by_group, key=decision_sort_key)][0].drawn_by
                decided.setdefault(paper_id, {})[facet_id] = replace(
                    decision,
                    drawn_by=drawn_by,
                    reviewer=IMPORTED if decision.drawn_by == IMPORTED else decision.reviewer,
                )
        return decided

    def by_reviewer(
        self,
        taxonomy: Taxonomy,
        aliases: Mapping[str, str],
        versions: Versions = _NO_VERSIONS,
    ) -> dict[str, dict[str, dict[str, Decision]]]:
        """Return the newest decisions of each reviewer, by reviewer, paper id and facet."""
        reviewers = {entry.reviewer for entry in self.entries}
        return {
            reviewer: Ledger(
                tuple(entry for entry in self.entries if entry.reviewer == reviewer)
            ).decisions(taxonomy, aliases, versions)
            for reviewer in sorted(reviewers)
        }

    def editorial(self, act: str, aliases: Mapping[str, str]) -> dict[str, Entry]:
        """Return by paper id the current editorial acts of one kind, without withdrawn ones.

        An empty value withdraws an act. On one day, an act and its withdrawal conflict. Two
        different texts do not conflict; the last row in the order of the file is used.
        """

        def agree_on_act(entries: Sequence[Entry]) -> bool:
            return len({bool(entry.value) for entry in entries}) == 1

        found: dict[str, Entry] = {}
        of_act = Ledger(tuple(entry for entry in self.entries if entry.facet == act))
        for (paper_id, _), by_group in sorted(of_act.groups(aliases).items()):
            last = {group: max(entries) for group, entries in by_group.items()}
            group = current_decision(last, agree_on_act)
            if group is not None and last[group].value:
                found[paper_id] = last[group]
        return found

    def removed_values(
        self, taxonomy: Taxonomy, aliases: Mapping[str, str]
    ) -> Iterator[tuple[str, Entry]]:
        """Yield (paper id, row) of current decisions whose value the taxonomy does not have."""
        for (paper_id, facet_id), by_group in sorted(self.groups(aliases, taxonomy).items()):
            facet = taxonomy.facet(facet_id)
            group, _ = _current_decision_of_group(
                facet, by_group, {}, is_first=facet is taxonomy.first
            )
            for entry in sorted(by_group[group]) if group else ():
                if not facet.is_valid_answer(entry.value):
                    yield paper_id, entry

    def count_reviewed_again(
        self, taxonomy: Taxonomy, aliases: Mapping[str, str], versions: Versions
    ) -> Counter[tuple[str, str]]:
        """Count by (facet, category) the papers decided before and after the category existed."""
        decided = self.decisions(taxonomy, aliases, versions)
        unknown = self._unknown_categories(taxonomy, versions)
        found: set[tuple[str, str, str]] = set()
        for entry in self.entries:
            paper_id = aliases.get(entry.id, entry.id)
            decision = decided.get(paper_id, {}).get(entry.facet)
            if decision is not None:
                known_now = unknown[entry.taxonomy_digest, entry.facet] - set(decision.unknown)
                found |= {(entry.facet, category, paper_id) for category in known_now}
        return Counter((facet_id, category) for facet_id, category, _ in found)

    def _unknown_categories(self, taxonomy: Taxonomy, versions: Versions) -> Unknown:
        keys = {(entry.taxonomy_digest, entry.facet) for entry in self.entries}
        return {
            (digest, facet_id): frozenset(versions.unknown_ids(digest, taxonomy.facet(facet_id)))
            for digest, facet_id in sorted(keys)
            if facet_id in taxonomy.facets
        }

    def groups(self, aliases: Mapping[str, str], taxonomy: Taxonomy | None = None) -> Groups:
        """Return the rows of all decisions and acts; with `taxonomy`, only those on its facets.

        aliases: other id of a paper -> its id.
        """
        groups: Groups = {}
        for entry in self.entries:
            if taxonomy is None or entry.facet in taxonomy.facets:
                paper_id = aliases.get(entry.id, entry.id)
                by_group = groups.setdefault((paper_id, entry.facet), {})
                by_group.setdefault((entry.reviewed_on, entry.reviewer), []).append(entry)
        return groups


def _current_decision_of_group(
    facet: Facet, by_group: Mapping[Group, Sequence[Entry]], unknown: Unknown, *, is_first: bool
) -> tuple[Group | None, Decision | None]:
    """Return the key of the current decision on a facet of a paper, and the decision.

    The key is None if reviewers differ, the decision also if the taxonomy has none of its values.
    """
    decisions = {group: decision_of(facet, rows, unknown) for group, rows in by_group.items()}

    def agree_on_day(of_day: Sequence[Decision | None]) -> bool:
        known = [decision for decision in of_day if decision is not None]
        is_known = len(known) == len(of_day)
        return len(of_day) == 1 or (is_known and agree(facet, known, is_first=is_first))

    group = current_decision(decisions, agree_on_day)
    if group is None or group[1] == ADJUDICATED:
        return group, decisions[group] if group else None
    # Use the equal decision of that day with the fewest unknown categories.
    of_day = [
        d
        for g, d in decisions.items()
        if d and decision_sort_key(g)[:2] == decision_sort_key(group)[:2]
    ]
    return group, min(of_day, key=lambda d: (len(d.unknown), d.reviewer), default=None)


def decision_of(
    facet: Facet, entries: Sequence[Entry], unknown: Unknown = MappingProxyType({})
) -> Decision | None:
    """Return rows of the ledger as a decision; None if the taxonomy has none of their values."""
    values: set[str] = set()
    primary = ""
    entries = sorted(entries)
    for entry in entries:
        category = facet.resolve(entry.value)
        if category is None:
            continue
        values |= {category.id, facet.top_id_of(category.id)}
        if entry.primary or facet.kind == "single":
            primary = facet.top_id_of(category.id)
    if not values and not any(facet.is_not_stated(entry.value) for entry in entries):
        return None
    first = entries[0]
    unknown_by_row = [unknown.get((e.taxonomy_digest, facet.id), frozenset()) for e in entries]
    return Decision(
        tuple(sorted(values)),
        primary or "".join(facet.top_ids_of(values)[:1]),
        first.reviewer,
        first.reviewed_on,
        first.drawn_by,
        first.taxonomy_digest,
        first.note,
        # A category that existed for one of the rows existed for the reviewer.
        tuple(sorted(frozenset.intersection(*unknown_by_row) - values)),
    )


def read_ledger(path: Path, file: str) -> Ledger:
    """Return the ledger; it is empty if the file does not exist.

    Repeated rows, which a merge of two branches may cause, count once. Raises InputError with the
    missing columns, or with all invalid rows (see `scan_ledger`).
    """
    ledger, faults = scan_ledger(path, file)
    if faults:
        raise InputError(faults)
    return ledger


def scan_ledger(path: Path, file: str) -> tuple[Ledger, list[Fault]]:
    """Return the valid rows of the ledger, and the faults of all other rows.

    A row is invalid if it has cells after the last column, no id or facet, or an invalid primary
    or date. Raises InputError if a column is missing.
    """
    if not os.path.lexists(path):  # a broken link is a fault
        return Ledger(), []
    text = read_text(path, file)
    header, rows = parse_named_table(text, file, COLUMNS)
    names = [name for name in header if name]
    missing = [column for column in COLUMNS if column not in names]
    if missing:
        found = f"no column {', '.join(missing)}"
        hint = f"The first line is '{''.join(_FIRST_LINE.findall(text)[:1])}'."
        raise input_error(file, found, ", ".join(COLUMNS), hint, line=1)
    further = tuple(name for name in names if name not in COLUMNS)
    faults: list[Fault] = []
    entries: list[Entry] = []
    for row in rows:
        if problems := list(_row_problems(row)):
            faults += [Fault("error", file, row.line, *problem) for problem in problems]
        else:
            entries.append(_make_entry(row, further))
    # Equality of entries ignores further cells, which must be kept.
    distinct = dict.fromkeys((entry, entry.further) for entry in entries)
    return Ledger(tuple(entry for entry, _ in distinct), further), faults


def _row_problems(row: Row) -> Iterator[tuple[str, ...]]:
    if all(row.cells[column].strip() == column for column in COLUMNS):
        hint = "A merge of two branches repeated it: delete this line."
        yield "the header a second time", "the header in the first line only", hint
        return
    if row.extra:
        found = f"'{', '.join(row.extra)}' after the last column"
        yield found, f"{len(row.cells)} cells", "Quote a cell that contains a comma."
        return
    for column in ("id", "facet"):
        if not row.cells[column].strip():
            yield f"an empty {column}", f"a value in {column}"
    primary, reviewed_on = row.cells["primary"].strip(), row.cells["reviewed_on"].strip()
    if primary.lower() not in ("yes", "no", ""):
        yield f"primary '{primary}'", "yes or an empty cell"
    if reviewed_on and not is_full_date(reviewed_on):
        yield f"reviewed_on '{reviewed_on}'", EXPECTED_DATE


def _make_entry(row: Row, further: Sequence[str]) -> Entry:
    cells = {column: row.cells[column].strip() for column in COLUMNS}
    return Entry(
        **{name: cells[name] for name in COLUMNS if name != "primary"},
        primary=cells["primary"].lower() == "yes",
        line=row.line,
        further=tuple(row.cells[column] for column in further),
    )


def ledger_bytes(ledger: Ledger) -> bytes:
    """Return the ledger as CSV, sorted by id so that git can merge two branches."""

    def sort_key(entry: Entry) -> tuple[object, ...]:
        group = (entry.id, entry.facet, entry.reviewed_on, entry.reviewer, entry.value)
        return group, entry, entry.further

    rows = (
        {
            **{column: str(getattr(entry, column)) for column in COLUMNS},
            "primary": "yes" if entry.primary else "",
            **dict(zip(ledger.further_columns, entry.further, strict=False)),
        }
        for entry in sorted(ledger.entries, key=sort_key)
    )
    return write_table((*COLUMNS, *ledger.further_columns), rows)
