"""Loopback and nothing else, at a port that is free."""

from __future__ import annotations

import socket

import pytest

from classifier.errors import UsageError
from classifier.extras.serve import site_folder as address
from classifier.extras.serve.site_folder import is_own_host, open_sockets


def closed(sockets: list[socket.socket]) -> list[tuple[str, int]]:
    """Close sockets and return where they listened."""
    names = [each.getsockname()[:2] for each in sockets]
    for each in sockets:
        each.close()
    return names


def test_a_free_port_is_the_same_in_both_families_and_on_loopback() -> None:
    names = closed(open_sockets(0))
    assert {host for host, _ in names} <= {"127.0.0.1", "::1"}
    assert len({port for _, port in names}) == 1
    assert names[0][1] > 0


def test_a_taken_port_is_said_with_what_to_do() -> None:
    taken = open_sockets(0)
    port = taken[0].getsockname()[1]
    with pytest.raises(UsageError) as error:
        open_sockets(port)
    closed(taken)
    assert str(error.value) == (
        f"Port {port} is taken. Choose another with --port, or any free one with --port 0."
    )


def test_without_a_choice_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = open_sockets(0)
    port = taken[0].getsockname()[1]
    monkeypatch.setattr(address, "DEFAULT_PORT", port)
    names = closed(open_sockets(None))
    assert port < names[0][1] < port + 20
    monkeypatch.setattr(address, "_FURTHER", 1)
    with pytest.raises(UsageError, match=r"are taken\. Take any free one with --port 0\.$"):
        open_sockets(None)
    closed(taken)


@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
def test_a_port_that_is_taken_in_ipv6_alone_is_taken() -> None:
    """Browsers try ::1 first for localhost: they would meet somebody else."""
    try:
        other = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("needs IPv6")
    with other, pytest.raises(UsageError, match="is taken"):
        open_sockets(other.getsockname()[1])


def test_a_host_is_own_by_name_and_port() -> None:
    assert is_own_host("localhost:8000", 8000)
    assert is_own_host("LocalHost:8000", 8000)
    assert is_own_host("[::1]:8000", 8000)
    assert is_own_host("localhost", 80)
    assert not is_own_host("localhost", 8000)
    assert not is_own_host("rebound.example:8000", 8000)
