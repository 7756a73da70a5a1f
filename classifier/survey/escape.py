"""Text that Markdown shows as it is."""

from __future__ import annotations


def escape_cell(text: str) -> str:
    """Return text that a Markdown line or table cell shows as it is."""
    for sign in "\\`*_{}[]<>|#":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
