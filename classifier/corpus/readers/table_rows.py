"""A row of a foreign table as fields of a paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from classifier.corpus.paper import clean_arxiv_id, clean_doi
from classifier.corpus.readers.author_lists import (
    AuthorStyle,
    author_style,
    is_list_text,
    split_authors,
    split_list_text,
)
from classifier.corpus.readers.column_values import are_arxiv_categories
from classifier.corpus.readers.columns import Columns
from classifier.corpus.readers.dates import date_of_parts, read_date
from classifier.corpus.readers.fields import clean_id, clean_url
from classifier.corpus.readers.plain import plain_text
from classifier.files.table import unescape_formula

Read = Callable[["RowFields", Sequence[str]], object]

_TYPES: Final[Mapping[str, str]] = {
    name: kind
    for kind, names in {
        "article-journal": "journalarticle|journal article|article|j|review|letter|review article"
        "|short survey|note|research article|journal|journal paper|article; early access"
        "|early access articles|journals|ieee journals|revista|期刊",
        "paper-conference": "conferencepaper|conference paper|proceedings paper|c|proceeding"
        "|inproceedings|conference|conference proceedings|proceedings|conferences"
        "|ieee conferences|proceedings-article|article; proceedings paper",
        "chapter": "booksection|book chapter|chapter|book section|incollection|book-chapter"
        "|article; book chapter",
        "book": "book|b|monograph|books|edited book",
        "thesis": "thesis|dissertation|phdthesis|mastersthesis|dissertations & theses",
        "report": "report|technical report|techreport|working paper|government document",
        "article": "preprint|posted-content|preprints|posted content|eprint|unpublished",
        "webpage": "webpage|web page|blogpost|blog post",
        "dataset": "dataset|data set|data paper",
        "software": "computerprogram|software|computer program",
    }.items()
    for name in names.split("|")
}
_NO_ABSTRACT: Final = re.compile(
    r"\[?\s*(?:no abstract (?:is )?available|n/?a|none|null|nan|-+)\s*\.?\]?", re.IGNORECASE
)
_NOTHING: Final = frozenset(("nan", "none", "null", "n/a", "na", "-", "[]", "{}", "#n/a"))
_ARXIV_IN_TEXT: Final = re.compile(r"arxiv\s*(?:id)?\s*[:.]\s*\S+", re.IGNORECASE)
_ARXIV_VENUE: Final = re.compile(r"(?:arxiv\b.*\d{4}\.\d{4,5}.*|arxiv preprint)", re.IGNORECASE)
_ARXIV_ID: Final = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?", re.ASCII)
# Numbers that pandas made of whole ones: `15660.0`.
_WHOLE: Final = re.compile(r"(\d+)\.0", re.ASCII)
_LISTED: Final = re.compile(r"\s*[;|\n]\s*")
_PLACES: Final = re.compile(r"\s+(?:/|>|::)\s+")


@dataclass(frozen=True, slots=True)
class RowFields:
    """How the rows of one table become fields."""

    columns: Columns
    authors: AuthorStyle
    commas: frozenset[str]
    """Lists whose items commas part, since nothing else does."""
    reads: tuple[tuple[str, Read], ...]
    """Field -> what reads it from a row; of the fields that the table has."""

    def fields(self, cells: Sequence[str]) -> dict[str, object]:
        """Return a row as fields of `FIELDS`, those that it does not state left out."""
        found: dict[str, object] = {}
        for role, read in self.reads:
            value = read(self, cells)
            if value:
                found[role] = value
        self._add_date(found, cells)
        self._add_arxiv_id(found, cells)
        reference = self._reference(cells)
        if reference:
            found["reference"] = reference
        return found

    def text(self, role: str, cells: Sequence[str]) -> str:
        """Return the first filled cell of a role."""
        for at in self.columns.places.get(role, ()):
            if at < len(cells):
                cell = cells[at].strip()
                if cell and cell.lower() not in _NOTHING:
                    return unescape_formula(cell)
        return ""

    def texts(self, role: str, cells: Sequence[str]) -> list[str]:
        """Return all filled cells of a role."""
        found = (cells[at].strip() for at in self.columns.places.get(role, ()) if at < len(cells))
        return [unescape_formula(cell) for cell in found if cell and cell.lower() not in _NOTHING]

    def items(self, role: str, cells: Sequence[str]) -> list[str]:
        """Return the items of all lists of a role."""
        items: list[str] = []
        for cell in self.texts(role, cells):
            if is_list_text(cell):
                items += split_list_text(cell)
            elif are_arxiv_categories(cell):
                items += cell.split()
            elif role in self.commas:
                items += re.split(r"\s*[,，、]\s*", cell)
            else:
                items += _LISTED.split(cell)
        return [item for item in items if item]

    def _add_date(self, found: dict[str, object], cells: Sequence[str]) -> None:
        """Join day, month and year, wherever they stand."""
        date, year = self.text("date", cells), _whole(self.text("year", cells))
        month, day = _whole(self.text("month", cells)), _whole(self.text("day", cells))
        if not (date or year):
            return
        of_parts = date_of_parts(year, month, day)
        of_text = read_date(date)
        if date and not of_text and of_parts:  # `MAY`, `JAN 10` beside a year
            of_text = read_date(f"{of_parts[:4]} {date}")
        best = of_text if len(of_text) >= len(of_parts) or not of_parts else of_parts
        if best:
            found["published"] = best
        elif self.columns.is_own:
            found["published"] = date or year

    def _add_arxiv_id(self, found: dict[str, object], cells: Sequence[str]) -> None:
        """Look for an arXiv id in all places where programs put it."""
        if "arxiv_id" not in found:
            extra = _ARXIV_IN_TEXT.search(self.text("extra", cells))
            venue = _ARXIV_IN_TEXT.search(self.text("venue", cells))
            places = [str(found.get("doi", ""))]
            places += [*self.texts("url", cells), self.text("id", cells)]
            places += [match[0] for match in (extra, venue) if match]
            arxiv_id = next((found for place in places if (found := _arxiv_id(place))), "")
            if arxiv_id:
                found["arxiv_id"] = arxiv_id
        if not self.columns.is_own and _ARXIV_VENUE.fullmatch(str(found.get("venue", ""))):
            del found["venue"]

    def _reference(self, cells: Sequence[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for role in self.columns.places:
            if role.startswith(":") and role not in _HANDLED:
                value = _whole(self.text(role, cells))
                if value:
                    found[role[1:]] = "; ".join(split_list_text(value)) if value[0] == "[" else value
        kinds = (_TYPES.get(kind.lower()) for kind in self.texts(":type", cells))
        kind = next(filter(None, kinds), "")
        page = self._page(cells)
        found |= {name: value for name, value in (("type", kind), ("page", page)) if value}
        return found

    def _page(self, cells: Sequence[str]) -> str:
        stated = self.text(":page", cells)
        if stated:
            return _whole(stated)
        first = _whole(self.text(":first-page", cells))
        last = _whole(self.text(":last-page", cells))
        if first and last and first != last:
            return f"{first}-{last}"
        return first or _whole(self.text(":article-number", cells))


_HANDLED: Final = frozenset((":type", ":page", ":first-page", ":last-page", ":article-number"))


def row_fields(columns: Columns, rows: Sequence[Sequence[str]]) -> RowFields:
    """Return how the rows of a table become fields, decided by its columns and first rows."""
    commas = set()
    for role in ("keywords", "collections", "code_urls"):
        for at in columns.places.get(role, ()):
            cells = [row[at] for row in rows if at < len(row) and row[at].strip()]
            if not any(map(_LISTED.search, cells)) and _commas_part_items(role, cells):
                commas.add(role)
    named = [
        row[at] for row in rows for at in columns.places.get("authors", ())[:1] if at < len(row)
    ]
    held = {*columns.places, *(("doi",) if "id" in columns.places else ())}
    return RowFields(
        columns,
        author_style([cell for cell in named if cell.strip()]),
        frozenset(commas),
        tuple((role, read) for role, read in _READ.items() if role in held),
    )


def _commas_part_items(role: str, cells: Sequence[str]) -> bool:
    """Say whether commas part the items: in keywords always, in a collection where all come again.

    A collection may have a comma in its name.
    """
    if role != "collections":
        return True
    parts = [part for cell in cells for part in re.split(r"\s*,\s*", cell)]
    whole = {cell.strip() for cell in cells if "," not in cell}
    listed = [cell for cell in cells if "," in cell]
    known = sum(all(part in whole for part in re.split(r"\s*,\s*", cell)) for cell in listed)
    return bool(listed) and len(set(parts)) < len(parts) and known >= 0.5 * len(listed)


def _title(row: RowFields, cells: Sequence[str]) -> str:
    title = row.text("title", cells)
    return title if row.columns.is_own else plain_text(title)


def _abstract(row: RowFields, cells: Sequence[str]) -> str:
    abstract = row.text("abstract", cells)
    if row.columns.is_own:
        return abstract
    return "" if _NO_ABSTRACT.fullmatch(abstract[:80]) else plain_text(abstract)


def _authors(row: RowFields, cells: Sequence[str]) -> list[str]:
    cell = row.text("authors", cells)
    return split_authors(cell, row.authors) if cell else []


def _keywords(row: RowFields, cells: Sequence[str]) -> list[str]:
    return row.items("keywords", cells)


def _collections(row: RowFields, cells: Sequence[str]) -> list[str]:
    """Return where a paper is filed; a subcategory stands below the one category of its row."""
    outer = row.items("collections", cells)
    inner = row.items("subcollection", cells)
    if len(outer) == 1 and inner:
        return [f"{outer[0]} / {name}" for name in inner]
    return [" / ".join(_PLACES.split(name)) for name in outer]


def _doi(row: RowFields, cells: Sequence[str]) -> str:
    stated = row.texts("doi", cells) or row.texts("id", cells)
    doi = next(filter(None, map(clean_doi, stated)), "")
    return doi or (row.text("doi", cells) if row.columns.is_own else "")


def _url(row: RowFields, cells: Sequence[str]) -> str:
    for cell in row.texts("url", cells):
        parts = split_list_text(cell) if is_list_text(cell) else re.split(r"[;|]?\s+|[;|]", cell)
        url = clean_url(cell) or next(filter(None, map(clean_url, parts)), "")
        if url:
            return url
    return row.text("url", cells) if row.columns.is_own else ""


def _code_urls(row: RowFields, cells: Sequence[str]) -> list[str]:
    urls = row.items("code_urls", cells)
    return urls if row.columns.is_own else [url for url in urls if clean_url(url)]


def _arxiv(row: RowFields, cells: Sequence[str]) -> str:
    cell = row.text("arxiv_id", cells)
    return clean_arxiv_id(cell) or (cell if row.columns.is_own else "")


def _id(row: RowFields, cells: Sequence[str]) -> str:
    """Return an id of ours, also of what only looks so that it can be named in a warning."""
    cell = row.text("id", cells)
    is_ours = cell.startswith(("arxiv:", "doi:", "p-")) and (row.columns.is_own or clean_id(cell))
    return cell if is_ours else ""


def _count(name: str) -> Read:
    def read(row: RowFields, cells: Sequence[str]) -> object:
        cell = row.text(name, cells)
        return int(cell) if re.fullmatch(r"\d{1,9}", cell, re.ASCII) else cell

    return read


def _plain(name: str) -> Read:
    return lambda row, cells: row.text(name, cells)


_READ: Final[Mapping[str, Read]] = {
    "id": _id,
    "title": _title,
    "abstract": _abstract,
    "abstract_kind": _plain("abstract_kind"),
    "authors": _authors,
    "author_count": _count("author_count"),
    "comment_count": _count("comment_count"),
    "organisation": _plain("organisation"),
    "venue": _plain("venue"),
    "arxiv_id": _arxiv,
    "doi": _doi,
    "url": _url,
    "code_urls": _code_urls,
    "keywords": _keywords,
    "collections": _collections,
}


def _arxiv_id(text: str) -> str:
    """Return the arXiv id in an address, a DOI or behind `arXiv:`; of bare numbers only likely ones."""
    found = clean_arxiv_id(text)
    bare = text.strip() == found and not _ARXIV_ID.fullmatch(found)
    return "" if bare else found


def _whole(text: str) -> str:
    """Return a number without the `.0` that a spreadsheet or pandas put on."""
    match = _WHOLE.fullmatch(text)
    return match[1] if match else text
