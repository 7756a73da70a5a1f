"""A YAML 1.2 document as a tree of nodes that know their file and line; `syntax` makes it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Kind = Literal["text", "number", "flag", "nothing", "list", "mapping"]

_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a document."""

    kind: Kind
    file: str
    """The file, for messages."""
    line: int
    """1-based line on which it starts; of an empty value, the line of its key."""
    text: str = ""
    """A scalar as it was typed, without quotes."""
    comment: str = ""
    """The comment directly behind an unquoted scalar, where there is one."""
    items: tuple[Node, ...] = ()
    """The items of a list."""
    pairs: tuple[tuple[Node, Node], ...] = ()
    """Key and value of a mapping, in order; of a repeated key only the first."""

    @property
    def shown(self) -> str:
        """The text on one line and shortened, for messages."""
        return " ".join(textwrap.wrap(self.text, width=60, max_lines=1, placeholder="…"))

    def get(self, key: str) -> Node | None:
        """Return the value under `key`, or None where there is none or this is no mapping."""
        return next((value for name, value in self.pairs if name.text == key), None)

    def items_of(self, key: str) -> tuple[Node, ...]:
        """Return the items of the list under `key`; none where that is no list."""
        value = self.get(key)
        return value.items if value else ()

    def pairs_of(self, key: str) -> tuple[tuple[Node, Node], ...]:
        """Return the pairs of the mapping under `key`; none where that is no mapping."""
        value = self.get(key)
        return value.pairs if value else ()

    def key(self, key: str) -> Node | None:
        """Return the key node of that text, or None."""
        return next((name for name, _ in self.pairs if name.text == key), None)

    def at(self, path: Sequence[str | int]) -> Node:
        """Follow keys and indices as far as they lead and return the last node reached."""
        node = self
        for step in path:
            if isinstance(step, str):
                below = node.get(step)
            else:
                below = node.items[step] if 0 <= step < len(node.items) else None
            if below is None:
                break
            node = below
        return node

    def value(self) -> Any:
        """Return the plain Python value: dict, list, str, int, float, bool or None."""
        match self.kind:
            case "mapping":
                return {key.text: value.value() for key, value in self.pairs}
            case "list":
                return [item.value() for item in self.items]
            case "number":
                return int(self.text) if _INTEGER.fullmatch(self.text) else float("nan")
            case "flag":
                return self.text.lower() == "true"
            case "nothing":
                return None
        return self.text

    def with_value(self, key: str, value: Node) -> Node:
        """Return this mapping with another value under `key`."""
        pairs = tuple((name, value if name.text == key else old) for name, old in self.pairs)
        return replace(self, pairs=pairs)
