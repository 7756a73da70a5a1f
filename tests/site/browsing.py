"""What the tests in a browser share: a small server, an eye on trouble, the kinds of pages."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

WRITTEN_ELSEWHERE = (
    "changes.json", "facts.json", "labels.csv", "manifest.json", "sentences.jsonl", "taxonomy.json",
)  # fmt: skip
"""Files that the site links to and that other steps of the build write beside it."""

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page, Request, Route

# Every page of the site is of one of these kinds: each is looked at in light and dark, on narrow
# and wide screens, by axe and by a validator. A new kind of page joins here.
PAGE_KINDS: Mapping[str, str] = {
    "home": "index.html",
    "survey": "survey.html",
    "browse": "browse.html",
    "benchmarks": "benchmarks*.html",
    "benchmark": "b/*.html",
    "changes": "changes.html",
    "method": "method.html",
    "data": "data.html",
    "category": "c/*.html",
    "paper": "p/*.html",
    "not found": "404.html",
}
PUBLISHED = "https://bread.example/guide/"
"""Where the golden site says it is at home: its page for what is not found works only there."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'none'; form-action 'self'"
)


def kind_of(path: str) -> str | None:
    """Return the kind of a page, None where it has none."""
    return next((kind for kind, form in PAGE_KINDS.items() if fnmatchcase(path, form)), None)


def pages_of(site: Mapping[str, bytes]) -> list[str]:
    """Return the paths of pages, without those that only lead elsewhere."""
    moved = b'http-equiv="refresh"'
    return [path for path in site if path.endswith(".html") and moved not in site[path]]


def examples(site: Mapping[str, bytes]) -> dict[str, str]:
    """Return kind -> the largest page of that kind, which is likeliest to hold every part."""
    pages = pages_of(site)
    found: dict[str, str] = {}
    for path in sorted(pages, key=lambda path: (-len(site[path]), path)):
        found.setdefault(kind_of(path) or path, path)
    return found


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder under the strict policy, and says nothing."""

    def do_GET(self) -> None:
        """Answer as the base class, but for the icon that browsers ask every server for."""
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep silent."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Offer a folder on loopback and yield its address."""
    handler = partial(_Handler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def visit(page: Page, folder: Path, home: str, path: str) -> None:
    """Open a page of the golden site; the one for what is not found at an address of its home."""
    if path != "404.html":
        page.goto(f"{home}{path}")
        return

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(PUBLISHED)
        route.fulfill(path=folder / (name if (folder / name).is_file() else "404.html"))

    page.route(f"{PUBLISHED}**", answer)
    page.goto(f"{PUBLISHED}no/such/page")


def watched(page: Page, home: str = "file:") -> list[str]:
    """Return a list that fills with every message, error, dialogue and request beyond `home`."""
    trouble: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        trouble.append(dialog.message)
        dialog.dismiss()

    def note_outside(request: Request) -> None:
        if not request.url.startswith((home, PUBLISHED)):
            trouble.append(request.url)

    def note_failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the reader went on to another page
            trouble.append(request.url)

    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", dismiss)
    page.on("request", note_outside)
    page.on("requestfailed", note_failed)
    return trouble


def tab_to_search(page: Page) -> None:
    """Go to the first search field that is shown with the Tab key, as without a mouse."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "q":
            return
    raise AssertionError("no search field within 40 stops")
