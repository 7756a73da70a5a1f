"""Checks of a finished site: no dead link, and nothing loaded from other sites."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from urllib.parse import unquote, urlsplit

from classifier.errors import Fault, sort_faults
from classifier.parallel import parallel_map

OUTSIDE = frozenset({"http", "https", "mailto"})
"""The schemes of addresses to which a page may link."""
_LOADED = {"audio", "embed", "iframe", "img", "input", "object", "script", "source", "video"}
_LOADED_RELATIONS = {"stylesheet", "icon", "preload", "manifest", "modulepreload"}

# A quoted value may hold any sign. Our own pages are scanned, which quote every value; html.parser
# takes seven times as long and is what the tests hold this against. A tag without attributes, of
# which blank or slash is expected behind the name, is passed over.
_VALUE = r"[^>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^>\"']*)*"
_TAG = re.compile(
    rf"<!--.*?-->|<(script|style)\b({_VALUE})>.*?</\1\s*>|<([a-z][^\s/>]*)(?=[\s/])({_VALUE})>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"([^\s=>\"'/]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)")
_COMMENT_IN_STYLE = re.compile(r"/\*.*?\*/", re.DOTALL)
_LOADED_BY_STYLE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])([^"')\s]+)""", re.IGNORECASE)


Link = tuple[str, bool]
"""An address that a tag names, and whether a browser fetches it by itself (a picture, a style
sheet)."""


@dataclass(slots=True)
class Page:
    """The links and anchors of a page, each with the offset of its tag in the text."""

    links: list[tuple[int, Link]] = field(default_factory=list)
    anchors: list[tuple[int, str]] = field(default_factory=list)


def check_site(files: Mapping[str, bytes], also: Collection[str] = ()) -> list[Fault]:
    """Return the faults of a site. files: path from its top -> bytes.

    Dead links and anchors, ids that a page holds twice, addresses outside that a browser would
    fetch by itself, for a page or for a style sheet. `also` names files that lie beside these and
    that pages may link to.
    """
    checked = [path for path in sorted(files) if path.endswith((".html", ".css"))]

    def read(path: str) -> Page:
        return (_read_style if path.endswith(".css") else read_page)(files[path])

    pages = dict(zip(checked, parallel_map(read, checked, len(checked)), strict=True))
    known = {*files, *also}
    anchors = {path: {name for _, name in page.anchors} for path, page in pages.items()}
    faults: list[Fault] = []
    for path, page in pages.items():
        seen: set[str] = set()
        for offset, name in page.anchors:
            if name in seen:
                found, line = f"the id '{name}' a second time", _line(files[path], offset)
                faults.append(Fault("error", path, line, found, "ids that differ"))
            seen.add(name)
        folder = posixpath.dirname(path)
        for offset, link in page.links:
            if problem := _problem(path, folder, link, known, anchors):
                faults.append(Fault("error", path, _line(files[path], offset), *problem))
    return sort_faults(faults)


def read_page(content: bytes) -> Page:
    """Return the links and anchors of a page, tag by tag, without comments and scripts."""
    page = Page()
    for match in _TAG.finditer(content.decode("utf-8")):
        in_raw, raw_attributes, tag, attributes = match.groups()
        if attributes or raw_attributes:
            anchor, links = _attributes_of(in_raw or tag, raw_attributes or attributes)
            if anchor is not None:
                page.anchors.append((match.start(), anchor))
            page.links += ((match.start(), link) for link in links)
    return page


@lru_cache(maxsize=2**16)  # every page has the same frame
def _attributes_of(tag: str, attributes: str) -> tuple[str | None, tuple[Link, ...]]:
    """Return the id and the links of a tag."""
    named = {
        name.lower(): unescape(value[1:-1] if value[0] in "\"'" else value)
        for name, value in _ATTRIBUTE.findall(attributes)
    }
    relations = set(named.get("rel", "").split())
    if tag.lower() == "base" or "canonical" in relations:
        return named.get("id"), ()
    in_head = tag.lower() == "link" and bool(relations & _LOADED_RELATIONS)
    loaded = tag.lower() in _LOADED or in_head
    links = tuple((named[name], loaded) for name in ("href", "src", "srcset") if name in named)
    return named.get("id"), links


def _read_style(content: bytes) -> Page:
    """Return the addresses that a style sheet loads; embedded pictures are not loaded."""
    text = _COMMENT_IN_STYLE.sub(
        lambda comment: re.sub(r"[^\n]", " ", comment[0]), content.decode()
    )
    found = [match for match in _LOADED_BY_STYLE.finditer(text) if match[1][:5] != "data:"]
    return Page([(match.start(), (match[1], True)) for match in found])


def _line(content: bytes, offset: int) -> int:
    """Return the 1-based line of an offset in a page."""
    return content.decode("utf-8").count("\n", 0, offset) + 1


def _problem(
    path: str,
    folder: str,
    link: Link,
    known: Collection[str],
    anchors: Mapping[str, Collection[str]],
) -> tuple[str, str] | None:
    """Return (actual, expected) of a bad link of the page at `path`; None if it is good."""
    address, is_loaded = link
    scheme, target, fragment = led_to(folder, address)
    found = f"a link to '{address}'"
    if scheme is not None:
        if is_loaded:
            return f"'{address}', fetched from outside", "a file of the site"
        return None if scheme in OUTSIDE else (found, "an http or https address")
    target = target or path
    if target not in known:
        return found, "a file of the site"
    if fragment and fragment not in anchors.get(target, ()):
        return found, f"an id of {target}"
    return None


@lru_cache(maxsize=2**16)
def led_to(folder: str, address: str) -> tuple[str | None, str, str]:
    """Return where an address leads from a page in `folder`: scheme, file of the site, anchor.

    The scheme is None within the site, the file "" for the page itself.
    """
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return parts.scheme, "", ""
    joined = posixpath.join(folder, unquote(parts.path))
    return None, posixpath.normpath(joined) if parts.path else "", unquote(parts.fragment)
