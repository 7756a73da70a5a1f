"""Files of JSON records, of a source that is known or by guessing what the keys mean.

`json_records` holds one module a source; `json_records.framing` reads arrays, one object a line
and everything between. The place of a record in its `Source` is the line on which it starts; where
records do not start on lines of their own, or lie within an object (`{"items": [ … ]}`), it is
their number in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.papers.fields import quarantined, read_fields, shown
from classifier.papers.formats import ColumnsRead, Quarantined, Reader, Record, framing, guess
from classifier.papers.formats.sources import (
    GUESS,
    RecordSource,
    records_in,
    source_of,
)
from classifier.papers.formats.values import Object
from classifier.papers.paper import Source

_MOST_COLUMNS = 1_000
_FEWEST_WORDS = 20
"""Of a text that may be an abstract."""
_PLURALS = {"reply": "replies"}
_NO_RECORD = "found no title; wanted an object with a title, or one that holds a list of such"


@dataclass(slots=True)
class _Notes:
    """What a file is said to hold, gathered while it is read, so that each is said once."""

    faults: dict[str, tuple[Fault, int]] = field(default_factory=dict)
    """What was wanted -> the first warning, and how many there are."""
    no_papers: dict[str, tuple[int, int]] = field(default_factory=dict)
    """What records are instead -> the place of the first, and how many there are."""
    columns: dict[str, str] = field(default_factory=dict)
    """Key of a record of no known source -> the field that it was read as; "" for none."""
    prose: dict[str, int] = field(default_factory=dict)
    """Key that is not read -> the place of the first record that has prose there."""
    shapes: set[tuple[str, ...]] = field(default_factory=set)
    """The keys of records whose columns are noted."""
    guessed: int = 0
    """Place of the first such record."""
    records: int = 0
    nameless: int = 0
    """How many of these hold nothing with a title."""
    line: int = 0
    """Where the last record began that starts on a line of its own."""

    def add_fault(self, fault: Fault) -> None:
        """Count a warning."""
        first, count = self.faults.get(fault.wanted, (fault, 0))
        self.faults[fault.wanted] = first, count + 1

    def add_no_paper(self, kind: str, place: int) -> None:
        """Count a value that is no paper."""
        first, count = self.no_papers.get(kind, (place, 0))
        self.no_papers[kind] = first, count + 1

    def place(self, place: Source, alone: bool) -> Source:
        """Return the place of the next record, which is the whole value there where `alone`."""
        self.records += 1
        if alone and place.line > self.line:
            self.line = place.line
            return place
        return Source(place.file, place.format, self.records)


def why_not(content: Content) -> str:
    """Say why a file is no JSON: it does not begin as an object, or as a list of objects."""
    if not content.is_text:
        return "no text"
    return "" if framing.is_framed(content.start) else "it does not begin as JSON with objects does"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a file, then one warning for each kind of thing to say of it."""
    notes = _Notes()
    header: list[str] = []
    for line, value in framing.values(content, _is_record):
        if header and _is_row(value):
            value = dict(zip(header, value, strict=False))
        elif not notes.records and not header and _is_header(value):
            header = [str(name) for name in value]
            continue
        if isinstance(value, framing.Broken):
            yield quarantined(Source(content.name, JSON_FILE.name, line), value.text, value.reason)
        elif not isinstance(value, dict | list):
            notes.add_no_paper("values that are no objects", line)
        else:
            yield from _read_value(value, Source(content.name, JSON_FILE.name, line), notes)
    if notes.nameless and notes.nameless == notes.records:
        wanted = "objects with a title, or a list of such"
        raise InputError([Fault("error", content.name, None, "JSON without papers", wanted)])
    yield from _said(notes, content.name)


def _is_header(value: object) -> TypeGuard[list[str]]:
    """Say whether a list names the columns of those behind it."""
    if not (isinstance(value, list) and all(isinstance(name, str) for name in value)):
        return False
    return "title" in guess.columns_of(dict.fromkeys(value))


def _is_row(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list) and not any(isinstance(item, dict) for item in value)


def _is_record(value: object) -> bool:
    return isinstance(value, dict) and (source_of(value) is not None or guess.is_record(value))


