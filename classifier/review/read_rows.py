"""Read the rows of sheets: find the paper of each row by id or title, and the answers on it."""

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
from classifier.review.row_labels import LabelReader, RowLabels
from classifier.review.sheet import cell_fault, human_columns
from classifier.review.sheet_file import SheetFile, add_place_in_sheet
from classifier.review.spelling import Spellings, plain_characters
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions
from classifier.text.normalise import title_id, title_key


@dataclass(frozen=True, slots=True)
class MatchedPaper:
    """The paper of a row."""

    paper_id: str
    title: str
    """Title in the corpus, or else in the ledger."""


@dataclass(frozen=True)
class KnownPapers:
    """All papers of the corpus, and those that only the ledger has."""

    titles: Mapping[str, str]
    """Titles of the papers in the corpus, by id."""
    aliases: Mapping[str, str]
    """Id of a paper in the corpus, by each of its other ids."""
    former: Mapping[str, str]
    """Titles of papers that only the ledger has, by id."""

    @classmethod
    def from_corpus_and_ledger(
        cls, papers: Iterable[Paper], aliases: Mapping[str, str], ledger: Ledger
    ) -> KnownPapers:
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
        return id_cell.casefold() in self._id_by_spelling or bool(self._find_title(title))

    def find(self, id_cell: str, title: str) -> MatchedPaper | Fault:
        """Return the paper of a row by its id or else by its title, or a fault.

        An id of the corpus has priority over a title of the corpus, and a title over an id that
        only the ledger has. The title of another paper is a fault: the rows may be shifted.
        """
        by_id = self._find_id(id_cell)
        if by_id is not None and by_id in self.titles:
            return self._check_title(by_id, self.titles[by_id], title)
        by_title = self._find_title(title)
        if len(by_title) > 1:
            expected = f"the title of one paper, not of {', '.join(by_title)}"
            return cell_fault(
                "title",
                _in_quotes(title),
                expected,
                "Enter the id of the paper in the column 'id'.",
            )
        if by_id is not None and not (by_title and _is_same(self.former[by_id], title)):
            return self._check_title(by_id, self.former[by_id], title)
        if by_title:
            return MatchedPaper(by_title[0], self.titles[by_title[0]])
        column, cell = ("id", id_cell) if id_cell.strip() else ("title", title)
        expected = "the id, or the title, of a paper in the corpus or the ledger"
        hint = "Restore the id that Fieldguide wrote, or delete the row."
        return cell_fault(column, _in_quotes(cell), expected, hint)

    def _find_id(self, cell: str) -> str | None:
        text = plain_characters(cell)
        names = (text, *(() if is_well_formed_id(text) else ids_in(text)))
        known = (self._id_by_spelling.get(name.casefold()) for name in names)
        return next(filter(None, known), None)

    def _find_title(self, title: str) -> list[str]:
        """Return the ids of the papers in the corpus with a title, or with a merged record's."""
        if not title.strip():
            return []
        merged = self.aliases.get(title_id(title))
        return self._ids_by_title.get(title_key(title), [merged] if merged else [])

    def _check_title(self, paper_id: str, known: str, title: str) -> MatchedPaper | Fault:
        """Return a paper that was found by its id, or a fault if the title is another paper's."""
        others = [] if _is_same(known, title) else self._find_title(title)
        if others and paper_id not in others:
            expected = f"{_in_quotes(known)}, the title of {paper_id}"
            hint = f"It is the title of {others[0]}; the rows may be shifted."
            return cell_fault("title", _in_quotes(title), expected, hint)
        return MatchedPaper(paper_id, known)

    @cached_property
    def _id_by_spelling(self) -> dict[str, str]:
        """Ids by id or alias in lower case; the corpus has priority over the ledger."""
        known = {name.casefold(): name for name in self.former}
        known |= {alias.casefold(): target for alias, target in self.aliases.items()}
        return known | {name.casefold(): name for name in self.titles}

    @cached_property
    def _ids_by_title(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for paper_id, title in self.titles.items():
            found.setdefault(title_key(title), []).append(paper_id)
        return found


def _is_same(known: str, title: str) -> bool:
    text = title.strip()
    return not text or known.strip() == text or title_key(known) == title_key(text)


def _in_quotes(text: str) -> str:
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
    paper: MatchedPaper
    labels: RowLabels
    reviewer: str
    drawn_by: str
    """How the row was selected: queue or audit; volunteer if the reviewer chose it."""
    note: str
    answers: tuple[RowDecision, ...]

    @property
    def number(self) -> int:
        """The row number in a spreadsheet."""
        return row_number(self.row)

    @property
    def is_confirmation(self) -> bool:
        """Whether the queue selected a reviewed paper for a second look."""
        status = self.row.cells.get("status", "").strip()
        return self.drawn_by == "queue" and status == "reviewed"


@dataclass(frozen=True)
class RowReader:
    """Reads the rows of sheets: a row has answers, has a fault, or is empty."""

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
        if not {*self._answer_columns, *misspelt} & set(sheet.columns):
            expected = f"at least one of {', '.join(self._answer_columns)}"
            yield add_place_in_sheet(
                cell_fault("header", "no column for answers", expected), sheet, 1
            )
        known = {*human_columns(self.taxonomy), *misspelt}
        unknown = [
            name for name in sheet.columns if name.startswith("review_") and name not in known
        ]
        for row in sheet.rows:
            if any(row.cells[column].strip() for column in misspelt):
                continue  # The row would be applied only in part.
            found = self._read_row(sheet, row, labels, list(_unknown_facets(unknown, row.cells)))
            if isinstance(found, ReviewRow):
                yield found
            else:
                yield from (add_place_in_sheet(each, sheet, row_number(row)) for each in found)

    def _read_row(
        self, sheet: SheetFile, row: Row, labels: LabelReader, unknown_facets: Sequence[Fault]
    ) -> ReviewRow | Sequence[Fault]:
        cells = row.cells
        has_answers = any(cells.get(column, "").strip() for column in self._answer_columns)
        is_filled = has_answers or bool(unknown_facets)
        if not is_filled and labels.layout_of(cells):
            return ()
        paper = self._find_paper(cells, labels)
        if isinstance(paper, Fault):
            return (paper, *unknown_facets) if is_filled or labels.has_valid_checksum else ()
        row_labels = labels.read(cells, paper.paper_id)
        if not has_answers:
            return (*row_labels.changes, *unknown_facets)
        typed = self.taxonomy.columns.values()
        answers, faults = row_decisions(self._spellings, cells, row_labels, typed)
        error_values = list(self._error_values(cells))
        columns = {fault.column for fault in error_values}
        faults = [*error_values, *(fault for fault in faults if fault.column not in columns)]
        reviewer = one_line(cells.get("reviewer", "")) or self.reviewer
        faults += _reviewer_faults(cells.get("reviewer", "").strip(), reviewer)
        if faults or unknown_facets:
            return (*faults, *unknown_facets)
        note = one_line(cells.get("note", ""))
        if not answers and note:
            answers, note = [RowDecision("note", (note,))], ""
        drawn_by = cells.get("drawn_by", "").strip().lower()
        drawn_by = drawn_by if drawn_by in _SELECTIONS else "volunteer"
        return ReviewRow(sheet, row, paper, row_labels, reviewer, drawn_by, note, tuple(answers))

    def _error_values(self, cells: Mapping[str, str]) -> Iterator[Fault]:
        """Yield a fault for each answer that a spreadsheet replaced by an error like `#NAME?`."""
        for column in human_columns(self.taxonomy):
            text = cells.get(column, "").strip()
            if text in ERRORS:
                found = f"{text}, an error of the spreadsheet"
                hint = "The spreadsheet read it as a formula: type it again with ' before it."
                yield cell_fault(column, found, "your answer as text", hint)

    def _find_paper(self, cells: Mapping[str, str], labels: LabelReader) -> MatchedPaper | Fault:
        """Return the paper of a row: a known one, or one whose id the checksum covers."""
        identifier, title = cells.get("id", "").strip(), cells.get("title", "")
        is_foreign = is_well_formed_id(identifier) and not self.known.has(identifier, title)
        if is_foreign and labels.layout_of(cells):
            return MatchedPaper(identifier, title.strip())
        return self.known.find(identifier, title)

    @cached_property
    def _spellings(self) -> list[Spellings]:
        return [Spellings(facet) for facet in self.taxonomy.facets.values()]

    @cached_property
    def _answer_columns(self) -> tuple[str, ...]:
        """The columns for answers; a reviewer's name alone is not an answer."""
        return tuple(name for name in human_columns(self.taxonomy) if name != "reviewer")


def _unknown_facets(columns: Sequence[str], cells: Mapping[str, str]) -> Iterator[Fault]:
    """Yield a fault per filled cell of `columns`, review columns of unknown facets."""
    for column in columns:
        if cells[column].strip():
            found, facet = f"'{cells[column].strip()}'", column.removeprefix("review_")
            expected = f"an empty cell: the taxonomy has no facet {facet}"
            yield cell_fault(column, found, expected, "Empty it, or delete the column.")


def _reviewer_faults(cell: str, reviewer: str) -> Iterator[Fault]:
    if not is_reviewer(cell):
        yield cell_fault("reviewer", repr(cell), "one name, without ; or line break")
    if not reviewer:
        hint = "Write your name there, or use --reviewer NAME."
        yield cell_fault("reviewer", "an empty cell", "the name of the reviewer", hint)


def is_reviewer(name: str) -> bool:
    """Return whether `name` is valid in the ledger, in which `;` separates names.

    >>> is_reviewer("ada"), is_reviewer("ada; bo")
    (True, False)
    """
    return not set(name) & {";", "\n", "\r"}


def row_number(row: Row) -> int:
    """Return the row number in a spreadsheet, or the line number."""
    return row.row or row.line
