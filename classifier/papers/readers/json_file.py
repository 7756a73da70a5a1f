"""Files of JSON records, ours or of any source, as far as they are JSON, and how each is read.

One array, one object, one object a line, objects one behind another, arrays one behind another; of
one a line in flat memory. A broken value is named; a file of one a line is read on behind it.

The place of a record in its `Source` is the line on which it starts; where records do not start on
lines of their own, or lie within an object (`{"items": [ … ]}`), it is their number in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.papers.clean import unwrapped
from classifier.papers.fields import FIELDS, KNOWN, READ, has_wrong_types, read_fields, unused_names
from classifier.papers.paper import Paper, Source
from classifier.papers.reader import ColumnsRead, CountedFaults, Reader, Record, quarantined, shown
from classifier.papers.readers.column_names import role_of_name
from classifier.papers.readers.json_paths import JsonSource, Object, names_of, objects_of, text_of
from classifier.papers.readers.json_shapes import leaderboard_rows, library_items
from classifier.papers.readers.json_sources import source_of
from classifier.papers.readers.row_fields import fields_of_row

_MOST_DEPTH: Final = 12
# What a list of papers is called in an object around it.
_LISTS: Final = (
    "items", "results", "data", "papers", "records", "entries", "articles", "publications", "docs",
    "rows", "works",
)  # fmt: skip
# Keys of schemas, interfaces and notebooks, whose titles are no papers'.
_OF_PROGRAMS: Final = frozenset(("$schema", "properties", "openapi", "nbformat"))


def records_in(value: object) -> Iterator[tuple[JsonSource, Object]]:
    """Yield the records in a value with their source, in order; plain ones where none is known."""
    found = False
    for located in _known(value, 0):
        found = True
        yield located
    if not found:
        yield from ((PLAIN, record) for record in _plain(value))


def _known(value: object, depth: int) -> Iterator[tuple[JsonSource, Object]]:
    if isinstance(value, dict) and (source := source_of(value)):
        yield source, value
    elif depth < _MOST_DEPTH:
        for child in _children(value):
            yield from _known(child, depth + 1)


def _children(value: object) -> Iterable[object]:
    """Return what may hold records in a list or in an object that is none itself."""
    if not isinstance(value, dict):
        return value if isinstance(value, list) else ()
    for rows_of in (library_items, leaderboard_rows):
        if (inner := rows_of(value)) is not None:
            return inner
    return value.values()


def _plain(value: object) -> list[Object]:
    """Return the objects of a list, or of one that an object holds, if any of them has a title."""
    if isinstance(value, dict):
        lists = (value[name] for name in _LISTS if isinstance(value.get(name), list))
        value = next(lists, [value])
    objects = objects_of(value)
    return objects if any(map(is_plain, objects)) else []


def is_plain(record: Object) -> bool:
    """Say whether an object names a paper: a key that holds a title, as text."""
    titles = (record[key] for key, (role, _) in _roles(record).items() if role == "title")
    return _OF_PROGRAMS.isdisjoint(record) and any(isinstance(t, str) and t for t in titles)


def _roles(record: Object) -> dict[str, tuple[str, int]]:
    return {key: role for key in record if (role := role_of_name(str(key)))}


def _fields(record: Object) -> dict[str, object]:
    roles, row = _roles(record), dict[str, list[str | list[str]]]()
    for key in sorted(roles, key=lambda key: roles[key][1]):
        role, value = roles[key][0], record[key]
        cell = names_of(value) if role == "authors" and isinstance(value, list) else _cell(value)
        is_wrapped = role == "abstract" and isinstance(cell, str)
        row.setdefault(role, []).append(unwrapped(str(cell)) if is_wrapped else cell)
    return fields_of_row(row)


def _cell(value: object) -> str | list[str]:
    """Return what a value states: a text, or texts; "" of what is neither.

    >>> _cell(2024), _cell(["rye", {"name": "oats"}]), _cell({"name": "Loaves"}), _cell({"a": 1})
    ('2024', ['rye', 'oats'], 'Loaves', '')
    """
    if isinstance(value, list):
        return [text for item in value if isinstance(text := _cell(item), str) and text]
    return text_of(value.get("name") if isinstance(value, Mapping) else value)


PLAIN: Final = JsonSource("plain", is_plain, {}, read_whole=_fields)
"""The source of records that no other knows."""


_DECODE: Final = json.JSONDecoder(strict=False).raw_decode
_SIGNATURE: Final = re.compile(r"\[\s*(?:\[\s*)?(?:\{\s*[\"}]|\]\s*$)|\{\s*(?:\"|\}\s*(?:[\[{]|$))")
_BETWEEN: Final = re.compile(r"[\s,;\x1e\ufeff]*")
_MOST_COLUMNS = 1_000
_NO_TITLE = "found no title; expected an object with a title, or a list of such"
_WANTED = (
    "flat objects with a title, authors, an abstract, a year … (texts, numbers, lists of texts), "
    "or the answer of a known source"
)
_CURE = "Write one object a paper with the key title; of pandas, to_json(orient='records')."


class Broken(NamedTuple):
    """What stands where a value should."""

    text: str
    """How it begins."""
    reason: str


def reject_reason(content: Content) -> str:
    """Say why a file is no JSON: it does not begin as an object, or as a list of objects."""
    is_json = _SIGNATURE.match(content.start.lstrip())
    return "" if is_json else "it does not begin as JSON with objects does"


def read_values(
    values: Iterable[tuple[int, object]], name: str, format_name: str
) -> Iterator[Record]:
    """Yield the papers of values with their lines, then what is to be said of their file.

    Raises InputError where none holds a title.
    """
    counted = CountedFaults()
    columns: dict[str, str] = {}
    """Key -> the field that it is read as; "" of those that nothing reads."""
    records = nameless = last_line = 0
    for line, value in values:
        if isinstance(value, Broken):
            yield quarantined(Source(name, format_name, line), value.text, value.reason)
            continue
        if not isinstance(value, dict | list):
            counted.add(_left_out("a value that is no object", "an object", name, line))
            continue
        is_empty = True
        for source, record in records_in(value):
            is_empty = False
            records += 1
            has_line = record is value and line > last_line
            last_line = line if has_line else last_line
            place = Source(name, format_name, line if has_line else records)
            if source is PLAIN and len(columns) < _MOST_COLUMNS:
                roles = _roles(record)
                columns |= {key: roles.get(key, ("", 0))[0].removeprefix(":") for key in record}
            yield from _read_record(source, record, place, counted)
        if is_empty and value:
            nameless += 1
            records += 1
            yield quarantined(Source(name, format_name, line), _name_of(value), _NO_TITLE)
    if nameless and nameless == records:
        told = ("JSON without papers", _WANTED, _CURE)
        if format_name != JSON_FILE.name:
            told = ("a table without papers", "a column of titles", "Name that column title.")
        raise InputError([Fault("error", name, None, *told)])
    pairs = [(field, key) for key, field in columns.items() if field]
    if any(key not in READ for _, key in pairs):
        unread = ", ".join([shown(key) for key, field in columns.items() if not field][:6])
        yield ColumnsRead((*pairs, *([("", unread)] if unread else [])))
    yield from counted.faults()


def _read_record(
    source: JsonSource, record: Object, place: Source, counted: CountedFaults
) -> Iterator[Record]:
    """Yield a record, and count what is told of it."""
    if reason := source.why_no_paper(record):
        what = f"a record that is no paper ({reason})"
        counted.add(_left_out(what, "a paper", place.file, place.line))
        return
    fields = source.read(record)
    for found in read_fields(fields, place):
        if not isinstance(found, Fault) or (found.record and fields.get("title")):
            yield found
        elif found.record:
            yield quarantined(place, _name_of(record), found.actual)
        else:
            counted.add(found)


def _left_out(found: str, expected: str, name: str, line: int) -> Fault:
    return Fault("warning", name, line, found, expected, "It is left out.")


def _name_of(value: object) -> str:
    """Return what names a record without a title for a person: its first texts."""
    items = value.items() if isinstance(value, dict) else ()
    texts = [f"{key}: {shown(text)}" for key, text in items if isinstance(text, str) and text]
    return ", ".join(texts[:4]) or shown(value)


def _has_value_a_line(start: str) -> bool:
    """Say whether each line is a value of its own, as far as the first two lines show."""
    lines = [line.strip() for line in start.split("\n", 1000)[:1000] if line.strip()][:2]
    if not lines or lines[0][:1] != "{" or isinstance(value_of_line(lines[0]), Broken):
        return False
    return len(lines) > 1 and lines[1][:1] == "{"


def _json_values(content: Content) -> Iterator[tuple[int, object]]:
    """Yield the 1-based line on which each value starts and the value: a `Broken` where it is none.

    Of an array its elements are the values.
    """
    if not _has_value_a_line(content.start):
        yield from _values(content.text())
        return
    for number, line in enumerate(content.lines(), start=1):
        if text := line.strip(" \t\r,\x1e\ufeff"):
            yield number, value_of_line(text)


def value_of_line(text: str) -> object:
    """Return the JSON value that a line holds, or a `Broken`."""
    try:
        return json.loads(text, strict=False)
    except (RecursionError, ValueError) as error:
        return Broken(text[:400], _wanted(error))


def _values(text: str) -> Iterator[tuple[int, object]]:
    """Yield the elements of arrays, and the values beside arrays."""
    position = counted = 0
    line, in_array = 1, False
    while match := _BETWEEN.match(text, position):
        position = match.end()
        if position == len(text):
            return
        sign = text[position]
        if sign == "]" or (sign == "[" and not in_array):
            in_array = sign == "["
            position += 1
            continue
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, position = _DECODE(text, position)
        except (RecursionError, ValueError) as error:
            reason = _wanted(error, "; nothing behind it is read")
            yield line, Broken(text[position : position + 400], reason)
            return
        yield line, value


def _wanted(error: Exception, more: str = "") -> str:
    """Return why a text is no JSON, and what was expected."""
    reason = "a number of too many digits"  # Python reads 4,300 of them
    if isinstance(error, json.JSONDecodeError):
        reason = error.msg[:1].lower() + error.msg[1:100]
    elif isinstance(error, RecursionError):
        reason = "nested too deeply"
    return f"found no JSON ({reason}{more}); expected a JSON object"


JSON_FILE: Final[Reader] = Reader(
    name="json",
    reject_reason=reject_reason,
    read=lambda content: read_values(_json_values(content), content.name, JSON_FILE.name),
    description="JSON with papers: CSL-JSON, Zotero, OpenAlex, Semantic Scholar, Crossref, arXiv, "
    "OpenReview, or a list of flat objects with a title",
    is_by_line=lambda content: _has_value_a_line(content.start),
    examples=(
        '[{"title": "Bees", "authors": ["Ada One"], "year": 2024}, @@',
        '[{"title": "Bees @@", "abstract": "@@", "authors": "@@", "venue": "@@"}]',
    ),
)


# --- JSON Lines of our own: one object a line, of which only `title` is needed -------------------

# A longer line holds no paper; parsing it would only cost time and memory.
_MOST_LINE = 1_000_000
_FOREIGN = "the first line is a record of another source"


def paper_to_json(paper: Paper) -> dict[str, object]:
    """Return the object that is read as the same paper (its sources aside).

    Fields stand in the order of `FIELDS`; empty ones and those that follow from the others
    (a count of authors who are all named, the usual kind of abstract) are left out.
    """
    values: dict[str, object] = {name: getattr(paper, name) for name in FIELDS}
    values["published"] = paper.published.date
    # A list that breaks off says so, or it would be read as whole.
    breaks_off = paper.authors and paper.author_count is None
    values["authors"] = [*paper.authors, *(["et al."] if breaks_off else [])]
    for name in ("code_urls", "keywords", "collections"):
        values[name] = list(getattr(paper, name))
    values["reference"] = dict(paper.reference)
    if paper.abstract_kind != "digest":
        del values["abstract_kind"]
    if paper.author_count == len(paper.authors) and paper.authors:
        del values["author_count"]
    return {name: value for name, value in values.items() if value not in ("", [], {}, None)}


def _why_no_lines(content: Content) -> str:
    """Say why a file is no JSON Lines of ours: its first line is no object with our fields.

    A file named so is ours unless its first line is a record of another source.
    """
    if not content.is_text:
        return "no text"
    start = content.start.lstrip()
    first = start.partition("\n")[0]
    if "\n" not in start:  # a first line that is longer than what readers look at
        first = next((line for line in content.lines(_MOST_LINE) if line.strip()), "")
    value = value_of_line(first.lstrip("\ufeff"))
    is_named = content.name.lower().endswith((".jsonl", ".ndjson"))
    if not isinstance(value, dict):
        return "" if is_named else "the first line is no whole JSON object"
    if not is_named and "title" not in value:
        return "the first line is no object with 'title'"
    is_foreign = not is_named or source_of(value) or is_plain(value)
    return _FOREIGN if is_foreign and not _is_ours(value) else ""


def _is_ours(value: Object) -> bool:
    """Say whether a first line may be a record of ours, if one with faults or further fields.

    It is not where another source knows it, where it has another name for one of our fields, holds
    objects, or where names that we do not have come with values that we cannot take.
    """
    if READ.isdisjoint(value):
        return False
    others = value.keys() - KNOWN
    lists = (item for item in value.values() if isinstance(item, list))
    return not others or not (
        any(map(role_of_name, others))
        or any(isinstance(part, dict) for parts in lists for part in parts)
        or source_of(value)
        or has_wrong_types(value)
    )


def _read_lines(content: Content) -> Iterator[Record]:
    unknown: dict[str, int] = {}
    for number, line in enumerate(content.lines(_MOST_LINE), start=1):
        if not line.strip():
            continue
        source = Source(content.name, JSONL.name, number)
        if len(line) > _MOST_LINE:
            reason = f"found a line of more than {_MOST_LINE:,} characters; expected a shorter one"
            yield quarantined(source, line[:400], reason)
            continue
        value = value_of_line(line.lstrip("\ufeff"))
        if isinstance(value, Broken):
            yield quarantined(source, *value)
        elif not isinstance(value, dict):
            yield quarantined(source, line, f"found {shown(value)}; expected a JSON object")
        else:
            for field in () if KNOWN.issuperset(value) else value:
                if field not in KNOWN:
                    unknown.setdefault(field, number)
            yield from read_fields(value, source)
    if unknown:
        first = Source(content.name, JSONL.name, min(unknown.values()))
        yield unused_names(list(unknown), first, "field")


JSONL = Reader(
    name="jsonl",
    reject_reason=_why_no_lines,
    read=_read_lines,
    description="one JSON object a line with at least 'title'",
    is_by_line=lambda content: True,
    examples=(
        '{"title": "Bees", "authors": ["Ada One"], "year": 2024}\n@@',
        '{"title": "Bees", "abstract": "@@", "doi": "@@", "url": "@@"}\n',
    ),
)
