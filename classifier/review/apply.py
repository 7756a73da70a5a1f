"""Apply the filled rows of sheets to the ledger, and report each answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from classifier.errors import Fault
from classifier.review.acts import WITHDRAW, WITHDRAWN, RowDecision
from classifier.review.columns import JOINER
from classifier.review.edits import unplaced_cells
from classifier.review.ledger import (
    ADJUDICATED,
    Entry,
    Group,
    Groups,
    Ledger,
    current_decision,
    decision_sort_key,
)
from classifier.review.read_rows import ANYONE, ReviewRow, RowReader
from classifier.review.sheet import cell_fault, typed_columns
from classifier.review.sheet_file import SheetFile, add_place_in_sheet
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.taxonomy.versions import Versions

State = Literal["new", "replaces", "known"]
"""Effect of an answer on the ledger: added, added in place of an earlier one, or none."""
_MIN_CONFIRMATIONS = 2
"""Number of equal answers of one reviewer after which the queue does not ask again."""


@dataclass(frozen=True)
class LedgerEditor:
    """Adds answers to a ledger; `ledger()` returns the result.

    Decisions of different reviewers and days are all kept. An answer replaces the earlier one of
    the same reviewer on the same facet, paper and day.
    """

    before: Ledger
    taxonomy: Taxonomy
    versions: Versions
    aliases: Mapping[str, str]
    today: str
    _unknown_cache: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict, init=False)

    def ledger(self) -> Ledger:
        """Return the ledger with all answers."""
        groups = (rows for by_group in self._groups.values() for rows in by_group.values())
        entries = tuple(entry for rows in groups for entry in rows)
        return Ledger(entries, self.before.further_columns)

    def is_act(self, facet: str) -> bool:
        """Return whether a facet of an answer is an editorial act that can be withdrawn."""
        return facet in self._acts

    def current_text(self, act: str, paper_id: str) -> str:
        """Return the text of an editorial act in the earlier ledger; "" without one."""
        entry = self._acts[act].get(paper_id)
        return entry.value if entry else ""

    def may_withdraw(self, row: ReviewRow, answer: RowDecision) -> bool:
        """Return whether there is an act to withdraw, or this reviewer withdrew it before."""
        if answer.values != WITHDRAWN or self.current_text(answer.facet, row.paper.paper_id):
            return True
        by_day = self._answers_by_day(row, answer)
        return bool(by_day) and all(not entry.value for entry in by_day[max(by_day)])

    def add(self, row: ReviewRow, answer: RowDecision) -> tuple[State, str]:
        """Add an answer; return its effect, and the answer of today that it replaces."""
        if answer.facet == WITHDRAW:
            return self._withdraw(row)
        by_day = self._answers_by_day(row, answer)
        groups = self._groups.setdefault((row.paper.paper_id, answer.facet), {})
        if answer.facet == "note":  # Notes are not decisions, and all are kept.
            if any(entry.value == answer.values[0] for rows in by_day.values() for entry in rows):
                return "known", ""
            rows = groups.setdefault((self.today, row.reviewer), [])
            rows += self._ledger_rows(row, answer, self.today, "", [])
            return "new", ""
        if by_day and self._is_known(by_day, row, answer):
            return "known", ""
        day = max([self.today, *by_day])  # A later decision would win over this answer.
        replaced = by_day.get(day, [])
        note = replaced[0].note if replaced else ""
        if row.note not in note:
            note = f"{note}{JOINER}{row.note}" if note else row.note
        groups[day, row.reviewer] = self._ledger_rows(row, answer, day, note, replaced)
        before = sorted(replaced, key=lambda entry: (not entry.primary, entry.value))
        return "replaces" if replaced else "new", JOINER.join(entry.value for entry in before)

    def _withdraw(self, row: ReviewRow) -> tuple[State, str]:
        own = self._decisions_of_reviewer(row)
        for key, group in own:
            del self._groups[key][group]
        return ("new" if own else "known"), ""

    def _decisions_of_reviewer(self, row: ReviewRow) -> list[tuple[tuple[str, str], Group]]:
        """Return the keys in `_groups` of the reviewer's decisions on the paper."""
        return [
            (key, group)
            for key, by_group in self._groups.items()
            for group in by_group
            if (key[0], group[1]) == (row.paper.paper_id, row.reviewer)
        ]

    def contains(self, row: ReviewRow, answer: RowDecision) -> bool:
        """Return whether the ledger has an answer with its note, on any date.

        If the reviewer is `ANYONE`, an answer of any reviewer counts.
        """
        if answer.facet == WITHDRAW:
            return not self._decisions_of_reviewer(row)
        groups = self._groups.get((row.paper.paper_id, answer.facet), {})
        n_equal = 0
        for (_, reviewer), entries in groups.items():
            if row.reviewer not in (reviewer, ANYONE):
                continue
            if answer.facet == "note":
                n_equal += any(entry.value == answer.values[0] for entry in entries)
            else:
                n_equal += row.note in entries[0].note and self._is_equal(entries, answer)
        return n_equal >= (_MIN_CONFIRMATIONS if row.is_confirmation else 1)

    def overruled_by(self, row: ReviewRow, answer: RowDecision) -> str:
        """Return the reviewer whose decision is used in place of `answer`; "" if `answer` is used.

        That is `adjudicated`, or a reviewer who decided otherwise on the same day or later.
        """
        if answer.facet in ("note", WITHDRAW):
            return ""
        facet = self.taxonomy.facets.get(answer.facet)
        groups = self._groups[row.paper.paper_id, answer.facet]
        given = {group: self._answer_of_rows(facet, entries) for group, entries in groups.items()}

        def agree(answers: Sequence[RowDecision]) -> bool:
            if facet is None:  # Two different reasons both exclude the paper.
                return len({each.values == WITHDRAWN for each in answers}) == 1
            return all(each.agrees_with(answers[0]) for each in answers)

        current = current_decision(given, agree)
        if current is not None and given[current].agrees_with(answer):
            return ""
        if current is not None and current[1] == ADJUDICATED:
            return ADJUDICATED
        if current is not None and facet is None:
            return ""
        others = [group for group in given if not given[group].agrees_with(answer)]
        return max(others, key=decision_sort_key)[1]

    def _answers_by_day(self, row: ReviewRow, answer: RowDecision) -> dict[str, list[Entry]]:
        """Return by date the ledger's rows of the reviewer on this facet and paper."""
        groups = self._groups.get((row.paper.paper_id, answer.facet), {})
        return {day: rows for (day, who), rows in groups.items() if who == row.reviewer}

    def _is_known(
        self, by_day: Mapping[str, Sequence[Entry]], row: ReviewRow, answer: RowDecision
    ) -> bool:
        newest, facet = by_day[max(by_day)], self.taxonomy.facets.get(answer.facet)
        if not self._is_equal(newest, answer) or row.note not in newest[0].note:
            return False
        if facet is None:
            return True
        # An equal answer on another day confirms a doubtful decision.
        if row.is_confirmation and max(by_day) < self.today:
            n_equal = sum(self._is_equal(entries, answer) for entries in by_day.values())
            if n_equal < _MIN_CONFIRMATIONS:
                return False
        unknown = self._unknown_categories(self._taxonomy_digest(row), facet)
        return self._unknown_categories(newest[0].taxonomy_digest, facet) <= unknown

    def _taxonomy_digest(self, row: ReviewRow) -> str:
        return row.labels.digest or self.taxonomy.digest

    def _ledger_rows(
        self, row: ReviewRow, answer: RowDecision, day: str, note: str, replaced: Sequence[Entry]
    ) -> list[Entry]:
        """Return the ledger's rows of an answer; they keep the further cells of replaced rows."""
        further = {entry.value: entry.further for entry in replaced}
        empty = ("",) * len(self.before.further_columns)
        primary = answer.primary
        facet = self.taxonomy.facets.get(answer.facet)
        if facet and facet.kind == "multi" and len(facet.top_ids_of(answer.values)) > 1:
            primary = answer.values[0]  # In each facet, the sheet shows the primary first.
        return [
            Entry(
                row.paper.paper_id,
                row.paper.title,
                answer.facet,
                value,
                value == primary != "",
                row.reviewer,
                day,
                row.drawn_by,
                self._taxonomy_digest(row),
                note,
                further=further.get(value, empty),
            )
            for value in answer.values
        ]

    def _is_equal(self, entries: Sequence[Entry], answer: RowDecision) -> bool:
        facet = self.taxonomy.facets.get(answer.facet)
        return self._answer_of_rows(facet, entries).agrees_with(answer)

    def _answer_of_rows(self, facet: Facet | None, entries: Sequence[Entry]) -> RowDecision:
        values, primary = [], ""
        for entry in sorted(entries):
            category = facet.resolve(entry.value) if facet else None
            if facet is None or category is None:
                values.append(entry.value)
                continue
            values += [facet.top_id_of(category.id), category.id]
            if entry.primary:
                primary = facet.top_id_of(category.id)
        if facet is not self.taxonomy.first:
            return RowDecision(entries[0].facet, tuple(dict.fromkeys(values)))
        tops = [top for top in facet.ids if top in values]
        return RowDecision(facet.id, tuple(dict.fromkeys(values)), primary or "".join(tops[:1]))

    def _unknown_categories(self, taxonomy_digest: str, facet: Facet) -> frozenset[str]:
        key = (taxonomy_digest, facet.id)
        if key not in self._unknown_cache:
            unknown = frozenset(self.versions.unknown_ids(taxonomy_digest, facet))
            self._unknown_cache[key] = unknown
        return self._unknown_cache[key]

    @cached_property
    def _groups(self) -> Groups:
        return self.before.groups(self.aliases)

    @cached_property
    def _acts(self) -> dict[str, dict[str, Entry]]:
        """Current rows of the earlier ledger, by editorial act and paper id."""
        acts = ("exclude", "remark", "key", *typed_columns(self.taxonomy))
        return {act: self.before.editorial(act, self.aliases) for act in acts}


