"""The page of `review serve` and what it asks: nothing without the token of the address."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

from classifier.extras.serve.server import News, Server, SiteRequest, open_server
from classifier.extras.serve.site_folder import SiteFolder

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TOKEN = "X-Fieldguide-Token"
MAX_BODY = 10_000
_OWN = ("review.js", "review.css")
_ASKED = ("answer", "skip", "undo", "apply", "build")


class ReviewPage(Protocol):
    """What answers the page: JSON objects."""

    def paper(self) -> dict[str, object]:
        """Return what is shown next."""

    def ask(self, name: str, asked: Mapping[str, Any]) -> dict[str, object]:
        """Do what a button stands for."""


def page_server(page: ReviewPage, out: Path, port: int | None) -> tuple[Server, str]:
    """Return the server of the site with another page, and the address with its token."""
    token = secrets.token_urlsafe(18)
    handler = partial(ReviewRequest, page, token, Lock())
    server = open_server(
        port, lambda number: Server(number, SiteFolder(out), News(), handler=handler)
    )
    return server, f"{server.address}?token={token}"


class ReviewRequest(SiteRequest):
    """One request of the page. What changes something needs the token, and the page as origin."""

    def __init__(self, page: ReviewPage, token: str, lock: Lock, *args: Any) -> None:
        self._page, self._token, self._lock = page, token, lock
        super().__init__(*args)

    def do_GET(self) -> None:  # noqa: N802
        """Answer with the page, its script or the next paper."""
        path = urlsplit(self.path)
        own = path.path.removeprefix("/-/")
        if refusal := self.refusal():
            self.refuse(*refusal)
        elif own in _OWN:
            self.send_own(own)
        elif path.path == "/" and self._knows(parse_qs(path.query).get("token", [""])[0]):
            self.send_page(200, (Path(__file__).parent / "review.html").read_bytes(), POLICY)
        elif path.path == "/-/paper" and self._knows(self.headers.get(TOKEN, "")):
            with self._lock:
                self._send_json(self._page.paper())
        else:
            self.refuse(403, "Open the address that the terminal shows.")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:  # noqa: N802
        """Do what the page asks for."""
        if refusal := self.refusal() or self._stranger():
            self.refuse(*refusal)
            return
        try:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        except (ValueError, RecursionError):
            asked = None
        name = self.path.removeprefix("/-/")
        if not isinstance(asked, dict) or name not in _ASKED:
            self.refuse(400, "Nothing that the page asks.")
            return
        with self._lock:
            self._send_json(self._page.ask(name, asked))

    def _stranger(self) -> tuple[int, str] | None:
        """Return why a request that changes something is not the page's own."""
        if not self._knows(self.headers.get(TOKEN, "")):
            return 403, "Open the address that the terminal shows."
        if self.headers.get("Origin") is None:  # that of another page is refused before
            return 403, "Only for the page itself."
        if self.headers.get("Content-Type") != "application/json":
            return 415, "JSON, please."
        size = self.headers.get("Content-Length", "")
        if not size.isascii() or not size.isdigit() or int(size) > MAX_BODY:
            return 413, "A short answer, please."
        return None

    def _knows(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())

    def _send_json(self, content: dict[str, object]) -> None:
        data = json.dumps(content, ensure_ascii=False).encode()
        self.send(200, "application/json; charset=utf-8", data)
