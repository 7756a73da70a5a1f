"""Read the rows of sheets: find the paper of each row by id or title, and its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from classifier.errors import Fault
from classifier.files.table import Row
from classifier.files.workbook_parts import ERRORS
from classifier.papers.paper import Paper, ids_in, is_well_formed_id
from classifier.review.acts import RowDecision, one_line
from classifier.review.decisions import row_decisions
from classifier.review.edits import misspelt_columns
from classifier.review.ledger import Ledger
from classifier.review.sheet import cell_fault, human_columns
from classifier.review.sheet_file import SheetFile, in_sheet
from classifier.review.shown import LabelReader, ShownLabels
from classifier.review.spelling import Spellings, plain
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions
from classifier.text.normalise import title_id, title_key


@dataclass(frozen=True, slots=True)
class Match:
    """The paper of a row."""

    paper_id: str
    title: str
    """Title in the corpus, else in the ledger."""


@dataclass(frozen=True)
class KnownPapers:
    """All papers of the corpus, and those that only the ledger has."""

    titles: Mapping[str, str]
    """Id -> title, of the papers in the corpus."""
    aliases: Mapping[str, str]
    """Other id of a paper in the corpus -> its id."""
    former: Mapping[str, str]
    """Id -> title, of papers that only the ledger has."""

    @classmethod
    def of(cls, papers: Iterable[Paper], aliases: Mapping[str, str], ledger: Ledger) -> KnownPapers:
        """Return the papers of a corpus and of a ledger."""
        titles = {paper.id: paper.title for paper in papers}
        former = {
            entry.id: entry.title
            for entry in ledger.entries
            if aliases.get(entry.id, entry.id) not in titles
        }
        return cls(titles, aliases, former)

    def has(self, id_cell: str, title: str) -> bool:
        """Return whether a row's id or title is known."""
        return id_cell.casefold() in self._folded or bool(self._by_title(title))

    def find(self, id_cell: str, title: str) -> Match | Fault:
        """Return the paper of a row by its id, else by its title, or a refusal.

        An id of the corpus goes before a title of the corpus, and that before an id that only the
        ledger has. The title of another paper is refused: the rows may be shifted.
        """
        by_id = self._by_id(id_cell)
        if by_id is not None and by_id in self.titles:
            return self._confirmed(by_id, self.titles[by_id], title)
        by_title = self._by_title(title)
        if len(by_title) > 1:
            expected = f"the title of one paper, not of {', '.join(by_title)}"
            return cell_fault("title", _quoted(title), expected, "Put the id of the paper into id.")
        if by_id is not None and not (by_title and _is_same(self.former[by_id], title)):
            return self._confirmed(by_id, self.former[by_id], title)
        if by_title:
            return Match(by_title[0], self.titles[by_title[0]])
        column, cell = ("id", id_cell) if id_cell.strip() else ("title", title)
        expected = "the id, or the title, of a paper in the corpus or the ledger"
        hint = "Put back the id that Fieldguide wrote, or delete the row."
        return cell_fault(column, _quoted(cell), expected, hint)

    def _by_id(self, cell: str) -> str | None:
        """Return the id of a paper from any spelling of it; None if no paper has it."""
        text = plain(cell)
        for name in (text, *(() if is_well_formed_id(text) else ids_in(text))):
            known = self._folded.get(name.casefold())
            if known is not None:
                return known
        return None

    def _by_title(self, title: str) -> list[str]:
        """Return the papers of the corpus with a title, also with one of a merged record."""
        if not title.strip():
            return []
        merged = self.aliases.get(title_id(title))
        return self._titled.get(title_key(title), [merged] if merged else [])

    def _confirmed(self, paper_id: str, known: str, title: str) -> Match | Fault:
        """Return a paper that was found by its id, or a refusal if the title is another paper's."""
        if _is_same(known, title):
            return Match(paper_id, known)
        others = self._by_title(title)
        if others and paper_id not in others:
            expected = f"{_quoted(known)}, the title of {paper_id}"
            hint = f"It is the title of {others[0]}; the rows may be shifted."
            return cell_fault("title", _quoted(title), expected, hint)
        return Match(paper_id, known)

    @cached_property
    def _folded(self) -> dict[str, str]:
        """Id or alias, in lower case -> id; the corpus goes before the ledger."""
        known = {name.casefold(): name for name in self.former}
        known |= {alias.casefold(): target for alias, target in self.aliases.items()}
        return known | {name.casefold(): name for name in self.titles}

    @cached_property
    def _titled(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for paper_id, title in self.titles.items():
            found.setdefault(title_key(title), []).append(paper_id)
        return found


def _is_same(known: str, title: str) -> bool:
    """Return whether a title is empty or equals the known one."""
    text = title.strip()
    return not text or known.strip() == text or title_key(known) == title_key(text)


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return f"'{text if len(text) <= 80 else text[:79] + '…'}'" if text else "an empty cell"


ANYONE = "*"
"""The reviewer of rows without a name, if the name does not matter."""
_SELECTIONS = ("queue", "audit")


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A filled row and its answers."""

    sheet: SheetFile
    row: Row
    paper: Match
    sheet_labels: ShownLabels
    reviewer: str
    drawn_by: str
    """How the row was selected: queue or audit; volunteer if the reviewer chose it."""
    note: str
    answers: tuple[RowDecision, ...]

    @property
    def number(self) -> int:
        """The row number in a spreadsheet."""
        return row_number(self.row)


@dataclass(frozen=True)
class RowReader:
    """Reads the rows of sheets; each row is answered, refused, or empty."""

    taxonomy: Taxonomy
    versions: Versions
    digests: Sequence[str]
    """Digests of the taxonomies that a sheet may have been written for, the likeliest first."""
    known: KnownPapers
    reviewer: str
    """The reviewer of rows without a name; "" if unknown."""

    def read(self, sheet: SheetFile) -> Iterator[ReviewRow | Fault]:
        """Yield the filled rows of a sheet, and a fault for each invalid cell."""
        labels = LabelReader(sheet, self.taxonomy, self.digests, self.versions)
        misspelt = misspelt_columns(sheet, self.taxonomy)
        yield from misspelt.values()
        if not {*self._typed, *misspelt} & set(sheet.columns):
            expected = f"at least one of {', '.join(self._typed)}"
            yield in_sheet(cell_fault("header", "no reviewer's column", expected), sheet, 1)
        reviewed = (column for column in sheet.columns if column.startswith("review_"))
        known = {*human_columns(self.taxonomy), *misspelt}
        strange = tuple(column for column in reviewed if column not in known)
        for row in sheet.rows:
            if any(row.cells[column].strip() for column in misspelt):
                continue  # only half of its answers would be applied
            found = self._row(sheet, row, labels, strange)
            if isinstance(found, ReviewRow):
                yield found
            else:
                yield from (in_sheet(each, sheet, row_number(row)) for each in found)

    def _row(
        self, sheet: SheetFile, row: Row, labels: LabelReader, strange_columns: Sequence[str]
    ) -> ReviewRow | Sequence[Fault]:
        """Return a filled row, or the faults of a refused one; () for an empty row."""
        cells = row.cells
        filled = any(cells.get(column, "").strip() for column in self._typed)
        strange = [*self._strange(strange_columns, cells)]
        if not (filled or strange) and labels.signature(cells):
            return ()
        paper = self._paper(cells, labels)
        if isinstance(paper, Fault):
            return (paper, *strange) if filled or strange or labels.has_signed_rows else ()
        sheet_labels = labels.read(cells, paper.paper_id)
        if not filled:
            return (*sheet_labels.changes, *strange)
        return self._statement(sheet, row, paper, sheet_labels, strange)

    def _statement(
        self,
        sheet: SheetFile,
        row: Row,
        paper: Match,
        sheet_labels: ShownLabels,
        strange: list[Fault],
    ) -> ReviewRow | Sequence[Fault]:
        cells = row.cells
        answers, refusals = row_decisions(
            self._spellings, cells, sheet_labels, self.taxonomy.columns.values()
        )
        errors = [*self._errors(cells)]
        in_error = {fault.column for fault in errors}
        refusals = [*errors, *(fault for fault in refusals if fault.column not in in_error)]
        note = one_line(cells.get("note", ""))
        named = cells.get("reviewer", "").strip()
        if not is_reviewer(named):
            refusals.append(
                cell_fault("reviewer", repr(named), "one name, without ; or line break")
            )
        reviewer = one_line(named) or self.reviewer
        if not reviewer:
            hint = "Write your name there, or use --reviewer NAME."
            refusals.append(
                cell_fault("reviewer", "an empty cell", "the name of the reviewer", hint)
            )
        if refusals or strange:
            return (*refusals, *strange)
        if not answers and note:
            answers, note = [RowDecision("note", (note,))], ""
        drawn_by = cells.get("drawn_by", "").strip().lower()
        if drawn_by not in _SELECTIONS:
            drawn_by = "volunteer"
        return ReviewRow(sheet, row, paper, sheet_labels, reviewer, drawn_by, note, tuple(answers))

    def _errors(self, cells: Mapping[str, str]) -> Iterator[Fault]:
        """Yield the answers that a spreadsheet replaced by an error, such as `#NAME?`."""
        for column in human_columns(self.taxonomy):
            text = cells.get(column, "").strip()
            if text in ERRORS:
                found = f"{text}, an error of the spreadsheet"
                hint = "The spreadsheet took it for a formula: type it again with ' before it."
                yield cell_fault(column, found, "your answer as text", hint)

    def _paper(self, cells: Mapping[str, str], labels: LabelReader) -> Match | Fault:
        """Return the paper of a row: a known one, or one whose id the checksum covers."""
        identifier, title = cells.get("id", "").strip(), cells.get("title", "")
        is_foreign = is_well_formed_id(identifier) and not self.known.has(identifier, title)
        if is_foreign and labels.signature(cells):
            return Match(identifier, title.strip())
        return self.known.find(identifier, title)

    def _strange(self, columns: Sequence[str], cells: Mapping[str, str]) -> Iterator[Fault]:
        """Yield a fault per filled cell of `columns`, review columns of unknown facets."""
        for column in columns:
            if cells[column].strip():
                found, facet = f"'{cells[column].strip()}'", column.removeprefix("review_")
                expected = f"an empty cell: the taxonomy has no facet {facet}"
                yield cell_fault(column, found, expected, "Empty it, or delete the column.")

    @cached_property
    def _spellings(self) -> list[Spellings]:
        return [Spellings(facet) for facet in self.taxonomy.facets.values()]

    @cached_property
    def _typed(self) -> tuple[str, ...]:
        """The columns for answers; a reviewer's name alone is not an answer."""
        return tuple(name for name in human_columns(self.taxonomy) if name != "reviewer")


def is_reviewer(name: str) -> bool:
    """Return whether `name` is valid in the ledger, in which `;` separates names.

    >>> is_reviewer("ada"), is_reviewer("ada; bo")
    (True, False)
    """
    return not set(name) & {";", "\n", "\r"}


def row_number(row: Row) -> int:
    """Return the row number in a spreadsheet, or the line number."""
    return row.row or row.line
