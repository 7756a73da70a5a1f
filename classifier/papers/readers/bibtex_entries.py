"""Parse BibTeX into entries with bibtexparser; resolve macros and inherited fields."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

# It logs each failed block, by default to standard error.
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())

_NAME: Final = r"[A-Za-z][\w+.:/-]{0,60}"
_FIELD_NAME: Final = re.compile(rf"({_NAME})\s*\Z")
_GOES_ON: Final = re.compile(rf"[\s,}}]*{_NAME}\s{{0,99}}=\s{{0,99}}[{{\"\d]")
_LOOSE_HEAD: Final = re.compile(r"^([ \t]*@\w+)([ \t]*\n\s*)([{(])", re.MULTILINE)
_HEAD: Final = re.compile(r"\s*@(\w+)\s*[{(]\s*([^\s,;{}=\"]{0,300})")
_BRACES: Final = re.compile(r"(?<!\\)[{}]")
_BRACES_OR_QUOTE: Final = re.compile(r"(?<!\\)[{}\"]")
_BARE: Final = re.compile(r"[^\s#,{}\"=]+")
_JOINT: Final = re.compile(r"\s*#\s*")
_NO_ENTRIES: Final = frozenset({"comment", "preamble", "string"})

_INHERITED: Final = (
    "year", "date", "month", "publisher", "address", "location", "series", "volume", "editor",
    "isbn", "issn", "organization", "institution", "booktitle", "booksubtitle", "journal",
    "journaltitle", "edition", "language", "langid", "eventtitle",
)  # fmt: skip
_PARTS_OF_BOOKS: Final = frozenset(
    "inbook incollection inproceedings conference inreference bookinbook suppbook suppcollection"
    " book_section".split()
)
# Limits for macros that double each other.
_MAX_MACRO_LENGTH: Final = 2_000
_MAX_MACROS: Final = 500


@dataclass(slots=True)
class Entry:
    """One entry; its values are unparsed, without their outer braces or quotes."""

    type: str
    """In lower case: `article`."""
    key: str
    """The cite key, or ""."""
    line: int
    """1-based line of its `@`."""
    fields: dict[str, str] = field(default_factory=dict)
    """Name in lower case -> value; of two values with one name the first counts."""
    is_parent: bool = False
    """Whether another entry refers to it by `crossref`."""
    fault: str = ""
    """The fault of its braces, commas or quotes, or ""."""


def read_bibliography(text: str) -> tuple[list[Entry], Groups]:
    """Return the entries of a text, macros and `crossref` resolved, and its groups."""
    from bibtexparser.entrypoint import parse_string  # late: it is slow to load

    # An opening brace on the next line is moved up; line numbers stay the same.
    text = _LOOSE_HEAD.sub(r"\1\3\2", text.replace("\ufeff", ""))
    blocks = parse_string(text, parse_stack=[]).blocks
    comments: list[str] = []
    entries = list(_entries(blocks, text.split("\n"), comments))
    parents = {entry.key.lower(): entry for entry in reversed(entries) if entry.key}
    for entry in entries:
        parent = parents.get(entry.fields.get("crossref", "").strip().lower())
        if parent is not None and parent is not entry:
            parent.is_parent = True
            _inherit_fields(entry, parent)
    return entries, _read_groups(comments)


def _entries(blocks: Sequence[Any], lines: Sequence[str], comments: list[str]) -> Iterator[Entry]:
    """Yield the entries in bibtexparser's blocks, and append the comments to `comments`."""
    from bibtexparser import model

    repeated = (model.DuplicateBlockKeyBlock, model.DuplicateFieldKeyBlock)
    macros: dict[str, str] = {}
    last: Entry | None = None
    for block in blocks:
        # An entry may repeat both a key and a field.
        while isinstance(block, repeated):
            block = block.ignore_error_block
        kind = type(block)
        if kind is model.ImplicitComment:
            if last and _GOES_ON.match(block.comment):
                last.fault = "a brace too many"
        elif lines[block.start_line][:200].lstrip().startswith(("%", "#", "//")):
            last = None  # commented out
        elif kind is model.Entry:
            last = _convert_entry(block, macros)
            if last.fields or lines[block.start_line][:200].lstrip().startswith("@"):
                yield last
        elif kind is model.String:
            macros[block.key.lower()] = _parse_expression(block.value, macros)[0][
                :_MAX_MACRO_LENGTH
            ]
        elif kind is model.ExplicitComment:
            comments.append(block.comment)
        elif kind is model.ParsingFailedBlock:
            head = _HEAD.match(block.raw)
            if head and head[1].lower() not in _NO_ENTRIES:
                fault = str(getattr(block.error, "abort_reason", block.error))
                fault = " ".join(fault.split()).rstrip(".")[:200] or "a broken entry"
                yield Entry(head[1].lower(), head[2], block.start_line + 1, fault=fault)


