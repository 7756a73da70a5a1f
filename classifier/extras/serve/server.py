"""A local web server for one output folder.

The server adds a script to each page that reloads it after a build; the files in out/ do not
contain it. The content security policy of the page is sent as a header that also allows this
script.
"""

from __future__ import annotations

import errno
import html
import json
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import MimeTypes
from pathlib import Path
from socketserver import TCPServer
from threading import Condition, Thread
from typing import Any, Literal
from urllib.parse import parse_qs, quote, urlsplit

from classifier.errors import Fault, UsageError
from classifier.extras.serve.review_desk import ADDRESS, FILE, ReviewDesk
from classifier.extras.serve.site_folder import INDEX, SiteFolder, safe_relative_path

SCRIPT = "/-/reload.js"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'"
)
"""Default policy of a page without its own."""

_META = re.compile(r"<meta\b[^>]*http-equiv=[\"']?content-security-policy\b[^>]*>", re.IGNORECASE)
_CONTENT = re.compile(r"content=(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_BASE = re.compile(r"<base\b[^>]*>", re.IGNORECASE)
_HEAD = re.compile(r"<head\b[^>]*>", re.IGNORECASE)
_END_OF_HEAD = re.compile(r"</head\s*>|<body\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why a build wrote nothing; the last complete survey is still served."""

    kind: Literal["fault", "waits"]
    """`waits` if a sheet has edits to apply, else `fault`."""
    text: str
    """The whole message, as on the command line."""
    faults: tuple[Fault, ...] = ()
    """Faults in the user's files, if these are the reason."""
    trace: str = ""
    """Traceback, if the reason is a bug in Fieldguide."""

    @property
    def title(self) -> str:
        """Heading on the page."""
        if self.kind == "waits":
            return "A sheet has edits to apply; the survey stays as it is"
        if not self.faults:
            return "The build failed; this is the last good survey"
        number = len(self.faults)
        faults = "1 fault" if number == 1 else f"{number:,} faults"
        return f"{faults} in your files; this is the last good survey"


class News:
    """The current problem, and a way to wait until it changes."""

    def __init__(self) -> None:
        self._condition = Condition()
        self.problem: Problem | None = None
        """Reason why the site is not up to date; None if it is."""
        self.number = 0
        """Number of finished builds."""
        self.is_over = False
        """Whether the server is stopping."""

    def publish(self, problem: Problem | None) -> None:
        """Announce the end of a build, with its problem if it failed."""
        with self._condition:
            self.problem = problem
            self.number += 1
            self._condition.notify_all()

    def end(self) -> None:
        """Wake all waiting requests, because the server stops."""
        with self._condition:
            self.is_over = True
            self._condition.notify_all()

    def wait(self, last_number: int, seconds: float) -> None:
        """Wait until `number` is greater than `last_number`, for at most `seconds`."""
        with self._condition:
            self._condition.wait_for(lambda: self.number > last_number or self.is_over, seconds)


def live_page(page: bytes, version: str, *, is_not_found: bool = False) -> tuple[bytes, str]:
    """Return a page with the reload script, and its content security policy.

    version: version of the survey. is_not_found: whether it is the page for missing addresses,
    whose links are relative to the root of the site.
    """
    text = page.decode("utf-8", "surrogateescape")
    end = _END_OF_HEAD.search(text)
    place = end.start() if end else len(text)
    head, rest = text[:place], text[place:]
    meta = _META.search(head)
    content = _CONTENT.search(meta[0]) if meta else None
    stated = html.unescape(content[1] or content[2] or "") if content else POLICY
    head = _META.sub("", head)
    if is_not_found:
        head = _HEAD.sub('\\g<0><base href="/">', _BASE.sub("", head), count=1)
    script = f'<script src="{SCRIPT}" data-version="{html.escape(version)}" defer></script>\n'
    served = (head + script + rest).encode("utf-8", "surrogateescape")
    return served, live_policy(stated, with_base=is_not_found)


def live_policy(policy: str, *, with_base: bool = False) -> str:
    """Return a policy that also allows the reload script, its style sheet and its requests.

    >>> live_policy("connect-src 'none'; script-src 'self' data:; style-src *")
    "connect-src 'self'; script-src 'self' data:; style-src *; frame-ancestors 'none'"
    """
    directives: dict[str, list[str]] = {}
    for directive in policy.encode("ascii", "ignore").decode().split(";"):
        name, *sources = directive.split() or [""]
        if name:
            directives.setdefault(name.lower(), sources)  # The first one counts.
    for name in ("script-src", "style-src", "connect-src"):
        sources = directives.get(name, directives.get("default-src", []))
        if not {"'self'", "*"} & set(sources):
            sources = [*(source for source in sources if source.lower() != "'none'"), "'self'"]
        directives[name] = sources
    if with_base:
        directives["base-uri"] = ["'self'"]
    directives["frame-ancestors"] = ["'none'"]
    return "; ".join(" ".join([name, *sources]) for name, sources in directives.items())


def fault_page(problem: Problem | None) -> tuple[bytes, str]:
    """Return a page to show as long as there is no survey, and its policy."""
    text = problem.text if problem else "The survey is being built."
    page = (
        '<!doctype html>\n<html lang="en">\n'
        '<head><meta charset="utf-8"><title>Fieldguide</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="stylesheet" href="/-/serve.css">\n</head>\n'
        f"<body><main><h1>No survey yet</h1><pre>{html.escape(text)}</pre></main></body>\n</html>\n"
    )
    return live_page(page.encode(), "")


DEFAULT_PORT = 8000
FURTHER_PORTS = 20
"""Number of ports that are tried, from the default port."""
NEWS = "/-/news"
KEEP_ALIVE = 10.0
"""Interval of keep-alive messages to a page, in seconds; they detect closed pages."""
_POLLED = 0.1
"""Maximum delay until the server stops, in seconds."""
_HERE = Path(__file__).parent
_OWN = {SCRIPT: "reload.js", "/-/serve.css": "serve.css"}
_FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""Policy of files that are not pages; pictures contain their own styles."""
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Connection": "close",
}
_FURTHER_TYPES = {
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".js": "text/javascript",
    **dict.fromkeys((".md", ".bib", ".ris", ".ttl", ".cff", ".yaml", ".tex"), "text/plain"),
    **dict.fromkeys((".jsonl", ".jsonld"), "application/json"),
    ".atom": "application/atom+xml",
}
"""Ending -> media type, for endings that Python lacks or that depend on its version."""


def media_type(name: str) -> str:
    """Return the media type for a file ending; it is the same on every machine."""
    ending = Path(name).suffix.lower()
    kind = _FURTHER_TYPES.get(ending) or MimeTypes().guess_type(f"x{ending}")[0]
    kind = kind or "application/octet-stream"
    is_text = kind.startswith("text/") or kind.endswith(("json", "xml"))
    return f"{kind}; charset=utf-8" if is_text else kind


class SiteRequest(BaseHTTPRequestHandler):
    """One request. Invalid requests get a short answer in plain text."""

    server: Server
    timeout = 10.0
    default_request_version = "HTTP/1.0"  # HTTP/0.9 is refused: it has no headers.
    server_version = "Fieldguide"
    sys_version = ""
    error_content_type = "text/plain; charset=utf-8"
    error_message_format = "%(code)d %(message)s\n"

    def do_GET(self) -> None:
        """Answer with the requested file."""
        if refusal := self.refusal_reason():
            self.refuse(*refusal)
        elif self.path == NEWS:
            self._send_news()
        elif self.path in _OWN:
            self.send_own(_OWN[self.path])
        elif self.server.desk and urlsplit(self.path).path == ADDRESS:
            self._send_review_page(self.server.desk)
        else:
            self._send_file()

    do_HEAD = do_GET  # noqa: N815

    def _refuse_method(self) -> None:
        """Refuse methods other than GET and HEAD."""
        self.refuse(405, "Only GET and HEAD.", {"Allow": "GET, HEAD"})

    do_PUT = do_PATCH = do_DELETE = _refuse_method  # noqa: N815
    do_OPTIONS = do_TRACE = do_CONNECT = _refuse_method  # noqa: N815

    def do_POST(self) -> None:
        """Save the answers from the review page; no other request writes anything."""
        desk = self.server.desk
        if desk is None or self.path != ADDRESS:
            self._refuse_method()
        elif refusal := self.refusal_reason() or desk.refusal_reason(self.headers):
            self.refuse(*refusal)
        else:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            status, text = desk.save(self.headers[FILE], data)
            self.send(status, media_type(".txt"), text.encode())

    def _send_review_page(self, desk: ReviewDesk) -> None:
        """Send the review page."""
        token = parse_qs(urlsplit(self.path).query).get("token", [""])[0]
        status, page = desk.page(token, self.server.site.version())
        if status == 200:
            self.send_page(status, page, "frame-ancestors 'none'")  # the page states the rest
        else:
            self.refuse(status, page.decode())

    def refusal_reason(self) -> tuple[int, str] | None:
        """Return status and reason if the request must be refused, or None.

        Another website could point its host name to 127.0.0.1 to read this site (DNS rebinding).
        The browser then sends that name as Host, so all other hosts are refused.
        """
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1:
            return 400, "Expected exactly one Host header."
        own = [f"{name}:{self.server.server_port}" for name in ("localhost", "127.0.0.1")]
        if hosts[0].strip().lower() not in own:
            return 421, f"Unknown host. Open {' or '.join(own)}."
        origin = self.headers.get("Origin")
        if origin is not None and origin.lower().removeprefix("http://") not in own:
            return 403, "Requests of other sites are refused."
        if (
            safe_relative_path(self.requestline.split()[1]) is None
        ):  # self.path lacks a doubled slash.
            return 400, "Invalid path."
        return None

    def _send_file(self) -> None:
        """Send the requested file."""
        site = self.server.site
        name = safe_relative_path(self.path)
        assert name is not None
        version = site.version()  # Before the file, so that an old page never has a new version.
        data = site.read(name)
        if not version:
            self.send_page(503, *fault_page(self.server.news.problem))
        elif data is not None and (name == "" or name.endswith((".html", "/"))):
            self.send_page(200, *live_page(data, version))
        elif data is not None:
            self.send(200, media_type(name), data)
        elif not name.endswith("/") and site.read(f"{name}/") is not None:
            address = quote(f"/{name}/")
            self.refuse(301, f"See {address}", {"Location": address})
        elif page := site.read("404.html"):
            self.send_page(404, *live_page(page, version, is_not_found=True))
        else:
            self.refuse(404, "No such file.")

    def refuse(self, status: int, reason: str, headers: dict[str, str] | None = None) -> None:
        """Answer with one line of text."""
        self.send(status, media_type(".txt"), f"{status} {reason}\n".encode(), headers)

    def send_own(self, name: str) -> None:
        """Answer with a file of this package."""
        self.send(200, media_type(name), (_HERE / name).read_bytes())

    def send_page(self, status: int, page: bytes, policy: str) -> None:
        """Answer with a page."""
        self.send(status, media_type(INDEX), page, {"Content-Security-Policy": policy})

    def send(
        self, status: int, kind: str, data: bytes, headers: dict[str, str] | None = None
    ) -> None:
        """Send a complete response."""
        self.send_response(status)
        content_headers = {"Content-Type": kind, "Content-Length": str(len(data))}
        policy = {"Content-Security-Policy": _FILE_POLICY}
        for name, value in (content_headers | policy | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_news(self) -> None:
        """Send an event after each build, until the page closes the connection."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.end_headers()
        news, sent = self.server.news, -1
        while self.command == "GET" and not news.is_over:
            number = news.number
            event = ": still there\n\n"
            if number != sent:
                problem = news.problem
                content = {
                    "version": self.server.site.version(),
                    "problem": asdict(problem) | {"title": problem.title} if problem else None,
                }
                event = f"data: {json.dumps(content)}\n\n"
            self.wfile.write(event.encode())
            sent = number
            news.wait(sent, KEEP_ALIVE)

    def end_headers(self) -> None:
        """Add the common headers and end them."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Write one line per request to the log, with control characters escaped."""
        line = format % args
        self.server.log("".join(char if char.isprintable() else repr(char)[1:-1] for char in line))


class Server(ThreadingHTTPServer):
    """Web server on the loopback address, with one daemon thread per connection."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # On Windows two servers could share a port.

    def __init__(
        self,
        port: int,
        site: SiteFolder,
        news: News,
        log: Callable[[str], None] = lambda line: None,
        desk: ReviewDesk | None = None,
    ) -> None:
        """Open the port.

        port: 0 for any free port; log: called with one line per request; desk: adds the review
        page. Raises OSError.
        """
        super().__init__(("127.0.0.1", port), SiteRequest)
        self.site, self.news, self.log, self.desk = site, news, log, desk
        self._thread = Thread(target=self.serve_forever, args=(_POLLED,), daemon=True)

    @property
    def address(self) -> str:
        """Address of the front page."""
        return f"http://127.0.0.1:{self.server_port}/"

    def server_bind(self) -> None:
        """Bind the port without the slow name lookup of the standard library."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.socket.getsockname()[1]

    def start(self) -> None:
        """Start answering requests."""
        self._thread.start()

    def wait(self) -> None:
        """Wait until the server ends."""
        self._thread.join()

    def stop(self) -> None:
        """Stop answering and release the port."""
        self.news.end()
        if self._thread.is_alive():
            self.shutdown()
            self._thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of a connection: a browser may close it at any time."""


def open_server(port: int | None, make_server: Callable[[int], Server]) -> Server:
    """Return a server from `make_server` on a free port; it is not started yet.

    port: 0 for any free port, None for the first free port from the default port. Raises UsageError
    if the port is in use or not permitted.
    """
    ports = range(DEFAULT_PORT, DEFAULT_PORT + FURTHER_PORTS) if port is None else (port,)
    for number in ports:
        try:
            return make_server(number)
        except OSError as error:
            if port is not None:
                reason = (
                    "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error})"
                )
                raise UsageError(
                    f"Port {port} {reason}. Choose another with --port, or any free port with "
                    "--port 0."
                ) from error
    raise UsageError(
        f"Ports {ports[0]} to {ports[-1]} are in use. Choose any free port with --port 0."
    )
