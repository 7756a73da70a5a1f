"""Files of JSON records, of a known source (`json_sources`) or by their keys (`json_guess`).

The place of a record in its `Source` is the line on which it starts; where records do not start on
lines of their own, or lie within an object (`{"items": [ … ]}`), it is their number in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.formats.json_guess import (
    GUESS,
    columns_of,
    is_guess,
    is_rich,
)
from classifier.papers.formats.json_libraries import library_items
from classifier.papers.formats.json_paths import JsonSource, Object
from classifier.papers.formats.json_shapes import leaderboard_rows
from classifier.papers.formats.json_sources import source_of
from classifier.papers.formats.json_values import (
    Broken,
    has_value_a_line,
    json_values,
    looks_like_json,
)
from classifier.papers.paper import Source, clean_arxiv_id
from classifier.papers.reader import ColumnsRead, CountedFaults, Reader, Record, quarantined, shown

_MOST_COLUMNS = 1_000
_MOST_DEPTH = 12
_WORDS_OF_PROSE = 20
"""Of a text that may be an abstract."""
_NO_RECORD = "found no title; wanted an object with a title, or one that holds a list of such"
# Keys of schemas, notebooks and packages, whose titles are no papers'.
_OF_PROGRAMS = frozenset(("$schema", "openapi", "swagger", "lockfileVersion", "nbformat"))


@dataclass(slots=True)
class _Notes:
    """What a file is said to hold, gathered while it is read, so that each is said once."""

    faults: CountedFaults = field(default_factory=CountedFaults)
    columns: dict[str, str] = field(default_factory=dict)
    """Key of a record of no known source -> the field that it was read as; "" for none."""
    prose: dict[str, int] = field(default_factory=dict)
    """Key that is not read -> the place of the first record that has prose there."""
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


def why_not(content: Content) -> str:
    """Say why a file is no JSON: it does not begin as an object, or as a list of objects."""
    if not content.is_text:
        return "no text"
    is_json = looks_like_json(content.start)
    return "" if is_json else "it does not begin as JSON with objects does"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a file, then one warning for each kind of thing to say of it."""
    yield from read_values(json_values(content), content.name, JSON_FILE.name)


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
        raise InputError([Fault("error", name, None, found, wanted)])
    yield from _said(notes, name)


def records_in(value: object) -> Iterator[tuple[JsonSource, Object]]:
    """Yield the records in a value with their source, in order, however deep they lie.

    Where no source knows any, objects with a key that holds a title are taken.
    """
    found = False
    for located in _known(value, 0):
        found = True
        yield located
    if not found:
        yield from ((GUESS, record) for record in _guessed(value, "", 0))


def _known(value: object, depth: int) -> Iterator[tuple[JsonSource, Object]]:
    if isinstance(value, dict) and (source := source_of(value)):
        yield source, value
    elif depth < _MOST_DEPTH:
        for child in _children(value):
            yield from _known(child, depth + 1)


def _children(value: object) -> Iterable[object]:
    """Return what may hold records in a list or in an object that is none itself."""
    if isinstance(value, list):
        return [child for child in value if isinstance(child, dict | list)]
    if not isinstance(value, dict):
        return ()
    for rows_of in (library_items, leaderboard_rows, _rows_of_columns):
        if (inner := rows_of(value)) is not None:
            return inner
    return [child for child in value.values() if isinstance(child, dict | list)]


def _rows_of_columns(table: Object) -> Iterator[Object] | None:
    """Return the rows of a table that pandas wrote by columns, or None where it is none.

    https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_json.html: the orients
    `columns` (an object or a list a column) and `split` (`columns` and `data`).
    """
    names, data = table.get("columns"), table.get("data")
    if isinstance(names, list) and isinstance(data, list):
        rows = (row for row in data if isinstance(row, list))
        return (dict(zip(map(str, names), row, strict=False)) for row in rows)
    columns = {
        name: column if isinstance(column, dict) else dict(enumerate(column))
        for name, column in table.items()
        if isinstance(column, dict | list) and not _lists_objects(column)
    }
    title = columns_of(table).get("title") if columns else None
    if title not in columns:
        return None
    return ({n: c[i] for n, c in columns.items() if i in c} for i in columns[title])


def _lists_objects(value: object) -> bool:
    """Say whether a value is a list of objects: records under some name, and no column."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _guessed(value: object, key: str, depth: int) -> Iterator[Object]:
    """Yield the objects that name a paper; key: under which the value stands."""
    if depth > _MOST_DEPTH or (isinstance(value, dict) and not _OF_PROGRAMS.isdisjoint(value)):
        return
    if isinstance(value, list):
        objects = [child for child in value if isinstance(child, dict)]
        if any(map(is_guess, objects)):
            yield from objects
            return
    elif isinstance(value, dict):
        if is_guess(value) and (is_rich(value) or not _holds_more(value)):
            yield _with_id(value, key)
            return
        if _rows_of_columns(value) is None:
            for name, child in value.items():
                if isinstance(child, dict | list):
                    yield from _guessed(child, str(name), depth + 1)
            return
    for child in _children(value):
        yield from _guessed(child, "", depth + 1)


def _holds_more(value: Object) -> bool:
    """Say whether an object holds objects, so that its title is that of a list or a program."""
    inner = (child[:100] if isinstance(child, list) else [child] for child in value.values())
    return any(isinstance(part, dict) for parts in inner for part in parts)


def _with_id(record: Object, key: str) -> Object:
    """Return a record with the arXiv id or DOI under which it stands in an object."""
    if clean_arxiv_id(key) and "arxiv_id" not in record:
        return {**record, "arxiv_id": key}
    return {**record, "doi": key} if key.startswith("10.") and "doi" not in record else record


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
        _note_columns(record, place, notes)
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


def _note_columns(record: Object, place: Source, notes: _Notes) -> None:
    shape = tuple(record)
    if shape in notes.shapes or len(notes.columns) >= _MOST_COLUMNS:
        return
    notes.shapes.add(shape)
    by_key = {key: name for name, key in columns_of(record).items()}
    for key in shape:
        notes.columns.setdefault(str(key)[:60], by_key.get(key, ""))
        text = record[key]
        if key not in by_key and isinstance(text, str) and len(text.split()) >= _WORDS_OF_PROSE:
            notes.prose.setdefault(str(key)[:60], place.line)


def _said(notes: _Notes, name: str) -> Iterator[Fault | ColumnsRead]:
    """Yield which keys were read, then the warnings of a file: one a kind."""
    read = tuple((field, key) for key, field in notes.columns.items() if field)
    if any(field != key for field, key in read):
        yield ColumnsRead(read)
    if all(field != "abstract" for field, _ in read):
        cure = "Name it so if it holds abstracts; as it is, nothing reads it."
        for key, place in notes.prose.items():
            found = f"prose under the key {key!r}"
            yield Fault("warning", name, place, found, "a key 'abstract'", cure)
    yield from notes.faults.faults()


JSON_FILE: Final = Reader(
    name="json",
    why_not=why_not,
    read=read,
    wants="JSON with papers: CSL-JSON, Zotero, OpenAlex, Semantic Scholar, Crossref, arXiv, "
    "OpenReview, or any list of objects with a title",
    is_by_line=lambda content: has_value_a_line(content.start),
)
