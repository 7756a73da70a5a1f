"""Taking a person's name apart, as far as a string allows."""

from __future__ import annotations

import re
from typing import NamedTuple

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