def _read_value(value: object, place: Source, notes: _Notes) -> Iterator[Record]:
    found = False
    for kind, record in records_in(value):
        found = True
        yield from _read_record(kind, record, notes.place(place, record is value), notes)
    if not found and value:
        notes.nameless += 1
        yield quarantined(notes.place(place, True), _name_of(value), _NO_RECORD)


def _read_record(
    kind: RecordSource, record: Object, source: Source, notes: _Notes
) -> Iterator[Record]:
    reason = kind.why_no_paper(record)
    if reason:
        notes.add_no_paper(_PLURALS.get(reason, f"{reason}s"), source.line)
        return
    if kind is GUESS:
        _note_columns(record, source, notes)
    fields = kind.fields(record)
    for found in read_fields(fields, source):
        if isinstance(found, Fault):
            notes.add_fault(found)
        elif isinstance(found, Quarantined) and not fields.get("title"):
            yield quarantined(source, _name_of(record), found.reason)
        else:
            yield found


def _name_of(value: object) -> str:
    """Return what names a record without a title for a person: its first texts."""
    items = value.items() if isinstance(value, dict) else ()
    texts = [f"{key}: {shown(text)}" for key, text in items if isinstance(text, str) and text]
    return ", ".join(texts[:4]) or shown(value)


def _note_columns(record: Object, source: Source, notes: _Notes) -> None:
    notes.guessed = notes.guessed or source.line
    shape = tuple(record)
    if shape in notes.shapes:
        return
    if len(notes.shapes) < _MOST_COLUMNS:
        notes.shapes.add(shape)
    by_key = {key: name for name, key in guess.columns_of(record).items()}
    for key in shape if len(notes.columns) < _MOST_COLUMNS else ():
        notes.columns.setdefault(str(key)[:60], by_key.get(key, ""))
        text = record[key]
        if key not in by_key and isinstance(text, str) and len(text.split()) >= _FEWEST_WORDS:
            notes.prose.setdefault(str(key)[:60], source.line)


def _said(notes: _Notes, name: str) -> Iterator[Fault | ColumnsRead]:
    """Yield which keys were read, then the warnings of a file: one a kind."""
    read = tuple((field, key) for key, field in notes.columns.items() if field)
    if any(field != key for field, key in read):
        yield ColumnsRead(read)
    if any(field == "title" and guess.is_weak_title(key) for field, key in read):
        yield _guessed(notes, name)
    if all(field != "abstract" for field, _ in read):
        cure = "Name it so if it holds abstracts; as it is, nothing reads it."
        for key, place in notes.prose.items():
            found = f"prose under the key {key!r}"
            yield Fault("warning", name, place, found, "a key 'abstract'", cure)
    for wanted, (first, count) in notes.faults.items():
        if count == 1:
            yield first
        else:
            found = f"{first.found}, and {count - 1:,} more like it"
            yield Fault(first.severity, name, first.line, found, wanted, "They are left out.")
    for kind, (place, count) in notes.no_papers.items():
        found = f"{kind} ({count:,}, the first at line {place:,})"
        yield Fault("warning", name, place, found, "papers", "They are left out.")


def _guessed(notes: _Notes, name: str) -> Fault:
    read_as = [f"{column} from {key!r}" for key, column in notes.columns.items() if column]
    unread = sorted(key for key, column in notes.columns.items() if not column)
    found = f"records of no source that is known, read by their keys: {', '.join(read_as)}"
    if unread:
        more = f" and {len(unread) - 8} more" if len(unread) > 8 else ""
        found += f"; not read: {', '.join(map(repr, unread[:8]))}{more}"
    cure = "Rename a key that means something else, to the name of the field."
    return Fault("warning", name, notes.guessed, found, "these meanings", cure)


JSON_FILE = Reader(
    name="json",
    why_not=why_not,
    read=read,
    wants="JSON with papers: CSL-JSON, Zotero, OpenAlex, Semantic Scholar, Crossref, arXiv, "
    "OpenReview, or any list of objects with a title",
    streams=True,
    is_by_line=lambda content: framing.is_by_line(content.start),
)
