"""Read the fields of a paper from a table row or a flat JSON object.

A row maps the roles of `column_names` to values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import clean_id, clean_url
from classifier.papers.identifiers import (
    doi_and_url,
    doi_from_url,
    find_arxiv_id,
    find_url,
    venue_unless_preprint,
)
from classifier.papers.kinds import CSL_KINDS, csl_type
from classifier.papers.names import (
    comma_before_initials,
    is_list_literal,
    parse_list_literal,
    people_in,
)
from classifier.papers.paper import clean_arxiv_id, clean_doi

Row = Mapping[str, Sequence[str | list[str]]]
"""Role -> the values of its columns or keys, the best first: texts, or lists of texts."""

_ARXIV_CATEGORY: Final = re.compile(
    r"(?:(?:cs|math|stat|eess|econ|physics|q-bio|q-fin|cond-mat|astro-ph|nlin)\.[A-Za-z-]{2,}"
    r"|astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nucl-(?:ex|th)|quant-ph)"
)
_ARXIV_ID: Final = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?", re.ASCII)
_DOI_IN_IDS: Final = re.compile(r"(?:^|[\s;,])doi:\s*([^\s;,]+)", re.IGNORECASE)
_DOI: Final = re.compile(r"(?:doi:\s*)?10\.\d{4,9}/\S+", re.IGNORECASE)
# `2401.10230` and `0704.0010` after a spreadsheet or pandas read them as numbers.
_ARXIV_NUMBER: Final = re.compile(
    r"(\d\d(?:0[1-9]|1[0-2])|\d(?:0[1-9]|1[0-2]))\.(\d{1,5})", re.ASCII
)
_FIVE_DIGITS_SINCE: Final = "1501"
# Publish or Perish takes DOIs out of addresses, with the end of the address.
_VIEW_IN_DOI: Final = re.compile(
    r"(?:\.(?:abstract|short|full)(?:\.pdf)?|\.pdf|/(?:full|abstract|pdf|meta))$"
    r"|(?<=10\.1093/)([a-z]+/[a-z]+\d+)/\d{5,}$",
    re.IGNORECASE,
)
# A star marks the main headings of MEDLINE: `*Tides/growth & development`.
_STAR: Final = re.compile(r"(?:^|(?<=/))\*")
_QUALIFIERS: Final = re.compile(r"(?:/\*?[a-z][a-z &-]+)+$")
_HOST: Final = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_LISTED_URLS: Final = re.compile(r"[;|]?\s+|[;|]")
_LISTED: Final = re.compile(r"\s*[;|\n]\s*")
COMMA: Final = re.compile(r"\s*[,，、]\s*")
_PLACES: Final = re.compile(r"\s+(?:/|>|::)\s+")
_OF_PAGES: Final = frozenset((":type", ":page", ":first-page", ":last-page", ":article-number"))
_AS_WRITTEN: Final = ("title", "abstract", "organisation", "venue")
_CHECKED: Final = ("doi", "url", "arxiv_id", "author_count", "comment_count", "abstract_kind")


def fields_of_row(row: Row, is_native: bool = False, is_export: bool = False) -> dict[str, object]:
    """Return the values of a row by the names in `FIELDS`; empty fields are omitted.

    is_native: the names are Fieldguide's field names, so a wrong value is reported and not ignored.
    is_export: Fieldguide wrote the row, so texts are not cleaned.
    """
    keywords, collections = _keywords_and_collections(row)
    kind = _first_text(row, "abstract_kind")
    found: dict[str, object] = {
        "title": " ".join(plain_text(_first_text(row, "title")).split()),
        "abstract": plain_text(_first_text(row, "abstract")),
        "abstract_kind": kind if kind in ("abstract", "digest", "none") else "",
        "authors": next(filter(None, map(_people_in_value, row.get("authors", ()))), []),
        "author_count": _parse_count(row, "author_count"),
        "organisation": _first_text(row, "organisation"),
        "published": _publication_date(row),
        "venue": _venue(row),
        "code_urls": [
            url for url in _texts_with_role(row, "code_urls") if is_native or clean_url(url)
        ],
        "comment_count": _parse_count(row, "comment_count"),
        "keywords": keywords,
        "collections": collections,
        "reference": _csl_variables(row),
        **_find_ids(row),
    }
    if is_native:
        found |= {name: _first_text(row, name) for name in _AS_WRITTEN}
        if not is_export:
            found |= {name: plain_text(_first_text(row, name)) for name in ("title", "abstract")}
        found |= {name: _first_text(row, name) for name in _CHECKED if found[name] in ("", None)}
        found["published"] = (
            found["published"] or _first_text(row, "date") or _first_text(row, "year")
        )
    return {name: value for name, value in found.items() if value not in ("", [], {}, None)}


def _venue(row: Row) -> str:
    """Return the first venue that is not the address of a website."""
    texts = (" ".join(plain_text(text).split()) for text in _texts_with_role(row, "venue"))
    return venue_unless_preprint(
        next((t for t in texts if not (clean_url(t) or _HOST.fullmatch(t))), "")
    )


def split_items(text: str, by_commas: bool = True) -> list[str]:
    """Split a text into items; commas are separators only if there is no other separator.

    >>> split_items("rye; crust, hard"), split_items("rye, crust"), split_items("cs.CL cs.AI")
    (['rye', 'crust, hard'], ['rye', 'crust'], ['cs.CL', 'cs.AI'])
    """
    if is_list_literal(text):
        return parse_list_literal(text)
    if are_arxiv_categories(text):
        return text.split()
    items = _LISTED.split(text)
    if len(items) == 1 and by_commas:
        items = COMMA.split(text)
    return [item for part in items if (item := part.strip())]


def are_arxiv_categories(text: str) -> bool:
    """Return whether a text consists of arXiv categories, such as `cs.CL cs.AI`."""
    return all(map(_ARXIV_CATEGORY.fullmatch, text.split()))


def _texts_with_role(row: Row, role: str) -> list[str]:
    values = row.get(role, ())
    return [t for value in values for t in ([value] if isinstance(value, str) else value) if t]


def _first_text(row: Row, role: str) -> str:
    return next(iter(_texts_with_role(row, role)), "")


def _split_value(value: str | list[str]) -> list[str]:
    if isinstance(value, str):
        return split_items(value)
    return split_items(value[0], by_commas=False) if len(value) == 1 else value


def _people_in_value(value: str | list[str]) -> list[str]:
    names = people_in(value) if isinstance(value, list) else people_in([value], is_list=True)
    # The end of `ANNA SALT` is a name, that of `SALT AB` is not.
    return [
        name if name.isupper() and len(name.split()[-1]) > 2 else comma_before_initials(name)
        for name in names
    ]


def _without_decimal_zero(text: str) -> str:
    """Remove the `.0` that a spreadsheet or pandas appended to a number."""
    return text[:-2] if text.endswith(".0") and text[:-2].isdecimal() else text


def _parse_count(row: Row, role: str) -> int | None:
    text = _without_decimal_zero(_first_text(row, role))
    return int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) else None


def _publication_date(row: Row) -> str:
    """Return the more precise one of the date column and the columns of year, month and day."""
    year, month, day = (
        _without_decimal_zero(_first_text(row, role)) for role in ("year", "month", "day")
    )
    of_parts = date_of_parts(year, month, day)
    dates = (
        _complete_date(_without_decimal_zero(text), of_parts)
        for text in _texts_with_role(row, "date")
    )
    of_text = next(filter(None, dates), "")
    return of_text if len(of_text) >= len(of_parts) else of_parts


@lru_cache(maxsize=4096)  # the same few thousand in a table of any length
def _complete_date(text: str, date_of_columns: str) -> str:
    """Return the date in a text such as `MAY`, completed by the columns of the date's parts."""
    found = read_date(text)
    return read_date(f"{date_of_columns[:4]} {text}") if date_of_columns and not found else found


