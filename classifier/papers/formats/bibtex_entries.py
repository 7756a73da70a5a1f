"""A BibTeX file as entries: macros resolved, broken blocks recovered, parents inherited from.

bibtexparser splits the text. Its failed blocks are read again by a rule that needs no balanced
braces, so that no entry is lost because of its neighbour.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

# It reports each failed block to the log, which is standard error where nobody set one up.
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())

_NAME: Final = r"[A-Za-z][\w+.:/-]{0,60}"
_FIELD_NAME: Final = re.compile(rf"({_NAME})\s*\Z")
_SEAM: Final = re.compile(rf'[}}"\w]\s{{0,99}}#|[}}"]\s{{0,99}}{_NAME}\s{{0,99}}=')
_NEXT_FIELD: Final = re.compile(rf"[\s,]*({_NAME})\s{{0,99}}=\s*")
_BROKEN_FIELD: Final = re.compile(rf"(?:^|[,;{{(\n])[ \t]{{0,99}}({_NAME})[ \t]{{0,99}}=\s*")
_SWALLOWED: Final = re.compile(
    rf',[ \t]{{0,99}}\n[ \t]{{0,99}}{_NAME}[ \t]{{0,99}}=[ \t]{{0,9}}(?:[{{"]|\w{{1,40}},?\n)'
)
_LINE_OF_FIELD: Final = re.compile(rf"\n(?=[ \t,]{{0,99}}{_NAME}[ \t]{{0,99}}=)|\Z")
_GOES_ON: Final = re.compile(rf"[\s,}}]*{_NAME}\s{{0,99}}=\s{{0,99}}[{{\"\d]")
# Behind the key may stand a wrong sign or none.
_HEAD: Final = re.compile(
    rf"\s*@(\w+)\s*[{{(]\s*(?:([^\s,{{}}=\"]{{1,300}})(?=[ \t]{{1,99}}{_NAME}\s{{0,99}}=)"
    r"|([^,;{}=\"\n]{0,300}?)\s*[,;\n])?"
)
_LOOSE_HEAD: Final = re.compile(r"^([ \t]*@\w+)([ \t]*\n\s*)([{(])", re.MULTILINE)
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
# Chains of parents that are longer than this are slips.
_DEEPEST: Final = 5
# Macros that double each other would fill the memory.
_MOST_MACRO: Final = 2_000
_MOST_MACROS: Final = 500


@dataclass(slots=True)
class Entry:
    """One entry: its values as they are written, without their outer braces or quotes."""

    type: str
    """In lower case: `article`."""
    key: str
    """The cite key, or ""."""
    line: int
    """1-based line of its `@`."""
    fields: dict[str, str] = field(default_factory=dict)
    """Values by name in lower case; of two values of one name the first."""
    fault: str = ""
    """What is wrong with its braces, commas or quotes; "" where nothing is."""


@dataclass(slots=True)
class Bibliography:
    """What a BibTeX file holds."""

    entries: list[Entry]
    """In file order."""
    comments: list[str]
    """What stands in `@comment{…}`, where JabRef keeps its groups."""


def read_bibliography(text: str) -> Bibliography:
    """Return the entries of a BibTeX text; of a text that is none there are none.

    Macros and concatenations are resolved, and what entries inherit (`crossref`, `xdata`) is
    among their fields.
    """
    from bibtexparser.entrypoint import parse_string  # late: it is slow to load

    # An opening brace may stand on the line below; moved up, no line changes its number.
    text = _LOOSE_HEAD.sub(r"\1\3\2", text.replace("\ufeff", ""))
    blocks = parse_string(text, parse_stack=[]).blocks
    comments: list[str] = []
    entries = list(_entries(blocks, text.split("\n"), comments))
    _inherit(entries)
    return Bibliography(entries, comments)


def _entries(blocks: Sequence[Any], lines: Sequence[str], comments: list[str]) -> Iterator[Entry]:
    """Yield the entries among the blocks of bibtexparser; adds to `comments` what they hold."""
    from bibtexparser import model

    repeated = (model.DuplicateBlockKeyBlock, model.DuplicateFieldKeyBlock)
    macros: dict[str, str] = {}
    for index, block in enumerate(blocks):
        # An entry may repeat both a key and a field.
        while isinstance(block, repeated):
            block = block.ignore_error_block
        kind = type(block)
        if kind is model.ImplicitComment or _is_commented_out(block, lines):
            continue
        if kind is model.Entry:
            entry = _entry(block, macros)
            if index + 1 < len(blocks) and type(blocks[index + 1]) is model.ImplicitComment:
                _take_up(entry, blocks[index + 1].comment, macros)
            if entry.fields or lines[block.start_line][:200].lstrip().startswith("@"):
                yield entry
        elif kind is model.String:
            values = [value for _, value in _read_field("", block.value, macros)]
            macros[block.key.lower()] = "".join(values)[:_MOST_MACRO]
        elif kind is model.ExplicitComment:
            comments.append(block.comment)
        elif kind is model.ParsingFailedBlock:
            entry = _recovered(block, _lines_of(index, blocks, lines), macros)
            if entry.type not in _NO_ENTRIES:
                yield entry


def _is_commented_out(block: Any, lines: Sequence[str]) -> bool:
    line: str = lines[block.start_line]
    return line[:200].lstrip().startswith(("%", "#", "//"))


def _lines_of(index: int, blocks: Sequence[Any], lines: Sequence[str]) -> str:
    """Return the text of a block that was cut off, up to the next one that is no comment."""
    from bibtexparser.model import ImplicitComment

    start, end = blocks[index].start_line, len(lines)
    for block in blocks[index + 1 : index + 3]:  # never are two such comments neighbours
        if not isinstance(block, ImplicitComment):
            end = block.start_line
            break
    if end <= start:  # both on one line
        return str(blocks[index].raw)
    column = lines[start].find(blocks[index].raw.partition("\n")[0][:99])
    return "\n".join((lines[start][max(column, 0) :], *lines[start + 1 : end]))


def _entry(block: Any, macros: Mapping[str, str]) -> Entry:
    """Return an entry that bibtexparser could split."""
    entry = Entry(block.entry_type, block.key, block.start_line + 1)
    fields = entry.fields
    for parsed in block.fields:
        name, raw = parsed.key, parsed.value
        if not name.isalnum():
            name = _field_name(name)
        if not name or raw[:1] != "{" or raw[-1] != "}" or "#" in raw or "=" in raw or len(raw) < 3:
            _add(entry, _read_field(name, raw, macros))
        elif (name := name.lower()) not in fields:
            fields[name] = raw[1:-1]  # nearly every value
        else:
            _add(entry, ((name, raw[1:-1]),))
    return entry


def _field_name(text: str) -> str:
    """Return what stands before a `=`, without comment lines; "" where that is no name."""
    last = text.rpartition("\n")[2].lstrip()
    match = None if last.startswith("%") else _FIELD_NAME.search(last)
    return match[1] if match else ""


def _add(entry: Entry, values: Iterable[tuple[str, str]]) -> None:
    for name, value in values:
        name = name.lower()
        if name == "keywords" and name in entry.fields:
            entry.fields[name] += f", {value}"
        elif name and value.strip() and not entry.fields.get(name, "").strip():
            entry.fields[name] = value


def _read_field(name: str, raw: str, macros: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield name and value, and those of fields that follow because a comma is missing."""
    if raw[:1] + raw[-1:] in ("{}", '""') and len(raw) > 1:
        if ("#" not in raw and "=" not in raw) or not _SEAM.search(raw):
            yield name, raw[1:-1]
            return
    elif "#" not in raw and "=" not in raw:
        yield name, macros.get(raw.lower(), raw)
        return
    position = 0
    while True:
        value, position = _expression(raw, position, macros)
        yield name, value
        match = _NEXT_FIELD.match(raw, position)
        if not match:
            return
        name, position = match[1], match.end()


