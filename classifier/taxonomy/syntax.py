"""YAML syntax errors in the words of the person who made them."""

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
from classifier.text.normalise import ACTS


@dataclass(frozen=True, slots=True)
class _Trap:
    """A syntax error that people make, as the parser words it and as its owner needs it."""

    problem: str
    """Regular expression on the parser's context and problem."""
    found: str
    wanted: str
    cure: str
    at_context: bool = False
    """Whether the place to show is where the construct began, not where reading stopped."""


_TRAPS = (
    _Trap(r"'\\t' that cannot start", "a tab", "blanks as indentation", "Replace tabs by blanks."),
    _Trap(r"scanning an alias", "a text that starts with '*'", "an alias or quoted text",
          "Put the text in quotes: '* …'."),
    _Trap(r"scanning an anchor", "a text that starts with '&'", "an anchor or quoted text",
          "Put the text in quotes: '& …'."),
    _Trap(r"scanning a quoted scalar", "a quote that is not closed", "a closing quote",
          "Close the quote; inside single quotes write '' for an apostrophe.", at_context=True),
    _Trap(r"mapping values are not allowed", "': ' inside an unquoted text", "quoted text",
          "Put the whole text in quotes: '…: …'; indent a key like its neighbours."),
    _Trap(r"parsing a flow (?:sequence|mapping)",
          "a bracket that is not closed, or ': ' in an unquoted item",
          "a closing bracket and commas between the items",
          "Close it, and quote items that hold brackets, commas or colons.", at_context=True),
    _Trap(r"found character '(.)' that cannot start", r"a text that starts with '\1'",
          "quoted text", "Put the text in quotes."),
    _Trap(r"parsing a block mapping.*expected <block end>, but found '<scalar>'",
          "text behind a closing quote", "one text a value", "Put the whole text in quotes."),
    _Trap(r"parsing a block (?:mapping|collection)",
          "a line that is indented unlike its neighbours",
          "the same indentation for all keys or items of a level", "Align it with its neighbours."),
    _Trap(r"scanning a simple key|could not find expected ':'", "a line without a colon",
          "'key: value'", "Write ':' behind the key; indent the line if it continues a text.",
          at_context=True),
    _Trap(r"sequence entries are not allowed", "'- ' where no list item can stand",
          "list items on lines of their own", "Start the list on a new line, or quote the text."),
    _Trap(r"scanning a block scalar", "text behind '|' or '>'",
          "the text on the following lines, indented",
          "Start the text on a new line, or quote it."),
    _Trap(r"scanning a double-quoted scalar", "a '\\' that starts no known escape", "text",
          "Write '\\\\' for a backslash, or use single quotes."),
    _Trap(r"expected '<document start>'", "a line that belongs to nothing above it",
          "'key: value', indented like its neighbours", "Check the indentation and the quotes."),
    _Trap(r"expected the node content, but found '<stream end>'", "the end of the file",
          "a value, or a closing bracket", "Close what was opened."),
    _Trap(r"expected the node content, but found '(.+)'", r"'\1' where a value should begin",
          "a value", "Put the text in quotes if the sign belongs to it."),
    _Trap(r"scanning an? tag", "a text that starts with '!'", "quoted text",
          "Put the text in quotes."),
    _Trap(r"scanning a directive", "a line that starts with '%'", "quoted text",
          "Put the text in quotes."),
    _Trap(r"duplicate anchor", "an anchor a second time", "each anchor once",
          "Rename one of them."),
)  # fmt: skip


def describe_syntax_error(error: MarkedYAMLError) -> tuple[str, str, str, int]:
    """Return what was found, what was wanted, the cure, and the offset of the place to show.

    An error that is none of the known traps keeps the parser's words.
    """
    message = " ".join(f"{error.context or ''} {error.problem or ''}".split())
    for trap in _TRAPS:
        if match := re.search(trap.problem, message):
            mark = error.context_mark if trap.at_context else error.problem_mark
            found = match.expand(trap.found) if match.groups() else trap.found
            return found, trap.wanted, trap.cure, _offset(mark or error.problem_mark)
    return (
        message.removeprefix("found "),
        "YAML 1.2",
        "",
        _offset(error.problem_mark or error.context_mark),
    )


def _offset(mark: object) -> int:
    return int(getattr(mark, "index", 0))


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
