"""A lock beside a file or a folder, so that one process at a time writes it."""

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
"""How the name of a lock ends: `.out.fieldguide-lock` lies beside `out`, while it is written."""
PATIENCE = 20.0
"""Seconds to wait for another process before the command is refused."""
# Where nobody may write, nobody is to be kept out; some file systems know no locks.
_NO_LOCK = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}

tell_waiting: ContextVar[Callable[[str], None]] = ContextVar("tell_waiting", default=lambda _: None)
"""What is called with a message, once, while another process is waited for."""

_held: set[tuple[str, int]] = set()
"""Place and thread of the locks that this process holds."""


@contextmanager
def sole_writer(path: Path, patience: float | None = None) -> Iterator[None]:
    """Let nobody else write `path`, a file or a folder, until the block ends.

    A thread that holds the lock may take it again, and needs none for what lies below. The lock
    belongs to the process: however that ends, the system sets it free. Where the folder of `path`
    is missing or nobody may write to it, there is nothing to lock.

    patience: seconds to wait. Raises OutputError where another process holds the lock for longer,
    or where the disk is full.
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
        _release(lock)


def _acquire(lock: BaseFileLock, shown: Path, patience: float) -> bool:
    """Return whether the lock is held now; False where there can be none."""
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if patience:
                tell_waiting.get()(f"Waiting for another process, which writes {shown} …")
            lock.acquire(timeout=patience)
    except Timeout as error:
        raise OutputError(
            f"{shown}: is being written by another process; nothing was written. Wait until that "
            "is done, or end it, then run the command again."
        ) from error
    except NotImplementedError:  # a file system that knows no locks
        return False
    except OSError as error:
        if error.errno in _NO_LOCK:
            return False
        raise OutputError(
            f"{shown}: cannot be written ({error.strerror or error}): no lock can be put beside it."
        ) from error
    except KeyboardInterrupt:  # perhaps behind the making of the file
        with suppress(Timeout, OSError):
            lock.acquire(timeout=0)
        raise
    return True


def _release(lock: BaseFileLock) -> None:
    if lock.is_locked:
        with suppress(OSError):  # while it is held, so that nobody else's is deleted
            os.unlink(lock.lock_file)
        lock.release()
