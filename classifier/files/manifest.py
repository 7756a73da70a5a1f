"""manifest.json: every file of an output folder with its size and hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

MANIFEST_NAME = "manifest.json"


def digest(data: bytes) -> str:
    """Return the BLAKE2b-128 of `data` in hex (32 characters)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def manifest_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return the manifest of `files` (relative path -> bytes) as sorted JSON."""
    rows = {name: {"bytes": len(data), "blake2b": digest(data)} for name, data in files.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(rows[name])}" for name in sorted(rows)]
    return ('{"files": {\n' + ",\n".join(lines) + "\n}}\n").encode()


def recorded_files(path: Path) -> set[str]:
    """Return the names that the manifest at `path` records; empty where it cannot be read."""
    try:
        return set(json.loads(path.read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return set()
