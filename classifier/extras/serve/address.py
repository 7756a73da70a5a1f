"""Where the site is served: on loopback and nowhere else, at a port that is free."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Sequence

from classifier.errors import UsageError

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
