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
from classifier.review.ledger import ADJUDICATED, Entry, Groups, Ledger, by_time, current_decision
from classifier.review.read_rows import ANYONE, ReviewRow, RowReader
from classifier.review.sheet import cell_fault, typed_columns
from classifier.review.sheet_file import SheetFile, in_sheet
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.taxonomy.versions import Versions

ACTS = ("exclude", "remark", "key")
State = Literal["new", "replaces", "known"]
_CONFIRMED = 2
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
    _masks: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict, init=False)

    def ledger(self) -> Ledger:
        """Return the ledger with all answers."""
        groups = (rows for by_group in self._groups.values() for rows in by_group.values())
        return Ledger(
            tuple(entry for rows in groups for entry in rows), self.before.further_columns
        )

    def current_text(self, act: str, paper_id: str) -> str:
        """Return the text of an editorial act in the earlier ledger; "" without one."""
        entry = self._acts[act].get(paper_id)
        return entry.value if entry else ""

    def may_withdraw(self, row: ReviewRow, answer: RowDecision) -> bool:
        """Return whether there is an act to withdraw, or this reviewer withdrew it before."""
        if answer.values != WITHDRAWN or self.current_text(answer.facet, row.paper.paper_id):
            return True
        own = self._own(row, answer)
        return bool(own) and all(not entry.value for entry in own[max(own)])

    def write(self, row: ReviewRow, answer: RowDecision) -> tuple[State, str]:
        """Add an answer; return whether it is new, and the answer of today that it replaces."""
        if answer.facet == WITHDRAW:
            return self._withdraw(row)
        own = self._own(row, answer)
        groups = self._groups.setdefault((row.paper.paper_id, answer.facet), {})
        if answer.facet == "note":  # notes are not decisions, and all are kept
            if any(entry.value == answer.values[0] for rows in own.values() for entry in rows):
                return "known", ""
            rows = groups.setdefault((self.today, row.reviewer), [])
            rows += self._rows(row, answer, self.today, "", [])
            return "new", ""
        if own and self._contains(own, row, answer):
            return "known", ""
        day = max([self.today, *own])  # a later date would overrule this answer
        replaced = own.get(day, [])
        note = replaced[0].note if replaced else ""
        if row.note not in note:
            note = f"{note}{JOINER}{row.note}" if note else row.note
        groups[day, row.reviewer] = self._rows(row, answer, day, note, replaced)
        before = sorted(replaced, key=lambda entry: (not entry.primary, entry.value))
        return "replaces" if replaced else "new", JOINER.join(entry.value for entry in before)

    def _withdraw(self, row: ReviewRow) -> tuple[State, str]:
        """Delete all decisions of the row's reviewer on its paper."""
        own = self._groups_of(row)
        for by_group, group in own:
            del by_group[group]
        return ("new" if own else "known"), ""

    def _groups_of(
        self, row: ReviewRow
    ) -> list[tuple[dict[tuple[str, str], list[Entry]], tuple[str, str]]]:
        """Return (groups of a facet, key of a group) of the reviewer's decisions on the paper."""
        return [
            (by_group, group)
            for (paper_id, _), by_group in self._groups.items()
            for group in by_group
            if paper_id == row.paper.paper_id and group[1] == row.reviewer
        ]

    def has(self, row: ReviewRow, answer: RowDecision) -> bool:
        """Return whether the ledger has an answer with its note, at any date.

        If the reviewer is `ANYONE`, an answer of any reviewer counts.
        """
        if answer.facet == WITHDRAW:
            return not self._groups_of(row)
        groups = self._groups.get((row.paper.paper_id, answer.facet), {})
        facet = self.taxonomy.facets.get(answer.facet)
        same = 0
        for (_, reviewer), rows in groups.items():
            if row.reviewer not in (reviewer, ANYONE):
                continue
            if answer.facet == "note":
                same += any(entry.value == answer.values[0] for entry in rows)
            elif row.note in rows[0].note and self._answer(facet, rows).agrees_with(answer):
                same += 1
        return same >= (_CONFIRMED if self._is_confirmation(row) else 1)

    def overruled_by(self, row: ReviewRow, answer: RowDecision) -> str:
        """Return the reviewer whose decision is used in place of `answer`; "" if `answer` is used.

        That is `adjudicated`, or a reviewer who decided otherwise on the same day or later.
        """
        if answer.facet in ("note", WITHDRAW):
            return ""
        facet = self.taxonomy.facets.get(answer.facet)
        groups = self._groups[row.paper.paper_id, answer.facet]
        given = {group: self._answer(facet, rows) for group, rows in groups.items()}

        def agree(answers: Sequence[RowDecision]) -> bool:
            if facet is None:  # two different reasons both exclude the paper
                return len({each.values == WITHDRAWN for each in answers}) == 1
            return all(each.agrees_with(answers[0]) for each in answers)

        chosen = current_decision(given, agree)
        if chosen is not None and given[chosen].agrees_with(answer):
            return ""
        if chosen is not None and chosen[1] == ADJUDICATED:
            return ADJUDICATED
        if chosen is not None and facet is None:
            return ""
        others = [group for group in given if not given[group].agrees_with(answer)]
        return max(others, key=by_time)[1]

    def _own(self, row: ReviewRow, answer: RowDecision) -> dict[str, list[Entry]]:
        """Return date -> the ledger's rows of the reviewer on this facet and paper."""
        groups = self._groups.get((row.paper.paper_id, answer.facet), {})
        return {day: rows for (day, who), rows in groups.items() if who == row.reviewer}

    def _contains(
        self, own: Mapping[str, Sequence[Entry]], row: ReviewRow, answer: RowDecision
    ) -> bool:
        """Return whether the newest decision of the reviewer equals the answer with its note."""
        newest, facet = own[max(own)], self.taxonomy.facets.get(answer.facet)
        if not self._answer(facet, newest).agrees_with(answer) or row.note not in newest[0].note:
            return False
        if facet is None:
            return True
        # A second answer on another day confirms a doubtful decision.
        if self._is_confirmation(row) and max(own) < self.today:
            same = [self._answer(facet, rows).agrees_with(answer) for rows in own.values()]
            if sum(same) < _CONFIRMED:
                return False
        unknown = self._unknown(row.sheet_labels.digest or self.taxonomy.digest, facet)
        return self._unknown(newest[0].taxonomy_digest, facet) <= unknown

    def _is_confirmation(self, row: ReviewRow) -> bool:
        """Return whether the queue selected a reviewed paper for a second look."""
        status = row.row.cells.get("status", "").strip()
        return row.drawn_by == "queue" and status == "reviewed"

    def _rows(
        self, row: ReviewRow, answer: RowDecision, day: str, note: str, replaced: Sequence[Entry]
    ) -> list[Entry]:
        foreign = {entry.value: entry.further for entry in replaced}
        none = ("",) * len(self.before.further_columns)
        digest = row.sheet_labels.digest or self.taxonomy.digest
        lead = answer.primary
        facet = self.taxonomy.facets.get(answer.facet)
        if facet and facet.kind == "multi" and len(facet.tops_of(answer.values)) > 1:
            lead = answer.values[0]  # also of another facet: the sheet shows it first
        return [
            Entry(
                row.paper.paper_id,
                row.paper.title,
                answer.facet,
                value,
                value == lead != "",
                row.reviewer,
                day,
                row.drawn_by,
                digest,
                note,
                further=foreign.get(value, none),
            )
            for value in answer.values
        ]

    def _answer(self, facet: Facet | None, rows: Sequence[Entry]) -> RowDecision:
        """Return rows of the ledger as an answer."""
        values, primary = [], ""
        for entry in sorted(rows):
            category = facet.resolve(entry.value) if facet else None
            if facet is None or category is None:
                values.append(entry.value)
                continue
            values += [facet.top_of(category.id), category.id]
            if entry.primary:
                primary = facet.top_of(category.id)
        if facet is not self.taxonomy.first:
            return RowDecision(rows[0].facet, tuple(dict.fromkeys(values)))
        tops = [top for top in facet.ids if top in values]
        return RowDecision(facet.id, tuple(dict.fromkeys(values)), primary or "".join(tops[:1]))

    def _unknown(self, taxonomy_digest: str, facet: Facet) -> frozenset[str]:
        """Return the current categories that did not exist under `taxonomy_digest`."""
        key = (taxonomy_digest, facet.id)
        if key not in self._masks:
            self._masks[key] = frozenset(self.versions.unknown(taxonomy_digest, facet))
        return self._masks[key]

    @cached_property
    def _groups(self) -> Groups:
        return self.before.groups(self.aliases)

    @cached_property
    def _acts(self) -> dict[str, dict[str, Entry]]:
        acts = (*ACTS, *typed_columns(self.taxonomy))
        return {act: self.before.editorial(act, self.aliases) for act in acts}


