"""One writer at a time: of a file, or of a folder. Who comes second waits a while, then refuses."""

from __future__ import annotations

import errno
import os
import platform
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path

from classifier.errors import OutputError

if sys.platform == "win32":  # pragma: no cover
    import msvcrt
else:
    import fcntl

ENDING = ".fieldguide-lock"
"""How the name of a lock ends: `.out.fieldguide-lock` lies beside `out`, while it is written."""
PATIENCE = 20.0
"""Seconds to wait for another process before the command is refused."""
_PAUSE = 0.05
_MOST_READ = 200
_BEHIND = 2**20
"""Where the lock is put on Windows: a locked byte can be read by nobody else."""
# Where nobody may write, nobody is to be kept out; some file systems know no locks.
_NOBODY_WRITES = {errno.EACCES, errno.EPERM, errno.EROFS}
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}

tell_waiting: ContextVar[Callable[[str], None]] = ContextVar("tell_waiting", default=lambda _: None)
"""What is called with a message, once, while another process is waited for."""

_held: set[tuple[str, int]] = set()
"""Place and thread of the locks that this process holds."""


@contextmanager
def sole_writer(path: Path, patience: float | None = None) -> Iterator[None]:
    """Let nobody else write `path`, a file or a folder, until the block ends.

    A thread that holds the lock may take it again, and needs none for what lies below. The lock
    belongs to the process: however that ends, the system sets it free, and the next one takes the
    file over that says who held it. Where the folder of `path` is missing or nobody may write to
    it, there is nothing to lock.

    patience: seconds to wait. Raises OutputError where another process holds the lock for longer,
    naming it; or where the disk is full.
    """
    place = path.resolve()
    thread = threading.get_ident()
    mine = (str(place), thread)
    if any((str(each), thread) in _held for each in (place, *place.parents)):
        yield
        return
    lock = place.with_name(f".{place.name}{ENDING}")
    try:
        handle = _acquired(lock, path, PATIENCE if patience is None else patience)
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written ({error.strerror or error}): no lock can be put beside it."
        ) from error
    if handle is None:
        yield
        return
    _held.add(mine)
    try:
        yield
    finally:
        _held.discard(mine)
        _release(lock, handle)


def _acquired(lock: Path, shown: Path, patience: float) -> int | None:
    """Return the open, locked file; None where there can be none."""
    tries = 0
    while True:
        handle = _opened(lock)
        if handle is None:
            return None
        is_mine: bool | None = False
        try:
            is_mine = _try_lock(handle)
            if is_mine is None:
                os.close(handle)
                return None
            if is_mine and _is_still(lock, handle):
                _sign(handle)
                return handle
        except BaseException:  # Ctrl-C
            if is_mine:
                _release(lock, handle)
            else:
                os.close(handle)
            raise
        holder = _holder(handle)
        os.close(handle)
        if is_mine:
            continue  # it was deleted by the one who held it, after it was opened here
        if tries * _PAUSE >= patience:
            raise OutputError(
                f"{shown}: is being written by {holder}; nothing was written. Wait until that is "
                "done, or end it, then run the command again."
            )
        if not tries:
            tell_waiting.get()(f"Waiting for {holder}, which writes {shown} …")
        tries += 1
        threading.Event().wait(_PAUSE)


def _opened(lock: Path) -> int | None:
    """Return the file of a lock, made if need be; None where nobody could write it."""
    flags = os.O_CLOEXEC if hasattr(os, "O_CLOEXEC") else 0
    flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(lock, os.O_RDWR | os.O_CREAT | flags, 0o666)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in _NOBODY_WRITES:
            raise
    with suppress(OSError):  # that of another user
        return os.open(lock, os.O_RDONLY | flags)
    return None


def _try_lock(handle: int) -> bool | None:
    """Return whether the lock is ours now; None where the file system knows no locks."""
    try:
        if sys.platform == "win32":  # pragma: no cover
            os.lseek(handle, _BEHIND, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return None if error.errno in _NO_LOCKS else False
    return True


def _is_still(lock: Path, handle: int) -> bool:
    """Return whether the open file is the one that lies there."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(lock, follow_symlinks=False))
    except OSError:
        return False


def _sign(handle: int) -> None:
    """Write down who holds the lock, for those who wait."""
    text = f"process {os.getpid()} on {platform.node()}"
    with suppress(OSError):  # a full disk: then nobody learns the name
        os.lseek(handle, 0, os.SEEK_SET)
        os.ftruncate(handle, 0)
        os.write(handle, text.encode("utf-8", "replace")[:_MOST_READ])


def _holder(handle: int) -> str:
    """Return who holds the lock."""
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        text = os.read(handle, _MOST_READ).decode("utf-8", "replace").strip()
        since = datetime.fromtimestamp(os.fstat(handle).st_mtime)
    except (OSError, ValueError, OverflowError):
        return "another process"
    name = text if text and text.isprintable() else "another process"
    return f"{name} (since {since:%Y-%m-%d %H:%M:%S})"


def _release(lock: Path, handle: int) -> None:
    """Delete the lock while it is held, so that nobody else's is deleted; then let go."""
    if sys.platform == "win32":  # pragma: no cover
        os.close(handle)  # an open file cannot be deleted there
        with suppress(OSError):
            os.unlink(lock)
        return
    try:
        if _is_still(lock, handle):
            with suppress(OSError):
                os.unlink(lock)
    finally:
        os.close(handle)
