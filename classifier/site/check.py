"""What must hold of a finished site: links lead somewhere, nothing comes from outside."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import unquote, urlsplit

from classifier.errors import Fault, sort_faults

_LOADED = {"audio", "embed", "iframe", "img", "input", "object", "script", "source", "video"}
_LOADED_RELATIONS = {"stylesheet", "icon", "preload", "manifest", "modulepreload"}

# A quoted value may hold any sign. Our own pages are scanned, which quote every value; html.parser
# takes seven times as long and is what the tests hold this against.
_VALUE = r"(?:[^>\"']|\"[^\"]*\"|'[^']*')*"
_TAG = re.compile(
    rf"<!--.*?-->|<(script|style)\b({_VALUE})>.*?</\1\s*>|<([a-z][^\s/>]*)({_VALUE})>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"([^\s=>\"'/]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)")
_NAMING = re.compile(r"\b(?:id|href|src|srcset)\b", re.IGNORECASE)
_COMMENT_IN_STYLE = re.compile(r"/\*.*?\*/", re.DOTALL)
_WANTED_BY_STYLE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])([^"')\s]+)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """An address that a page names."""

    line: int
    address: str
    is_loaded: bool
    """Whether a browser fetches it by itself (a picture, a style sheet)."""


@dataclass(slots=True)
class Page:
    """The links and anchors of a page."""

    links: list[Link] = field(default_factory=list)
    anchors: list[tuple[str, int]] = field(default_factory=list)
    """(id, line)."""


def check_site(files: Mapping[str, bytes], also: Collection[str] = ()) -> list[Fault]:
    """Return what is wrong with a site: path from its top -> bytes.

    Dead links and anchors, ids that a page holds twice, addresses outside that a browser would
    fetch by itself, for a page or for a style sheet. `also` names files that lie beside these and
    that pages may link to.
    """
    pages = {path: _read(files[path]) for path in sorted(files) if path.endswith(".html")}
    pages |= {path: _read_style(files[path]) for path in sorted(files) if path.endswith(".css")}
    known = {*files, *also}
    anchors = {path: {name for name, _ in page.anchors} for path, page in pages.items()}
    faults: list[Fault] = []
    for path, page in pages.items():
        faults.extend(_repeated_ids(path, page))
        for link in page.links:
            faults.extend(_link_faults(path, link, known, anchors))
    return sort_faults(faults)


def _read(content: bytes) -> Page:
    """Return what a page names, tag by tag; comments, scripts and styles hold no tags."""
    text = content.decode("utf-8")
    page, line, counted = Page(), 1, 0
    for match in _TAG.finditer(text):
        tag, attributes = match.group(1) or match.group(3), match.group(2) or match.group(4)
        if not attributes or not _NAMING.search(attributes):
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        _note(page, line, tag.lower(), dict(_named(attributes)))
    return page


def _read_style(content: bytes) -> Page:
    """Return what a style sheet fetches; pictures written out in it are fetched from nowhere."""
    text = _COMMENT_IN_STYLE.sub(lambda comment: "\n" * comment[0].count("\n"), content.decode())
    found = [match for match in _WANTED_BY_STYLE.finditer(text) if match[1][:5] != "data:"]
    return Page([Link(text.count("\n", 0, match.start()) + 1, match[1], True) for match in found])


def _note(page: Page, line: int, tag: str, attributes: Mapping[str, str]) -> None:
    if "id" in attributes:
        page.anchors.append((attributes["id"], line))
    relations = set(attributes.get("rel", "").split())
    for name in ("href", "src", "srcset"):
        if name in attributes and tag != "base" and "canonical" not in relations:
            loaded = tag in _LOADED or (tag == "link" and bool(relations & _LOADED_RELATIONS))
            page.links.append(Link(line, attributes[name], loaded))


def _named(attributes: str) -> Iterator[tuple[str, str]]:
    for name, value in _ATTRIBUTE.findall(attributes):
        yield name.lower(), _value(value)


def _value(written: str) -> str:
    return unescape(written[1:-1] if written[0] in "\"'" else written)


def _repeated_ids(path: str, page: Page) -> Iterator[Fault]:
    counts = Counter(name for name, _ in page.anchors)
    first_seen: set[str] = set()
    for name, line in page.anchors:
        if counts[name] > 1 and name in first_seen:
            yield Fault("error", path, line, f"the id '{name}' a second time", "ids that differ")
        first_seen.add(name)


def _link_faults(
    path: str, link: Link, known: Collection[str], anchors: Mapping[str, Collection[str]]
) -> Iterator[Fault]:
    parts = urlsplit(link.address)
    if parts.scheme or parts.netloc:
        if link.is_loaded:
            found = f"'{link.address}', fetched from outside"
            yield Fault("error", path, link.line, found, "a file of the site")
        elif parts.scheme not in {"http", "https", "mailto"}:
            found = f"a link to '{link.address}'"
            yield Fault("error", path, link.line, found, "an http or https address")
        return
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path)))
    target = target if parts.path else path
    if target not in known:
        found = f"a link to '{link.address}'"
        yield Fault("error", path, link.line, found, "a file of the site")
    elif parts.fragment and unquote(parts.fragment) not in anchors.get(target, ()):
        found = f"a link to '{link.address}'"
        yield Fault("error", path, link.line, found, f"an id of {target}")
