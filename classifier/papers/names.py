"""Names of people: taken apart, and found in lists as programs and people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

PARTICLES = frozenset(
    "af al bin da dal de del della den der di do dos du el ibn la le ten ter van von zu zur".split()
)
# Words of groups that are no part of a person's name ("The" and "Lab" are, somewhere).
_GROUP = re.compile(
    r"&|\b(?:and|of|team|group|consortium|collaboration|community|contributors|project"
    r"|laborator(?:y|ies)|institute|university|union|alliance|initiative|foundation|research)\b",
    re.IGNORECASE,
)
_RANK = re.compile(r"(?:Jr|Sr|I{2,3}|IV)\.?")
# "Liu R.", "de Vries A.B.", "Zaidat OO", "Cruz A Jr": family name, initials, rank.
_INITIALS_LAST = re.compile(
    r"(?P<family>[^\s,]{2,}(?:\s[^\s,]+){0,4}?)\s"
    r"(?P<given>(?:[^\W\d_a-z]\.[ -]?)+|[A-Z]{1,4}|[A-Z](?:[ -][A-Z]){1,2})"
    r"(?P<rank>\s(?:Jr|Sr|[2-4](?:nd|rd|th)|I{2,3}|IV)\.?)?"
)


class Name(NamedTuple):
    """A name; `given` is "" where the name is one word or a group."""

    family: str
    given: str

    def __str__(self) -> str:
        return f"{self.family}, {self.given}" if self.given else self.family


def is_group(text: str) -> bool:
    """Say whether a name is that of a group, by a word that no person has in theirs."""
    return bool(_GROUP.search(text))


def plain_name(text: str) -> str:
    """Return a name in the order in which people say it, whether it was read so or sorted.

    >>> plain_name("Cruz, Ada"), plain_name("Ada Cruz"), plain_name("Bees, Birds and Others Group")
    ('Ada Cruz', 'Ada Cruz', 'Bees, Birds and Others Group')
    >>> plain_name("Holmes, O. W., Jr.")
    'O. W. Holmes Jr.'
    """
    if "," not in text:
        return text
    name = split_name(text)
    return f"{name.given} {name.family}".strip()


def split_name(text: str) -> Name:
    """Return family and given name; particle and rank go with the family name, a group is whole.

    >>> split_name("Ada de la Cruz")
    Name(family='de la Cruz', given='Ada')
    >>> split_name("Cruz, Ada")
    Name(family='Cruz', given='Ada')
    >>> split_name("The Birds and Bees Group")
    Name(family='The Birds and Bees Group', given='')
    >>> split_name("Bo Bal Jr."), split_name("Bal, Bo, Jr.")
    (Name(family='Bal Jr.', given='Bo'), Name(family='Bal Jr.', given='Bo'))
    """
    words = text.split()
    if is_group(text):
        return Name(" ".join(words), "")
    if "," in text:
        family, _, given = text.partition(",")
        family, given = " ".join(family.split()), " ".join(given.split())
        before, comma, rank = given.rpartition(", ")
        if family and comma and _RANK.fullmatch(rank):
            family, given = f"{family} {rank}", before
        return Name(family, given) if family else Name(given, "")
    has_rank = len(words) > 2 and _RANK.fullmatch(words[-1])
    first = len(words) - (2 if has_rank else 1)
    while first > 1 and words[first - 1] in PARTICLES:
        first -= 1
    return Name(" ".join(words[first:]), " ".join(words[:first])) if words else Name("", "")


def comma_before_initials(text: str) -> str:
    """Return a name as databases sort it, `Family I.` or `Family IJ`, with its comma.

    >>> comma_before_initials("de Vries A.B."), comma_before_initials("Cruz AB Jr")
    ('de Vries, A.B.', 'Cruz, AB Jr')
    >>> comma_before_initials("Ada Cruz"), comma_before_initials("Cruz, Ada")
    ('Ada Cruz', 'Cruz, Ada')
    """
    match = _INITIALS_LAST.fullmatch(text) if len(text) < 100 else None
    if match is None or is_group(text):
        return text
    return f"{match['family']}, {match['given'].strip()}{match['rank'] or ''}"


def sorted_name(family: str, given: str, suffix: str = "") -> str:
    """Return a name as `Family, Given`; a suffix stays with the family name.

    >>> sorted_name("Cruz", "Ada", "Jr."), sorted_name("", "Ada"), sorted_name("Bakers, Ltd", "")
    ('Cruz Jr., Ada', 'Ada', 'Bakers, Ltd')
    """
    if not (family and given):
        return family or given
    return f"{family.replace(',', ' ')} {suffix}".strip() + f", {given}"


_MORE_AUTHORS = re.compile(r"\W*\bet al\W*\(?(\d{1,5})?[^()]{0,60}\)?\W*\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+")
_SUFFIX = re.compile(r"(?:[JS]r\.?|I{2,3}|IV)\Z")


def arxiv_authors(text: str) -> tuple[list[str], int | None]:
    """Return the names in arXiv's line of authors, and their number where more are counted.

    Institutes in brackets are left out.

    >>> arxiv_authors("Ada One (Here), Bo Two Jr. and Cy Three, et al. (4 additional authors)")
    (['Ada One', 'Bo Two Jr.', 'Cy Three'], 7)
    """
    text = " ".join(text.split())
    more = _MORE_AUTHORS.search(text, max(0, len(text) - 100))
    text = text[: more.start()] if more else text
    names: list[str] = []
    for part in _BETWEEN.split(_without_brackets(text)):
        name = part.strip(" .:;") + ("." if part.endswith(".") else "")
        if names and _SUFFIX.match(name):
            names[-1] += f" {name}"
        elif re.search(r"[^\W\d_]", name):
            names.append(name)
    count = len(names) + int(more[1]) if more and more[1] else None
    return names, count


def _without_brackets(text: str) -> str:
    """Return `text` without what stands in round brackets, which may hold further ones."""
    kept: list[str] = []
    depth = 0
    for part in re.split(r"([()])", text):
        if part == "(":
            depth += 1
        elif part == ")":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(part)
    return " ".join(" ".join(kept).split()).replace(" ,", ",")


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
_POINTED_INITIALS: Final = re.compile(r"([^\W\d_][^,]*?)\s((?:[^\W\d_a-z]\.-?\s?)+)")
_BARE_INITIALS: Final = re.compile(r"([^\W\d_][^,.]*[a-z][^,.]*)\s([A-Z]{1,3})")
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
    signs: tuple[Separator, ...] = (";", "|", "\n")
    found = (sign for sign in signs if any(sign in cell.strip(" ;|\n") for cell in plain))
    otherwise: Separator = "aA" if run_together else "," if _commas_part(plain) else ""
    separator = next(found, otherwise)
    if separator == "aA":
        return AuthorStyle("aA", False)
    names = [name for cell in plain for name in _split(cell, separator) if len(name) < _MOST_NAME]
    bare = sum(bool(_BARE_INITIALS.fullmatch(name.rstrip("."))) for name in names)
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
    given: str = separator if separator != "," else ""
    if sign := given or next((sign for sign in ";；" if sign in cell), ""):
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
    bare = _BARE_INITIALS.fullmatch(text.rstrip(".")) if bare_initials_last else None
    match = bare or _POINTED_INITIALS.fullmatch(text)
    return f"{match[1]}, {match[2].strip()}" if match else text
