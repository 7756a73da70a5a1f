"""Write JSON: indented, with one line per item, or compact."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping


def json_bytes(value: object) -> bytes:
    """Return JSON for files of out/: UTF-8, indented, in the given order."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def json_line(value: object) -> bytes:
    """Return JSON on one line."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()


def json_rows(value: Mapping[str, object] | Iterable[object]) -> bytes:
    """Return a large list or object as JSON with one line per item, which is fast to write and
    compare.

    The result is bytes, because one rare character makes a Python text four times as large.

    >>> print(json_rows([{"id": "a"}, {"id": "b"}]).decode(), end="")
    [
    {"id": "a"},
    {"id": "b"}
    ]
    """
    if isinstance(value, Mapping):
        rows = (_bytes(key) + b": " + _bytes(item) for key, item in value.items())
        return b"{\n" + b",\n".join(rows) + b"\n}\n"
    return b"[\n" + b",\n".join(map(_bytes, value)) + b"\n]\n"


def compact_json(value: object) -> bytes:
    """Return JSON for caches; floats keep all digits."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
