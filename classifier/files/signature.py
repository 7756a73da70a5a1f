"""What a file is that is no text, by its first bytes and its zero bytes."""

from __future__ import annotations

from typing import Final, Literal

# From the table of file signatures that the `file` command uses (man 5 magic).
_SIGNATURES: Final = (
    (b"%PDF", "a PDF file"),
    (b"PK\x03\x04", "a ZIP archive (or an Excel, Word or OpenDocument file)"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
)
# A share of zero bytes that no text reaches in which a few slipped in.
_MOST_ZEROS = 0.25


def binary_kind(data: bytes) -> str:
    """Return what a binary file is, for "found …", or "" where `data` may be text."""
    for start, kind in _SIGNATURES:
        if data.startswith(start):
            return kind
    if is_utf_16(data):
        return ""
    return "a binary file" if data.count(0) > _MOST_ZEROS * len(data) else ""


def is_utf_16(data: bytes) -> bool:
    """Say whether `data` looks like UTF-16 without a mark: letters and zero bytes take turns."""
    return bool(utf_16_order(data[:4096]))


def utf_16_order(data: bytes) -> Literal["", "utf-16-le", "utf-16-be"]:
    """Return the encoding of mostly Latin text of two bytes a letter, or "" where it is none."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    if len(data) < 4 or min(even, odd) or max(even, odd) <= len(data) // 4:
        return ""
    return "utf-16-le" if odd else "utf-16-be"
