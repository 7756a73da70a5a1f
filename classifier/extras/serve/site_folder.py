"""The files of out/ that may be served, each whole, also while a build swaps the folder."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from urllib.parse import unquote

from classifier.errors import UsageError
from classifier.files.built_folder import MANIFEST_NAME, digest

INDEX = "index.html"
_PAUSE = 0.02
_TRIES = 50
"""How often it is looked again while a folder is being swapped: for a second."""

_Identity = tuple[int, int] | None


def name_of(target: str) -> str | None:
    """Return the relative path that a request asks for; None where no browser would ask so.

    That is a path with `..`, an empty part, a backslash, a colon or a control character in it,
    plain or encoded, or one that is no UTF-8. A path that ends in `/` is that of a folder.

    >>> name_of("/c/rye%20bread.html?q=1")
    'c/rye bread.html'
    >>> name_of("/%2e%2e/etc/passwd") is None
    True
    """
    path = target.partition("?")[0].partition("#")[0]
    if not path.startswith("/"):
        return None
    try:
        name = unquote(path[1:], errors="strict")
    except UnicodeDecodeError:
        return None
    parts = name.removesuffix("/").split("/") if name else []
    if any(part in ("", ".", "..") for part in parts):
        return None
    if any(sign in "\\:" or ord(sign) < 32 or ord(sign) == 127 for sign in name):
        return None
    return name


class SiteFolder:
    """An output folder as a source of files.

    Nothing hidden is served, and nothing to which a link leads out of the folder. A build may put a
    new folder in the place of this one at any time: a file that is not there is then looked for
    again, so that a reader gets it from the old folder or the new one.
    """

    def __init__(self, folder: Path) -> None:
        """folder: it may not be there yet."""
        self.folder = folder.resolve()
        self._digest: tuple[tuple[int, ...], str] = ((), "")

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file by its relative path; None where there is none to be served.

        name: as `name_of` returns it; "" and what ends in `/` is the index of a folder.
        """
        if name == "" or name.endswith("/"):
            name += INDEX
        for _ in range(_TRIES):
            before = self._identity()
            path = self._real(name)
            found = _bytes(path) if path else None
            if found is not None or self._is_settled(before):
                return found
            Event().wait(_PAUSE)
        return None

    def is_folder(self, name: str) -> bool:
        """Return whether a path without `/` at its end leads to a folder that has an index."""
        return bool(name) and self.read(f"{name}/") is not None

    def version(self) -> str:
        """Return a word that differs for every survey; "" where there is none."""
        mark, known = self._digest
        try:
            told = (self.folder / MANIFEST_NAME).stat()
        except OSError:
            now: tuple[int, ...] = ()
        else:
            now = (told.st_ino, told.st_mtime_ns, told.st_size)
        if not now or now != mark:
            manifest = self.read(MANIFEST_NAME)
            known = digest(manifest)[:16] if manifest is not None else ""
            self._digest = (now, known)
        return known

    def _is_settled(self, before: _Identity) -> bool:
        """Return whether the folder was there, and no other, all the time; before: which it was."""
        return before is not None and before == self._identity()

    def _identity(self) -> _Identity:
        try:
            told = os.stat(self.folder)
        except OSError:
            return None
        return told.st_dev, told.st_ino

    def _real(self, name: str) -> str | None:
        """Return where a name leads; None where that is hidden, or beyond the folder."""
        root = os.path.realpath(self.folder)
        try:
            real = os.path.realpath(os.path.join(root, name))
        except (OSError, ValueError):
            return None
        inside = os.path.relpath(real, root) if _lies_below(real, root) else ".."
        hidden = (part.startswith(".") for path in (inside, name) for part in _parts(path))
        return None if any(hidden) else real


def _parts(path: str) -> list[str]:
    return path.replace(os.sep, "/").split("/")


def _lies_below(path: str, root: str) -> bool:
    return path.startswith(os.path.join(root, ""))


def _bytes(path: str) -> bytes | None:
    """Return what a regular file holds; a pipe or a device would keep a reader waiting."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


DEFAULT_PORT = 8000
HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""What a browser on this machine may call it."""
_FURTHER = 20
"""How many ports behind the default one are tried."""
_ROUNDS = 10
"""How often another free port is asked for, where the one of IPv4 is taken in IPv6."""
_NO_SUCH_FAMILY = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT)


def is_own_host(host: str, port: int) -> bool:
    """Return whether a Host header names this server.

    A page elsewhere can have a name of its own lead to 127.0.0.1; then it is that name which the
    browser sends, and the page must not read what is served here.
    """
    names = [f"{name}:{port}" for name in HOSTS]
    return host.lower() in (names if port != 80 else [*names, *HOSTS])


def open_sockets(port: int | None) -> list[socket.socket]:
    """Listen on loopback, in IPv4 and, where the machine has it, IPv6.

    port: 0 for any free one, None for the first free one from the default on. Raises UsageError
    where the port is taken or may not be used.
    """
    if port == 0:
        return _listen_anywhere()
    ports = [port] if port else range(DEFAULT_PORT, DEFAULT_PORT + _FURTHER)
    for each in ports:
        try:
            return _listen(each)
        except OSError as error:
            if port:
                why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error})"
                raise UsageError(
                    f"Port {port} {why}. Choose another with --port, or any free one with --port 0."
                ) from error
    raise UsageError(
        f"The ports {ports[0]} to {ports[-1]} are taken. Take any free one with --port 0."
    )


def _listen_anywhere() -> list[socket.socket]:
    for left in reversed(range(_ROUNDS)):
        try:
            return _listen(0)
        except OSError as error:
            if not left:
                raise UsageError(f"No port of this machine is free ({error}).") from error
    raise AssertionError


def _listen(port: int) -> list[socket.socket]:
    """Listen in both families at one port; raises OSError where it is taken in one of them."""
    first = _socket(socket.AF_INET, "127.0.0.1", port)
    try:
        return [first, *_of_ipv6(first.getsockname()[1])]
    except OSError:
        first.close()
        raise


def _of_ipv6(port: int) -> Sequence[socket.socket]:
    if not socket.has_ipv6:
        return []
    try:
        return [_socket(socket.AF_INET6, "::1", port)]
    except OSError as error:
        if error.errno in _NO_SUCH_FAMILY:
            return []
        raise


def _socket(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # where it would let two servers have one port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((host, port))
        made.listen(64)
    except OSError:
        made.close()
        raise
    return made
