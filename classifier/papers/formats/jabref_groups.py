r"""The tree of groups that JabRef, and Better BibTeX for Zotero's collections, keep in `@comment`.

One group a line, its depth first: `2 StaticGroup:Ovens\;0\;1\;…;`. Older versions list the keys
of the entries in it (`ExplicitGroup:Ovens\;0\;cruz2020\;bal2021\;;`), newer ones name the group
in each entry's `groups`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

_TREE: Final = re.compile(r"jabref-meta:\s*(?:groupstree|grouping):(.*)", re.DOTALL)
_NODE: Final = re.compile(r"\s*(\d{1,3})\s+(\w+):(.*)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_STATIC: Final = frozenset({"ExplicitGroup", "StaticGroup"})


@dataclass(slots=True)
class Groups:
    """Where entries are filed."""

    by_key: dict[str, list[str]] = field(default_factory=dict)
    """Paths by cite key."""
    by_name: dict[str, str] = field(default_factory=dict)
    """The path `Outer / Inner` of a group, by its name."""


def read_groups(comments: Iterable[str]) -> Groups:
    """Return the groups in the comments of a BibTeX file."""
    groups = Groups()
    for comment in comments:
        if match := _TREE.match(comment):
            _read_tree(match[1].replace("\n", ""), groups)
    return groups


def _read_tree(text: str, groups: Groups) -> None:
    path: list[str] = []
    for node in re.split(r"(?<!\\);", text):
        match = _NODE.fullmatch(node)
        if not match:
            continue
        depth, kind, rest = int(match[1]), match[2], match[3]
        if kind == "AllEntriesGroup" or depth == 0:
            continue
        name, *details = (_unescaped(part) for part in rest.split("\\;"))
        path = [*path[: depth - 1], re.sub(r"\s*/\s*", "/", name)]
        groups.by_name.setdefault(name, " / ".join(path))
        if kind in _STATIC:
            # The first says how the group relates to its parent.
            for key in filter(None, details[1:]):
                groups.by_key.setdefault(key, []).append(" / ".join(path))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(r"\1", text).strip()
