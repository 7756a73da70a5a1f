"""Files of JSON records (`json_records`), as far as they are JSON.

One array, one object, one object a line, objects one behind another, arrays one behind another; of
one a line in flat memory. A broken value is named; a file of one a line is read on behind it.

The place of a record in its `Source` is the line on which it starts; where records do not start on
lines of their own, or lie within an object (`{"items": [ … ]}`), it is their number in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.formats.json_paths import JsonSource, Object
from classifier.papers.formats.json_records import GUESS, columns_of, records_in
from classifier.papers.paper import Source
from classifier.papers.reader import ColumnsRead, CountedFaults, Reader, Record, quarantined, shown

_DECODE: Final = json.JSONDecoder(strict=False).raw_decode
_FACE: Final = re.compile(r"\[\s*(?:\[\s*)?(?:\{\s*[\"}]|\]\s*$)|\{\s*(?:\"|\}\s*(?:[\[{]|$))")
_BETWEEN: Final = re.compile(r"[\s,;\x1e\ufeff]*")
_MOST_COLUMNS = 1_000
_NO_RECORD = "found no title; wanted an object with a title, or one that holds a list of such"


@dataclass(slots=True)
class _Notes:
    """What a file is said to hold, gathered while it is read, so that each is said once."""

    faults: CountedFaults = field(default_factory=CountedFaults)
    columns: dict[str, str] = field(default_factory=dict)
    """Key of a record of no known source -> the field that it was read as; "" for none."""
    shapes: set[tuple[str, ...]] = field(default_factory=set)
    """The keys of records whose columns are noted."""
    records: int = 0
    nameless: int = 0
    """How many of these hold nothing with a title."""
    line: int = 0
    """Where the last record began that starts on a line of its own."""

    def place(self, place: Source, alone: bool) -> Source:
        """Return the place of the next record, which is the whole value there where `alone`."""
        self.records += 1
        if alone and place.line > self.line:
            self.line = place.line
            return place
        return Source(place.file, place.format, self.records)


class Broken(NamedTuple):
    """What stands where a value should."""

    text: str
    """How it begins."""
    reason: str


def why_not(content: Content) -> str:
    """Say why a file is no JSON: it does not begin as an object, or as a list of objects."""
    if not content.is_text:
        return "no text"
    is_json = _FACE.match(content.start.lstrip())
    return "" if is_json else "it does not begin as JSON with objects does"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a file, then one warning for each kind of thing to say of it."""
    yield from read_values(_json_values(content), content.name, JSON_FILE.name)


def read_values(
    values: Iterable[tuple[int, object]], name: str, format_name: str
) -> Iterator[Record]:
    """Yield the papers of values with their lines, then what is to be said of their file.

    Raises InputError where none holds a title.
    """
    notes = _Notes()
    for line, value in values:
        place = Source(name, format_name, line)
        if isinstance(value, Broken):
            yield quarantined(place, value.text, value.reason)
        elif isinstance(value, dict | list):
            yield from _read_value(value, place, notes)
        else:
            notes.faults.add(_no_paper("a value that is no object", "an object", place))
    if notes.nameless and notes.nameless == notes.records:
        found = f"{'JSON' if format_name == JSON_FILE.name else 'a table'} without papers"
        wanted = "objects with a title, or a list of such"
        cure = "Of pandas, write them with to_json(orient='records')."
        raise InputError([Fault("error", name, None, found, wanted, cure)])
    yield from _said(notes)


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
        return Broken(text[:400], _wanted(reason_of(error)))


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
            reason = _wanted(f"{reason_of(error)}; nothing behind it is read")
            yield line, Broken(text[position : position + 400], reason)
            return
        yield line, value


def reason_of(error: Exception) -> str:
    """Return why a text is no JSON."""
    match error:
        case json.JSONDecodeError():
            return error.msg[:1].lower() + error.msg[1:100]
        case RecursionError():
            return "nested too deeply"
    return "a number of too many digits"  # Python reads 4,300 of them


def _wanted(reason: str) -> str:
    return f"found no JSON ({reason}); wanted a JSON object"


def _read_value(value: object, place: Source, notes: _Notes) -> Iterator[Record]:
    found = False
    for source, record in records_in(value):
        found = True
        yield from _read_record(source, record, notes.place(place, record is value), notes)
    if not found and value:
        notes.nameless += 1
        yield quarantined(notes.place(place, True), _name_of(value), _NO_RECORD)


def _read_record(
    source: JsonSource, record: Object, place: Source, notes: _Notes
) -> Iterator[Record]:
    reason = source.why_no_paper(record)
    if reason:
        notes.faults.add(_no_paper(f"a record that is no paper ({reason})", "a paper", place))
        return
    if source is GUESS:
        _note_columns(record, notes)
    fields = source.read(record)
    for found in read_fields(fields, place):
        if not isinstance(found, Fault):
            yield found
        elif not found.record:
            notes.faults.add(found)
        elif fields.get("title"):
            yield found
        else:
            yield quarantined(place, _name_of(record), found.found)


def _no_paper(found: str, wanted: str, place: Source) -> Fault:
    return Fault("warning", place.file, place.line, found, wanted, "It is left out.")


def _name_of(value: object) -> str:
    """Return what names a record without a title for a person: its first texts."""
    items = value.items() if isinstance(value, dict) else ()
    texts = [f"{key}: {shown(text)}" for key, text in items if isinstance(text, str) and text]
    return ", ".join(texts[:4]) or shown(value)


def _note_columns(record: Object, notes: _Notes) -> None:
    shape = tuple(record)
    if shape in notes.shapes or len(notes.columns) >= _MOST_COLUMNS:
        return
    notes.shapes.add(shape)
    by_key = {key: name for name, key in columns_of(record).items()}
    for key in shape:
        notes.columns.setdefault(str(key)[:60], by_key.get(key, ""))


def _said(notes: _Notes) -> Iterator[Fault | ColumnsRead]:
    """Yield which keys were read, then the warnings of a file: one a kind."""
    read = tuple((field, key) for key, field in notes.columns.items() if field)
    if any(field != key for field, key in read):
        yield ColumnsRead(read)
    yield from notes.faults.faults()


JSON_FILE: Final = Reader(
    name="json",
    why_not=why_not,
    read=read,
    wants="JSON with papers: CSL-JSON, Zotero, OpenAlex, Semantic Scholar, Crossref, arXiv, "
    "OpenReview, or any list of objects with a title",
    is_by_line=lambda content: _has_value_a_line(content.start),
)
