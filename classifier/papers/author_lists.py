"""Lists of people in one cell of a table, as programs and people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Separator = Literal[";", "|", "\n", ",", "aA", ""]

# Characters: what is longer is no name, and its form is not asked for.
_MOST_NAME: Final = 200

# Blanks are looked at from the first of them only: a run of them costs no more than its length.
_AND: Final = re.compile(
    r"(?:,|(?<!\s))\s+(?:and|und|et|y|e|&)\s+(?=\S)|(?<!\s)\s*&\s*", re.IGNORECASE
)
_ENGLISH_AND: Final = re.compile(r"(?:,|(?<!\s))\s+(?:and|&)\s+(?=\S)", re.IGNORECASE)
_COMMA: Final = re.compile(r"(?<!\s)\s*[,，、]\s*")
# Scopus: `Oven, A. (57190000000)`.
_NUMBER: Final = re.compile(r"(?<!\s)\s*\(\d{5,}\)$")
# Scopus and PubMed put initials last without a comma: `Oven A.`, `Oven AB`.
_INITIALS_LAST: Final = re.compile(r"([^\W\d_][^,]*?)\s((?:[^\W\d_a-z]\.-?\s?)+)")
_BARE_INITIALS_LAST: Final = re.compile(r"([^\W\d_][^,.]*[a-z][^,.]*)\s([A-Z]{1,3})")
_GIVEN_INITIALS: Final = re.compile(r"(?:[A-ZÀ-ÞА-Я]\.?[\s-]?){1,4}|(?:Jr|Sr|I{2,3})\.?")
_OTHERS: Final = re.compile(r"(?:et al\.?|u\. ?a\.|and others|others|\.\.\.|…|等)", re.IGNORECASE)
# SpringerLink: `Ann OvenBo McFlour`.
_RUN_TOGETHER: Final = re.compile(
    r"(?<=[a-zà-ÿ.])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bDi)(?<!\bLa)(?<!\bLe)(?<!\bVan)"
    r"(?=[A-ZÀ-Þ][a-zà-ÿ.'’])"
)
_ET_AL: Final = re.compile(r"(?<!\s)\s+(?:et al\.?|u\. ?a\.|等)$", re.IGNORECASE)
# ProQuest and PubMed Central have academic degrees behind a name.
_DEGREES: Final = re.compile(
    r"(?:,\s*(?:Ph\.?\s?D|D\.?Phil|M\.?D|Dr|M\.?A|M\.?S|M\.?Sc|MBA|MPH|MPhil|MEd|MSN|MSW|MBBS|B\.?A"
    r"|B\.?S|B\.?Sc|RN|EdD|PsyD|DrPH|PharmD|LLM|LLB|FACS|FRCP|CPA)\.?)+$"
)
_LATIN: Final = re.compile(r"[A-Za-zÀ-ɏ]")
_STRING: Final = re.compile(r"(?<!\\)(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")")
_NAMED: Final = re.compile(
    r"['\"](?:name|display_name|full_?name|fullname)['\"]\s*:\s*"
    r"(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")"
)


@dataclass(frozen=True, slots=True)
class AuthorStyle:
    """How the cells of one column list people."""

    separator: Separator
    """"" where a cell decides; `aA` where nothing parts names but their capitals."""
    bare_initials_last: bool
    """Whether names are `Oven AB`, as PubMed writes them."""


_ANY_STYLE: Final = AuthorStyle("", False)


def author_style(cells: Sequence[str], *, run_together: bool = False) -> AuthorStyle:
    """Return how a column lists people, by a sample of its filled cells.

    run_together: the program that wrote the table puts nothing between people.
    """
    plain = [_ET_AL.sub("", cell[:5000].strip()) for cell in cells if not is_list_text(cell)]
    separator: Separator = ""
    for sign in (";", "|", "\n"):
        if not separator and any(sign in cell.strip(" ;|\n") for cell in plain):
            separator = sign
    if not separator and run_together:
        return AuthorStyle("aA", False)
    if not separator and _commas_part(plain):
        separator = ","
    names = [name for cell in plain for name in _split(cell, separator) if len(name) < _MOST_NAME]
    bare = sum(bool(_BARE_INITIALS_LAST.fullmatch(name.rstrip("."))) for name in names)
    return AuthorStyle(separator, bool(names) and bare >= 0.8 * len(names))


def _commas_part(cells: Sequence[str]) -> bool:
    """Say whether commas stand between people, not between a family and a given name.

    They do where most cells with more than one comma have full names between them, or where
    people without any comma are written given name first.
    """
    cells = [cell for cell in cells if not _is_bibtex_pairs(cell)]
    many = [parts for cell in cells if len(parts := _COMMA.split(_without_and(cell))) > 2]
    if many:
        full = sum(all(" " in part.strip() for part in parts if part) for parts in many)
        return full >= 0.5 * len(many) or not any(map(_alternate, many))
    pairs = [parts for cell in cells if len(parts := _COMMA.split(_without_and(cell))) == 2]
    full = sum(" " in first.strip() and " " in second.strip() for first, second in pairs)
    return bool(pairs) and full >= 0.5 * len(pairs)


def _alternate(parts: Sequence[str]) -> bool:
    """Say whether every second part is what stands behind a family name: `Oven, A., Flour, B.`."""
    return len(parts) % 2 == 0 and all(map(_GIVEN_INITIALS.fullmatch, parts[1::2]))


def split_authors(cell: str, style: AuthorStyle) -> list[str]:
    """Return the people that a cell lists, `et al.` left out.

    >>> style = AuthorStyle(";", False)
    >>> split_authors("Oven, Ann (57190000000); Flour B.C.", style)
    ['Oven, Ann', 'Flour, B.C.']
    >>> split_authors("Ann Oven, Bo Flour and Cy Salt", AuthorStyle(",", False))
    ['Ann Oven', 'Bo Flour', 'Cy Salt']
    >>> split_authors("['Ann Oven', \\"Bo O'Flour\\"]", AuthorStyle("", False))
    ['Ann Oven', "Bo O'Flour"]
    """
    names = split_list_text(cell) if is_list_text(cell) else _split(cell, style.separator)
    plain = (_name(name, style.bare_initials_last) for name in names)
    return [name for name in plain if name and not _OTHERS.fullmatch(name)]


def people_in(lines: Sequence[str]) -> list[str]:
    """Return the people of a format that has one on a line, where some line has several after all.

    >>> people_in(["Oven, Ann; Flour, Bo"]), people_in(["Oven, A., Flour, B. and Salt, C."])
    (['Oven, Ann', 'Flour, Bo'], ['Oven, A.', 'Flour, B.', 'Salt, C.'])
    >>> people_in(["Cruz, Ada, Jr.", "Bal, Bo, MA, PhD", "Department of Bread and Salt"])
    ['Cruz, Ada, Jr.', 'Bal, Bo', 'Department of Bread and Salt']
    """
    people: list[str] = []
    for line in lines:
        if line.count(",") > 1:
            line = _DEGREES.sub("", line)
        is_list = ";" in line or "；" in line or line.count(",") > 2 or _is_bibtex_pairs(line)
        people += split_authors(line, _ANY_STYLE) if is_list else [line.rstrip(", ")]
    return people


def normal_names(names: Sequence[str]) -> list[str]:
    """Return names that are listed one by one, the family name before a comma where it is told.

    >>> normal_names(["Oven AB", "Flour C"]), normal_names(["Ann Oven", "et al."])
    (['Oven, AB', 'Flour, C'], ['Ann Oven'])
    """
    style = author_style(["; ".join(names)])
    plain = (_name(" ".join(name.split()), style.bare_initials_last) for name in names)
    return [name for name in plain if name and not _OTHERS.fullmatch(name)]


def is_list_text(cell: str) -> bool:
    """Say whether a cell is a list as programs print it: `['A', 'B']`, `["A"]`, `c("A", "B")`."""
    cell = cell.strip()
    return (cell[:1] in ("[", "{") and cell[-1:] in ("]", "}")) or cell.startswith(('c("', "("))


def split_list_text(cell: str) -> list[str]:
    """Return the strings of a printed list; of objects, their names."""
    found = _NAMED.findall(cell) or _STRING.findall(cell)
    if not found:
        return [part.strip() for part in cell.strip().strip("[]{}()").split(",") if part.strip()]
    return [_unescaped(single or double) for single, double in found if single or double]


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text)
    text = re.sub(r"\\([ntr])", " ", text)
    return re.sub(r"\\(.)", r"\1", text)


def _split(cell: str, separator: Separator) -> list[str]:
    """Return the raw parts of a cell."""
    cell = _ET_AL.sub("", cell.strip())
    if separator == "aA":
        return [part.strip() for part in _RUN_TOGETHER.split(cell)]
    if not any(sign in cell for sign in ";；|\n"):  # rows that people typed, each its own way
        if " / " in cell:
            return [part.strip() for part in cell.split(" / ")]
        if _is_bibtex_pairs(cell):
            return [part.strip(" ,") for part in _AND.split(cell)]
    if separator and separator != ",":
        return [part.strip() for part in cell.split(separator)]
    for sign in (";", "；"):
        if sign in cell:
            return [part.strip() for part in cell.split(sign)]
    parts = _COMMA.split(_without_and(cell))
    if separator == "," and (len(parts) > 1 or not _is_bibtex(cell)):
        return parts
    if _alternate(parts):  # `Oven, A., Flour, B.`, also a single `Oven, A.`
        return [", ".join(pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    if _is_bibtex(cell):
        return [part.strip(" ,") for part in _ENGLISH_AND.split(cell)]
    if len(parts) > 2 or not _LATIN.search(cell):
        return parts
    return [part.strip(" ,") for part in _AND.split(cell)] if " & " in cell else [cell]


def _is_bibtex(cell: str) -> bool:
    """Say whether `and` stands between people: `Oven, Ann and Flour, Bo`, `Ann Oven and Bo S`."""
    parts = _ENGLISH_AND.split(cell)
    return len(parts) > 1 and all(" " in part.strip() and part.count(",") < 2 for part in parts)


def _without_and(cell: str) -> str:
    """Return a list with a comma in the place of its last `and`, if commas part it."""
    return _ENGLISH_AND.sub(", ", cell) if "," in cell and not _is_bibtex_pairs(cell) else cell


def _is_bibtex_pairs(cell: str) -> bool:
    """Say whether `and`, in any language, stands between names with a comma each."""
    parts = _AND.split(cell)
    return len(parts) > 1 and all(part.count(",") == 1 for part in parts)


def _name(text: str, bare_initials_last: bool) -> str:
    """Return a name, the family name before a comma where the form tells it."""
    text = text.strip(" ,*†‡")
    if text[-1:] in (")", ".", "l", "L", "等"):
        text = _ET_AL.sub("", _NUMBER.sub("", text))
    if "," in text or len(text) >= _MOST_NAME:
        return text
    bare = _BARE_INITIALS_LAST.fullmatch(text.rstrip(".")) if bare_initials_last else None
    match = bare or _INITIALS_LAST.fullmatch(text)
    return f"{match[1]}, {match[2].strip()}" if match else text
