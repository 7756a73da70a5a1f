"""A file's name as text: the same on every machine, and whatever bytes the file system keeps."""

from __future__ import annotations

import os
from pathlib import Path


def shown_name(path: Path, root: Path) -> str:
    """Return a file's name for messages and sources: relative to `root` where inside it.

    POSIX style. A link that leads out of `root` is named by its place there, since what it leads to
    lies elsewhere on other machines. A byte that is no UTF-8 is written `\\xe9`: no file of ours
    could hold it.
    """
    within = Path(os.path.abspath(path)), Path(os.path.abspath(root))
    name = path.as_posix()
    for place, top in ((path.resolve(), root.resolve()), within):
        if place.is_relative_to(top):
            name = place.relative_to(top).as_posix()
            break
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
