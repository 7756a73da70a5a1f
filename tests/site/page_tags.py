"""Reading a page back as a browser would."""

from __future__ import annotations

from html.parser import HTMLParser


class Tags(HTMLParser):
    """Every element and every attribute that a browser would see in a page."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