def _find_ids(row: Row) -> dict[str, object]:
    """Return the DOI, arXiv id, URL and Fieldguide id from any column that contains them."""
    own = _first_text(row, "id")
    # `{'ArXiv': '2401.10230', 'DOI': '10.1000/x'}`, as Python prints a mapping.
    ids = re.sub(r"['\"{}\[\]]", "", " ".join(_texts_with_role(row, "ids")))
    urls: list[str] = []
    for text in _texts_with_role(row, "url"):
        urls += [text] if clean_url(text) else _LISTED_URLS.split(text)
    stated = [*_texts_with_role(row, "doi"), *_DOI_IN_IDS.findall(ids)]
    stated = [_VIEW_IN_DOI.sub(lambda view: view[1] or "", text) for text in stated]
    short = stated[0] if stated and stated[0].startswith("10/") else ""
    doi = next(filter(None, map(clean_doi, stated)), "") or short
    doi, url = doi_and_url(doi, find_url(*urls, own))
    elsewhere = (
        clean_doi(text) if _DOI.fullmatch(text) else doi_from_url(text) for text in (*urls, own)
    )
    doi = doi or next(filter(None, elsewhere), "")
    arxiv_id = clean_arxiv_id(restore_arxiv_id(_first_text(row, "arxiv_id"))) or find_arxiv_id(
        [doi, *urls, own, ids, *_texts_with_role(row, "extra"), *_texts_with_role(row, "venue")]
    )
    if not arxiv_id and _ARXIV_ID.fullmatch(number := restore_arxiv_id(own)):
        arxiv_id = clean_arxiv_id(number)
    is_ours = own.startswith(("arxiv:", "doi:", "p-"))  # an id of another program is no fault
    return {
        "id": own if is_ours else clean_id(own), "doi": doi, "url": url, "arxiv_id": arxiv_id,
    }  # fmt: skip


