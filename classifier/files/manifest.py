"""manifest.json: every file of an output folder with its size and hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

MANIFEST_NAME = "manifest.json"


def digest(data: bytes) -> str:
    """Return the BLAKE2b-128 of `data` in hex (32 characters)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


class FileRecord(NamedTuple):
    """What a manifest says of a file."""

    size: int
    """In bytes."""
    blake2b: str
    """`digest` of its content."""


def record_of(data: bytes) -> FileRecord:
    """Return what a manifest says of a file with this content."""
    return FileRecord(len(data), digest(data))


def manifest_bytes(files: Mapping[str, FileRecord]) -> bytes:
    """Return the manifest of files (relative path -> record) as sorted JSON."""
    lines = [
        f'{json.dumps(name)}: {{"bytes": {files[name].size}, "blake2b": "{files[name].blake2b}"}}'
        for name in sorted(files)
    ]
    return ('{"files": {\n' + ",\n".join(lines) + "\n}}\n").encode()


def is_manifest(path: Path) -> bool:
    """Return whether the file at `path` is a manifest of ours, and not that of a web application.

    One that cannot be read as JSON may be ours, cut off: it records nothing, so nothing goes by it.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return True
    files = found.get("files") if isinstance(found, dict) else None
    return isinstance(files, dict) and all(
        isinstance(row, dict) and {"bytes", "blake2b"} <= row.keys() for row in files.values()
    )


def recorded_files(path: Path) -> dict[str, FileRecord]:
    """Return the files that the manifest at `path` records; none where it cannot be read."""
    try:
        return records_of(path.read_bytes())
    except OSError:
        return {}


def records_of(manifest: bytes) -> dict[str, FileRecord]:
    """Return the files that a manifest records; none where it is damaged."""
    try:
        rows = json.loads(manifest)["files"]
        return {
            name: FileRecord(int(row["bytes"]), str(row["blake2b"])) for name, row in rows.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
