"""YAML syntax errors in the words of the person who made them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ruamel.yaml.error import MarkedYAMLError


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
