"""Read workbooks: the sheets that list papers, and those that list excluded papers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from classifier.errors import Fault, input_error, listed
from classifier.files.content import Content
from classifier.files.workbook import Sheet, is_workbook, read_sheets
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead, Reader, Record
from classifier.papers.readers.tables import (
    NO_TITLES,
    SAMPLE,
    Columns,
    TableRow,
    find_columns,
    table_records,
)

_EXCLUDED: Final = re.compile(r"\W*(?:\d+\W+)?(?:excluded?|exclusions?|rejected)\b", re.IGNORECASE)
_MAX_NAMES: Final = 8
"""Maximum number of tabs or cells in a message."""


def is_sheet_of_excluded_papers(sheet_name: str) -> bool:
    """Return whether a sheet lists excluded papers, judged by its name.

    >>> is_sheet_of_excluded_papers("Excluded (n=27)"), is_sheet_of_excluded_papers("Papers")
    (True, False)
    """
    return bool(_EXCLUDED.match(sheet_name))


def tables_of(content: Content) -> dict[str, tuple[str, list[TableRow]]]:
    """Return the sheets with papers: their source name and filled rows, by sheet name.

    These are the first sheet with a title column, the sheets with the same header, and sheets of
    excluded papers. If there are several sheets, the source of a record includes its sheet:
    `list.xlsx/2024`.
    Raises InputError if the file is broken, or if no sheet has a title column.
    """
    return _sheets_with_papers(_sheets(content), content.name)


def _sheets(content: Content) -> list[Sheet]:
    with content.open() as file:
        return read_sheets(file, content.name)


def _sheets_with_papers(sheets: list[Sheet], name: str) -> dict[str, tuple[str, list[TableRow]]]:
    """Return the sheets with papers, like `tables_of`."""
    columns: dict[str, Columns] = {}
    for sheet in sheets:
        filled = _filled_rows(sheet)
        found = find_columns([row.cells for row in filled[:SAMPLE]])
        if found is not None:
            columns[sheet.name] = found
            if found.n_above < len(filled):
                sheet.fill_merged(filled[found.n_above].line)
    if not columns:
        looked = ", ".join([sheet.name for sheet in sheets][:_MAX_NAMES])
        hint = f"Name the title column 'title' in the first row. Sheets searched: {looked}."
        raise input_error(name, NO_TITLES, "a sheet with a column 'title'", hint)
    first = min(columns, key=is_sheet_of_excluded_papers)
    header = columns[first].names
    read = [
        tab
        for tab, found in columns.items()
        if tab == first
        or is_sheet_of_excluded_papers(tab)
        or (any(header) and found.names == header)
    ]
    rows = {sheet.name: _filled_rows(sheet) for sheet in sheets if sheet.name in read}
    return {tab: (f"{name}/{tab}" if len(read) > 1 else name, rows[tab]) for tab in read}


def _filled_rows(sheet: Sheet) -> list[TableRow]:
    return [TableRow(number, row) for number, row in enumerate(sheet.rows, start=1) if any(row)]


def _read(content: Content) -> Iterator[Record]:
    """Yield the papers of all sheets that list papers, the sheets and columns read, and notices."""
    sheets = _sheets(content)
    tables = _sheets_with_papers(sheets, content.name)
    counts: dict[str, int] = {}
    pairs: tuple[tuple[str, str], ...] = ()
    for tab, (source, rows) in tables.items():
        counts[tab] = 0
        for record in table_records(iter(rows), source, SPREADSHEET.name):
            if isinstance(record, ColumnsRead):
                pairs = pairs or record.pairs
                continue
            counts[tab] += isinstance(record, Paper)
            yield record
    if len(tables) > 1:
        tabs = ", ".join(f"{tab} ({n_papers:,})" for tab, n_papers in counts.items())
        pairs = (("tabs", tabs), *pairs)
    if pairs:
        yield ColumnsRead(pairs)
    for tab in filter(is_sheet_of_excluded_papers, tables):
        found = f"a sheet of excluded papers: {tab} ({counts[tab]:,})"
        hint = "`fieldguide new` records them as exclusions; a build includes them as papers."
        yield Fault("notice", content.name, None, found, "papers to include", hint)
    for sheet in sheets:
        if sheet.comments:
            cells = listed(sheet.comments, _MAX_NAMES)
            found = f"comments on cells of the sheet {sheet.name}: {cells}"
            hint = "The comments were not read. Copy them to a column if you need them."
            yield Fault("notice", content.name, None, found, "notes in a column", hint)


def _reject_reason(content: Content) -> str:
    if content.is_text:
        return "a text, not a workbook"
    with content.open() as file:
        return "" if is_workbook(file) else "not a workbook (.xlsx, .xls or .ods)"


SPREADSHEET: Final[Reader] = Reader(
    name="xlsx",
    reject_reason=_reject_reason,
    read=_read,
    description="a workbook with a sheet whose header has a column 'title'",
)
