"""A row of named values as fields of a paper: of a table, or a JSON object that nobody knows.

The names are those of `column_names`: the fields of a paper, `date` and its parts, `ids` and
`extra`, in which ids may stand, `subcollection`, and variables of CSL behind a colon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import clean_id, clean_url
from classifier.papers.formats.json_paths import line_of, names_of, object_of, text_of
from classifier.papers.identifiers import (
    arxiv_id_in,
    doi_and_url,
    doi_of_resolver,
    url_of,
    venue_of,
)
from classifier.papers.kinds import CSL_KINDS, csl_kind
from classifier.papers.names import (
    AuthorStyle,
    arxiv_authors,
    author_style,
    is_list_text,
    normal_names,
    split_authors,
    split_list_text,
)
from classifier.papers.paper import clean_arxiv_id, clean_doi

Row = Mapping[str, Sequence[object]]
"""Role -> the values of its columns or keys, the best first."""

_MOST_PARTS = 10_000
_MOST_DEPTH = 5
"""Lists and objects inside each other that are looked into."""
# What the text of an object stands under, the likeliest first.
_INNER: Final = (
    "name", "full_name", "fullname", "fullName", "display_name", "displayName", "author_name",
    "author", "raw_author_name", "text", "#text", "$", "content", "value", "title",
    "description", "subject", "term", "literal", "creator", "label", "keyword", "url",
)  # fmt: skip
_ARXIV_CATEGORY: Final = re.compile(
    r"(?:(?:cs|math|stat|eess|econ|physics|q-bio|q-fin|cond-mat|astro-ph|nlin)\.[A-Za-z-]{2,}"
    r"|astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nucl-(?:ex|th)|quant-ph)"
)
_ARXIV_IN_TEXT: Final = re.compile(r"arxiv\s*(?:id)?\s*[:.]\s*\S+", re.IGNORECASE)
_ARXIV_IN_IDS: Final = re.compile(r"['\"]arxiv['\"]\s*:\s*['\"]([^'\"]+)", re.IGNORECASE)
_ARXIV_ID: Final = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?", re.ASCII)
_DOI_IN_IDS: Final = re.compile(
    r"(?:['\"]doi['\"]\s*:\s*['\"]|(?:^|[\s;,])doi:\s*)([^'\"\s;]+)", re.IGNORECASE
)
_DOI: Final = re.compile(r"(?:doi:\s*)?10\.\d{4,9}/\S+", re.IGNORECASE)
# What a spreadsheet or pandas leaves of `2401.10230` and `0704.0010`.
_ARXIV_NUMBER: Final = re.compile(
    r"(\d\d(?:0[1-9]|1[0-2])|\d(?:0[1-9]|1[0-2]))\.(\d{1,5})", re.ASCII
)
_FIVE_DIGITS_SINCE: Final = "1501"
# Days since 1899-12-30, by which Excel counts: of 1954 to 2064.
_SERIAL: Final = re.compile(r"[2-5]\d{4}", re.ASCII)
# Numbers that pandas made of whole ones: `15660.0`.
_WHOLE: Final = re.compile(r"(\d+)\.0", re.ASCII)
_LISTED_URLS: Final = re.compile(r"[;|]?\s+|[;|]")
_LISTED: Final = re.compile(r"\s*[;|\n]\s*")
COMMA: Final = re.compile(r"\s*[,，、]\s*")
_PLACES: Final = re.compile(r"\s+(?:/|>|::)\s+")
_HOLD_IDS: Final = frozenset(("id", "ids", "doi", "url", "arxiv_id", "extra", "venue"))
_KINDS_OF_ABSTRACT: Final = ("abstract", "digest", "none")


class RowStyle(NamedTuple):
    """How the rows of one table are written."""

    authors: AuthorStyle | None = None
    """None: each list of authors is looked at by itself."""
    is_own: bool = False
    """Whether the names are those of our fields, so that a wrong value is told, not passed over."""


_ANY: Final = RowStyle()


def fields_of_row(row: Row, style: RowStyle = _ANY) -> dict[str, object]:
    """Return a row as fields of `FIELDS`, those that it does not state left out."""
    found = {name: read(row) for name, read in _READ.items() if name in row}
    if "authors" in row:
        people = (_authors(value, style) for value in row["authors"])
        found["authors"] = next(filter(None, people), [])
    found["published"] = _published(row)
    found["keywords"], found["collections"] = _filed(row)
    found["reference"] = _reference(row)
    found |= _ids(row)
    if style.is_own:
        found |= _as_written(row, found)
    return {name: value for name, value in found.items() if value not in ("", [], {}, None)}


def _as_written(row: Row, found: Mapping[str, object]) -> dict[str, object]:
    """Return texts as they stand, and what cannot be read, so that it is named."""
    kept: dict[str, object] = {}
    kept |= {name: _first(row, name) for name in ("title", "abstract", "organisation", "venue")}
    read = ("doi", "url", "arxiv_id", "author_count", "comment_count", "abstract_kind", "id")
    unread = {name: _first(row, name) for name in read if found.get(name) in ("", None)}
    # An id of another program is none of ours, and no fault.
    if not unread.get("id", "").startswith(("arxiv:", "doi:", "p-")):
        unread.pop("id", None)
    published = found["published"] or _first(row, "date") or _first(row, "year")
    for name in ("keywords", "collections"):
        kept[name] = [word for value in row.get(name, ()) for word in _words(value)]
    return {**kept, **unread, "published": published, "code_urls": _strings(row.get("code_urls"))}


# --- Values ------------------------------------------------------------------------------------


def value_within(value: object) -> object:
    """Return what an object wraps: `{"value": …}`, `{"nodes": …}`."""
    for _ in range(4):
        if not isinstance(value, dict):
            break
        if isinstance(value.get("edges"), list):
            value = [object_of(edge).get("node") for edge in value["edges"]]
        elif len(value) == 1 and isinstance(next(iter(value.values())), list | Mapping):
            value = next(iter(value.values()))
        else:
            held = next((value[key] for key in ("nodes", "value") if key in value), None)
            if held is None:
                break
            value = held
    return value


def text_within(value: object, joined: bool = False, depth: int = 0) -> str:
    """Return a text; of objects what their name or text is, of a list the first or all."""
    if isinstance(value, str):
        return text_of(value)
    value = value_within(value)
    if depth > _MOST_DEPTH:
        return ""
    if isinstance(value, dict):
        inner = (text_within(value[key], depth=depth + 1) for key in _INNER if key in value)
        return next(filter(None, inner), "")
    if isinstance(value, list):
        texts = (text_within(item, depth=depth + 1) for item in value[:_MOST_PARTS])
        return "\n".join(filter(None, texts)) if joined else next(filter(None, texts), "")
    return text_of(value)


def strings_within(value: object) -> list[str]:
    """Return all texts in a value, however deep."""
    return list(islice(_all_strings(value, 0), _MOST_PARTS))


def _all_strings(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from split_list_text(value) if is_list_text(value) else (value.strip(),)
    elif isinstance(value, dict | list | tuple) and depth < _MOST_DEPTH:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _all_strings(item, depth + 1)


def split_items(text: str, by_commas: bool = True) -> list[str]:
    """Return the items of a text that lists some; commas part them where nothing else does.

    >>> split_items("rye; crust, hard"), split_items("rye, crust"), split_items("cs.CL cs.AI")
    (['rye', 'crust, hard'], ['rye', 'crust'], ['cs.CL', 'cs.AI'])
    """
    if is_list_text(text):
        return split_list_text(text)
    if are_arxiv_categories(text):
        return text.split()
    items = _LISTED.split(text)
    if len(items) == 1 and by_commas:
        items = COMMA.split(text)
    return [item for part in items if (item := part.strip())]


def are_arxiv_categories(text: str) -> bool:
    """Say whether a text holds categories of arXiv, such as `cs.CL cs.AI`."""
    return all(map(_ARXIV_CATEGORY.fullmatch, text.split()))


def _first(row: Row, role: str) -> str:
    """Return the text of the first value of a role that says something."""
    values = row.get(role)
    return next(filter(None, map(text_within, values)), "") if values else ""


def _strings(value: object) -> list[str]:
    return strings_within(value) if value else []


def _words(value: object) -> list[str]:
    value = value_within(value)
    if isinstance(value, str):
        return split_items(value)
    items = value if isinstance(value, list) else [value]
    return [word for item in items if (word := text_within(item).strip())]


def _whole(text: str) -> str:
    """Return a number without the `.0` that a spreadsheet or pandas put on."""
    match = _WHOLE.fullmatch(text) if text[-2:] == ".0" else None
    return match[1] if match else text


def _count(row: Row, role: str) -> int | None:
    text = _first(row, role)
    return int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) else None


def _one_of(known: Sequence[str], text: str) -> str:
    return text if text in known else ""


# --- Fields ------------------------------------------------------------------------------------


def _authors(value: object, style: RowStyle) -> list[str]:
    """Return names from a list of texts or of objects, or from one text that lists them."""
    value = value_within(value)
    if not isinstance(value, str):
        return normal_names(names_of(value))
    if style.authors:
        return split_authors(value, style.authors)
    text = " ".join(value.split())
    if is_list_text(text):
        return normal_names(split_list_text(text))
    return arxiv_authors(text)[0] if "(" in text else split_authors(text, author_style([text]))


def _published(row: Row) -> str:
    """Return the more precise of the first date and of the parts of one, wherever they stand."""
    if "date" not in row and "year" not in row:
        return ""
    year, month, day = (_whole(_first(row, role)) for role in ("year", "month", "day"))
    of_parts = date_of_parts(year, month, day)
    dates = (_date(_whole(text_within(value)), of_parts) for value in row.get("date", ()))
    of_text = next(filter(None, dates), "")
    return of_text if len(of_text) >= len(of_parts) else of_parts


@lru_cache(maxsize=4096)  # the same few thousand in a table of any length
def _date(text: str, of_parts: str) -> str:
    """Return the date of a text: days as Excel counts them, `MAY` or `JAN 10` beside a year."""
    if _SERIAL.fullmatch(text):
        return (date(1899, 12, 30) + timedelta(days=int(text))).isoformat()
    found = read_date(text)
    return read_date(f"{of_parts[:4]} {text}") if text and of_parts and not found else found


def _ids(row: Row) -> dict[str, str]:
    """Return DOI, arXiv id, URL and our own id, wherever programs and people put them."""
    if _HOLD_IDS.isdisjoint(row):
        return {}
    own, ids = _first(row, "id"), row.get("ids", ())
    named = " ".join(value if isinstance(value, str) else repr(value) for value in ids)
    listed = _strings(row.get("url"))
    parts = ([text] if clean_url(text) else _LISTED_URLS.split(text) for text in listed)
    urls = [part for of_text in parts for part in of_text]
    places = [*urls, own, *_strings(ids)]
    in_ids = _DOI_IN_IDS.search(named)
    stated = [*_strings(row.get("doi")), *([in_ids[1]] if in_ids else ())]
    short = next(iter(stated), "")
    doi = next(filter(None, map(clean_doi, stated)), "")
    doi, url = doi_and_url(doi or (short if short.startswith("10/") else ""), url_of(*urls, own))
    elsewhere = (clean_doi(t) if _DOI.fullmatch(t) else doi_of_resolver(t) for t in places)
    doi = doi or next(filter(None, elsewhere), "")
    return {
        "id": clean_id(own) if own.startswith(("arxiv:", "doi:", "p-")) else "",
        "doi": doi,
        "url": url,
        "arxiv_id": _arxiv_id(row, [doi, *places], named),
    }


def _arxiv_id(row: Row, places: Sequence[str], named: str) -> str:
    stated = clean_arxiv_id(whole_arxiv_id(_first(row, "arxiv_id")))
    if stated or (found := arxiv_id_in(places)):
        return stated or found
    if match := _ARXIV_IN_IDS.search(named):
        return clean_arxiv_id(match[1])
    for text in (_first(row, "extra"), _first(row, "venue")):
        match = _ARXIV_IN_TEXT.search(text) if "xiv" in text.lower() else None
        if match and (found := clean_arxiv_id(match[0])):
            return found
    bare = (whole_arxiv_id(text) for text in places)
    return next((clean_arxiv_id(text) for text in bare if _ARXIV_ID.fullmatch(text)), "")


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


def _filed(row: Row) -> tuple[list[str], list[str]]:
    """Return keywords and collections; categories of arXiv file nothing.

    A subcategory stands below the one category of its row.
    """
    keywords = [word for value in row.get("keywords", ()) for word in _words(value)]
    outer = next(filter(None, map(_words, row.get("collections", ()))), [])
    outer = [name for name in outer if any(map(str.isalpha, name))]
    inner = next(filter(None, map(_words, row.get("subcollection", ()))), [])
    if outer and all(map(are_arxiv_categories, outer)):
        return [*keywords, *outer], []
    if len(outer) == 1 and inner:
        return keywords, [f"{outer[0]} / {name}" for name in inner]
    return keywords, [" / ".join(_PLACES.split(name)) for name in outer]


def _reference(row: Row) -> dict[str, str]:
    """Return the variables of CSL that a row states."""
    stated = object_of(next(iter(row.get("reference", ())), None))
    found = {name: text_of(value) for name, value in stated.items()}
    for role in row:
        if role[0] == ":" and role not in _HANDLED:
            text = line_of(_first(row, role))
            found[role[1:]] = "; ".join(split_list_text(text)) if text[:1] == "[" else _whole(text)
    kinds = (text_within(value) for value in row.get(":type", ()))
    known = (kind if kind in CSL_KINDS else csl_kind(kind, "table") for kind in kinds)
    found["type"] = found.get("type") or next(filter(None, known), "")
    found["page"] = found.get("page") or _page(row)
    return {name: value for name, value in found.items() if value}


def _page(row: Row) -> str:
    """Return the pages, or the number of an article that has none."""
    ends = (_whole(_first(row, role)) for role in (":first-page", ":last-page"))
    pages = "-".join(dict.fromkeys(filter(None, ends)))
    return _whole(_first(row, ":page")) or pages or _whole(_first(row, ":article-number"))


_HANDLED: Final = frozenset((":type", ":page", ":first-page", ":last-page", ":article-number"))

_READ: Final[Mapping[str, Callable[[Row], object]]] = {
    "title": lambda row: line_of(plain_text(_first(row, "title"))),
    "abstract": lambda row: plain_text(_first(row, "abstract")),
    "abstract_kind": lambda row: _one_of(_KINDS_OF_ABSTRACT, _first(row, "abstract_kind")),
    "organisation": lambda row: line_of(_first(row, "organisation")),
    "venue": lambda row: venue_of(line_of(plain_text(_first(row, "venue")))),
    "code_urls": lambda row: [
        url for text in _strings(row["code_urls"]) if (url := clean_url(text))
    ],
    "author_count": lambda row: _count(row, "author_count"),
    "comment_count": lambda row: _count(row, "comment_count"),
}
"""Field that the role of its name alone gives -> what reads it."""