_WITHDRAWN = {"remark": "a remark", "key": "a key mark"}


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
    """The labels shown or the current act; for `replaces`, the reviewer's earlier answer of the
    same day."""
    explanation: str = ""
    """How the cell was understood, and whether another decision overrules it."""

    def __str__(self) -> str:
        place = f"row {self.row}  {self.paper_id}  {self.facet}: {self.text or 'withdrawn'}"
        if self.state == "known":
            return f"{place} → already in the ledger"
        if self.facet == WITHDRAW:
            return f"row {self.row}  {self.paper_id}  all decisions → withdrawn by {self.reviewer}"
        if self.facet == "note":
            return f"{place} → noted by {self.reviewer}"
        was = f"was: {self.before}" if self.before else ""
        if self.state == "replaces":
            was = f"replaces today's: {self.before}"
        elif self.before == self.text:
            was = "as shown"
        details = "; ".join(filter(None, (was, self.explanation)))
        return f"{place} → decided by {self.reviewer}" + (f" ({details})" if details else "")


@dataclass(frozen=True, slots=True)
class AppliedRows:
    """The result of applying sheets."""

    ledger: Ledger
    answers: tuple[AppliedDecision, ...]
    """By sheet and row."""
    refused: tuple[Fault, ...]
    """By sheet and row; a refused row is not applied at all."""

    @property
    def has_changes(self) -> bool:
        """Whether the ledger differs from the earlier one."""
        return any(each.state != "known" for each in self.answers)


