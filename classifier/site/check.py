"""What must hold of a finished site: links lead somewhere, nothing comes from outside."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from classifier.errors import Fault, sort_faults

_LOADED = {"audio", "embed", "iframe", "img", "input", "object", "script", "source", "video"}
_LOADED_RELATIONS = {"stylesheet", "icon", "preload", "manifest", "modulepreload"}


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
    fetch by itself. `also` names files that lie beside these and that pages may link to.
    """
    pages = {path: _read(files[path]) for path in sorted(files) if path.endswith(".html")}
    known = {*files, *also}
    anchors = {path: {name for name, _ in page.anchors} for path, page in pages.items()}
    faults: list[Fault] = []
    for path, page in pages.items():
        faults.extend(_repeated_ids(path, page))
        for link in page.links:
            faults.extend(_link_faults(path, link, known, anchors))
    return sort_faults(faults)


def _read(content: bytes) -> Page:
    reader = _Reader()
    reader.feed(content.decode("utf-8"))
    reader.close()
    return reader.page


class _Reader(HTMLParser):
    """Collects what a page links to and what can be linked to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        attributes = {name: value or "" for name, value in attrs}
        if "id" in attributes:
            self.page.anchors.append((attributes["id"], line))
        relations = set(attributes.get("rel", "").split())
        for name in ("href", "src", "srcset"):
            if name in attributes and tag != "base" and "canonical" not in relations:
                loaded = tag in _LOADED or (tag == "link" and bool(relations & _LOADED_RELATIONS))
                self.page.links.append(Link(line, attributes[name], loaded))


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
