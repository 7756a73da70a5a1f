"""The guard works: in this process, in children of any environment, and where it is swallowed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from loopback_only import NetworkUsedError, is_here

ELSEWHERE = ("192.0.2.1", 9)
"""An address that is nobody's (RFC 5737)."""


def connect() -> None:
    with socket.socket() as opened:
        opened.connect(ELSEWHERE)


def connect_quietly() -> None:
    with socket.socket() as opened:
        opened.connect_ex(ELSEWHERE)


def send() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as opened:
        opened.sendto(b"hello", ELSEWHERE)


def look_up() -> None:
    socket.getaddrinfo("survey.example", 443)


def listen_to_all() -> None:
    with socket.socket() as opened:
        opened.bind(("0.0.0.0", 0))


@pytest.mark.parametrize("reach", [connect, connect_quietly, send, look_up, listen_to_all])
def test_what_leaves_this_machine_is_refused_and_noted(
    reach: Callable[[], None], network_attempts: Path
) -> None:
    with pytest.raises(NetworkUsedError, match="no network but loopback"):
        reach()
    assert network_attempts.read_text(encoding="utf-8").count("\n") == 1
    network_attempts.write_text("")


@pytest.mark.parametrize("environment", [None, {}, {"PYTHONPATH": "."}, dict(os.environ)])
def test_children_are_guarded_whatever_their_environment(
    environment: dict[str, str] | None, network_attempts: Path
) -> None:
    told = {**environment, "TESTS_NOTE_NETWORK_IN": str(network_attempts)} if environment else None
    code = f"import socket; socket.create_connection({ELSEWHERE}, 1)"
    child = subprocess.run(
        [sys.executable, "-c", code], env=told, capture_output=True, text=True, check=False
    )
    assert "NetworkUsedError: the tests have no network but loopback" in child.stderr
    assert "192.0.2.1" in network_attempts.read_text(encoding="utf-8")
    network_attempts.write_text("")


def test_a_refusal_that_is_swallowed_is_still_noted(network_attempts: Path) -> None:
    with suppress(Exception):
        connect()
    assert network_attempts.read_text(encoding="utf-8").startswith("socket.connect '192.0.2.1' by")
    network_attempts.write_text("")


def test_loopback_is_open() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
        server.accept()[0] as answering,
    ):
        client.sendall(b"hello")
        assert answering.recv(5) == b"hello"


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        (b"localhost", True),
        (None, True),
        ("", False),  # to a listener: every interface
        ("0.0.0.0", False),
        ("127.0.0.1.example", False),
        ("10.0.0.1", False),
        ("fe80::1", False),
    ],
)
def test_what_is_this_machine(host: object, here: bool) -> None:
    assert is_here(host) is here