@dataclass(frozen=True, slots=True)
class AppliedDecision:
    """One answer that was applied."""

    sheet: str
    row: int
    paper_id: str
    facet: str
    text: str
    """The decided labels or the act's text; "" for a withdrawn act."""
    reviewer: str
    state: State
    before: str = ""
    """The labels of the row or the current act; for `replaces`, the reviewer's earlier answer of
    the same day."""
    explanation: str = ""
    """Interpretation of the cell, and whether another decision is used instead."""

    def __str__(self) -> str:
        place = f"row {self.row}  {self.paper_id}  {self.facet}: {self.text or 'withdrawn'}"
        if self.state == "known":
            return f"{place} → already in the ledger"
        if self.facet == WITHDRAW:
            return f"row {self.row}  {self.paper_id}  all decisions → withdrawn by {self.reviewer}"
        if self.facet == "note":
            return f"{place} → noted by {self.reviewer}"
        before = f"was: {self.before}" if self.before else ""
        if self.state == "replaces":
            before = f"replaces today's: {self.before}"
        elif self.before == self.text:
            before = "as shown"
        details = "; ".join(filter(None, (before, self.explanation)))
        return f"{place} → decided by {self.reviewer}" + (f" ({details})" if details else "")


@dataclass(frozen=True, slots=True)
class AppliedRows:
    """The result of applying sheets."""

    ledger: Ledger
    answers: tuple[AppliedDecision, ...]
    """By sheet and row."""
    refused: tuple[Fault, ...]
    """By sheet and row; a row with a fault is not applied at all."""

    @property
    def has_changes(self) -> bool:
        """Whether the ledger differs from the earlier one."""
        return any(each.state != "known" for each in self.answers)


