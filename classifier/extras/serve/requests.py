"""What a request is answered: a page, a file, news, or why not."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from classifier.extras.serve.live_page import FILE_POLICY, FRAMED, SCRIPT, fault_page, live_page
from classifier.extras.serve.news import Problem
from classifier.extras.serve.site_folder import HOSTS, INDEX, is_own_host, name_of

if TYPE_CHECKING:
    from classifier.extras.serve.server import LoopbackServer

NEWS = "/-/news"
PLAIN = "text/plain; charset=utf-8"
STILL_THERE = 10.0
"""Seconds after which a page without news is told so: one that has gone is noticed then."""
_OWN = {SCRIPT: "reload.js", "/-/serve.css": "serve.css"}
_HERE = Path(__file__).parent
_TEXT = "; charset=utf-8"
_MEDIA_TYPES = {
    ".html": "text/html" + _TEXT,
    ".css": "text/css" + _TEXT,
    ".js": "text/javascript" + _TEXT,
    ".json": "application/json" + _TEXT,
    ".jsonl": "application/jsonl" + _TEXT,
    ".jsonld": "application/ld+json" + _TEXT,
    ".svg": "image/svg+xml" + _TEXT,
    ".xml": "application/xml" + _TEXT,
    ".atom": "application/atom+xml" + _TEXT,
    ".csv": "text/csv" + _TEXT,
    ".md": "text/markdown" + _TEXT,
    ".txt": "text/plain" + _TEXT,
    ".tex": "application/x-tex" + _TEXT,
    ".bib": "application/x-bibtex" + _TEXT,
    ".ris": "application/x-research-info-systems" + _TEXT,
    ".cff": "application/yaml" + _TEXT,
    ".yaml": "application/yaml" + _TEXT,
    ".ttl": "text/turtle" + _TEXT,
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".pdf": "application/pdf",
    ".zip": "application/zip",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Ending -> media type, of all that a build writes and what people put beside it; that of
Python's mimetypes differs from machine to machine."""
_UNKNOWN = "application/octet-stream"


class SiteRequest(BaseHTTPRequestHandler):
    """One request; whatever is odd about it, the answer is short, plain and safe."""

    server: LoopbackServer
    timeout = 10.0
    default_request_version = "HTTP/1.0"  # of HTTP/0.9, which has no headers: it is refused
    server_version = "Fieldguide"
    sys_version = ""
    error_content_type = PLAIN
    error_message_format = "%(code)d %(message)s\n"

    def do_GET(self) -> None:
        """Answer with the file that is asked for."""
        refusal = self._refusal()
        if refusal:
            self._send(refusal[0], PLAIN, f"{refusal[0]} {refusal[1]}\n".encode())
        elif self.path == NEWS:
            self._send_news()
        elif self.path in _OWN:
            own = _OWN[self.path]
            self._send(200, media_type(own), (_HERE / own).read_bytes())
        else:
            self._send_file()

    do_HEAD = do_GET  # noqa: N815

    def _not_allowed(self) -> None:
        """Refuse what would change something."""
        self._send(405, PLAIN, b"405 Only GET and HEAD.\n", {"Allow": "GET, HEAD"})

    do_POST = do_PUT = do_PATCH = do_DELETE = _not_allowed  # noqa: N815
    do_OPTIONS = do_TRACE = do_CONNECT = _not_allowed  # noqa: N815

    def _refusal(self) -> tuple[int, str] | None:
        """Return why this server does not answer such a request at all."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1:
            return 400, "One Host header, please."
        port = self.server.server_port
        if not is_own_host(hosts[0].strip(), port):
            return 421, f"This is {' or '.join(f'{name}:{port}' for name in HOSTS)}, nobody else."
        origin = self.headers.get("Origin")
        if origin is not None and not is_own_host(origin.removeprefix("http://"), port):
            return 403, "Not for pages from elsewhere."
        target = self.requestline.split()[1]  # self.path has lost a doubled slash
        if name_of(target) is None:
            return 400, "No path that a browser would ask for."
        return None

    def _send_file(self) -> None:
        site = self.server.site
        name = name_of(self.path)
        assert name is not None
        version = site.version()  # before the file: a page is never taken for newer than it is
        if not version:
            self._send_page(503, *fault_page(self.server.news.problem))
            return
        data = site.read(name)
        if data is None and not name.endswith("/") and site.is_folder(name):
            address = quote(f"/{name}/")
            self._send(301, PLAIN, f"301 See {address}\n".encode(), {"Location": address})
        elif data is None:
            self._send_not_found(version)
        elif name == "" or name.endswith((".html", "/")):
            self._send_page(200, *live_page(data, version))
        else:
            self._send(200, media_type(name), data)

    def _send_not_found(self, version: str) -> None:
        site = self.server.site
        page = site.read("404.html")
        if page is not None:
            self._send_page(404, *live_page(page, version, is_not_found=True))
        else:
            self._send(404, PLAIN, b"404 No such file.\n")

    def _send_page(self, status: int, page: bytes, policy: str) -> None:
        self._send(status, media_type(INDEX), page, {"Content-Security-Policy": policy})

    def _send(
        self, status: int, kind: str, data: bytes, headers: dict[str, str] | None = None
    ) -> None:
        """Send an answer as a whole, and end the connection."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in {
            "Content-Security-Policy": FILE_POLICY + FRAMED, **(headers or {})
        }.items():  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_news(self) -> None:
        """Send what becomes of the survey for as long as the page listens."""
        with self.server.stream() as is_free:
            if not is_free:
                self._send(503, PLAIN, b"503 Too many open pages.\n", {"Retry-After": "10"})
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.end_headers()
            if self.command == "GET":
                self._send_events()

    def _send_events(self) -> None:
        news, site = self.server.news, self.server.site
        told = -1
        while not news.is_over:
            number = news.number
            if number != told:
                content = {"version": site.version(), "problem": problem_json(news.problem)}
                event = f"data: {json.dumps(content)}\n\n"
            else:
                event = ": still there\n\n"
            self.wfile.write(event.encode())
            told = number
            news.wait(told, STILL_THERE)

    def end_headers(self) -> None:
        """End the headers with those that every answer has."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Connection", "close")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Hand a line on each request to whoever wants it, control characters made visible."""
        line = format % args
        self.server.log("".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in line))


_PUBLISHED_OF_A_FAULT = ("severity", "file", "line", "found", "wanted", "cure")


def problem_json(problem: Problem | None) -> dict[str, object] | None:
    """Return a problem as pages get it."""
    if problem is None:
        return None
    faults = [
        {name: getattr(fault, name) for name in _PUBLISHED_OF_A_FAULT} for fault in problem.faults
    ]
    return {
        "kind": problem.kind, "title": problem.title, "text": problem.text, "faults": faults,
    }  # fmt: skip


def media_type(name: str) -> str:
    """Return the media type of a file by its ending."""
    _, dot, ending = name.rpartition("/")[2].rpartition(".")
    return _MEDIA_TYPES.get(dot + ending.lower(), _UNKNOWN)
