"""Checks of the pages of a site: its links, and that it loads nothing from other sites."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from posixpath import dirname

from classifier.errors import Fault, sort_faults
from classifier.parallel import parallel_map
from classifier.site.verify import LINKS, Failure, Parts, dead_links, led_to, read_page

_LOADED = {"audio", "embed", "iframe", "img", "input", "object", "script", "source", "video"}
_LOADED_RELATIONS = {"stylesheet", "icon", "preload", "manifest", "modulepreload"}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LOADED_BY_STYLE = re.compile(
    r"""(?:url\(\s*["']?|@import\s+["'])(?!data:)([^"')\s]+)""", re.IGNORECASE
)
Pages = Mapping[str, Parts]
"""Path of a page -> its tags and texts."""


def read_pages(files: Mapping[str, bytes]) -> Pages:
    """Return the parts of all pages among the files of a site."""
    paths = sorted(path for path in files if path.endswith(".html"))
    read = parallel_map(lambda path: read_page(files[path]), paths, len(paths))
    return dict(zip(paths, read, strict=True))


def check_site(
    files: Mapping[str, bytes], also: Collection[str] = (), pages: Pages | None = None
) -> list[Fault]:
    """Return the faults of a site, whose files are path -> content.

    Faults are dead links, repeated ids of a page, and addresses of other sites that a page or style
    sheet loads. also: files outside `files` that pages may link to. pages: the pages, if they have
    been read already.
    """
    pages = read_pages(files) if pages is None else pages
    styles = {path: _read_style(files[path]) for path in sorted(files) if path.endswith(".css")}
    both = {**pages, **styles}
    failures = [
        *(failure for path, parts in both.items() for failure in _loaded(path, parts)),
        *dead_links(both, {*files, *also}),
        *(failure for path, parts in pages.items() for failure in _repeated_ids(path, parts)),
    ]
    # A tag that loads a page of another site is reported once.
    by_tag = {
        (file, offset): failure for failure in reversed(failures) for file, offset in [failure[:2]]
    }
    return sort_faults([fault_of(failure, files) for failure in by_tag.values()])


def fault_of(failure: Failure, files: Mapping[str, bytes], hint: str = "") -> Fault:
    """Return a failure of verify.py as a fault, with its line."""
    file, offset, actual, expected = failure
    line = files[file].decode().count("\n", 0, offset) + 1 if offset >= 0 else None
    return Fault("error", file, line, actual, expected, hint)


def _repeated_ids(path: str, parts: Parts) -> Iterator[Failure]:
    ids: set[str] = set()
    for offset, tag, attributes, _ in parts:
        name = attributes.get("id")
        if tag and name is not None:
            if name in ids:
                yield path, offset, f"the id '{name}' a second time", "ids that differ"
            ids.add(name)


def _loaded(path: str, parts: Parts) -> Iterator[Failure]:
    for offset, tag, attributes, _ in parts:
        relations = set(attributes.get("rel", "").split())
        if tag in _LOADED or (tag == "link" and relations & _LOADED_RELATIONS):
            for name in LINKS & attributes.keys():
                scheme, _, _ = led_to(dirname(path), attributes[name])
                if scheme is not None:
                    found = f"'{attributes[name]}', loaded from another site"
                    yield path, offset, found, "a file of the site"


def _read_style(content: bytes) -> Parts:
    """Return the addresses that a style sheet loads, each in the form of a tag."""
    text = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), content.decode())
    return [(m.start(), "img", {"src": m[1]}, "") for m in _LOADED_BY_STYLE.finditer(text)]
