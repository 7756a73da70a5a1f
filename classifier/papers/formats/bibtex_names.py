"""The names in an `author` or `editor` field of BibTeX."""

from __future__ import annotations

import html
import re
from typing import Final

from classifier.papers.formats.latex import latex_text
from classifier.papers.names import people_in

_AND: Final = re.compile(r" (?:and(?: |$))+", re.IGNORECASE)
_AND_OTHERS: Final = re.compile(r"(.*\S)[\s,]+et\.? al\b\.?", re.IGNORECASE | re.DOTALL)
# What marks an institute behind a name: `Ann Oven$^{1,2}$`.
_MARK: Final = re.compile(
    r"\\textsuperscript\s?\{[^{}]{0,20}\}|\$\s?\{?\}?\^\s?(?:\{[^{}$]{0,30}\}|[^{}$]{1,9})\s?\$"
)
_BRACE_OR_AND: Final = re.compile(r"\\.|[{}]|(?<!\S)and(?!\S)", re.IGNORECASE | re.DOTALL)
_WHOLE: Final = re.compile(r"\{([^{}]*)\}")
_BRACED_FAMILY: Final = re.compile(r"([^{},]*[^{},\s])\s+\{([^{}\\]*\s[^{}\\]*)\}")
_PART: Final = re.compile(r"\b(family|given|prefix|suffix)(?:-i)?\s*=\s*(\"[^\"]*\"|[^,]*)")


def read_names(text: str) -> list[str]:
    r"""Return the names of a field that joins them with `and`, each in its own order.

    A name in braces is a group; `and others` is kept as `others`.

    >>> read_names(r"Ada de la Cruz and {B}al, Jr., J{\'o}zef and {Bees and Birds} and others")
    ['Ada de la Cruz', 'Bal Jr., Józef', 'Bees and Birds', 'others']
    """
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if "^" in text or "superscript" in text:
        text = _MARK.sub("", text)
    if "{" not in text and "=" not in text:
        names = [name for part in _AND.split(_line(text)) for name in _ordered_names(part)]
    else:
        names = [_read_name(name) for name in _split(text)]
    names = [name for name in names if name]
    if names and (match := _AND_OTHERS.fullmatch(names[-1])):
        names[-1:] = [match[1].rstrip(" ,"), "others"]
    return names


def _split(text: str) -> list[str]:
    r"""Return what stands between the `and` outside of braces.

    bibtexparser's own function loses the accent of a name that begins with one: `and \'Alvarez`.
    """
    parts: list[str] = []
    depth = start = 0
    for match in _BRACE_OR_AND.finditer(text):
        sign = match[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
        elif sign[0] != "\\" and not depth:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


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


def _ordered_names(part: str) -> list[str]:
    """Return what stands between two `and`: one name, or a list in a form that is no BibTeX."""
    return [_ordered(name) for name in people_in([part.strip(" ,")])]


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
