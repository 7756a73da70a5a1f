"""What kind of file a browser is told that it gets.

A table of our own: that of Python's mimetypes differs from machine to machine.
"""

from __future__ import annotations

_TEXT = "; charset=utf-8"
MEDIA_TYPES = {
    ".html": "text/html" + _TEXT,
    ".css": "text/css" + _TEXT,
    ".js": "text/javascript" + _TEXT,
    ".json": "application/json" + _TEXT,
    ".jsonl": "application/jsonl" + _TEXT,
    ".jsonld": "application/ld+json" + _TEXT,
    ".svg": "image/svg+xml" + _TEXT,
    ".xml": "application/xml" + _TEXT,
    ".atom": "application/atom+xml" + _TEXT,
    ".csv": "text/csv" + _TEXT,
    ".md": "text/markdown" + _TEXT,
    ".txt": "text/plain" + _TEXT,
    ".tex": "application/x-tex" + _TEXT,
    ".bib": "application/x-bibtex" + _TEXT,
    ".ris": "application/x-research-info-systems" + _TEXT,
    ".cff": "application/yaml" + _TEXT,
    ".yaml": "application/yaml" + _TEXT,
    ".ttl": "text/turtle" + _TEXT,
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".pdf": "application/pdf",
    ".zip": "application/zip",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Ending -> media type, of all that a build writes and what people put beside it."""
UNKNOWN = "application/octet-stream"


def media_type(name: str) -> str:
    """Return the media type of a file by its ending."""
    _, dot, ending = name.rpartition("/")[2].rpartition(".")
    return MEDIA_TYPES.get(dot + ending.lower(), UNKNOWN)
