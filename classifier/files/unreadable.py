"""A file that the system does not give: why, and which other one may be meant."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path

from classifier.errors import Fault, InputError

_ALIKE = 0.75
"""How alike, 0 to 1, the name of a file must be to be proposed for one that is not there."""


def unreadable(path: Path | None, shown: str, error: OSError) -> InputError:
    """Return what to raise where `error` came of reading a file.

    path: where it should lie; None where that is no folder of this machine. shown: its name for
    messages.
    """
    found, wanted, cure = (error.strerror or str(error)).lower(), "a readable file", ""
    if isinstance(error, FileNotFoundError):
        found, wanted = "no such file", "a file that exists"
        if path is not None and not path.parent.is_dir():
            found = f"no such file: the folder {Path(shown).parent.as_posix()} does not exist"
        elif path is not None:
            cure = _alike(path)
    elif isinstance(error, IsADirectoryError):
        found, wanted, cure = "a folder", "a file", f"Name the files: {shown}/*"
    return InputError([Fault("error", shown, None, found, wanted, cure)])


def _alike(path: Path) -> str:
    """Return the question whether another file of the folder was meant, or ""."""
    try:
        names = sorted(os.listdir(path.parent))
    except OSError:  # a folder may be entered and not be listed
        return ""
    alike = get_close_matches(path.name, names, n=1, cutoff=_ALIKE)
    return f"Did you mean {alike[0]}?" if alike else ""
