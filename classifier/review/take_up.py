"""Taking edits up: from the filled rows of sheets to the ledger, each row told one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from classifier.files.table import Row
from classifier.review.answer import Answer
from classifier.review.draft import ACTS, Draft, State
from classifier.review.ledger import ADJUDICATED, Ledger
from classifier.review.refusal import Refusal, RefusedCell
from classifier.review.rewrite import rewritten
from classifier.review.sheet import JOINER
from classifier.review.sheet_file import SheetFile
from classifier.review.statement import Statement, StatementReader

_WITHDRAWN = {"remark": "a remark", "key": "a key mark"}


@dataclass(frozen=True, slots=True)
class Taken:
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
class TakenUp:
    """What became of some sheets."""

    ledger: Ledger
    taken: tuple[Taken, ...]
    """By sheet and row."""
    refused: tuple[RefusedCell, ...]
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


def take_up(sheets: Sequence[SheetFile], reader: StatementReader, draft: Draft) -> TakenUp:
    """Write what the rows of `sheets` state into `draft`; bad rows are refused, good ones taken.

    Rows of one person on one paper that contradict each other are refused, all of them.
    """
    refused: list[RefusedCell] = []
    statements: list[Statement] = []
    for sheet in sheets:
        for found in reader.read(sheet):
            if isinstance(found, Statement):
                statements.append(found)
            else:
                refused.append(found)
    doubtful = [*_contradictions(statements), *_vain(statements, draft)]
    refused += [RefusedCell(s.sheet.shown, s.number, refusal) for s, refusal in doubtful]
    out = {id(statement) for statement, _ in doubtful}
    good = [statement for statement in statements if id(statement) not in out]
    taken = tuple(each for statement in good for each in _taken(statement, draft))
    order = {sheet.shown: position for position, sheet in enumerate(sheets)}
    refused.sort(key=lambda each: (order[each.sheet], each.row))
    return TakenUp(draft.ledger(), taken, tuple(refused), _rewritten(sheets, good, reader))


def _taken(statement: Statement, draft: Draft) -> Iterator[Taken]:
    """Write the answers of a statement, and tell each."""
    for answer in statement.answers:
        paper_id = statement.paper.paper_id
        if answer.facet in ACTS:
            before = draft.in_force(answer.facet, paper_id)
        else:
            before = JOINER.join(statement.shown.categories.get(answer.facet, ()))
        state, replaced = draft.write(statement, answer)
        overruled = _overruled(draft.overruled_by(statement, answer))
        yield Taken(
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
    return f"what {by} says stays in force, of one day the last by name: adjudicate to change it"


def _contradictions(statements: Iterable[Statement]) -> Iterator[tuple[Statement, Refusal]]:
    """Yield the statements of one person on one paper that say different things of a facet."""
    said: dict[tuple[str, str, str], list[tuple[Statement, Answer]]] = {}
    for statement in statements:
        for answer in statement.answers:
            key = (statement.paper.paper_id, statement.reviewer, answer.facet)
            said.setdefault(key, []).append((statement, answer))
    for (paper_id, reviewer, facet), each in said.items():
        first = each[0][1]
        if facet == "note" or all(answer.says_as_much_as(first) for _, answer in each):
            continue
        for statement, answer in each:
            others = ", ".join(
                f"'{JOINER.join(other.values)}' (row {there.number} of {there.sheet.shown})"
                for there, other in each
                if not other.says_as_much_as(answer)
            )
            found = f"'{JOINER.join(answer.values)}' for {facet} of {paper_id} beside {others}"
            wanted = f"one answer of {reviewer} on one paper"
            yield statement, Refusal(facet, found, wanted, "Empty all but one of them.")


def _vain(statements: Iterable[Statement], draft: Draft) -> Iterator[tuple[Statement, Refusal]]:
    """Yield the statements that take back what is not there."""
    for statement in statements:
        for answer in statement.answers:
            if answer.facet in ACTS and not draft.may_withdraw(statement, answer):
                column = "verdict" if answer.facet == "key" else answer.facet
                found = f"'{statement.row.cells[column].strip()}'"
                if answer.facet == "exclude":
                    wanted, cure = "a reason", "This paper is not left out; empty the cell."
                else:
                    wanted = f"a paper with {_WITHDRAWN[answer.facet]}, which this one has not"
                    cure = "Empty the cell."
                yield statement, Refusal(column, found, wanted, cure)


def _rewritten(
    sheets: Sequence[SheetFile], statements: Iterable[Statement], reader: StatementReader
) -> tuple[dict[int, Row], ...]:
    rows: dict[str, dict[int, Row]] = {sheet.shown: {} for sheet in sheets}
    for statement in statements:
        row = rewritten(statement, reader.taxonomy)
        rows[statement.sheet.shown][statement.number] = row
    return tuple(rows[sheet.shown] for sheet in sheets)