def restore_arxiv_id(text: str) -> str:
    """Return an arXiv id with the zeros that it lost when it was stored as a number.

    Other texts are unchanged.

    >>> restore_arxiv_id("2401.1023"), restore_arxiv_id("704.001"), restore_arxiv_id("bread")
    ('2401.10230', '0704.0010', 'bread')
    """
    match = _ARXIV_NUMBER.fullmatch(text)
    if not match:
        return text
    month = match[1].zfill(4)
    return f"{month}.{match[2].ljust(5 if month >= _FIVE_DIGITS_SINCE else 4, '0')}"


def _keywords_and_collections(row: Row) -> tuple[list[str], list[str]]:
    """Return keywords (also arXiv categories) and collections with subcategories."""
    words = [word for value in row.get("keywords", ()) for word in _split_value(value)]
    if any(word.startswith("*") for word in words):
        words = [_QUALIFIERS.sub("", word) for word in words]
    keywords = [_STAR.sub("", word) for word in words]
    outer = next(filter(None, map(_split_value, row.get("collections", ()))), [])
    outer = [_STAR.sub("", name) for name in outer if any(map(str.isalpha, name))]
    inner = next(filter(None, map(_split_value, row.get("subcollection", ()))), [])
    if not outer:
        return keywords, [name for name in inner if any(map(str.isalpha, name))]
    if all(map(are_arxiv_categories, outer)):
        return [*keywords, *outer], []
    if len(outer) == 1 and inner:
        return keywords, [f"{outer[0]} / {name}" for name in inner]
    return keywords, [" / ".join(_PLACES.split(name)) for name in outer]


def _csl_variables(row: Row) -> dict[str, str]:
    """Return the CSL variables in a row; an article number is used as its page."""
    found = {
        role[1:]: _without_decimal_zero(" ".join(_first_text(row, role).split()))
        for role in row
        if role[0] == ":" and role not in _OF_PAGES
    }
    kinds = (
        kind if kind in CSL_KINDS else csl_type(kind, "table")
        for kind in _texts_with_role(row, ":type")
    )
    ends = (_without_decimal_zero(_first_text(row, role)) for role in (":first-page", ":last-page"))
    pages = "-".join(dict.fromkeys(filter(None, ends)))
    found["type"] = next(filter(None, kinds), "")
    found["page"] = (
        _without_decimal_zero(_first_text(row, ":page"))
        or pages
        or _without_decimal_zero(_first_text(row, ":article-number"))
    )
    return {name: value for name, value in found.items() if value}
