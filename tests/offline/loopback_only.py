"""No test reaches the network: this process, and every Python that it starts, has loopback alone.

`sitecustomize.py` beside this module does the same in children. An attempt is refused, and noted
in a file, so that code that swallows the refusal fails its test, too (`tests/conftest.py`).
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

FOLDER = str(Path(__file__).resolve().parent)
NOTED_IN = "TESTS_NOTE_NETWORK_IN"
"""The environment variable that names the file of attempts; without it nothing is refused."""

_BY_ADDRESS = {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"}
_BY_NAME = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}


class NetworkUsedError(RuntimeError):
    """A test, or what it tests, asked for another machine: no OSError, which fetching retries."""


def is_here(host: object) -> bool:
    """Say whether a host's name or address is of this machine alone; none at all is."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name is None or name == "localhost":
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False


def asked_for(event: str, arguments: tuple[Any, ...]) -> object:
    """Return the host that an audited event would reach, or None."""
    if event in _BY_NAME:
        return arguments[0]
    if event in _BY_ADDRESS:
        opened, address = arguments[:2]
        if opened.family in (socket.AF_INET, socket.AF_INET6) and address is not None:
            return address[0]
    return None


def guard_children(environment: MutableMapping[str, str]) -> None:
    """Put this folder on the path of a Python that is about to start, whatever else is on it."""
    folders = environment.get("PYTHONPATH", "").split(os.pathsep)
    if FOLDER not in folders:
        environment["PYTHONPATH"] = os.pathsep.join([FOLDER, *filter(None, folders)])


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what leaves this machine; an audit hook (PEP 578), so nothing can go around it."""
    if event == "subprocess.Popen":
        environment = arguments[3]
        if isinstance(environment, MutableMapping):
            guard_children(environment)
        return
    host = asked_for(event, arguments)
    if is_here(host):
        return
    attempt = f"{event} {host!r}"
    with open(os.environ[NOTED_IN], "a", encoding="utf-8") as noted:
        noted.write(f"{attempt} by {' '.join(sys.argv)}\n")
    raise NetworkUsedError(f"the tests have no network but loopback: {attempt}")


def refuse_network(noted_in: Path) -> None:
    """Refuse the network in this process and in its children; a hook stays to the end."""
    os.environ[NOTED_IN] = str(noted_in)
    guard_children(os.environ)
    sys.addaudithook(watch)
