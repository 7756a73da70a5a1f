"""Loopback and nothing else, at a port that is free."""

from __future__ import annotations

from pathlib import Path

import pytest

from classifier.errors import UsageError
from classifier.extras.serve import server as module
from classifier.extras.serve.server import News, Server, media_type, open_server
from classifier.extras.serve.site_folder import SiteFolder


def opened(port: int | None) -> Server:
    """Return a server that answers nothing yet."""
    return open_server(port, lambda number: Server(number, SiteFolder(Path("out")), News()))


def test_a_free_port_is_on_loopback() -> None:
    server = opened(0)
    server.stop()
    assert server.socket.family.name == "AF_INET"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"
    assert server.server_port > 0


def test_a_taken_port_is_said_with_what_to_do() -> None:
    taken = opened(0)
    with pytest.raises(UsageError) as error:
        opened(taken.server_port)
    taken.stop()
    assert str(error.value) == (
        f"Port {taken.server_port} is in use. Choose another with --port, or any free port with "
        "--port 0."
    )


def test_without_a_choice_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = opened(0)
    port = taken.server_port
    monkeypatch.setattr(module, "DEFAULT_PORT", port)
    server = opened(None)
    server.stop()
    assert port < server.server_port < port + 20
    monkeypatch.setattr(module, "FURTHER_PORTS", 1)
    with pytest.raises(UsageError, match=r"are in use\. Choose any free port with --port 0\.$"):
        opened(None)
    taken.stop()


TYPES = """\
index.html      text/html; charset=utf-8
style.css       text/css; charset=utf-8
site.js         text/javascript; charset=utf-8
papers.json     application/json; charset=utf-8
figure.SVG      image/svg+xml; charset=utf-8
feed.atom       application/atom+xml; charset=utf-8
labels.csv      text/csv; charset=utf-8
references.bib  text/plain; charset=utf-8
survey.md       text/plain; charset=utf-8
photo.webp      image/webp
survey.pdf      application/pdf
.bib            application/octet-stream
none            application/octet-stream
"""


@pytest.mark.parametrize("case", TYPES.splitlines())
def test_a_file_has_the_media_type_of_its_ending(case: str) -> None:
    name, kind = case.split(maxsplit=1)
    assert media_type(name) == kind
