"""Which field of a paper a column of a table holds, by its cells, where no name says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Final

from classifier.papers.paper import clean_arxiv_id

FEWEST_ROWS: Final = 3
"""Of fewer rows nothing is guessed."""
_MOST = 0.8
"""The share of filled cells that must look so."""

_MANY_ROWS = 8
_FEW_TITLES = 0.15
"""Of many rows, the share of distinct cells from which on they are no titles."""

_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", re.IGNORECASE)
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_FILE = re.compile(r"\.(?:pdf|zip|gz|png|jpg)(?:$|[?#])|/pdf/", re.IGNORECASE)
_OBJECT = re.compile(r"\s*[\[{]\s*[\[{'\"]")
_CODE = re.compile(r"https?://(?:www\.)?(?:github|gitlab)\.com/", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[89]|20)\d\d(?:\.0)?", re.ASCII)
_DATE = re.compile(r"(?:1[89]|20)\d\d[-/]\d{1,2}(?:[-/]\d{1,2})?(?:[T ].*)?", re.ASCII)
_CATEGORIES = re.compile(
    r"(?:(?:cs|math|stat|eess|econ|physics|q-bio|q-fin|cond-mat|astro-ph|nlin)\.[A-Za-z-]{2,}"
    r"|astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nucl-(?:ex|th)|quant-ph)"
)
_PART = re.compile(r"\s*[;|]\s*|,\s+")
_NAME = re.compile(
    r"[^\W\d_a-z][\w'’.\-]*(?:,?\s(?:[a-z]{1,3}|[^\W\d_a-z][\w'’.\-]*)){0,4}"
    r",?\s[^\W\d_a-z][\w'’.\-]*"
)
_INITIALS = re.compile(r"[^\W\d_][\w'’\- ]*?,?\s(?:[^\W\d_a-z]\.-?\s?)+")
# How words end that name a subject and no person.
_SUBJECT = re.compile(
    r"(?:ings?|tions?|ics|ments?|ity|works?|models?|ness|ances?|isms?|ysis|systems?|data|sets?"
    r"|ology|graphy|theory|agents?|ies)$",
    re.IGNORECASE,
)


def guess_roles(
    columns: Mapping[int, Sequence[str]], rows: int, wanted: Iterable[str]
) -> dict[str, int]:
    """Return role -> position of the column whose cells look like it, for the roles `wanted`.

    columns: position -> the filled cells of a column in a sample of `rows` rows. A column has one
    role. A title must be there in most rows; other columns may be sparse.
    """
    found: dict[str, int] = {}
    if rows < FEWEST_ROWS:
        return found
    left = {at: cells for at, cells in columns.items() if cells}
    missing = set(wanted)
    for role, fits in _TESTS:
        scores = {at: fits(cells, rows) for at, cells in left.items()} if role in missing else {}
        best = max(scores, key=lambda at: (scores[at], -at), default=None)
        if best is not None and scores[best] > 0:
            found[role] = best
            del left[best]
    return found


def look_like_names_with_initials(cells: Sequence[str]) -> bool:
    """Say whether cells list people as `Oven A., Flour B.B.`, which no other list looks like."""
    parts = [part for cell in cells for part in _parts(cell)]
    return _share(parts, _INITIALS.fullmatch) >= _MOST


def are_arxiv_categories(cell: str) -> bool:
    """Say whether a cell holds categories of arXiv, such as `cs.CL cs.AI`."""
    return all(map(_CATEGORIES.fullmatch, cell.split()))


def look_like_no_titles(cells: Sequence[str]) -> bool:
    """Say whether cells are addresses, numbers or the same few words, whatever the name says."""
    if len(cells) >= _MANY_ROWS and len(set(cells)) <= _FEW_TITLES * len(cells):
        return True
    return (
        _share(cells, lambda cell: _URL.fullmatch(cell) or not re.search(r"[^\W\d_]", cell)) > 0.5
    )


def _share(cells: Sequence[str], fits: Callable[[str], object]) -> float:
    return sum(bool(fits(cell.strip()[:2000])) for cell in cells) / len(cells) if cells else 0.0


def _matching(pattern: re.Pattern[str]) -> Callable[[Sequence[str], int], float]:
    def fits(cells: Sequence[str], rows: int) -> float:
        share = _share(cells, pattern.fullmatch)
        return share * len(cells) / rows if share >= _MOST else 0.0

    return fits


def _is_arxiv(cells: Sequence[str], rows: int) -> float:
    share = _share(cells, lambda cell: clean_arxiv_id(cell) and len(cell) < 60)
    return share * len(cells) / rows if share >= _MOST else 0.0


def _is_url(cells: Sequence[str], rows: int) -> float:
    """Score the address of a paper: pages before files, never repositories of code."""
    if _share(cells, _URL.fullmatch) < _MOST or _is_code(cells, rows):
        return 0.0
    return (1.0 - 0.5 * _share(cells, _FILE.search)) * len(cells) / rows


def _is_code(cells: Sequence[str], rows: int) -> float:
    share = _share(cells, _CODE.match)
    return share if share >= _MOST else 0.0


def _is_abstract(cells: Sequence[str], rows: int) -> float:
    """Score prose: longer than a title, in sentences, not the same twice."""
    length = median(map(len, cells))
    prose = _share(
        cells, lambda cell: re.search(r"[.。！？!?]\s*\S", cell) and not _URL.match(cell)
    )
    distinct = len(set(cells)) / len(cells)
    if _share(cells, _OBJECT.match) > 0.5:
        return 0.0
    long = length >= 250 or (length >= 80 and not all(map(str.isascii, cells)) and _is_dense(cells))
    return length * len(cells) / rows if long and prose > 0.7 and distinct > 0.8 else 0.0


def _is_dense(cells: Sequence[str]) -> bool:
    """Say whether cells are written without blanks, as Chinese and Japanese are."""
    return sum(cell.count(" ") for cell in cells) < 0.05 * sum(map(len, cells))


def _is_author_list(cells: Sequence[str], rows: int) -> float:
    parts = [part for cell in cells for part in _parts(cell)]
    named = _share(parts, _is_name)
    distinct = len(set(parts)) / len(parts) if parts else 0
    return named * distinct if named >= 0.6 and len(parts) > len(cells) else 0.0


def _is_name(part: str) -> bool:
    return bool(_NAME.fullmatch(part)) and not _SUBJECT.search(part)


def _parts(cell: str) -> list[str]:
    """Return the parts of a cell that is a list, by semicolons where it has any."""
    split = (
        re.split(r"\s*[;|]\s*", cell[:2000])
        if re.search("[;|]", cell)
        else _PART.split(cell[:2000])
    )
    return [part for part in split if part]


def _is_title(cells: Sequence[str], rows: int) -> float:
    """Score lines of a few words that are in most rows and differ from row to row."""
    length = median(map(len, cells))
    words = median(len(cell.split()) for cell in cells)
    if not (12 <= length <= 250 and (words >= 3 or _is_dense(cells))) or len(cells) < _MOST * rows:
        return 0.0
    bad = _share(cells, lambda cell: _URL.search(cell) or ";" in cell or len(cell) > 500)
    distinct = len(set(cells)) / len(cells)
    return distinct if bad < 0.2 and distinct > 0.8 and not _is_author_list(cells, rows) else 0.0


def _is_keyword_list(cells: Sequence[str], rows: int) -> float:
    parts = [part for cell in cells for part in cell.split(";")]
    lists = _share(cells, lambda cell: ";" in cell)
    return lists if lists > 0.5 and median(map(len, parts)) < 40 else 0.0


def _is_venue(cells: Sequence[str], rows: int) -> float:
    """Score short names that come again and end in a year: `Breads 2024`."""
    named = _share(cells, re.compile(r"[^\W\d_][^;]{1,60}\s(?:19|20)\d\d").fullmatch)
    return named if named >= _MOST and len(set(cells)) <= max(1, len(cells) // 2) else 0.0


# In this order: what has an unmistakable form first.
_TESTS: Final[tuple[tuple[str, Callable[[Sequence[str], int], float]], ...]] = (
    ("doi", _matching(_DOI)),
    ("code_urls", _is_code),
    ("arxiv_id", _is_arxiv),
    ("url", _is_url),
    ("year", _matching(_YEAR)),
    ("date", _matching(_DATE)),
    ("abstract", _is_abstract),
    ("authors", _is_author_list),
    ("keywords", _is_keyword_list),
    ("venue", _is_venue),
    ("title", _is_title),
)
GUESSED: Final = tuple(role for role, _ in _TESTS)
