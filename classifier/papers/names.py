"""Names of people: split them, find them in lists, and compare them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from classifier.text.normalise import tokens

PARTICLES = frozenset(
    "af al bin da dal de del della den der di do dos du el ibn la le ten ter van von zu zur".split()
)
# Words of groups that are never part of a person's name ("The" and "Lab" may be).
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
    """A name; `given` is "" if the name is one word or a group."""

    family: str
    given: str

    def __str__(self) -> str:
        return f"{self.family}, {self.given}" if self.given else self.family


def is_group(text: str) -> bool:
    """Return whether a name is the name of a group, judged by its words."""
    return bool(_GROUP.search(text))


def plain_name(text: str) -> str:
    """Return a name as `Given Family`, whatever its order was.

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
    """Split a name into family name and given name.

    Particles and suffixes belong to the family name.

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
    """Return a name in the form of databases (`Family I.`, `Family IJ`) with a comma.

    Other names are unchanged.

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
    """Return a name as `Family, Given`; a suffix comes after the family name.

    >>> sorted_name("Cruz", "Ada", "Jr."), sorted_name("", "Ada"), sorted_name("Bakers, Ltd", "")
    ('Cruz Jr., Ada', 'Ada', 'Bakers, Ltd')
    """
    if not (family and given):
        return family or given
    return f"{family.replace(',', ' ')} {suffix}".strip() + f", {given}"


# Each match of blanks begins with the first one, so that long runs take linear time.
_AND: Final = re.compile(
    r"(?:,|(?<!\s))\s+(?:and|und|et|y|e|&)\s+(?=\S)|(?<!\s)\s*&\s*", re.IGNORECASE
)
_ENGLISH_AND: Final = re.compile(r"(?:,|(?<!\s))\s+(?:and|&)\s+(?=\S)", re.IGNORECASE)
_COMMA: Final = re.compile(r"(?<!\s)\s*[,，、]\s*")
# Scopus: `Oven, A. (57190000000)`.
_NUMBER: Final = re.compile(r"(?<!\s)\s*\(\d{5,}\)$")
_GIVEN_INITIALS: Final = re.compile(r"(?:[A-ZÀ-ÞА-Я]\.?[\s-]?){1,4}|(?:Jr|Sr|I{2,3})\.?")
_ET_AL: Final = re.compile(r"(?<!\s)\s+(?:et al\.?|u\. ?a\.|等)$", re.IGNORECASE)
# ProQuest and PubMed Central write academic degrees after a name.
_DEGREES: Final = re.compile(
    r"(?:,\s*(?:Ph\.?\s?D|D\.?Phil|M\.?D|Dr|M\.?A|M\.?S|M\.?Sc|MBA|MPH|MPhil|MEd|MSN|MSW|MBBS|B\.?A"
    r"|B\.?S|B\.?Sc|RN|EdD|PsyD|DrPH|PharmD|LLM|LLB|FACS|FRCP|CPA)\.?)+$"
)
_STRING: Final = re.compile(r"(?<!\\)(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")")
_NAME_KEY: Final = re.compile(
    r"['\"]name['\"]\s*:\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")"
)


def people_in(texts: Iterable[str], is_list: bool = False) -> list[str]:
    r"""Return the people named in texts; most texts name one person, some name several.

    is_list: each text is a list of people, which may be separated by commas only.

    >>> people_in(["Oven, Ann; Flour, Bo"]), people_in(["Oven, A., Flour, B. and Salt, C."])
    (['Oven, Ann', 'Flour, Bo'], ['Oven, A.', 'Flour, B.', 'Salt, C.'])
    >>> people_in(["Cruz, Ada, Jr.", "Bal, Bo, MA, PhD", "Department of Bread and Salt"])
    ['Cruz, Ada, Jr.', 'Bal, Bo', 'Department of Bread and Salt']
    >>> people_in(["Ann Oven, Bo Flour and Cy Salt et al."], is_list=True)
    ['Ann Oven', 'Bo Flour', 'Cy Salt', 'et al.']
    >>> people_in(["['Ann Oven', \"Bo O'Flour\"]"])
    ['Ann Oven', "Bo O'Flour"]
    """
    parts = (part for text in texts for part in _split_people(text.strip(), is_list))
    names = (_NUMBER.sub("", part.strip(" ,*†‡")) for part in parts)
    return [name for name in names if name]


