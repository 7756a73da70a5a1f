"""The site of all hostile records and texts in a real browser, under a strict policy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import examples, serve, watched

from tools.hostile.project import CANARY

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUERIES = ("__pwned", "<script>", "{{ 7*7 }}", '"><img src=x onerror=window.__pwned=1>')
"""What a reader may type into the search, or follow in a link."""
_STRANGE = (
    "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.name))"
    ".filter(name => name.startsWith('on')).length"
)


def pages_of(files: Mapping[str, bytes], most: int | None = None) -> list[str]:
    """Return a page of each kind and all of papers and categories; `most`: so many kinds only."""
    # One works only at its home, and a page that moved leads on to another at once.
    moved = {path for path, content in files.items() if b'http-equiv="refresh"' in content}
    kinds = sorted({*examples(files).values()} - {"404.html"} - moved)
    if most is not None:
        return kinds[:most]
    own = (path for path in files if path.startswith(("p/", "c/")) and path.endswith(".html"))
    return sorted({*kinds, *own} - moved)


def browser_dangers(
    browser: Browser, out: Path, files: Mapping[str, bytes], paths: list[str]
) -> list[str]:
    """Open pages, search for payloads, and return whatever ran, was fetched or complained."""
    found: list[str] = []
    with serve(out) as home:
        page = browser.new_page()
        trouble = watched(page, home)
        for path in [*paths, *(f"browse.html?q={_quoted(query)}" for query in QUERIES)]:
            page.goto(home + path, wait_until="load", timeout=120_000)
            if path.startswith("browse.html?"):
                page.wait_for_timeout(300)
            if page.evaluate(f"window.{CANARY}") is not None:
                found.append(f"{path}: ran")
            if page.evaluate(_STRANGE):
                found.append(f"{path}: an event handler")
            found += [f"{path}: {each}" for each in trouble]
            trouble.clear()
        page.close()
    return found


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")
