"""Taking a person's name apart, as far as a string allows."""

from __future__ import annotations

from typing import NamedTuple

_PARTICLES = frozenset(
    "af al bin da dal de del della den der di do dos du el ibn la le ten ter van von zu zur".split()
)


class Name(NamedTuple):
    """A name; `given` is "" where the name is one word or a group."""

    family: str
    given: str


def split_name(text: str) -> Name:
    """Return family and given name; a particle belongs to the family name.

    >>> split_name("Ada de la Cruz")
    Name(family='de la Cruz', given='Ada')
    >>> split_name("Cruz, Ada")
    Name(family='Cruz', given='Ada')
    """
    if "," in text:
        family, _, given = text.partition(",")
        return Name(" ".join(family.split()), " ".join(given.split()))
    words = text.split()
    first = len(words) - 1
    while first > 1 and words[first - 1] in _PARTICLES:
        first -= 1
    return Name(" ".join(words[first:]), " ".join(words[:first])) if words else Name("", "")
