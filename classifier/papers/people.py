"""Whether two records name the same people, however sources write, cut and turn their names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from classifier.papers.names import PARTICLES, comma_before_initials, is_group, split_name
from classifier.text.normalise import tokens

# Share of authors that two records of one paper have in common.
SAME_AUTHORS = 0.8
_UMLAUT = re.compile("([aou])e")
# Of a family name, what others have in theirs, too.
_NO_NAMES = PARTICLES | {"jr", "sr", "ii", "iii", "iv"}


@dataclass(frozen=True, slots=True)
class People:
    """The authors of a record by the words of their names."""

    families: frozenset[str]
    """Words of family names, as far as a name tells which they are."""
    words: frozenset[str]
    """Words of all names, without initials."""
    kind: Literal["latin", "other", "groups"]
    """In which letters they are, or whether they are groups alone: only like is compared."""

    @classmethod
    def of(cls, authors: Sequence[str]) -> People:
        """Return the people whom a list of authors names."""
        names = [_split(author) for author in authors]
        families = frozenset(word for family, _ in names for word in family)
        words = families.union(*(given for _, given in names))
        letters: Literal["latin", "other"] = "latin" if any(map(str.isascii, words)) else "other"
        return cls(families, words, "groups" if all(map(is_group, authors)) else letters)

    def are_others_than(self, other: People) -> bool:
        """Say whether nobody can be among both.

        A given name that both have tells nothing. But a family name may be any word of the same
        name elsewhere, since sources turn names in many ways.
        """
        return (
            bool(self.words and other.words)
            and self.kind == other.kind
            and self.families.isdisjoint(other.words)
            and self.words.isdisjoint(other.families)
        )


def same_authors(first: Sequence[str], second: Sequence[str]) -> bool:
    """Say whether two lists of authors are one, by nearly all of their family names."""
    a, b = ({family for name in names if (family := _split(name)[0])} for names in (first, second))
    return bool(a and b) and len(a & b) >= SAME_AUTHORS * max(len(a), len(b))


@lru_cache(2**14)  # records of one paper name the same people
def _split(author: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of the family name, and those of the given name."""
    name = split_name(comma_before_initials(latin(author) or author))
    return _words(name.family), _words(name.given)


def _words(name: str) -> frozenset[str]:
    # `Müller` is also written `Mueller`.
    words = tokens(_UMLAUT.sub(r"\1", name.lower()))
    return frozenset(word for word in words if len(word) > 1 and word not in _NO_NAMES)


# Letters that are not another one with an accent.
_SPELLED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ı": "i",
     "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH"}
)  # fmt: skip


def latin(text: str) -> str:
    """Return `text` without accents; "" where it is not in Latin letters.

    >>> latin("Søren Łukaš"), latin("面包")
    ('Soren Lukas', '')
    """
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text).translate(_SPELLED)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain if sum(map(str.isascii, plain)) > 0.9 * len(plain) else ""
