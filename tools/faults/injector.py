"""Faults in the file layer of a process: the k-th operation fails, or the process dies at it.

For a forked child alone: what is patched stays patched. Watched is what lies below some folders.
"""

from __future__ import annotations

import _io
import builtins
import errno
import io
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ERRORS = {
    "full": errno.ENOSPC,
    "denied": errno.EACCES,
    "read-only": errno.EROFS,
    "broken": errno.EIO,
    "files": errno.EMFILE,
}
"""Kind of fault -> what the operation says."""
WRITES = {
    "kill",
    "half",
    "stop",
    "stop after",
    "full for good",
    "full",
    "denied",
    "read-only",
    "broken",
}
READS = {"kill", "stop", "denied", "broken", "files", "vanished", "shrunk"}
OPENS = {"open", "mkdir", "read", "list"}
SUCCEEDS = {"vanished", "shrunk"}
"""Kinds in which the operation is tried all the same."""
ADDS = {"open", "write", "mkdir", "link", "copy", "truncate"}
"""Operations for which a full disk has no room."""

_open, _os_open, _FileIO = io.open, os.open, io.FileIO


@dataclass
class Injector:
    """Counts operations below `roots`; at number `at` the fault of `kind` happens."""

    roots: Sequence[Path]
    kind: str = ""
    at: int = -1
    seen: list[tuple[str, str]] = field(default_factory=list)
    """Operation and path, in their order."""
    _paths: dict[int, str] = field(default_factory=dict)
    _is_full: bool = False

    def hit(self, operation: str, path: str, do: Callable[[], Any], half: Any = None) -> Any:
        """Count an operation and do it, unless it is the one at which the fault happens."""
        number = len(self.seen)
        self.seen.append((operation, path))
        if self._is_full and operation in ADDS:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        return do() if number != self.at else self._fault(operation, path, do, half or _nothing)

    def _fault(
        self, operation: str, path: str, do: Callable[[], Any], half: Callable[[], Any]
    ) -> Any:
        """Have the fault happen; returns what the operation does where that still succeeds."""
        code = ERRORS.get(self.kind, errno.ENOSPC)
        if self.kind in ("half", "full", "full for good"):
            half()
        if self.kind in ("kill", "half"):
            os.kill(os.getpid(), signal.SIGKILL)
        if self.kind == "full for good":
            self._is_full = True
        if self.kind == "vanished":
            os.unlink.real(path)  # type: ignore[attr-defined]
        if self.kind == "shrunk":
            os.truncate.real(path, os.stat(path).st_size // 2)  # type: ignore[attr-defined]
        spared = self.kind == "full for good" and operation not in ADDS
        if self.kind == "stop after":
            with suppress(OSError):
                do()
            raise KeyboardInterrupt
        done = do() if spared or operation == "close" or self.kind in SUCCEEDS else None
        if self.kind == "stop":
            raise KeyboardInterrupt
        if not spared and self.kind not in SUCCEEDS:
            raise OSError(code, os.strerror(code), path)
        return done

    def watches(self, path: object, folder: int | None = None) -> str | None:
        """Return an absolute path that is watched; None of another."""
        if isinstance(path, int):
            return self._paths.get(path)
        try:
            text = os.fsdecode(os.fspath(path))  # type: ignore[call-overload]
        except TypeError:
            return None
        if folder is not None and folder in self._paths:
            text = os.path.join(self._paths[folder], text)
        text = os.path.abspath(text)
        inside = any(text == str(root) or text.startswith(f"{root}/") for root in self.roots)
        return text if inside else None

    def install(self) -> None:
        """Patch this process."""
        for name, operation in (
            ("mkdir", "mkdir"),
            ("rmdir", "rmdir"),
            ("unlink", "unlink"),
            ("remove", "unlink"),
            ("chmod", "chmod"),
            ("utime", "utime"),
            ("truncate", "truncate"),
            ("scandir", "list"),
            ("listdir", "list"),
        ):
            self._patch_one(name, operation)
        for name, operation in (("replace", "rename"), ("rename", "rename"), ("link", "link")):
            self._patch_two(name, operation)
        self._patch_handles()
        builtins.open = io.open = _io.open = self._faulty_open  # type: ignore[assignment]

    def _patch_one(self, name: str, operation: str) -> None:
        real = getattr(os, name)

        def call(path: Any = ".", *rest: Any, **options: Any) -> Any:
            watched = self.watches(path, options.get("dir_fd"))
            if watched is None:
                return real(path, *rest, **options)
            return self.hit(operation, watched, lambda: real(path, *rest, **options))

        call.real = real  # type: ignore[attr-defined]
        _support(real, call)
        setattr(os, name, call)

    def _patch_two(self, name: str, operation: str) -> None:
        real = getattr(os, name)

        def call(source: Any, target: Any, **options: Any) -> Any:
            watched = self.watches(target)
            if watched is None:
                return real(source, target, **options)
            return self.hit(operation, watched, lambda: real(source, target, **options))

        setattr(os, name, call)

    def _patch_handles(self) -> None:
        """Operations on numbers of open files, and how these come to be."""
        close, write, fsync, sendfile = os.close, os.write, os.fsync, os.sendfile
        ftruncate = os.ftruncate

        def faulty_open(path: Any, flags: int, *rest: Any, **options: Any) -> int:
            watched = self.watches(path, options.get("dir_fd"))
            if watched is None:
                return _os_open(path, flags, *rest, **options)
            is_write = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            operation = "open" if is_write else "read"
            handle: int = self.hit(
                operation, watched, lambda: _os_open(path, flags, *rest, **options)
            )
            self._paths[handle] = watched
            return handle

        def faulty_close(handle: int) -> None:
            self._paths.pop(handle, None)
            close(handle)

        def faulty_write(handle: int, data: bytes) -> int:
            if handle not in self._paths:
                return write(handle, data)
            half = bytes(data)[: len(data) // 2]
            path = self._paths[handle]
            written: int = self.hit(
                "write", path, lambda: write(handle, data), lambda: write(handle, half)
            )
            return written

        def faulty_fsync(handle: int) -> None:
            path = self._paths.get(handle)
            if path is None:
                fsync(handle)
            else:
                self.hit("fsync", path, lambda: fsync(handle))

        def faulty_sendfile(out: int, source: int, *rest: Any) -> int:
            path = self._paths.get(out)
            if path is None:
                return sendfile(out, source, *rest)
            sent: int = self.hit("copy", path, lambda: sendfile(out, source, *rest))
            return sent

        def faulty_ftruncate(handle: int, size: int) -> None:
            path = self._paths.get(handle)
            if path is None:
                ftruncate(handle, size)
            else:
                self.hit("truncate", path, lambda: ftruncate(handle, size))

        os.ftruncate = faulty_ftruncate
        os.open, os.close, os.write = faulty_open, faulty_close, faulty_write  # type: ignore[assignment]
        os.fsync, os.sendfile = faulty_fsync, faulty_sendfile  # type: ignore[assignment]
        _support(_os_open, faulty_open)

    def _faulty_open(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        path = self.watches(file)
        rest = (buffering, encoding, errors, newline, closefd, opener)
        if path is None:
            return _open(file, mode, *rest)
        if not set(mode) & set("wax+"):
            if isinstance(file, int):
                return _open(file, mode, *rest)
            return self.hit("read", path, lambda: _open(file, mode, *rest))
        raw_mode = mode.replace("b", "").replace("t", "")

        def opened() -> FaultyFile:
            return FaultyFile(self, path, file, raw_mode, closefd=closefd, opener=opener)

        raw = opened() if isinstance(file, int) else self.hit("open", path, opened)
        self._paths[raw.fileno()] = path
        if buffering == 0:
            return raw
        size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
        stream = io.BufferedRandom(raw, size) if "+" in mode else io.BufferedWriter(raw, size)
        if "b" in mode:
            return stream
        return io.TextIOWrapper(stream, encoding, errors, newline)


class FaultyFile(_FileIO):
    """A file of which each write that reaches the system is counted."""

    def __init__(self, injector: Injector, path: str, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._injector, self._path = injector, path

    def write(self, data: Any) -> int:
        content = bytes(data)
        real = super().write
        written: int = self._injector.hit(
            "write", self._path, lambda: real(content), lambda: real(content[: len(content) // 2])
        )
        return written

    def truncate(self, size: int | None = None) -> int:
        real = super().truncate
        at: int = self._injector.hit("truncate", self._path, lambda: real(size))
        return at

    def close(self) -> None:
        if self.closed:
            return
        self._injector._paths.pop(self.fileno(), None)
        self._injector.hit("close", self._path, super().close)


def faults_at(operation: str, path: str, inputs: Sequence[Path]) -> list[str]:
    """Return the kinds of fault that one operation may meet."""
    if operation in ("read", "list"):
        is_input = any(path.startswith(f"{folder}/") for folder in inputs)
        changes = {"vanished", "shrunk"} if is_input and operation == "read" else set()
        return sorted((READS - {"vanished", "shrunk"}) | changes)
    kinds = set(WRITES) | ({"files"} if operation in OPENS else set())
    if operation not in ("write", "copy"):
        kinds -= {"half"}
    if operation == "close":
        kinds -= {"stop", "stop after"}  # a signal is no fault of closing: Python closes on its own
    return sorted(kinds)


def _nothing() -> None:
    """Stand for half of what has no halves."""


def _support(real: Any, call: Any) -> None:
    """Have shutil see that the patched function can do what the real one can."""
    for group in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        if real in group:
            group.add(call)
