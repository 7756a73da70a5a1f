"""Tables in saved pages, and workbooks that programs write as HTML and call `.xls`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from classifier.files.content import Content, text_content
from classifier.papers.fields import clean_url
from classifier.papers.formats.html_page import html_page, is_html, line_text
from classifier.papers.formats.tables import TableRow, find_columns, table_records
from classifier.papers.formats.xml_elements import Element, line_of
from classifier.papers.reader import Reader, Record

_TABLE: Final = re.compile(r"<table\b", re.IGNORECASE)
_PAPER_LINK: Final = re.compile(r"arxiv\.org/|doi\.org/|openreview\.net/|\.pdf$", re.IGNORECASE)
_LINKS: Final = "href"
"""The name of the column that the links of a row are put into."""
_FEWEST_NAMED: Final = 2


def why_not(content: Content) -> str:
    """Say why a page holds no table of papers: none has a column of titles and one more field."""
    if not is_html(content):
        return "no HTML page"
    if not _TABLE.search(content.start):
        return "no table"
    start = text_content(content.name, content.start)
    return "" if any(True for _ in _tables(start)) else "no table with a column 'title'"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of all tables that list any, in the order of the page."""
    for rows in _tables(content):
        yield from table_records(iter(rows), content.name, HTML_TABLE.name)


def _tables(content: Content) -> Iterator[list[TableRow]]:
    page = html_page(content)
    for table in page.iter("table") if page is not None else ():
        if next((inner for inner in table.iter("table") if inner is not table), None) is None:
            rows = _rows(table)
            if _lists_papers(rows):
                yield rows


def _rows(table: Element) -> list[TableRow]:
    """Return the rows of a table, the first link of each in a column of its own.

    A cell belongs to the row that was opened last: where none is closed, each lies in all before.
    """
    opened: list[tuple[Element, list[str]]] = []
    for element in table.iter("tr", "td", "th"):
        if element.tag == "tr":
            opened.append((element, []))
        elif opened:
            opened[-1][1].append(line_text(element))
    rows: list[TableRow] = []
    for row, cells in opened:
        if any(cells):
            rows.append(TableRow(line_of(row), [*cells, _link(row) if rows else _LINKS]))
    return rows


def _link(row: Element) -> str:
    """Return the address of the paper that a row links to, else its first one, else ""."""
    links = [url for link in row.iter("a") if (url := clean_url(link.get("href") or ""))]
    return next(filter(_PAPER_LINK.search, links), next(iter(links), ""))


def _lists_papers(rows: list[TableRow]) -> bool:
    """Say whether the first row names a title and one more field."""
    columns = find_columns([row.cells for row in rows[:200]])
    if columns is None or columns.rows_above == 0 or len(rows) <= columns.rows_above:
        return False
    titled = any("tit" in columns.names[at].lower() for at in columns.places["title"])
    named = [role for role in columns.places if role not in ("url", "id")]
    return (titled or columns.is_own) and len(named) >= _FEWEST_NAMED


HTML_TABLE = Reader(
    name="html-table",
    why_not=why_not,
    read=read,
    wants="a page with a table whose header has a column 'title'",
)
