"""The documentation as a site: docs/build.py."""

from __future__ import annotations

import runpy
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.docs.page import PAGES, ROOT


class Page(HTMLParser):
    """What a page links, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.anchors.add(named.get("id") or "")
        self.links += [link for link in (named.get("href"), named.get("src")) if link]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    runpy.run_path(str(ROOT / "docs" / "build.py"))["write_site"](out)
    return out


def test_each_page_of_the_documentation_is_a_page_of_the_site(site: Path) -> None:
    assert {f"{page.stem.lower()}.html" for page in PAGES} == {
        page.name for page in site.glob("*.html")
    }


def test_links_of_the_site_lead_somewhere(site: Path) -> None:
    pages = {path.name: Page(path.read_text("utf-8")) for path in site.glob("*.html")}
    for name, page in pages.items():
        for link in page.links:
            path, _, anchor = link.partition("#")
            if path.startswith("https://"):
                continue
            assert (site / (path or name)).is_file(), f"{name}: {link}"
            assert not anchor or anchor in pages[path or name].anchors, f"{name}: {link}"


def test_a_reader_sees_no_marks_and_no_markdown(site: Path) -> None:
    for page in site.glob("*.html"):
        text = page.read_text("utf-8")
        for mark in ("no-run:", "<!-- ", "```"):
            assert mark not in text, f"{page.name}: {mark}"


def test_the_same_files_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    runpy.run_path(str(ROOT / "docs" / "build.py"))["write_site"](tmp_path)
    files = {path.relative_to(site): path.read_bytes() for path in site.rglob("*.*")}
    again = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert files == again
