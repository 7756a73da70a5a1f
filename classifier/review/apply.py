"""From the filled rows of sheets to the ledger, each answer reported one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from classifier.errors import Fault
from classifier.files.table import Row
from classifier.review.acts import RowDecision
from classifier.review.ledger import ADJUDICATED, Ledger
from classifier.review.ledger_editor import ACTS, LedgerEditor, State
from classifier.review.read_rows import ReviewRow, RowReader
from classifier.review.sheet import (
    checksum,
    human_columns,
    label_columns,
    refused,
    with_checksum,
    without_checksum,
)
from classifier.review.sheet_file import SheetFile, in_sheet
from classifier.taxonomy.columns import JOINER
from classifier.taxonomy.model import NOT_STATED, Taxonomy

_WITHDRAWN = {"remark": "a remark", "key": "a key mark"}


@dataclass(frozen=True, slots=True)
class AppliedDecision:
    """One answer that was taken up."""

    sheet: str
    row: int
    paper_id: str
    facet: str
    text: str
    """What was decided; "" for an act that was taken back."""
    reviewer: str
    state: State
    before: str = ""
    """What the row showed, or what was in force; for `replaces` what the same person said before
    on the same day."""
    said: str = ""
    """What was read into the cell."""

    def __str__(self) -> str:
        text = self.text or "withdrawn"
        place = f"row {self.row}  {self.paper_id}  {self.facet}: {text}"
        if self.state == "known":
            return f"{place} → already in the ledger"
        if self.facet == "note":
            return f"{place} → noted by {self.reviewer}"
        aside = "; ".join(filter(None, (self._was, self.said)))
        return f"{place} → decided by {self.reviewer}" + (f" ({aside})" if aside else "")

    @property
    def _was(self) -> str:
        if self.state == "replaces":
            return f"replaces today's: {self.before}"
        if self.before == self.text:
            return "as shown"
        return f"was: {self.before}" if self.before else ""


@dataclass(frozen=True, slots=True)
class AppliedRows:
    """What became of some sheets."""

    ledger: Ledger
    taken: tuple[AppliedDecision, ...]
    """By sheet and row."""
    refused: tuple[Fault, ...]
    """By sheet and row; a row with one of them was not taken up at all."""
    rows: tuple[dict[int, Row], ...]
    """Of each sheet: row number -> the row as it is now, where it was taken up."""

    @property
    def is_news(self) -> bool:
        """Whether the ledger says anything that it did not say before."""
        return any(each.state != "known" for each in self.taken)

    def digests(self) -> frozenset[str]:
        """Return the taxonomy digests that the ledger names."""
        return frozenset(entry.taxonomy_digest for entry in self.ledger.entries)


def apply_rows(sheets: Sequence[SheetFile], reader: RowReader, editor: LedgerEditor) -> AppliedRows:
    """Write what the rows of `sheets` state into `editor`; bad rows are refused, good ones taken.

    Rows of one person on one paper that contradict each other are refused, all of them.
    """
    refused: list[Fault] = []
    statements: list[ReviewRow] = []
    for sheet in sheets:
        for found in reader.read(sheet):
            if isinstance(found, ReviewRow):
                statements.append(found)
            else:
                refused.append(found)
    doubtful = [*_contradictions(statements), *_no_ops(statements, editor)]
    refused += [in_sheet(refusal, s.sheet, s.number) for s, refusal in doubtful]
    out = {id(statement) for statement, _ in doubtful}
    good = [statement for statement in statements if id(statement) not in out]
    taken = tuple(each for statement in good for each in _taken(statement, editor))
    order = {sheet.shown: position for position, sheet in enumerate(sheets)}
    refused.sort(key=lambda each: (order[each.file], each.line or 0))
    return AppliedRows(editor.ledger(), taken, tuple(refused), _rewritten(sheets, good, reader))


def _taken(statement: ReviewRow, editor: LedgerEditor) -> Iterator[AppliedDecision]:
    """Write the answers of a statement, and tell each."""
    for answer in statement.answers:
        paper_id = statement.paper.paper_id
        if answer.facet in ACTS:
            before = editor.in_force(answer.facet, paper_id)
        else:
            before = JOINER.join(statement.shown.categories.get(answer.facet, ()))
        state, replaced = editor.write(statement, answer)
        overruled = _overruled(editor.overruled_by(statement, answer))
        yield AppliedDecision(
            statement.sheet.shown,
            statement.number,
            paper_id,
            answer.facet,
            JOINER.join(answer.values),
            statement.reviewer,
            state,
            replaced or before,
            "; ".join(filter(None, (answer.said, overruled))),
        )


def _overruled(by: str) -> str:
    """Return that a decision stays in force beside the one that is told."""
    if by in ("", ADJUDICATED):
        return by and "what was adjudicated stays in force"
    return f"{by} says otherwise on that day: what stood before stays until it is adjudicated"


def _contradictions(statements: Iterable[ReviewRow]) -> Iterator[tuple[ReviewRow, Fault]]:
    """Yield the statements of one person on one paper that say different things of a facet."""
    said: dict[tuple[str, str, str], list[tuple[ReviewRow, RowDecision]]] = {}
    for statement in statements:
        for answer in statement.answers:
            key = (statement.paper.paper_id, statement.reviewer, answer.facet)
            said.setdefault(key, []).append((statement, answer))
    for (paper_id, reviewer, facet), each in said.items():
        first = each[0][1]
        if facet == "note" or all(answer.agrees_with(first) for _, answer in each):
            continue
        for statement, answer in each:
            others = ", ".join(
                f"'{JOINER.join(other.values)}' (row {there.number} of {there.sheet.shown})"
                for there, other in each
                if not other.agrees_with(answer)
            )
            found = f"'{JOINER.join(answer.values)}' for {facet} of {paper_id} beside {others}"
            wanted = f"one answer of {reviewer} on one paper"
            yield statement, refused(facet, found, wanted, "Empty all but one of them.")


def _no_ops(
    statements: Iterable[ReviewRow], editor: LedgerEditor
) -> Iterator[tuple[ReviewRow, Fault]]:
    """Yield the statements that take back what is not there."""
    for statement in statements:
        for answer in statement.answers:
            if answer.facet in ACTS and not editor.may_withdraw(statement, answer):
                column = "verdict" if answer.facet == "key" else answer.facet
                found = f"'{statement.row.cells[column].strip()}'"
                if answer.facet == "exclude":
                    wanted, cure = "a reason", "This paper is not left out; empty the cell."
                else:
                    wanted = f"a paper with {_WITHDRAWN[answer.facet]}, which this one has not"
                    cure = "Empty the cell."
                yield statement, refused(column, found, wanted, cure)


def _rewritten(
    sheets: Sequence[SheetFile], statements: Iterable[ReviewRow], reader: RowReader
) -> tuple[dict[int, Row], ...]:
    rows: dict[str, dict[int, Row]] = {sheet.shown: {} for sheet in sheets}
    for statement in statements:
        row = rewritten(statement, reader.taxonomy)
        rows[statement.sheet.shown][statement.number] = row
    return tuple(rows[sheet.shown] for sheet in sheets)


def rewritten(statement: ReviewRow, taxonomy: Taxonomy) -> Row:
    """Return the row with what was decided in its label columns, its human cells empty.

    Only columns that the sheet has are written. Other cells stay as they are, and so does
    `adjudicated`: what else is settled in the row of a dispute is adjudicated, too.
    """
    cells = dict(statement.row.cells)
    cells |= {column: "" for column in human_columns(taxonomy) if column in cells}
    if statement.reviewer == ADJUDICATED and "reviewer" in cells:
        cells["reviewer"] = ADJUDICATED
    decided = {answer.facet: answer for answer in statement.answers}
    labels = {
        "topics" if answer.facet == taxonomy.first.id else answer.facet: _cell(answer)
        for answer in decided.values()
        if answer.facet in taxonomy.facets
    }
    if taxonomy.first.id in decided:
        labels |= {"primary": decided[taxonomy.first.id].primary}
        labels |= {"status": "reviewed", "confidence": "1.00"}
    cells |= {column: cell for column, cell in labels.items() if column in cells}
    if labels and "why" in cells:
        cells["why"] = _why(statement, taxonomy, cells, labels)
    return Row(statement.row.line, cells, statement.row.extra, statement.row.row)


def _cell(answer: RowDecision) -> str:
    """Return labels as a build shows them: an empty cell where nothing is stated."""
    return JOINER.join(value for value in answer.values if value != NOT_STATED)


def _why(
    statement: ReviewRow, taxonomy: Taxonomy, cells: dict[str, str], decided: Collection[str]
) -> str:
    """Return who decided; with a checksum where all labels are Fieldguide's or decided."""
    why = without_checksum(cells["why"])
    if "primary" in decided:
        why = f"decided by {statement.reviewer}"
    shown = statement.shown
    if shown.trusted:
        digest = shown.digest or taxonomy.digest
        return with_checksum(why, checksum(cells, shown.columns, digest))
    columns = label_columns(taxonomy)
    if all(column in cells and (column in decided or not cells[column]) for column in columns):
        return with_checksum(why, checksum(cells, columns, taxonomy.digest))
    return why
