"""Check the pages of a site: links, repeated ids, and files that are loaded from other sites."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from posixpath import dirname

from classifier.errors import Fault, sort_faults
from classifier.parallel import parallel_map
from classifier.site.verify import (
    LINKS,
    Failure,
    Parts,
    dead_links,
    is_page,
    read_part,
    resolve_link,
    site_address,
)

_LOADING_TAGS = {"audio", "embed", "iframe", "img", "input", "object", "script", "source", "video"}
_LOADING_RELATIONS = {"stylesheet", "icon", "preload", "manifest", "modulepreload"}
"""Values of the attribute `rel` with which a `link` loads a file."""
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STYLE_ADDRESS = re.compile(
    r"""(?:url\(\s*["']?|@import\s+["'])(?!data:)([^"')\s]+)""", re.IGNORECASE
)
Pages = Mapping[str, Parts]
"""Path of a page -> its tags and texts."""


def read_pages(files: Mapping[str, bytes]) -> Pages:
    """Parse the pages, feeds and Markdown files of a site."""
    paths = sorted(filter(is_page, files))
    pages = parallel_map(lambda path: read_part(files, path), paths, len(paths))
    return dict(zip(paths, pages, strict=True))


def check_site(
    files: Mapping[str, bytes], other_paths: Collection[str] = (), pages: Pages | None = None
) -> list[Fault]:
    """Return the faults of a site.

    The faults are dead links, ids that occur twice on a page, and files of other sites that a page
    or style sheet loads. files: contents by path. other_paths: paths that are not in `files` but
    may be linked. pages: the parsed pages, if they are already parsed.
    """
    pages = read_pages(files) if pages is None else pages
    styles = {
        path: _read_style_sheet(files[path]) for path in sorted(files) if path.endswith(".css")
    }
    pages_and_styles = {**pages, **styles}
    failures: list[Failure] = []
    for path, parts in pages_and_styles.items():
        failures += _foreign_files(path, parts)
    failures += dead_links(pages_and_styles, {*files, *other_paths}, site_address(files))
    for path, parts in pages.items():
        failures += _repeated_ids(path, parts)
    # A tag that loads a page of another site is also a dead link: report it once.
    by_tag: dict[tuple[str, int], Failure] = {}
    for failure in failures:
        by_tag.setdefault(failure[:2], failure)
    return sort_faults([to_fault(failure, files) for failure in by_tag.values()])


def to_fault(failure: Failure, files: Mapping[str, bytes], hint: str = "") -> Fault:
    """Convert a failure of verify.py to a fault with a line number."""
    file, offset, actual, expected = failure
    line = files[file].decode().count("\n", 0, offset) + 1 if offset >= 0 else None
    return Fault("error", file, line, actual, expected, hint)


def _repeated_ids(path: str, parts: Parts) -> Iterator[Failure]:
    """Yield the ids that occur twice on a page."""
    seen: set[str] = set()
    for offset, tag, attributes, _ in parts:
        name = attributes.get("id")
        if tag and name is not None:
            if name in seen:
                yield path, offset, f"the id '{name}' twice", "each id once per page"
            seen.add(name)


def _foreign_files(path: str, parts: Parts) -> Iterator[Failure]:
    """Yield the tags that load a file from another site."""
    for offset, tag, attributes, _ in parts:
        relations = attributes.get("rel", "").split() if tag == "link" else ()
        if tag in _LOADING_TAGS or _LOADING_RELATIONS.intersection(relations):
            for name in LINKS & attributes.keys():
                scheme, _, _ = resolve_link(dirname(path), attributes[name])
                if scheme is not None:
                    actual = f"'{attributes[name]}', loaded from another site"
                    yield path, offset, actual, "a file of the site"


def _read_style_sheet(content: bytes) -> Parts:
    """Return the addresses that a style sheet loads, in the form of `img` tags."""
    # Blanks in place of comments keep the offsets.
    text = _STYLE_COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), content.decode())
    return [(m.start(), "img", {"src": m[1]}, "") for m in _STYLE_ADDRESS.finditer(text)]
