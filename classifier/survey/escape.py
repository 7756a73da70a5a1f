"""Text that Markdown shows as it is."""

from __future__ import annotations

import re

_SIGN = re.compile(r"[\\`*_{}\[\]<>|#]")


def escape_cell(text: str) -> str:
    """Return text that a Markdown line or table cell shows as it is."""
    return " ".join(_SIGN.sub(r"\\\g<0>", text).split())