def _expression(raw: str, position: int, macros: Mapping[str, str]) -> tuple[str, int]:
    """Return the value of pieces joined by `#`, and where it ends."""
    pieces: list[str] = []
    while True:
        if raw[position : position + 1] in ("{", '"'):
            end = _closing(raw, position)
            end = len(raw) if end < 0 else end
            pieces.append(raw[position + 1 : end])
            position = end + 1
        elif bare := _BARE.match(raw, position):
            if len(pieces) < _MOST_MACROS:
                pieces.append(macros.get(bare[0].lower(), bare[0]))
            position = bare.end()
        joint = _JOINT.match(raw, position)
        if not joint:
            return "".join(pieces), position
        position = joint.end()


def _closing(raw: str, start: int) -> int:
    """Return where the brace or quote that opens at `start` is closed, or -1."""
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


def _take_up(entry: Entry, comment: str, macros: Mapping[str, str]) -> None:
    """Add the fields that stand behind an entry because one brace too many closed it."""
    if _GOES_ON.match(comment):
        entry.fault = "a brace too many"
        _add(entry, _broken_fields(comment, 0, macros))


def _recovered(block: Any, raw: str, macros: Mapping[str, str]) -> Entry:
    """Return what can be read of a block that bibtexparser gave up."""
    head = _HEAD.search(raw)
    start, kind, key = 0, "", ""
    if head:
        start, kind, key = head.end(), head[1].lower(), head[2] or head[3] or ""
    fault = " ".join(str(getattr(block.error, "abort_reason", block.error)).split()).rstrip(".")
    entry = Entry(kind, key.strip(), block.start_line + 1, fault=fault[:200] or "a broken entry")
    _add(entry, _broken_fields(f",{raw[start:]}", 0, macros))
    return entry


