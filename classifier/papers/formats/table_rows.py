"""A row of a foreign table as fields of a paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from classifier.files.table import unescape_formula
from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import clean_id, clean_url
from classifier.papers.formats.columns import Columns, are_arxiv_categories, filled_cells
from classifier.papers.identifiers import doi_of_resolver
from classifier.papers.kinds import CSL_KINDS, csl_kind
from classifier.papers.names import (
    AuthorStyle,
    author_style,
    is_list_text,
    split_authors,
    split_list_text,
)
from classifier.papers.paper import clean_arxiv_id, clean_doi

Read = Callable[["RowFields", "Row"], object]

_NOTHING: Final = frozenset(("nan", "none", "null", "n/a", "na", "-", "[]", "{}", "#n/a"))
_ARXIV_IN_TEXT: Final = re.compile(r"arxiv\s*(?:id)?\s*[:.]\s*\S+", re.IGNORECASE)
_ARXIV_IN_IDS: Final = re.compile(r"['\"]arxiv['\"]\s*:\s*['\"]([^'\"]+)", re.IGNORECASE)
_DOI_IN_IDS: Final = re.compile(
    r"(?:['\"]doi['\"]\s*:\s*['\"]|(?:^|[\s;,])doi:\s*)([^'\"\s;]+)", re.IGNORECASE
)
_DOI: Final = re.compile(r"(?:doi:\s*)?10\.\d{4,9}/\S+", re.IGNORECASE)
_ARXIV_VENUE: Final = re.compile(r"(?:arxiv\b.*\d{4}\.\d{4,5}.*|arxiv preprint)", re.IGNORECASE)
_ARXIV_ID: Final = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?", re.ASCII)
# What a spreadsheet or pandas leaves of `2401.10230` and `0704.0010`.
_ARXIV_NUMBER: Final = re.compile(
    r"(\d\d(?:0[1-9]|1[0-2])|\d(?:0[1-9]|1[0-2]))\.(\d{1,5})", re.ASCII
)
_FIVE_DIGITS_SINCE: Final = "1501"
# Days since 1899-12-30, by which Excel counts: of 1954 to 2064.
_SERIAL: Final = re.compile(r"[2-5]\d{4}", re.ASCII)
# Numbers that pandas made of whole ones: `15660.0`.
_WHOLE: Final = re.compile(r"(\d+)\.0", re.ASCII)
_WRAPPED: Final = re.compile(r"\s*\n\s*")
_URL: Final = re.compile(r"https?://[\w.-]+\.[a-z]{2,}(?:[:/?#][^\s<>\"]*)?", re.IGNORECASE)
_LISTED_URLS: Final = re.compile(r"[;|]?\s+|[;|]")
_COMMA: Final = re.compile(r"\s*[,，、]\s*")
_LISTED: Final = re.compile(r"\s*[;|\n]\s*")
_PLACES: Final = re.compile(r"\s+(?:/|>|::)\s+")


@dataclass(frozen=True, slots=True)
class RowFields:
    """How the rows of one table become fields."""

    columns: Columns
    authors: AuthorStyle
    commas: frozenset[int]
    """Columns of lists whose items commas part, since nothing else does."""
    order: tuple[tuple[str, int], ...]
    """(role, position) of all columns that are read, the best of a role first."""

    def fields(self, cells: Sequence[str]) -> dict[str, object]:
        """Return a row as fields of `FIELDS`, those that it does not state left out."""
        row = self._row(cells)
        found: dict[str, object] = {}
        for role in row.texts:
            read = _READ.get(role)
            value = read(self, row) if read else None
            if value:
                found[role] = value
        published = self._published(row)
        if published:
            found["published"] = published
        self._find_ids(found, row)
        reference = _reference(row)
        if reference:
            found["reference"] = reference
        return found

    def _row(self, cells: Sequence[str]) -> Row:
        """Return the filled cells of a row by role."""
        texts: dict[str, str] = {}
        more: dict[str, list[tuple[int, str]]] = {}
        width = len(cells)
        for role, at in self.order:
            if at >= width or not cells[at]:
                continue
            text = cells[at].strip()
            if not text or (len(text) < 6 and text.lower() in _NOTHING):
                continue
            if text[0] == "'":
                text = unescape_formula(text)
            texts.setdefault(role, text)
            if role in _SEVERAL:
                more.setdefault(role, []).append((at, text))
        return Row(texts, more)

    def items(self, role: str, row: Row) -> list[str]:
        """Return the items of all lists of a role."""
        items: list[str] = []
        for at, cell in row.more.get(role, ()):
            if is_list_text(cell):
                items += split_list_text(cell)
            elif are_arxiv_categories(cell):
                items += cell.split()
            elif at in self.commas:
                items += _COMMA.split(cell)
            else:
                items += _LISTED.split(cell)
        return [item for item in items if item]

    def _published(self, row: Row) -> str:
        """Join day, month and year, wherever they stand."""
        text, year = row.text("date"), row.text("year")
        if not (text or year):
            return ""
        found = _date(text, year, row.text("month"), row.text("day"))
        return found or (text or year if self.columns.is_own else "")

    def _find_ids(self, found: dict[str, object], row: Row) -> None:
        """Look for a DOI and an arXiv id in all places where programs and people put them."""
        if "doi" not in found:
            listed = _DOI_IN_IDS.search(row.text("ids"))
            doi = clean_doi(listed[1] if listed else row.text("id"))
            doi = doi or next(filter(None, map(_doi_of_address, row.all("url"))), "")
            if doi:
                found["doi"] = doi
        if "arxiv_id" not in found:
            arxiv_id = next(filter(None, map(_arxiv_id, _arxiv_places(found, row))), "")
            if arxiv_id:
                found["arxiv_id"] = arxiv_id
        venue = row.text("venue")
        if venue[:5].lower() == "arxiv" and _ARXIV_VENUE.fullmatch(venue):
            found.pop("venue", None)


@dataclass(frozen=True, slots=True)
class Row:
    """The filled cells of one row."""

    texts: Mapping[str, str]
    """Role -> its first filled cell."""
    more: Mapping[str, Sequence[tuple[int, str]]]
    """Role that several columns may hold -> position and text of all its filled cells."""

    def text(self, role: str) -> str:
        """Return the first filled cell of a role, or ""."""
        return self.texts.get(role, "")

    def all(self, role: str) -> list[str]:
        """Return all filled cells of a role."""
        return [text for _, text in self.more.get(role, ())]


def row_fields(columns: Columns, rows: Sequence[Sequence[str]]) -> RowFields:
    """Return how the rows of a table become fields, decided by its columns and first rows."""
    commas = set()
    for role in ("keywords", "collections", "code_urls"):
        for at in columns.places.get(role, ()):
            cells = filled_cells(rows, at)
            if not any(map(_LISTED.search, cells)) and _commas_part_items(role, cells):
                commas.add(at)
    named = [
        cell for at in columns.places.get("authors", ())[:1] for cell in filled_cells(rows, at)
    ]
    order = tuple((role, at) for role, places in columns.places.items() for at in places)
    style = author_style(named, run_together="Item DOI" in columns.names)  # SpringerLink
    return RowFields(columns, style, frozenset(commas), order)


def _commas_part_items(role: str, cells: Sequence[str]) -> bool:
    """Say whether commas part the items: in keywords always, in a collection if items come again.

    A collection may have a comma in its name.
    """
    if role != "collections":
        return True
    whole = {cell.strip() for cell in cells if "," not in cell}
    listed = [_COMMA.split(cell.strip()) for cell in cells if "," in cell]
    return 2 * sum(whole.issuperset(parts) for parts in listed) > len(listed)


def _title(row_fields: RowFields, row: Row) -> str:
    title = row.texts["title"]
    return title if row_fields.columns.is_own else _WRAPPED.sub(" ", plain_text(title))


def _abstract(row_fields: RowFields, row: Row) -> str:
    abstract = row.texts["abstract"]
    if row_fields.columns.is_own:
        return abstract
    return plain_text(abstract)


def _collections(row_fields: RowFields, row: Row) -> list[str]:
    """Return where a paper is filed; a subcategory stands below the one category of its row."""
    outer = row_fields.items("collections", row)
    inner = row_fields.items("subcollection", row)
    if len(outer) == 1 and inner:
        return [f"{outer[0]} / {name}" for name in inner]
    return [" / ".join(_PLACES.split(name)) for name in outer]


def _doi(row_fields: RowFields, row: Row) -> str:
    doi = next(filter(None, map(clean_doi, row.all("doi"))), "")
    return doi or (row.texts["doi"] if row_fields.columns.is_own else "")


def _url(row_fields: RowFields, row: Row) -> str:
    for cell in row.all("url"):
        if _URL.fullmatch(cell):
            return cell
        parts = split_list_text(cell) if is_list_text(cell) else _LISTED_URLS.split(cell)
        url = next(filter(None, map(clean_url, parts)), "")
        if url:
            return url
    return row.texts["url"] if row_fields.columns.is_own else ""


def _code_urls(row_fields: RowFields, row: Row) -> list[str]:
    urls = row_fields.items("code_urls", row)
    return urls if row_fields.columns.is_own else [url for url in urls if clean_url(url)]


def _arxiv(row_fields: RowFields, row: Row) -> str:
    cell = whole_arxiv_id(row.texts["arxiv_id"])
    return clean_arxiv_id(cell) or (cell if row_fields.columns.is_own else "")


def _id(row_fields: RowFields, row: Row) -> str:
    """Return an id of ours, also of what only looks so that it can be named in a warning."""
    cell = row.texts["id"]
    is_ours = cell.startswith(("arxiv:", "doi:", "p-"))
    return cell if is_ours and (row_fields.columns.is_own or clean_id(cell)) else ""


def _count(name: str) -> Read:
    def read(row_fields: RowFields, row: Row) -> object:
        cell = row.texts[name]
        return int(cell) if re.fullmatch(r"\d{1,9}", cell, re.ASCII) else cell

    return read


def _plain(name: str) -> Read:
    return lambda row_fields, row: row.texts[name]


_READ: Final[Mapping[str, Read]] = {
    "id": _id,
    "title": _title,
    "abstract": _abstract,
    "abstract_kind": _plain("abstract_kind"),
    "authors": lambda row_fields, row: split_authors(row.texts["authors"], row_fields.authors),
    "author_count": _count("author_count"),
    "comment_count": _count("comment_count"),
    "organisation": _plain("organisation"),
    "venue": _plain("venue"),
    "arxiv_id": _arxiv,
    "doi": _doi,
    "url": _url,
    "code_urls": _code_urls,
    "keywords": lambda row_fields, row: row_fields.items("keywords", row),
    "collections": _collections,
}
_SEVERAL: Final = frozenset(
    ("keywords", "collections", "subcollection", "code_urls", "doi", "url", ":type")
)


def whole_arxiv_id(text: str) -> str:
    """Return an arXiv id with the zeros that it lost as a number; another text as it is.

    >>> whole_arxiv_id("2401.1023"), whole_arxiv_id("704.001"), whole_arxiv_id("bread")
    ('2401.10230', '0704.0010', 'bread')
    """
    match = _ARXIV_NUMBER.fullmatch(text)
    if not match:
        return text
    month = match[1].zfill(4)
    return f"{month}.{match[2].ljust(5 if month >= _FIVE_DIGITS_SINCE else 4, '0')}"


def _of_serial(text: str) -> str:
    """Return the date that Excel shows for a number of days."""
    if not _SERIAL.fullmatch(text):
        return ""
    return (date(1899, 12, 30) + timedelta(days=int(text))).isoformat()


@lru_cache(maxsize=4096)  # the same few thousand in a table of any length
def _date(text: str, year: str, month: str, day: str) -> str:
    """Return the most precise date that the cells state."""
    of_parts = date_of_parts(_whole(year), _whole(month), _whole(day))
    of_text = _of_serial(_whole(text)) or read_date(_whole(text))
    if text and not of_text and of_parts:  # `MAY`, `JAN 10` beside a year
        of_text = read_date(f"{of_parts[:4]} {text}")
    return of_text if len(of_text) >= len(of_parts) else of_parts


def _reference(row: Row) -> dict[str, str]:
    """Return the variables of CSL that a row states."""
    found: dict[str, str] = {}
    for role, text in row.texts.items():
        if role[0] == ":" and role not in _HANDLED:
            found[role[1:]] = "; ".join(split_list_text(text)) if text[0] == "[" else _whole(text)
    if ":type" in row.texts:
        kinds = (
            kind if kind in CSL_KINDS else csl_kind(kind, "table") for kind in row.all(":type")
        )
        found["type"] = next(filter(None, kinds), "")
    found["page"] = _page(row)
    return {name: value for name, value in found.items() if value}


def _page(row: Row) -> str:
    """Return the pages, or the number of an article that has none."""
    if ":page" in row.texts:
        return _whole(row.texts[":page"])
    first, last = _whole(row.text(":first-page")), _whole(row.text(":last-page"))
    if first and last and first != last:
        return f"{first}-{last}"
    return first or _whole(row.text(":article-number"))


_HANDLED: Final = frozenset((":type", ":page", ":first-page", ":last-page", ":article-number"))


def _arxiv_places(found: Mapping[str, object], row: Row) -> Iterator[str]:
    yield str(found.get("doi", ""))
    yield from row.all("url")
    yield whole_arxiv_id(row.text("id"))
    listed = _ARXIV_IN_IDS.search(row.text("ids"))
    if listed:
        yield listed[1]
    for role in ("extra", "venue"):
        text = row.text(role)
        match = _ARXIV_IN_TEXT.search(text) if "xiv" in text.lower() else None
        if match:
            yield match[0]


def _arxiv_id(text: str) -> str:
    """Return the arXiv id in an address, a DOI or behind `arXiv:`; bare only if it may be one."""
    if "xiv" not in text.lower() and "huggingface.co" not in text:
        return clean_arxiv_id(text) if _ARXIV_ID.fullmatch(text) else ""
    return clean_arxiv_id(text)


def _doi_of_address(cell: str) -> str:
    """Return the DOI of a resolver's address, or of a cell that is nothing but a DOI."""
    return doi_of_resolver(cell) or (clean_doi(cell) if _DOI.fullmatch(cell) else "")


def _whole(text: str) -> str:
    """Return a number without the `.0` that a spreadsheet or pandas put on."""
    match = _WHOLE.fullmatch(text) if text[-2:] == ".0" else None
    return match[1] if match else text
