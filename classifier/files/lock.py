"""A lock next to a file or folder, so that only one process at a time writes it."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from classifier.errors import OutputError

LOCK = ".fieldguide-lock"
"""Ending of a lock's name: `.out.fieldguide-lock` exists next to `out` during writing."""
PATIENCE = 20.0
"""Seconds to wait for another process before the command is refused."""
# A read-only place needs no lock; some file systems do not support locks.
_NO_LOCK = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}

tell_waiting: ContextVar[Callable[[str], None]] = ContextVar("tell_waiting", default=lambda _: None)
"""Callback, called once with a message when a command waits for another process."""

_held: set[tuple[str, int]] = set()
"""Path and thread of the locks of this process."""


@contextmanager
def sole_writer(path: Path, patience: float | None = None) -> Iterator[None]:
    """Lock `path`, a file or a folder, until the block ends.

    The lock is reentrant per thread, and covers everything below `path`. The operating system
    releases it when the process ends for any reason. If the folder of `path` is missing or
    read-only, nothing is locked.

    patience: maximum time to wait, in seconds. Raises OutputError if another process holds the lock
    for longer, or if the disk is full.
    """
    place = path.resolve()
    thread = threading.get_ident()
    mine = (str(place), thread)
    is_held = any((str(each), thread) in _held for each in (place, *place.parents))
    if is_held or not place.parent.is_dir():
        yield
        return
    lock = FileLock(place.with_name(f".{place.name}{LOCK}"), fallback_to_soft=False)
    try:
        if _acquire(lock, path, PATIENCE if patience is None else patience):
            _held.add(mine)
        yield
    finally:
        _held.discard(mine)
        if lock.is_locked:
            with suppress(OSError):  # before the release: no other process's lock is deleted
                os.unlink(lock.lock_file)
            lock.release()


def _acquire(lock: BaseFileLock, label: Path, patience: float) -> bool:
    """Acquire the lock; return False if no lock can be created here."""
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if patience:
                tell_waiting.get()(f"Waiting for another process, which writes {label} …")
            lock.acquire(timeout=patience)
    except Timeout as error:
        raise OutputError(
            f"{label}: is being written by another process; nothing was written. Wait until it "
            "finishes, or end it, then run the command again."
        ) from error
    except NotImplementedError:  # the file system does not support locks
        return False
    except OSError as error:
        if error.errno in _NO_LOCK:
            return False
        raise OutputError(
            f"{label}: cannot be written ({error.strerror or error}): "
            "no lock can be created next to it."
        ) from error
    except KeyboardInterrupt:  # perhaps after the file was created
        with suppress(Timeout, OSError):
            lock.acquire(timeout=0)
        raise
    return True