def _split_people(text: str, is_list: bool) -> Sequence[str]:
    if is_list_literal(text) and (is_list or text[1:2] in "'\""):
        return parse_list_literal(text)
    if text.count(",") > 1:
        text = _DEGREES.sub("", text)
    if is_list and (more := _ET_AL.search(text)):
        return [*_split_people(text[: more.start()], is_list), "et al."]
    if sign := next((sign for sign in ";；|\n" if sign in text), ""):
        return text.split(sign)
    pairs = _AND.split(text)
    if len(pairs) > 1 and all(pair.count(",") == 1 for pair in pairs):
        return pairs  # `Oven, Ann and Flour, Bo`
    if not is_list and text.count(",") < 3:
        return [text]
    parts = _COMMA.split(_ENGLISH_AND.sub(", ", text))
    if len(parts) % 2 == 0 and all(map(_GIVEN_INITIALS.fullmatch, parts[1::2])):
        return [", ".join(pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    are_full = all(" " in part for part in parts)
    return parts if len(parts) > 2 or are_full or not text.isascii() else [text]


def is_list_literal(text: str) -> bool:
    """Return whether a text is a list in the syntax of Python or JSON: `['A', 'B']`, `["A"]`."""
    text = text.strip()
    return text[:1] in ("[", "{") and text[-1:] in ("]", "}")


def parse_list_literal(text: str) -> list[str]:
    """Return the strings (or the names of objects) of a list in the syntax of Python or JSON."""
    found = _NAME_KEY.findall(text) or _STRING.findall(text)
    if not found:
        return [part.strip() for part in text.strip().strip("[]{}()").split(",") if part.strip()]
    return [re.sub(r"\\(.)", r"\1", one or other) for one, other in found if one or other]


# Minimum share of authors that two records of one paper have in common.
SAME_AUTHORS = 0.8
_UMLAUT = re.compile("([aou])e")
# Words of family names that many people share.
_SHARED_WORDS = PARTICLES | {"jr", "sr", "ii", "iii", "iv"}


@dataclass(frozen=True, slots=True)
class People:
    """The authors of a record, indexed by the words of their names."""

    families: Mapping[str, frozenset[str]]
    """Word of a family name -> initials of the given names with it; empty if one is missing."""
    words: frozenset[str]
    """Words of all names, without initials."""
    kind: Literal["latin", "other", "groups"]
    """The script of the names, or "groups" if none is a person. People of different kinds are not
    compared."""

    @classmethod
    def from_authors(cls, authors: Sequence[str]) -> People:
        """Index the names of a list of authors."""
        names = [_name_parts(author) for author in authors]
        families: dict[str, frozenset[str]] = {}
        for name in names:
            for word in name.family:
                known = families.get(word, name.initials)
                are_known = known and name.initials
                families[word] = known | name.initials if are_known else frozenset()
        words = frozenset(families).union(*(name.given for name in names))
        letters: Literal["latin", "other"] = "latin" if any(map(str.isascii, words)) else "other"
        return cls(families, words, "groups" if all(map(is_group, authors)) else letters)

    def have_no_common_person(self, other_people: People) -> bool:
        """Return whether the two lists have no person in common.

        Two people are not the same if they share only a given name, or a family name with different
        initials. A family name may be any word of a name in the other list, since sources order
        names differently.
        """
        if not (self.words and other_people.words) or self.kind != other_people.kind:
            return False
        for word in self.families.keys() & other_people.families.keys():
            mine, theirs = self.families[word], other_people.families[word]
            if not (mine and theirs) or mine & theirs:
                return False
        only_given = (
            self.words - self.families.keys(),
            other_people.words - other_people.families.keys(),
        )
        return self.families.keys().isdisjoint(only_given[1]) and only_given[0].isdisjoint(
            other_people.families
        )


def have_same_authors(first_authors: Sequence[str], second_authors: Sequence[str]) -> bool:
    """Return whether two lists of authors have nearly all family names in common."""
    a, b = (
        {_name_parts(name).family for name in names} - {frozenset()}
        for names in (first_authors, second_authors)
    )
    if not (a and b) or len(a & b) < SAME_AUTHORS * max(len(a), len(b)):
        return False
    return not People.from_authors(first_authors).have_no_common_person(
        People.from_authors(second_authors)
    )


class _NameParts(NamedTuple):
    family: frozenset[str]
    """Words of the family name."""
    given: frozenset[str]
    """Words of the given name, without initials."""
    initials: frozenset[str]
    """First letters of the given names."""


@lru_cache(2**14)  # records of one paper name the same people
def _name_parts(author: str) -> _NameParts:
    name = split_name(comma_before_initials(to_latin(author) or author))
    given = re.split(r"[\W_]+", name.given)
    # `AB` and `A.B.` are two initials, `Ann` is one.
    letters = [word if word.isupper() and len(word) < 4 else word[:1] for word in given]
    return _NameParts(
        _name_words(name.family), _name_words(name.given), frozenset("".join(letters).lower())
    )


def _name_words(name: str) -> frozenset[str]:
    # `Müller` is also written `Mueller`.
    words = tokens(_UMLAUT.sub(r"\1", name.lower()))
    return frozenset(word for word in words if len(word) > 1 and word not in _SHARED_WORDS)


# Letters that are not a combination of a letter and an accent.
_SPELLED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ı": "i",
     "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH"}
)  # fmt: skip


def to_latin(text: str) -> str:
    """Return `text` without accents; "" if it has letters of another script than Latin.

    >>> to_latin("Søren Łukaš"), to_latin("面包")
    ('Soren Lukas', '')
    """
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text).translate(_SPELLED)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain if sum(map(str.isascii, plain)) > 0.9 * len(plain) else ""
