"""A folder put in the place of another one, in one step where the system knows such a step."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from classifier.files.exchange import exchange
from classifier.files.last_folder import Judged, refuse_saved
from classifier.files.staging import parked


def previous_of(folder: Path) -> Path:
    """Return where the last folder stands between the two renames of a swap."""
    return folder.with_name(f".{folder.name}.old")


def swap(folder: Path, staging: Path, shown: Path, judged: Judged) -> None:
    """Put the whole folder in the place of `folder`, or leave that as it is and raise.

    The last folder then waits to be deleted. Somebody may have saved a file in it up to now.
    """
    if not folder.exists():
        os.replace(parked(staging), folder)
        return
    new = os.stat(parked(staging))
    try:
        if not exchange(folder, parked(staging)):
            _in_two_steps(folder, staging, shown, judged)
            return
        refuse_saved(parked(staging), shown, judged)
    except BaseException:
        if folder.exists() and os.path.samestat(os.stat(folder), new):
            exchange(folder, parked(staging))
        raise


def _in_two_steps(folder: Path, staging: Path, shown: Path, judged: Judged) -> None:
    """Do the same in two steps, between which there is no `folder`."""
    previous = previous_of(folder)
    try:
        os.replace(folder, previous)
        os.replace(parked(staging), folder)
        refuse_saved(previous, shown, judged)
    except BaseException:
        with suppress(OSError):  # where even this fails, the next build recovers
            if previous.exists() and folder.exists():
                os.replace(folder, parked(staging))
            if not folder.exists():
                os.replace(previous, folder)
        raise
    with suppress(OSError):  # the build is done; the next one clears what stays
        os.replace(previous, parked(staging))
