"""A YAML 1.2 document read as a tree of nodes that know their file and line.

Built from the parser's events, not from constructed values: so every scalar is there as it was
typed (`1.10` stays `1.10`), a key that stands twice is seen, tags construct nothing, and the size
that aliases unfold to is bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from classifier.errors import Fault, InputError
from classifier.taxonomy.document import Kind, Node
from classifier.taxonomy.syntax import describe_syntax_error
from classifier.text.acting_signs import ACTS

MOST_CHARACTERS = 5_000_000
MOST_NODES = 500_000
MOST_ALIASES = 1_000
DEEPEST = 40

# The core schema of YAML 1.2.2, section 10.3.2: `no`, `on` and dates are text.
_NOTHING = re.compile(r"(?:~|null|Null|NULL|)")
_FLAG = re.compile(r"true|True|TRUE|false|False|FALSE")
_COMMENT = re.compile(r"[ \t]+(#.*)")
_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)


def parse_document(text: str, file: str) -> tuple[Node, list[Fault]]:
    """Return the tree of a document and the faults that did not keep it from being read.

    Raises InputError for broken syntax (that one fault: a parser cannot go on behind it), for an
    empty document, and for one that is too large or too deeply nested.
    """
    builder = _Builder(text, file)
    if len(text) > MOST_CHARACTERS:
        raise builder.stop(
            0, f"{len(text):,} characters", f"at most {MOST_CHARACTERS:,}", "Split the file."
        )
    try:
        return builder.document(), builder.faults
    except ReaderError as error:
        raise builder.stop(
            error.position,
            f"the control character U+{ord(text[error.position]):04X}",
            "printable text",
            "Delete it, or write it as an escape inside double quotes.",
        ) from error
    except MarkedYAMLError as error:
        found, wanted, cure, index = describe_syntax_error(error)
        raise builder.stop(index, found, wanted, cure) from error
    except YAMLError as error:
        raise builder.stop(0, str(error).removeprefix("found "), "YAML 1.2") from error


@dataclass
class _Builder:
    """Turns events into nodes, one recursive step a level."""

    text: str
    file: str
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._line_ends = [match.start() for match in re.finditer("\n", self.text)]
        self._anchors: dict[str, Node] = {}
        self._aliases = 0
        self._nodes = 0

    def line(self, index: int) -> int:
        """Return the 1-based line of a character."""
        return bisect_left(self._line_ends, index) + 1

    def stop(self, index: int, found: str, wanted: str, cure: str = "") -> InputError:
        """Return the error for a fault behind which nothing can be read."""
        return InputError([Fault("error", self.file, self.line(index), found, wanted, cure)])

    def document(self) -> Node:
        """Return the root of the only document."""
        events = YAML(typ="safe", pure=True).parse(self.text)
        root: Node | None = None
        for event in events:
            if isinstance(event, DocumentStartEvent | DocumentEndEvent):
                continue
            if isinstance(event, _VALUES):
                if root is not None:
                    raise self.stop(
                        event.start_mark.index, "a second document (---)", "one document a file"
                    )
                root = self._node(event, events, depth=1)
        if root is None or (root.kind == "nothing" and not root.text):
            raise self.stop(0, "no content", "a document with keys and values")
        return root

    def _node(self, event: Event, events: Iterator[Event], depth: int) -> Node:
        if isinstance(event, AliasEvent):
            node = self._alias(event)
        elif isinstance(event, ScalarEvent):
            node = self._scalar(event)
        elif depth > DEEPEST:
            raise self.stop(
                event.start_mark.index, f"more than {DEEPEST} levels", "a flatter document"
            )
        elif isinstance(event, SequenceStartEvent):
            node = self._list(event, events, depth)
        else:
            node = self._mapping(event, events, depth)
        self._note(event, node)
        return node

    def _note(self, event: Event, node: Node) -> None:
        """Refuse tags, remember anchors, bound the size."""
        index = event.start_mark.index
        tag = getattr(event, "tag", None)
        if tag and tag != "!":
            self._fault(
                node.line,
                f"the tag '{str(tag).replace('tag:yaml.org,2002:', '!!')}'",
                "plain YAML",
                "Delete the tag; quote the text if the '!' belongs to it.",
            )
        if isinstance(event, AliasEvent):
            self._nodes += node.size
        else:
            self._nodes += 1
            if anchor := getattr(event, "anchor", None):
                self._anchors[anchor] = node
        if self._nodes > MOST_NODES:
            raise self.stop(
                index, "aliases that unfold to too much", f"at most {MOST_NODES:,} values"
            )

    def _alias(self, event: AliasEvent) -> Node:
        self._aliases += 1
        index = event.start_mark.index
        if self._aliases > MOST_ALIASES:
            raise self.stop(index, f"more than {MOST_ALIASES:,} aliases (*name)", "fewer of them")
        if event.anchor not in self._anchors:
            raise self.stop(
                index,
                f"the alias '*{event.anchor}' of an anchor that does not stand before it",
                f"an anchor '&{event.anchor}', or text",
                "Quote the text if the '*' belongs to it.",
            )
        return replace(self._anchors[event.anchor], line=self.line(index))

    def _scalar(self, event: ScalarEvent) -> Node:
        line = self.line(event.start_mark.index)
        if sign := ACTS.search(event.value):
            found = f"the character U+{ord(sign[0]):04X}, which is not seen"
            self._fault(line, found, "printable text", "Delete it, or its escape.")
        plain = event.implicit[0]
        if not plain:
            return Node("text", self.file, line, event.value)
        return Node(
            _plain_kind(event.value), self.file, line, event.value, self._comment_behind(event)
        )

    def _comment_behind(self, event: ScalarEvent) -> str:
        end = event.end_mark.index
        match = _COMMENT.match(self.text, end)
        return match.group(1).strip() if match and end > event.start_mark.index else ""

    def _list(self, event: Event, events: Iterator[Event], depth: int) -> Node:
        items: list[Node] = []
        for inner in events:
            if isinstance(inner, SequenceEndEvent):
                break
            items.append(self._node(inner, events, depth + 1))
        size = 1 + sum(item.size for item in items)
        line = self.line(event.start_mark.index)
        return Node("list", self.file, line, items=tuple(items), size=size)

    def _mapping(self, event: Event, events: Iterator[Event], depth: int) -> Node:
        pairs: dict[str, tuple[Node, Node]] = {}
        size = 1
        for inner in events:
            if isinstance(inner, MappingEndEvent):
                break
            key = self._node(inner, events, depth + 1)
            value = self._node(next(events), events, depth + 1)
            if value.kind == "nothing" and not value.text:
                value = replace(value, line=key.line)
            size += key.size + value.size
            self._add(pairs, key, value)
        line = self.line(event.start_mark.index)
        return Node("mapping", self.file, line, pairs=tuple(pairs.values()), size=size)

    def _add(self, pairs: dict[str, tuple[Node, Node]], key: Node, value: Node) -> None:
        if key.kind in ("list", "mapping"):
            self._fault(key.line, f"a {key.kind} as a key", "a word as a key", "Quote the text.")
        elif key.text in pairs:
            first = pairs[key.text][0].line
            self._fault(
                key.line,
                f"the key '{key.shown}' a second time (first on line {first})",
                "each key once",
                "Merge the two, or delete one.",
            )
        else:
            pairs[key.text] = (key, value)

    def _fault(self, line: int, found: str, wanted: str, cure: str) -> None:
        self.faults.append(Fault("error", self.file, line, found, wanted, cure))


_VALUES = (AliasEvent, ScalarEvent, SequenceStartEvent, MappingStartEvent)


def _plain_kind(text: str) -> Kind:
    if _NOTHING.fullmatch(text):
        return "nothing"
    if _FLAG.fullmatch(text):
        return "flag"
    return "number" if _NUMBER.fullmatch(text) else "text"
