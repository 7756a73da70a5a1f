r"""The phrases that a pattern matches, one by one: so that arrays look for what patterns say.

Understood are literal characters, `(?:…|…)`, `[…]` of single characters, and `?` behind any of
these. `\s` and `\s+` are one blank; `\b`, `\w+` and `.` stay as they are written.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PART = re.compile(r"\(\?:|\||\)|\?|\[[^\]]+\]|\\s\+?|\\w\+|\\b|[^\\()\[\]|?*+{}^$]")


@lru_cache(maxsize=256)
def spelled_out(pattern: str) -> tuple[str, ...]:
    r"""Return every phrase that `pattern` matches, in the order of its alternatives.

    Raises ValueError for a pattern that holds more than is understood.

    >>> spelled_out(r"(?:a )?test(?:s|ed)?|by \w+ing")
    ('a tests', 'a tested', 'a test', 'tests', 'tested', 'test', 'by \\w+ing')
    """
    parts = _PART.findall(pattern)
    if "".join(parts) != pattern:
        raise ValueError(f"found the pattern {pattern!r}, of which not all can be spelled out.")
    phrases, rest = _alternatives(parts)
    if rest:
        raise ValueError(f"found the pattern {pattern!r} with a bracket that nothing opens.")
    return tuple(dict.fromkeys(phrases))


def _alternatives(parts: list[str]) -> tuple[list[str], list[str]]:
    """Return the phrases up to the bracket that closes, and the parts from there on."""
    found: list[str] = []
    built = [""]
    while parts and parts[0] != ")":
        part, *parts = parts
        if part == "|":
            found += built
            built = [""]
            continue
        options = [part]
        if part == "(?:":
            options, (_, *parts) = _alternatives(parts)
        elif part.startswith("["):
            options = list(part[1:-1])
        elif part.startswith(r"\s"):
            options = [" "]
        if parts and parts[0] == "?":
            parts = parts[1:]
            options = [*options, ""]
        built = [begun + option for begun in built for option in options]
    return found + built, parts
