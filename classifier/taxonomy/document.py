"""Parse a YAML 1.2 document into a tree of nodes with their file and line.

Messages about syntax errors name the user's mistake, and not the state of the parser.
"""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import yaml
from yaml.reader import ReaderError

from classifier.errors import Fault, InputError, Severity
from classifier.text.normalise import CONTROL_CHARACTERS

Kind = Literal["text", "number", "flag", "nothing", "list", "mapping"]

_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a document."""

    kind: Kind
    file: str
    """Name of the file in messages."""
    line: int
    """1-based line where it starts; for an empty value, the line of its key."""
    text: str = ""
    """A scalar as it was typed, without quotes."""
    comment: str = ""
    """The comment directly after an unquoted scalar, or ""."""
    items: tuple[Node, ...] = ()
    """The items of a list."""
    pairs: tuple[tuple[Node, Node], ...] = ()
    """(key, value) pairs of a mapping, in order; a repeated key counts once."""

    @property
    def display_text(self) -> str:
        """The text for messages: shortened and on one line."""
        return " ".join(textwrap.wrap(self.text, width=60, max_lines=1, placeholder="…"))

    def get(self, key: str) -> Node | None:
        """Return the value of `key`, or None."""
        return next((value for name, value in self.pairs if name.text == key), None)

    def items_of(self, key: str) -> tuple[Node, ...]:
        """Return the items of the list at `key`; () if the value is not a list."""
        value = self.get(key)
        return value.items if value else ()

    def pairs_of(self, key: str) -> tuple[tuple[Node, Node], ...]:
        """Return the pairs of the mapping at `key`; () if the value is not a mapping."""
        value = self.get(key)
        return value.pairs if value else ()

    def key(self, key: str) -> Node | None:
        """Return the node of the key itself (not of its value), or None."""
        return next((name for name, _ in self.pairs if name.text == key), None)

    def at(self, path: Sequence[str | int]) -> Node:
        """Follow keys and indices as far as possible, and return the last node that exists."""
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
        """Return the value as a Python object: dict, list, str, int, float, bool or None."""
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

    def with_lexicons(self, lexicons: Node) -> Node:
        """Return this mapping with `lexicons` as the value of that key."""
        pairs = tuple(
            (name, lexicons if name.text == "lexicons" else old) for name, old in self.pairs
        )
        return replace(self, pairs=pairs)

    def fault(
        self, actual: str, expected: str, hint: str = "", severity: Severity = "error"
    ) -> Fault:
        """Return a Fault at the line of this node."""
        return Fault(severity, self.file, self.line, actual, expected, hint)


MAX_CHARACTERS = 5_000_000
MAX_NODES = 500_000
MAX_DEPTH = 40
_FAST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyPy's PyYAML has no libyaml
_TOO_DEEP = (f"more than {MAX_DEPTH} levels", "a flatter document")
_NO_CONTENT = ("no content", "a document with keys and values")

# Common syntax errors: a pattern of the parser's message, the actual and the expected text, the
# hint, and whether to report the start of the construct instead of the place where parsing stopped.
_TRAPS = (
    (r"'\\t' that cannot start", "a tab", "blanks as indentation", "Replace tabs with blanks.",
     False),
    (r"scanning an alias", "a text that starts with '*'", "an alias or quoted text",
     "Put the text in quotes: '* …'.", False),
    (r"scanning an anchor", "a text that starts with '&'", "an anchor or quoted text",
     "Put the text in quotes: '& …'.", False),
    (r"scanning a quoted scalar", "a quote that is not closed", "a closing quote",
     "Close the quote; inside single quotes write '' for an apostrophe.", True),
    (r"mapping values are not allowed", "': ' inside an unquoted text", "quoted text",
     "Put the whole text in quotes: '…: …'; indent a key like its neighbours.", False),
    (r"parsing a flow (?:sequence|mapping)",
     "a bracket that is not closed, or ': ' in an unquoted item",
     "a closing bracket and commas between the items",
     "Close it, and quote items that contain brackets, commas or colons.", True),
    (r"found character '(.)' that cannot start", r"a text that starts with '\1'", "quoted text",
     "Put the text in quotes.", False),
    (r"parsing a block mapping.*expected <block end>, but found '<scalar>'",
     "text after a closing quote", "one text per value", "Put the whole text in quotes.", False),
    (r"parsing a block (?:mapping|collection)",
     "a line whose indentation differs from its neighbours",
     "the same indentation for all keys or items of a level", "Align it with its neighbours.",
     False),
    (r"scanning a simple key|could not find expected ':'", "a line without a colon",
     "'key: value'", "Write ':' after the key; indent the line if it continues a text.", True),
    (r"sequence entries are not allowed", "'- ' where a list item is not allowed",
     "list items on lines of their own", "Start the list on a new line, or quote the text.", False),
    (r"scanning a block scalar", "text after '|' or '>'",
     "the text on the following lines, indented", "Start the text on a new line, or quote it.",
     False),
    (r"scanning a double-quoted scalar", "a '\\' that starts no known escape", "text",
     "Write '\\\\' for a backslash, or use single quotes.", False),
    (r"expected '<document start>'", "a line that belongs to no key above it",
     "'key: value', indented like its neighbours", "Check the indentation and the quotes.", False),
    (r"expected the node content, but found '<stream end>'", "the end of the file",
     "a value, or a closing bracket", "Close the quote or bracket.", False),
    (r"scanning (?:an? tag|a directive)", "a text that starts with '!' or '%'", "quoted text",
     "Put the text in quotes.", False),
)  # fmt: skip

# The core schema of YAML 1.2.2, section 10.3.2: `no`, `on` and dates are text.
_NOTHING = re.compile(r"(?:~|null|Null|NULL|)")
_FLAG = re.compile(r"true|True|TRUE|false|False|FALSE")
_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_RESOLVED = frozenset("!!map !!seq !!str !!null !!bool !!int !!float !!timestamp !!merge".split())
"""Tags that the parser adds by itself."""
_COMMENT = re.compile(r"[ \t]+(#.*)")


def parse_document(text: str, file: str) -> tuple[Node, list[Fault]]:
    """Parse a document: return its tree, and the faults that did not prevent parsing.

    Raises InputError if the syntax is broken (with one fault, because the parser cannot continue),
    or if the document is empty, too large or too deeply nested.
    """
    builder = _Builder(text, file)
    if len(text) > MAX_CHARACTERS:
        found, expected = f"{len(text):,} characters", f"at most {MAX_CHARACTERS:,}"
        raise builder.fatal_error(0, found, expected, "Split the file.")
    try:
        return builder.document(_FAST_LOADER), builder.faults
    except yaml.YAMLError as error:
        if "nesting depth" in str(error):
            raise builder.fatal_error(0, *_TOO_DEEP) from error
    # The pure Python parser gives better error messages than libyaml.
    builder = _Builder(text, file)
    try:
        return builder.document(yaml.SafeLoader), builder.faults
    except ReaderError as error:
        found = f"the control character U+{ord(text[error.position]):04X}"
        hint = "Delete it, or write it as an escape inside double quotes."
        raise builder.fatal_error(error.position, found, "printable text", hint) from error
    except yaml.MarkedYAMLError as error:
        found, expected, hint, mark = _explain_error(error)
        raise builder.fatal_error(getattr(mark, "index", 0), found, expected, hint) from error


def _explain_error(error: yaml.MarkedYAMLError) -> tuple[str, str, str, object]:
    """Explain an error of the parser.

    Returns the actual and the expected text, the hint, and the mark of the place to report.
    Unrecognised errors keep the parser's message.
    """
    message = " ".join(f"{error.context or ''} {error.problem or ''}".split())
    here, start = error.problem_mark or error.context_mark, error.context_mark
    for pattern, found, expected, hint, at_context in _TRAPS:
        if match := re.search(pattern, message):
            if match.groups():
                found, expected = match.expand(found), match.expand(expected)
            return found, expected, hint, (start if at_context else here) or here
    return message.removeprefix("found "), "YAML 1.2", "", here


class _Builder:
    """Builds the tree recursively from the parser's events."""

    def __init__(self, text: str, file: str) -> None:
        self.faults: list[Fault] = []
        self._text, self._file = text, file
        # Editors end a line at "\\n" only; the parser also at other characters.
        self._line_ends = [match.start() for match in re.finditer("\n", text)]
        self._anchors: dict[str, tuple[Node, int, int]] = {}
        self._count = 0

    def document(self, loader: Any) -> Node:
        """Return the root of the only document, with aliases replaced by their values."""
        self._events = iter(yaml.parse(self._text, Loader=loader))
        next(self._events)
        begins = next(self._events)
        if isinstance(begins, yaml.StreamEndEvent):
            raise self.fatal_error(0, *_NO_CONTENT)
        root = self._node(next(self._events), 1)
        if not (root.text or root.kind in ("list", "mapping")):
            raise self.fatal_error(0, *_NO_CONTENT)
        next(self._events)
        if not isinstance(after := next(self._events), yaml.StreamEndEvent):
            index = after.start_mark.index if after.start_mark else 0
            raise self.fatal_error(index, "a second document (---)", "one document per file")
        return root

    def fatal_error(self, index: int, actual: str, expected: str, hint: str = "") -> InputError:
        """Return the error about a fault after which parsing cannot continue."""
        return InputError([Fault("error", self._file, self._line(index), actual, expected, hint)])

    def _node(self, event: Any, depth: int) -> Node:
        """Build the node that starts with `event`, and its children."""
        index = event.start_mark.index
        if isinstance(event, yaml.AliasEvent):
            return self._resolve_alias(event, depth)
        self._add_to_count(index, 1, depth)
        tag = str(event.tag or "").replace("tag:yaml.org,2002:", "!!")
        if is_tagged := bool(tag) and tag not in _RESOLVED:
            hint = "Delete the tag; put the text in quotes if the '!' is part of it."
            self._add_fault(self._line(index), f"the tag '{tag}'", "plain YAML", hint)
        if isinstance(event, yaml.SequenceStartEvent):
            items = tuple(
                self._node(item, depth + 1) for item in self._child_events(yaml.SequenceEndEvent)
            )
            node = Node("list", self._file, self._line(index), items=items)
        elif isinstance(event, yaml.MappingStartEvent):
            node = Node("mapping", self._file, self._line(index), pairs=self._pairs(depth))
        else:
            node = self._scalar(event, is_plain=not event.style and not is_tagged)
        if event.anchor:
            self._anchors[event.anchor] = node, *_tree_size(node)
        return node

    def _child_events(self, end: type) -> Iterator[Any]:
        """Yield the first event of each value in a list or mapping."""
        while not isinstance(event := next(self._events), end):
            yield event

    def _resolve_alias(self, event: Any, depth: int) -> Node:
        """Return the node to which an alias refers."""
        index = event.start_mark.index
        if event.anchor not in self._anchors:
            found = f"the alias '*{event.anchor}' without an anchor before it"
            expected = f"an anchor '&{event.anchor}', or text"
            raise self.fatal_error(
                index, found, expected, "Put the text in quotes if the '*' is part of it."
            )
        node, count, levels = self._anchors[event.anchor]
        self._add_to_count(index, count, depth + levels - 1)
        return node

    def _add_to_count(self, index: int, count: int, depth: int) -> None:
        """Add the values of a node to the count; raise InputError if there are too many."""
        self._count += count
        if depth > MAX_DEPTH:
            raise self.fatal_error(index, *_TOO_DEEP)
        if self._count > MAX_NODES:
            found = "aliases that expand to too many values"
            raise self.fatal_error(index, found, f"at most {MAX_NODES:,} values")

    def _scalar(self, event: Any, is_plain: bool) -> Node:
        """Return the node of a scalar (text, number, boolean or null)."""
        start, end = event.start_mark.index, event.end_mark.index
        line, text = self._line(start), event.value
        if sign := CONTROL_CHARACTERS.search(text):
            what = f"the character U+{ord(sign[0]):04X}, which is invisible"
            self._add_fault(
                line, what, "printable text", "Delete the character, or its escape sequence."
            )
        if not is_plain:
            return Node("text", self._file, line, text)
        comment = _COMMENT.match(self._text, end) if end > start else None
        return Node(
            _plain_kind(text), self._file, line, text, comment[1].strip() if comment else ""
        )

    def _pairs(self, depth: int) -> tuple[tuple[Node, Node], ...]:
        """Return the (key, value) pairs of a mapping, and report repeated keys."""
        pairs: dict[str, tuple[Node, Node]] = {}
        for event in self._child_events(yaml.MappingEndEvent):
            key, value = self._node(event, depth + 1), self._node(next(self._events), depth + 1)
            if value.kind == "nothing" and not value.text:
                value = replace(value, line=key.line)
            if key.kind in ("list", "mapping"):
                what = f"a {key.kind} as a key"
                self._add_fault(key.line, what, "a text as the key", "Put the key in quotes.")
            elif key.text in pairs:
                first = pairs[key.text][0].line
                what = f"the key '{key.display_text}' a second time (first on line {first})"
                self._add_fault(key.line, what, "each key once", "Merge the two, or delete one.")
            else:
                pairs[key.text] = (key, value)
        return tuple(pairs.values())

    def _line(self, index: int) -> int:
        """Return the line of a position in the text."""
        return bisect_left(self._line_ends, index) + 1

    def _add_fault(self, line: int, actual: str, expected: str, hint: str) -> None:
        """Record a fault."""
        self.faults.append(Fault("error", self._file, line, actual, expected, hint))


def _tree_size(node: Node) -> tuple[int, int]:
    """Return the number of values and of levels in a tree."""
    below = [*node.items, *(each for pair in node.pairs for each in pair)]
    sizes = [_tree_size(each) for each in below]
    return 1 + sum(count for count, _ in sizes), 1 + max((levels for _, levels in sizes), default=0)


def _plain_kind(text: str) -> Kind:
    """Return the kind of an unquoted scalar."""
    if _NOTHING.fullmatch(text):
        return "nothing"
    if _FLAG.fullmatch(text):
        return "flag"
    return "number" if _NUMBER.fullmatch(text) else "text"
