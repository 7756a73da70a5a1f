"""What a page takes from its template: sources that it may use, and of the frame what they name.

A template names other templates in tags, and what it prints by words. So a digest of these sources,
and of the values whose names occur in them, tells whether it can print anything else than before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from jinja2 import Environment

from classifier.site.plate import digest_of

_TAG = re.compile(r"{%[-+]?\s*(?:extends|include|import|from)\b(.*?)%}", re.DOTALL)
_NAMED = re.compile(
    r"""\s*(["'])([^"'\\]+)\1\s*(?:[-+]?|(?:import|as|ignore|with|without)\b.*)""", re.DOTALL
)
_WORD = re.compile(r"[^\W\d]\w*")
_RECORD = "document"
"""A value of the frame of which templates print a little, and that holds the whole survey."""
_PART = re.compile(rf"\b{_RECORD}\b(?:\s*\.\s*([^\W\d]\w*))?")


class TemplateDigests:
    """Digests of templates with all that they print of the frame."""

    def __init__(self, environment: Environment, frame: Mapping[str, object]) -> None:
        """frame: what every template may print."""
        self._environment, self._frame = environment, frame
        self._known: dict[str, str] = {}
        self._values: dict[str, str] = {}

    def of(self, name: str) -> str:
        """Return the digest of a template; raises TemplateNotFound where there is none."""
        if name not in self._known:
            sources = self._used_by(name)
            text = "\n".join(sources.values())
            self._known[name] = digest_of(sorted(sources.items()), list(self._printed(text)))
        return self._known[name]

    def _used_by(self, name: str) -> dict[str, str]:
        """Return name -> source of a template and of all that it may use."""
        used = {name: self._source(name)}
        waiting = [name]
        while waiting:
            named = references(used[waiting.pop()])
            others = self._all if named is None else self._all & set(named)
            for other in others - used.keys():
                used[other] = self._source(other)
                waiting.append(other)
        return used

    def _source(self, name: str) -> str:
        assert self._environment.loader is not None
        return self._environment.loader.get_source(self._environment, name)[0]

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self._environment.list_templates())

    def _printed(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield (name, digest) of the values of the frame that sources name."""
        for name in sorted(set(_WORD.findall(text)) & self._frame.keys()):
            parts = sorted({match[1] or "" for match in _PART.finditer(text)})
            if name == _RECORD and "" not in parts:
                yield from ((f"{name}.{part}", self._value(name, part)) for part in parts)
            else:
                yield name, self._value(name)

    def _value(self, name: str, part: str = "") -> str:
        key = f"{name}.{part}"
        if key not in self._values:
            value = self._frame[name]
            self._values[key] = digest_of(getattr(value, part, None) if part else value)
        return self._values[key]


def references(source: str) -> list[str] | None:
    """Return the templates that a source names; None where one is named by an expression.

    >>> references('{% extends "layout.html" %}{%- from "macros.html" import item -%}')
    ['layout.html', 'macros.html']
    >>> references('{% include "a" ~ ending %}') is None
    True
    """
    names = [_NAMED.fullmatch(tag) for tag in _TAG.findall(source)]
    found = [match[2] for match in names if match]
    return found if len(found) == len(names) else None
