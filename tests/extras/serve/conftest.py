"""A small site, served on loopback, with what must not be served beside and in it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from classifier.extras.serve.server import News, Server
from classifier.extras.serve.site_folder import SiteFolder
from classifier.files.folder import write_folder

SECRET = "SECRET: not for browsers"
PAGE = (
    '<!doctype html>\n<html><head>\n<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'none'; "
    "base-uri 'none'\">\n<title>{}</title>\n</head><body><h1>{}</h1></body></html>\n"
)


@dataclass(frozen=True, slots=True)
class Served:
    """A folder that is being served."""

    out: Path
    port: int
    news: News
    log: list[str]

    def ask(self, request: bytes) -> bytes:
        """Send bytes and return all that comes back until the connection ends."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def get(self, path: str, *headers: str) -> tuple[int, str, bytes]:
        """Return the status, the headers and the content that a path gets."""
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *headers, "", ""]
        head, _, content = self.ask("\r\n".join(lines).encode()).partition(b"\r\n\r\n")
        return int(head.split()[1]), head.decode(), content


def page(name: str) -> bytes:
    return PAGE.format(name, name).encode()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder that a build could have written, with links and hidden files that people put in."""
    names = ("index.html", "404.html", "c/index.html", "c/rye bread.html", "c/café.html")
    out = tmp_path / "out"
    write_folder(out, {name: page(name) for name in names} | {"papers.json": b"[]"})
    (tmp_path / "secret.txt").write_text(SECRET)
    for name in (".cache/memo.json", ".git/config", ".nojekyll", "c/.hidden.html"):
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text(SECRET)
    (out / "empty").mkdir()
    (out / "empty" / "secret.txt").write_text("no listing names this")
    (out / "outside.txt").symlink_to(tmp_path / "secret.txt")
    (out / "outside").symlink_to(tmp_path)
    (out / "loop").symlink_to(out / "loop")
    (out / "shown-cache.json").symlink_to(out / ".cache" / "memo.json")
    (out / "inside.html").symlink_to(out / "index.html")
    os.mkfifo(out / "pipe")
    return out


@contextmanager
def serving(out: Path) -> Iterator[Served]:
    """Serve a folder at a free port."""
    news, log = News(), []
    server = Server(0, SiteFolder(out), news, log.append)
    server.start()
    try:
        yield Served(out, server.server_port, news, log)
    finally:
        server.stop()


@pytest.fixture
def served(site: Path) -> Iterator[Served]:
    """The small site, served."""
    with serving(site) as told:
        yield told
