"""Copies of files that a command replaces: the last ten, ignored by git."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from classifier.files.writing import refusing, write_file

MAX_COPIES: Final = 10
"""Maximum number of copies of one name that are kept."""


def keep_copy(file: Path, folder: Path) -> Path:
    """Copy `file` into `folder` as `NAME-1.csv`, `NAME-2.csv`, …; return the copy.

    The ten copies with the highest numbers are kept. Raises OutputError where it cannot be written.
    """
    numbered = re.compile(rf"{re.escape(file.stem)}-([1-9][0-9]{{0,8}}){re.escape(file.suffix)}")
    with refusing(f"{folder}: cannot be written"):
        folder.mkdir(exist_ok=True)
        if not (folder / ".gitignore").exists():
            write_file(folder / ".gitignore", b"*\n")
        copies = {
            int(found[1]): path
            for path in folder.iterdir()
            if (found := numbered.fullmatch(path.name))
        }
        number = max(copies, default=0) + 1
        copy = folder / f"{file.stem}-{number}{file.suffix}"
        write_file(copy, file.read_bytes())
    for old in sorted(copies)[: max(0, len(copies) + 1 - MAX_COPIES)]:
        with suppress(OSError):
            copies[old].unlink()
    return copy
