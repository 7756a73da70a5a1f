"""A file that is written whole, or not at all, by one writer at a time.

It is made beside its place, then renamed. Of a file or a folder that another process writes, who
comes second waits a while, then refuses.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from filelock import BaseFileLock, FileLock, Timeout

from classifier.errors import OutputError, UsageError

LEFTOVER = ".fieldguide-part"
"""How the name of a file ends that is not yet whole."""

written: list[Path] = []
"""The files and folders that this process has written, for who has to tell what was done."""


@contextmanager
def refusing(what: str, hint: str = "") -> Iterator[None]:
    """Turn what the system raises in the block into an OutputError: what cannot be done, and why.

    what: such as `out: cannot be written`. hint: a sentence with a blank before it.
    """
    try:
        yield
    except OSError as error:
        raise OutputError(f"{what} ({error.strerror or error}).{hint}") from error


def write_file(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader sees the old bytes or the new ones, never a part.

    Raises OutputError where the folder is missing or not writable.
    """
    with new_file(path) as stream:
        stream.write(data)


@contextmanager
def new_file(path: Path, *, is_cache: bool = False) -> Iterator[IO[bytes]]:
    """Give a stream of bytes that becomes `path` at the end of the block, and not before.

    Nobody else can write `path` meanwhile. Where the block raises, `path` stays as it was. A link
    stays a link: what it leads to is written. Who may read a file stays as it was, too.
    is_cache: nobody is to be told of the file. Raises OutputError where the folder is missing or
    not writable, or the disk is full.
    """
    with sole_writer(path):
        clear_leftovers([path])
        place = path.resolve()
        temporary = place.with_name(f"{_started(place)}{os.getpid()}{LEFTOVER}")
        with refusing(f"{path}: cannot be written"):
            stream = temporary.open("xb")
        try:
            with refusing(f"{path}: cannot be written"):
                with stream:
                    yield stream
                    stream.flush()
                    os.fsync(stream.fileno())
                if place.exists():
                    os.chmod(temporary, stat.S_IMODE(place.stat().st_mode))
                os.replace(temporary, place)
        finally:
            if not is_cache and not os.path.lexists(temporary):
                written.append(path)
            with suppress(OSError):
                os.unlink(temporary)
        _settle(place.parent)


def make_folder(path: Path) -> None:
    """Make a folder and those above it; raises OutputError where that cannot be."""
    with refusing(f"{path}: cannot be made"):
        path.mkdir(parents=True, exist_ok=True)


def clear_leftovers(paths: Iterable[Path]) -> None:
    """Delete what `write_file` left beside `paths` where it was cut off."""
    for path in paths:
        with sole_writer(path), suppress(OSError):
            place = path.resolve()
            for entry in sorted(os.listdir(place.parent)):
                if entry.startswith(_started(place)) and entry.endswith(LEFTOVER):
                    (place.parent / entry).unlink()


def _started(path: Path) -> str:
    """Return how the name of the file begins that is to become `path`."""
    return f".{path.name}."


def _settle(folder: Path) -> None:
    """Have a rename on the disk before the next file is written: the ledger before the sheet."""
    with suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


SHEET_ENDINGS = (".csv", ".xlsx")
"""How the name of a sheet may end."""


def check_ending(path: Path, endings: Sequence[str]) -> None:
    """Raise UsageError where the name of a file has none of `endings` (`.csv`)."""
    if path.suffix in endings:
        return
    found = f"ending '{path.suffix}'" if path.suffix else "no ending"
    expected = endings[0] if len(endings) == 1 else f"one of {', '.join(endings)}"
    raise UsageError(f"{path}: found {found}; expected {expected}.")


def check_target(
    path: Path,
    option: str,
    *,
    is_ours: Callable[[Path], bool],
    inputs: Iterable[Path] = (),
    folders: Iterable[Path] = (),
) -> None:
    """Raise where a file at `path` would replace, or lie among, what people made.

    option: what names another file (`-o`); is_ours: whether an existing file was written by
    Fieldguide; inputs: the files that the command reads; folders: where nothing generated belongs.

    Raises UsageError for one of the inputs and for a place in one of the folders, OutputError where
    the folder of `path` is missing or a file is there that is not ours. An empty file may go.
    """
    if any(_is_same(path, file) for file in inputs):
        raise UsageError(f"{path}: is also an input; name another file with {option}.")
    place = path.parent.resolve()
    for folder in folders:
        if any(_is_same(folder, each) for each in (place, *place.parents)):
            raise UsageError(
                f"{path}: lies in {folder.name}/, which is written by hand; name another file "
                f"with {option}."
            )
    if not place.is_dir():
        reason = os.strerror(errno.ENOTDIR if place.exists() else errno.ENOENT)
        raise OutputError(f"{path}: cannot be written ({reason}).")
    # A pipe or a device would be waited for if it were read.
    may_go = path.is_file() and (path.stat().st_size == 0 or is_ours(path))
    if os.path.lexists(path) and not may_go:
        raise OutputError(
            f"{path}: exists and was not written by Fieldguide; name another file with {option}."
        )


def check_report(
    path: Path, keys: Set[str], *, inputs: Iterable[Path] = (), folders: Iterable[Path] = ()
) -> None:
    """Raise where a JSON report may not be written, as `check_target`; ours is one with `keys`."""

    def is_ours(file: Path) -> bool:
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return False
        return isinstance(found, dict) and keys <= found.keys()

    check_target(path, "--json", is_ours=is_ours, inputs=inputs, folders=folders)


def _is_same(path: Path, other: Path) -> bool:
    """Return whether two names lead to one file, through links or another spelling too."""
    try:
        return os.path.samefile(path, other)
    except OSError:  # one of them does not exist
        return False


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