def apply_rows(sheets: Sequence[SheetFile], reader: RowReader, editor: LedgerEditor) -> AppliedRows:
    """Add the answers in the rows of `sheets` to `editor`, except those of rows with faults.

    Rows of one reviewer on one paper that contradict each other are all refused.
    """
    found = [each for sheet in sheets for each in reader.read(sheet)]
    rows = [each for each in found if isinstance(each, ReviewRow)]
    faults = [each for each in found if isinstance(each, Fault)]
    refused = [*_contradictions(rows), *_void_withdrawals(rows, editor)]
    faults += [add_place_in_sheet(fault, row.sheet, row.number) for row, fault in refused]
    order = {sheet.file: position for position, sheet in enumerate(sheets)}
    faults.sort(key=lambda fault: (order[fault.file], fault.line or 0))
    refused_ids = {id(row) for row, _ in refused}
    applied = tuple(
        _apply_answer(row, answer, editor)
        for row in rows
        if id(row) not in refused_ids
        for answer in _all_answers(row, editor)
    )
    return AppliedRows(editor.ledger(), applied, tuple(faults))


def pending_edits(sheet: SheetFile, reader: RowReader, editor: LedgerEditor) -> list[Fault]:
    """Return faults for answers that are not in the ledger, invalid cells, and unknown columns.

    reader: with the reviewer `ANYONE`.
    """
    faults: list[Fault] = []
    for row in reader.read(sheet):
        if isinstance(row, Fault):
            faults.append(row)
            continue
        missing = next((each for each in row.answers if not editor.contains(row, each)), None)
        if missing is not None:
            text = f"'{JOINER.join(missing.values)}'"
            fault = cell_fault(missing.facet, text, "an answer in the ledger")
            faults.append(add_place_in_sheet(fault, sheet, row.number))
    return [*faults, *unplaced_cells(sheet, reader.taxonomy)]