def apply_rows(sheets: Sequence[SheetFile], reader: RowReader, editor: LedgerEditor) -> AppliedRows:
    """Add the answers in the rows of `sheets` to `editor`, except those of invalid rows.

    Rows of one reviewer on one paper that contradict each other are all refused.
    """
    found = [each for sheet in sheets for each in reader.read(sheet)]
    rows = [each for each in found if isinstance(each, ReviewRow)]
    refusals = [each for each in found if isinstance(each, Fault)]
    invalid = [*_contradictions(rows), *_void_withdrawals(rows, editor)]
    refusals += [in_sheet(fault, row.sheet, row.number) for row, fault in invalid]
    order = {sheet.file: position for position, sheet in enumerate(sheets)}
    refusals.sort(key=lambda each: (order[each.file], each.line or 0))
    invalid_ids = {id(row) for row, _ in invalid}
    valid = [row for row in rows if id(row) not in invalid_ids]
    answers = tuple(
        _applied(row, answer, editor) for row in valid for answer in _all_answers(row, editor)
    )
    return AppliedRows(editor.ledger(), answers, tuple(refusals))


def pending_edits(sheet: SheetFile, reader: RowReader, editor: LedgerEditor) -> list[Fault]:
    """Return faults for answers not in the ledger, refused cells, and columns of a person's own.

    reader: with the reviewer `ANYONE`.
    """
    found: list[Fault] = []
    for each in reader.read(sheet):
        if isinstance(each, Fault):
            found.append(each)
            continue
        for answer in each.answers:
            if not editor.has(each, answer):
                value = f"'{JOINER.join(answer.values)}'"
                fault = cell_fault(answer.facet, value, "an answer in the ledger")
                found.append(in_sheet(fault, sheet, each.number))
                break
    return [*found, *unplaced_cells(sheet, reader.taxonomy)]