def _convert_entry(block: Any, macros: Mapping[str, str]) -> Entry:
    entry = Entry(block.entry_type, block.key, block.start_line + 1)
    fields = entry.fields
    for parsed in block.fields:
        name, raw = _field_name(parsed.key).lower(), parsed.value
        value, end = _parse_expression(raw, macros)
        if raw[end:].strip():
            entry.fault = f"a comma missing after {name}"
        if name == "keywords" and name in fields:
            fields[name] += f", {value}"
        elif name and value.strip() and not fields.get(name, "").strip():
            fields[name] = value
    return entry


def _field_name(text: str) -> str:
    """Return the name before a `=`, without comment lines; "" if the text is not a name."""
    last = text.rpartition("\n")[2].lstrip()
    match = None if last.startswith("%") else _FIELD_NAME.search(last)
    return match[1] if match else ""


def _parse_expression(raw: str, macros: Mapping[str, str]) -> tuple[str, int]:
    """Return the value of a concatenation (parts joined by `#`), and the position of its end."""
    pieces: list[str] = []
    position = 0
    while True:
        if raw[position : position + 1] in ("{", '"'):
            end = _find_closing(raw, position)
            end = len(raw) if end < 0 else end
            pieces.append(raw[position + 1 : end])
            position = end + 1
        elif bare := _BARE.match(raw, position):
            if len(pieces) < _MAX_MACROS:
                pieces.append(macros.get(bare[0].lower(), bare[0]))
            position = bare.end()
        joint = _JOINT.match(raw, position)
        if not joint:
            return "".join(pieces), position
        position = joint.end()


def _find_closing(raw: str, start: int) -> int:
    """Return the position of the brace or quote that closes the one at `start`, or -1."""
    depth = 0
    quoted = raw[start] == '"'
    for match in (_BRACES_OR_QUOTE if quoted else _BRACES).finditer(raw, start + quoted):
        sign = match[0]
        if sign == '"':
            if depth <= 0:
                return match.start()
            continue
        depth += 1 if sign == "{" else -1
        if depth == 0 and not quoted:
            return match.start()
    return -1


def _inherit_fields(entry: Entry, parent: Entry) -> None:
    """Add a parent's fields to an entry that lacks them; its title is the book or journal."""
    for name in _INHERITED:
        if name in parent.fields:
            entry.fields.setdefault(name, parent.fields[name])
    title = parent.fields.get("title", "")
    if title and parent.type == "periodical" and "journal" not in entry.fields:
        entry.fields.setdefault("journaltitle", title)
    elif title and entry.type in _PARTS_OF_BOOKS and "booktitle" not in entry.fields:
        entry.fields["booktitle"] = title
        if "subtitle" in parent.fields:
            entry.fields["booksubtitle"] = parent.fields["subtitle"]


# --- Groups --------------------------------------------------------------------------------------
# JabRef, and Better BibTeX for Zotero's collections, keep their tree in `@comment`: one group a
# line, its depth first, as `2 StaticGroup:Ovens\;0\;1\;…;`. Older versions list the keys of the
# entries in it (`ExplicitGroup:Ovens\;0\;cruz2020\;;`), newer ones name it in an entry's `groups`.

_TREE: Final = re.compile(r"jabref-meta:\s*(?:groupstree|grouping):(.*)", re.DOTALL)
_NODE: Final = re.compile(r"\s*(\d{1,3})\s+(\w+):(.*)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_STATIC: Final = frozenset({"ExplicitGroup", "StaticGroup"})


@dataclass(slots=True)
class Groups:
    """The groups of entries that a reference manager stored in the file."""

    by_key: dict[str, list[str]] = field(default_factory=dict)
    """Paths of groups, by cite key."""
    by_name: dict[str, str] = field(default_factory=dict)
    """Path of each group, such as `Outer / Inner`, by the name of the group."""


def _read_groups(comments: Iterable[str]) -> Groups:
    groups, path = Groups(), list[str]()
    trees = (match[1].replace("\n", "") for text in comments if (match := _TREE.match(text)))
    nodes = (node for tree in trees for node in re.split(r"(?<!\\);", tree))
    for match in filter(None, map(_NODE.fullmatch, nodes)):
        depth, kind, rest = int(match[1]), match[2], match[3]
        if kind == "AllEntriesGroup" or depth == 0:
            continue
        name, *details = (_ESCAPE.sub(r"\1", part).strip() for part in rest.split("\\;"))
        path = [*path[: depth - 1], re.sub(r"\s*/\s*", "/", name)]
        groups.by_name.setdefault(name, " / ".join(path))
        if kind in _STATIC:
            # The first detail is the relation of the group to its parent.
            for key in filter(None, details[1:]):
                groups.by_key.setdefault(key, []).append(" / ".join(path))
    return groups