def _all_answers(row: ReviewRow, editor: LedgerEditor) -> tuple[RowDecision, ...]:
    """Return the answers of a row; adjudicated labels of an excluded paper keep the paper."""
    facets = {answer.facet for answer in row.answers}
    first, paper_id = editor.taxonomy.first.id, row.paper.paper_id
    keeps = row.reviewer == ADJUDICATED and first in facets and "exclude" not in facets
    if keeps and editor.current_text("exclude", paper_id):
        return (*row.answers, RowDecision("exclude", WITHDRAWN, explanation="kept in the survey"))
    return row.answers


def _apply_answer(row: ReviewRow, answer: RowDecision, editor: LedgerEditor) -> AppliedDecision:
    paper_id = row.paper.paper_id
    earlier = row.labels.categories.get(answer.facet, ())
    # After the primary, the order of categories has no meaning.
    is_unchanged = earlier[:1] == answer.values[:1] and set(earlier) == set(answer.values)
    before = JOINER.join(answer.values if is_unchanged else earlier)
    if editor.is_act(answer.facet):
        before = editor.current_text(answer.facet, paper_id)
    state, replaced = editor.add(row, answer)
    explanation = reviewer = editor.overruled_by(row, answer)
    if reviewer == ADJUDICATED:
        explanation = "the adjudicated decision is used"
    elif reviewer:
        explanation = (
            f"{reviewer} decided otherwise on that day: the earlier decision is used until one is "
            "adjudicated"
        )
    return AppliedDecision(
        row.sheet.file,
        row.number,
        paper_id,
        answer.facet,
        JOINER.join(answer.values),
        row.reviewer,
        state,
        replaced or before,
        "; ".join(filter(None, (answer.explanation, explanation))),
    )


def _contradictions(rows: Sequence[ReviewRow]) -> Iterator[tuple[ReviewRow, Fault]]:
    """Yield the rows of one reviewer on one paper with different answers in a facet."""
    given: dict[tuple[str, str, str], list[tuple[ReviewRow, RowDecision]]] = {}
    for row in rows:
        for answer in row.answers:
            key = (row.paper.paper_id, row.reviewer, answer.facet)
            given.setdefault(key, []).append((row, answer))
    for (paper_id, reviewer, facet), answers in given.items():
        if facet == "note" or all(answer.agrees_with(answers[0][1]) for _, answer in answers):
            continue
        for row, answer in answers:
            others = ", ".join(
                f"'{JOINER.join(other.values)}' (row {other_row.number} of {other_row.sheet.file})"
                for other_row, other in answers
                if not other.agrees_with(answer)
            )
            found = f"'{JOINER.join(answer.values)}' for {facet} of {paper_id}, and {others}"
            expected = f"one answer of {reviewer} on each paper"
            yield row, cell_fault(facet, found, expected, "Empty all but one of them.")


def _void_withdrawals(
    rows: Sequence[ReviewRow], editor: LedgerEditor
) -> Iterator[tuple[ReviewRow, Fault]]:
    """Yield the rows that withdraw an act that does not exist."""
    names = {"remark": "a remark", "key": "a key mark"}
    for row in rows:
        for answer in row.answers:
            if not editor.is_act(answer.facet) or editor.may_withdraw(row, answer):
                continue
            column = "verdict" if answer.facet == "key" else answer.facet
            expected, hint = "a reason", "This paper is not excluded; empty the cell."
            if answer.facet != "exclude":
                name = names.get(answer.facet, "a value that a person typed")
                expected, hint = f"a paper with {name}, but this one has none", "Empty the cell."
            yield row, cell_fault(column, f"'{row.row.cells[column].strip()}'", expected, hint)