def _all_answers(row: ReviewRow, editor: LedgerEditor) -> tuple[RowDecision, ...]:
    """Return the answers of a row; adjudicated labels of an excluded paper keep the paper."""
    facets = {answer.facet for answer in row.answers}
    first, paper_id = editor.taxonomy.first.id, row.paper.paper_id
    keeps = row.reviewer == ADJUDICATED and first in facets and "exclude" not in facets
    if keeps and editor.current_text("exclude", paper_id):
        return (*row.answers, RowDecision("exclude", WITHDRAWN, explanation="kept in the survey"))
    return row.answers


def _applied(row: ReviewRow, answer: RowDecision, editor: LedgerEditor) -> AppliedDecision:
    """Add an answer of a row to the ledger and return its report."""
    paper_id = row.paper.paper_id
    written = row.sheet_labels.categories.get(answer.facet, ())
    # After the primary, the order of categories has no meaning.
    is_unchanged = written[:1] == answer.values[:1] and set(written) == set(answer.values)
    before = JOINER.join(answer.values if is_unchanged else written)
    if answer.facet in (*ACTS, *typed_columns(editor.taxonomy)):
        before = editor.current_text(answer.facet, paper_id)
    state, replaced = editor.write(row, answer)
    overruled = by = editor.overruled_by(row, answer)
    if by == ADJUDICATED:
        overruled = "the adjudicated decision is used"
    elif by:
        overruled = (
            f"{by} decided otherwise on that day: the earlier decision is used until one is "
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
        "; ".join(filter(None, (answer.explanation, overruled))),
    )


def _contradictions(rows: Sequence[ReviewRow]) -> Iterator[tuple[ReviewRow, Fault]]:
    """Yield the rows of one reviewer on one paper with different answers on a facet."""
    given: dict[tuple[str, str, str], list[tuple[ReviewRow, RowDecision]]] = {}
    for row in rows:
        for answer in row.answers:
            key = (row.paper.paper_id, row.reviewer, answer.facet)
            given.setdefault(key, []).append((row, answer))
    for (paper_id, reviewer, facet), each in given.items():
        if facet == "note" or all(answer.agrees_with(each[0][1]) for _, answer in each):
            continue
        for row, answer in each:
            others = ", ".join(
                f"'{JOINER.join(other.values)}' (row {there.number} of {there.sheet.file})"
                for there, other in each
                if not other.agrees_with(answer)
            )
            found = f"'{JOINER.join(answer.values)}' for {facet} of {paper_id}, and {others}"
            expected = f"one answer of {reviewer} on each paper"
            yield row, cell_fault(facet, found, expected, "Empty all but one of them.")


def _void_withdrawals(
    rows: Sequence[ReviewRow], editor: LedgerEditor
) -> Iterator[tuple[ReviewRow, Fault]]:
    """Yield the rows that withdraw an act that does not exist."""
    for row in rows:
        for answer in row.answers:
            acts = (*ACTS, *typed_columns(editor.taxonomy))
            if answer.facet not in acts or editor.may_withdraw(row, answer):
                continue
            column = "verdict" if answer.facet == "key" else answer.facet
            expected, hint = "a reason", "This paper is not excluded; empty the cell."
            if answer.facet != "exclude":
                what = _WITHDRAWN.get(answer.facet, "a value by hand")
                expected = f"a paper with {what}, but this one has none"
                hint = "Empty the cell."
            yield row, cell_fault(column, f"'{row.row.cells[column].strip()}'", expected, hint)
