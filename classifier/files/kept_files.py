"""Copies of files that a command replaces: the last ten copies, ignored by Git."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from classifier.files.writing import convert_write_errors, write_file

MAX_COPIES: Final = 10
"""Maximum number of copies of one name that are kept."""


def keep_copy(file: Path, folder: Path) -> Path:
    """Copy `file` into `folder` as `NAME-1.csv`, `NAME-2.csv`, …; return the path of the copy.

    The ten copies with the highest numbers are kept. Raises OutputError if the copy cannot be
    written.
    """
    with convert_write_errors(f"{folder}: cannot be written"):
        copy = write_numbered(folder, file.name, file.read_bytes())
        copies = _numbered_files(folder, file.name)
    for old in sorted(copies)[: max(0, len(copies) - MAX_COPIES)]:
        with suppress(OSError):
            copies[old].unlink()
    return copy


def write_numbered(folder: Path, name: str, data: bytes) -> Path:
    """Write a new file `NAME-1.csv`, `NAME-2.csv`, … into `folder`; return its path.

    Git ignores the folder. Raises OutputError if the file cannot be written.
    """
    with convert_write_errors(f"{folder}: cannot be written"):
        folder.mkdir(exist_ok=True)
        if not (folder / ".gitignore").exists():
            write_file(folder / ".gitignore", b"*\n")
        number = max(_numbered_files(folder, name), default=0) + 1
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        write_file(path, data)
    return path


def _numbered_files(folder: Path, name: str) -> dict[int, Path]:
    """Return the numbered files with this name, by number."""
    stem, suffix = re.escape(Path(name).stem), re.escape(Path(name).suffix)
    numbered = re.compile(rf"{stem}-([1-9][0-9]{{0,8}}){suffix}")
    return {
        int(found[1]): path for path in folder.iterdir() if (found := numbered.fullmatch(path.name))
    }
