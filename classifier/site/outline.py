"""What the check of a site needs of a page: its ids, and where it leads.

An outline is a function of the page alone, so it is kept with the page; whether all outlines of a
site fit together is asked anew. Where they do not, `check_site` reads the pages and names places.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from sys import intern

from classifier.errors import Fault
from classifier.site.check import OUTSIDE, check_site, led_to, read_page


@dataclass(frozen=True, slots=True)
class Outline:
    """What the check of a site needs of a page."""

    ids: tuple[str, ...]
    """In the order of the page."""
    wants: tuple[str, ...]
    """Where it leads within the site, each once: `c/safety.html`, `survey.html#ref-12`."""
    is_sound: bool
    """Whether its ids differ, and its addresses outside are such as a page may name."""


def outline_of(path: str, content: bytes) -> Outline:
    """Return the outline of a page or a style sheet."""
    page, folder = read_page(path, content), posixpath.dirname(path)
    # Pages share most of their ids and aims: each is held once.
    ids = tuple([intern(name) for _, name in page.anchors])
    is_sound = len({*ids}) == len(ids)
    wants: dict[str, None] = {}
    for link in {link: None for _, link in page.links}:
        scheme, target, fragment = led_to(folder, link.address)
        if scheme is None:
            want = f"{target or path}#{fragment}" if fragment else target or path
            wants[intern(want)] = None  # one text in memory, however many pages lead there
        elif link.is_loaded or scheme not in OUTSIDE:
            is_sound = False
    return Outline(ids, tuple(wants), is_sound)


def site_faults(
    files: Mapping[str, bytes], outlines: Mapping[str, Outline], also: Collection[str] = ()
) -> list[Fault]:
    """Return what `check_site` returns, without reading a page where nothing is wrong.

    outlines: path of each page and style sheet -> its outline.
    """
    known = {*files, *also}
    ids = {path: frozenset(outline.ids) for path, outline in outlines.items()}
    wants = {want for outline in outlines.values() for want in outline.wants}
    if all(outline.is_sound for outline in outlines.values()) and all(
        _is_there(want, known, ids) for want in wants
    ):
        return []
    return check_site(files, also)


def _is_there(want: str, known: Collection[str], ids: Mapping[str, Collection[str]]) -> bool:
    target, _, anchor = want.partition("#")
    return target in known and (not anchor or anchor in ids.get(target, ()))