def _broken_fields(raw: str, position: int, macros: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield names and values of a text whose braces or quotes do not match.

    A value ends where its braces do; from the first that never ends, or that would hold another
    field, each ends before the next line that begins a field.
    """
    balanced = True
    while match := _BROKEN_FIELD.search(raw, position):
        start = match.end()
        end = -1
        if balanced and raw[start : start + 1] in ("{", '"'):
            end = _closing(raw, start)
            balanced = end >= 0 and not _SWALLOWED.search(raw, start, end)
        if balanced and end >= 0:
            yield match[1], raw[start + 1 : end]
            position = end + 1
            continue
        line_end = _LINE_OF_FIELD.search(raw, start)
        position = line_end.start() if line_end else len(raw)
        value = raw[start:position].strip(" \t\n,")
        if value[:1] in ("{", '"'):
            yield match[1], value[1:].rstrip(' \t\n",}')
        else:
            value = value.rstrip(" \t\n,})")
            yield match[1], macros.get(value.lower(), value)


def _inherit(entries: Sequence[Entry]) -> None:
    """Add to each entry what its parents state and itself does not."""
    parents: dict[str, Entry] = {}
    for entry in entries:
        if entry.key:
            parents.setdefault(entry.key.lower(), entry)
    done: set[int] = set()
    for entry in entries:
        if "crossref" in entry.fields or "xdata" in entry.fields:
            _inherit_into(entry, parents, done, 0)


def _inherit_into(entry: Entry, parents: Mapping[str, Entry], done: set[int], depth: int) -> None:
    if id(entry) in done or depth > _DEEPEST:
        return
    done.add(id(entry))
    for key in entry.fields.get("xdata", "").split(","):
        if holder := parents.get(key.strip().lower()):
            _inherit_into(holder, parents, done, depth + 1)
            for name, value in holder.fields.items():
                entry.fields.setdefault(name, value)
    parent = parents.get(entry.fields.get("crossref", "").strip().lower())
    if parent is None or parent is entry:
        return
    _inherit_into(parent, parents, done, depth + 1)
    for name in _INHERITED:
        if name in parent.fields:
            entry.fields.setdefault(name, parent.fields[name])
    _inherit_title(entry, parent)


def _inherit_title(entry: Entry, parent: Entry) -> None:
    """A parent's title is its part's `booktitle` or `journaltitle`."""
    if "title" not in parent.fields:
        return
    if parent.type == "periodical":
        if "journal" not in entry.fields:
            entry.fields.setdefault("journaltitle", parent.fields["title"])
    elif entry.type in _PARTS_OF_BOOKS and "booktitle" not in entry.fields:
        entry.fields["booktitle"] = parent.fields["title"]
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
