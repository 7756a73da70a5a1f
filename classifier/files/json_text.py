"""JSON as every file of out/ holds it."""

from __future__ import annotations

import json


def json_bytes(value: object) -> bytes:
    """Return JSON as every file of out/ holds it: UTF-8, indented, in the given order."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def json_line(value: object) -> bytes:
    """Return JSON on one line."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
