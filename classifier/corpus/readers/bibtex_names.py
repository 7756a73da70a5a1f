"""The names in an `author` or `editor` field of BibTeX."""

from __future__ import annotations

import re
from typing import Final

from classifier.corpus.readers.latex import latex_text

_AND: Final = re.compile(r" (?:and )+", re.IGNORECASE)
_WHOLE: Final = re.compile(r"\{([^{}]*)\}")
_BRACED_FAMILY: Final = re.compile(r"([^{},]*[^{},\s])\s+\{([^{}\\]*\s[^{}\\]*)\}")
_PART: Final = re.compile(r"\b(family|given|prefix|suffix)(?:-i)?\s*=\s*(\"[^\"]*\"|[^,]*)")


def read_names(text: str) -> list[str]:
    r"""Return the names of a field that joins them with `and`, each in its own order.

    A name in braces is a group; `and others` is kept as `others`.

    >>> read_names(r"Ada de la Cruz and {B}al, Jr., J{\'o}zef and {Bees and Birds} and others")
    ['Ada de la Cruz', 'Bal Jr., Józef', 'Bees and Birds', 'others']
    """
    if "{" not in text and "=" not in text:
        names = [_ordered(name) for name in _AND.split(_line(text))]
    else:
        from bibtexparser.middlewares.names import split_multiple_persons_names  # late: heavy

        names = [_read_name(name) for name in split_multiple_persons_names(text)]
    return [name for name in names if name]


def _read_name(raw: str) -> str:
    """Return one name as text."""
    raw = raw.strip()
    if match := _WHOLE.fullmatch(raw):
        return _line(match[1])
    if "family=" in raw:
        return _read_parts(raw)
    if match := _BRACED_FAMILY.fullmatch(raw):
        return f"{_line(match[2])}, {_line(match[1])}"
    return _ordered(_line(raw))


def _ordered(name: str) -> str:
    """Return a name whose suffix, as in `von Last, Jr, First`, goes with the family name."""
    if name.count(",") == 2:
        family, suffix, given = (part.strip() for part in name.split(","))
        return f"{family} {suffix}, {given}"
    return name.strip(" ,")


def _read_parts(raw: str) -> str:
    """Return a name in the extended form of biblatex: `family=Cruz, given=Ada, prefix=de la`."""
    parts = {name: _line(value.strip('" ')) for name, value in _PART.findall(raw)}
    family = f"{parts.get('prefix', '')} {parts.get('family', '')} {parts.get('suffix', '')}"
    given = parts.get("given", "")
    return f"{' '.join(family.split())}, {given}" if given else " ".join(family.split())


def _line(text: str) -> str:
    return " ".join(latex_text(text).split())
