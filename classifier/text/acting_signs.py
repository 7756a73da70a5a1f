"""Signs that are not seen but act: on a terminal, in a picture, on the direction of a line."""

from __future__ import annotations

import re

ACTS = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202d\u202e\ud800-\udfff\ufffe\uffff]"
)
"""A control character, half of a surrogate pair, no character at all, an override of direction."""


def without_acting_signs(text: str) -> str:
    """Return what an editor wrote, line breaks and all, without signs that act.

    >>> without_acting_signs("bell" + chr(7) + chr(10) + "- item")
    'bell\\n- item'
    """
    return text if text.isascii() and text.isprintable() else ACTS.sub("", text)
