"""From the filled rows of sheets to the ledger, each answer reported one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        place = f"row {self.row}  {self.paper_id}  {self.facet}: {self.text or 'withdrawn'}"
        if self.state == "known":
            return f"{place} → already in the ledger"
        if self.facet == "note":
            return f"{place} → noted by {self.reviewer}"
        was = f"was: {self.before}" if self.before else ""
        if self.state == "replaces":
            was = f"replaces today's: {self.before}"
        elif self.before == self.text:
            was = "as shown"
        aside = "; ".join(filter(None, (was, self.said)))
        return f"{place} → decided by {self.reviewer}" + (f" ({aside})" if aside else "")


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
    found = [each for sheet in sheets for each in reader.read(sheet)]
    rows = [each for each in found if isinstance(each, ReviewRow)]
    refusals = [each for each in found if isinstance(each, Fault)]
    doubtful = [*_contradictions(rows), *_no_ops(rows, editor)]
    refusals += [in_sheet(fault, row.sheet, row.number) for row, fault in doubtful]
    order = {sheet.shown: position for position, sheet in enumerate(sheets)}
    refusals.sort(key=lambda each: (order[each.file], each.line or 0))
    out = {id(row) for row, _ in doubtful}
    good = [row for row in rows if id(row) not in out]
    taken = tuple(_applied(row, answer, editor) for row in good for answer in row.answers)
    rewritten: dict[str, dict[int, Row]] = {sheet.shown: {} for sheet in sheets}
    for row in good:
        rewritten[row.sheet.shown][row.number] = _rewritten(row, reader.taxonomy)
    by_sheet = tuple(rewritten[sheet.shown] for sheet in sheets)
    return AppliedRows(editor.ledger(), taken, tuple(refusals), by_sheet)


def _applied(row: ReviewRow, answer: RowDecision, editor: LedgerEditor) -> AppliedDecision:
    """Write an answer of a row."""
    paper_id = row.paper.paper_id
    before = JOINER.join(row.shown.categories.get(answer.facet, ()))
    if answer.facet in ACTS:
        before = editor.in_force(answer.facet, paper_id)
    state, replaced = editor.write(row, answer)
    overruled = by = editor.overruled_by(row, answer)
    if by == ADJUDICATED:
        overruled = "what was adjudicated stays in force"
    elif by:
        overruled = (
            f"{by} says otherwise on that day: what stood before stays until it is adjudicated"
        )
    return AppliedDecision(
        row.sheet.shown,
        row.number,
        paper_id,
        answer.facet,
        JOINER.join(answer.values),
        row.reviewer,
        state,
        replaced or before,
        "; ".join(filter(None, (answer.said, overruled))),
    )


def _contradictions(rows: Sequence[ReviewRow]) -> Iterator[tuple[ReviewRow, Fault]]:
    """Yield the rows of one person on one paper that say different things of a facet."""
    said: dict[tuple[str, str, str], list[tuple[ReviewRow, RowDecision]]] = {}
    for row in rows:
        for answer in row.answers:
            key = (row.paper.paper_id, row.reviewer, answer.facet)
            said.setdefault(key, []).append((row, answer))
    for (paper_id, reviewer, facet), each in said.items():
        if facet == "note" or all(answer.agrees_with(each[0][1]) for _, answer in each):
            continue
        for row, answer in each:
            others = ", ".join(
                f"'{JOINER.join(other.values)}' (row {there.number} of {there.sheet.shown})"
                for there, other in each
                if not other.agrees_with(answer)
            )
            found = f"'{JOINER.join(answer.values)}' for {facet} of {paper_id} beside {others}"
            wanted = f"one answer of {reviewer} on one paper"
            yield row, refused(facet, found, wanted, "Empty all but one of them.")


def _no_ops(rows: Sequence[ReviewRow], editor: LedgerEditor) -> Iterator[tuple[ReviewRow, Fault]]:
    """Yield the rows that take back what is not there."""
    for row in rows:
        for answer in row.answers:
            if answer.facet not in ACTS or editor.may_withdraw(row, answer):
                continue
            column = "verdict" if answer.facet == "key" else answer.facet
            wanted, cure = "a reason", "This paper is not left out; empty the cell."
            if answer.facet != "exclude":
                wanted = f"a paper with {_WITHDRAWN[answer.facet]}, which this one has not"
                cure = "Empty the cell."
            yield row, refused(column, f"'{row.row.cells[column].strip()}'", wanted, cure)


def _rewritten(row: ReviewRow, taxonomy: Taxonomy) -> Row:
    """Return the row with what was decided in its label columns, its human cells empty.

    Only columns that the sheet has are written. Other cells stay as they are, and so does
    `adjudicated`: what else is settled in the row of a dispute is adjudicated, too.
    """
    cells = dict(row.row.cells)
    cells |= {column: "" for column in human_columns(taxonomy) if column in cells}
    if row.reviewer == ADJUDICATED and "reviewer" in cells:
        cells["reviewer"] = ADJUDICATED
    first, labels = taxonomy.first.id, dict[str, str]()
    for answer in row.answers:
        if answer.facet in taxonomy.facets:  # as a build shows them: empty where nothing is stated
            values = JOINER.join(value for value in answer.values if value != NOT_STATED)
            labels["topics" if answer.facet == first else answer.facet] = values
        if answer.facet == first:
            labels |= {"primary": answer.primary, "status": "reviewed", "confidence": "1.00"}
    cells |= {column: cell for column, cell in labels.items() if column in cells}
    if labels and "why" in cells:
        why = without_checksum(cells["why"])
        cells["why"] = f"decided by {row.reviewer}" if "primary" in labels else why
        cells["why"] += _mark(row, taxonomy, cells, labels)
    return Row(row.row.line, cells, row.row.extra, row.row.row)


def _mark(
    row: ReviewRow, taxonomy: Taxonomy, cells: dict[str, str], decided: dict[str, str]
) -> str:
    """Return the checksum of a row of which all labels are Fieldguide's or decided, else ""."""
    if row.shown.trusted:
        digest = row.shown.digest or taxonomy.digest
        return with_checksum("", checksum(cells, row.shown.columns, digest))
    columns = label_columns(taxonomy)
    if all(column in cells and (column in decided or not cells[column]) for column in columns):
        return with_checksum("", checksum(cells, columns, taxonomy.digest))
    return ""
