"""JSON as every file of out/ holds it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence


def json_bytes(value: object) -> bytes:
    """Return JSON as every file of out/ holds it: UTF-8, indented, in the given order."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def json_rows(value: Mapping[str, object] | Sequence[object]) -> str:
    """Return a large list or object as JSON, a line for each item: quick to write and to compare.

    >>> print(json_rows([{"id": "a"}, {"id": "b"}]), end="")
    [
    {"id": "a"},
    {"id": "b"}
    ]
    """
    if isinstance(value, Mapping):
        rows = [f"{_text(key)}: {_text(item)}" for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + "\n}\n"
    return "[\n" + ",\n".join(map(_text, value)) + "\n]\n"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def json_line(value: object) -> bytes:
    """Return JSON on one line."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
