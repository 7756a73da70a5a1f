"""Bytes behind a line with their digest, so that what is torn or damaged counts as absent."""

from __future__ import annotations

from classifier.files.manifest import digest


def digest_line(content: bytes, *about: str) -> bytes:
    """Return the line to write before `content`.

    about: what whoever reads it must name, too, such as a key.
    """
    return " ".join((*about, digest(content))).encode() + b"\n"


def whole_content(kept: bytes, *about: str) -> bytes | None:
    """Return what stands behind the line; None where it is not what was written, or about else.

    >>> whole_content(digest_line(b"rye") + b"rye"), whole_content(digest_line(b"rye") + b"ry")
    (b'rye', None)
    """
    head, end, content = kept.partition(b"\n")
    return content if head + end == digest_line(content, *about) else None
