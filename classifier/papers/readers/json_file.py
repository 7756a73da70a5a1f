"""Read files of JSON records: JSON Lines in Fieldguide's own format, and records of other sources.

`Source.line` of a record is the line on which it starts, or its number in the file if records do
not start on lines of their own or are inside an object (`{"items": [ … ]}`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from classifier.errors import Fault, input_error
from classifier.files.content import Content
from classifier.papers.fields import (
    FIELDS,
    KNOWN,
    READ,
    has_wrong_types,
    read_fields,
    unknown_names_fault,
)
from classifier.papers.paper import Paper, Source
from classifier.papers.reader import (
    ColumnsRead,
    Reader,
    Record,
    display_value,
    quarantine_fault,
)
from classifier.papers.readers.json_objects import OWN, PLAIN, has_title, is_native, roles_of_keys
from classifier.papers.readers.json_paths import JsonSource, Object, objects_of
from classifier.papers.readers.json_shapes import library_items
from classifier.papers.readers.json_sources import source_of
from classifier.papers.readers.json_values import (
    InvalidJson,
    has_value_per_line,
    reject_reason,
    value_of_line,
    values_of,
    values_of_lines,
)

_MAX_DEPTH: Final = 12
# Keys of the list of papers in an object.
_LISTS: Final = (
    "items", "results", "data", "papers", "records", "entries", "articles", "publications", "docs",
    "rows", "works",
)  # fmt: skip
_MAX_COLUMNS: Final = 1_000
_NO_TITLE: Final = "found no title; expected an object with a title, or a list of such objects"


_NO_PAPERS: Final = (
    "records without titles",
    "flat records with a title, authors, an abstract, a year … (texts, numbers, lists of texts)",
    "Write one record per paper with the key title, in a list with the key papers.",
)
_NO_JSON_PAPERS: Final = (
    "JSON without papers",
    "flat objects with a title, authors, an abstract, a year … (texts, numbers, lists of texts), "
    "or a response of a known source",
    "Write one object per paper with the key title; with pandas, to_json(orient='records'). "
    "Leaderboards of Papers with Code are not read.",
)


def records_in(value: object, accepts_native: bool = False) -> Iterator[tuple[JsonSource, Object]]:
    """Yield each record in a value with its source, in order; the source may be `PLAIN`.

    accepts_native: whether an object with Fieldguide's field names is read as a record in
    Fieldguide's own format.
    """
    if accepts_native and isinstance(value, dict) and is_native(value) and not source_of(value):
        yield OWN, value
        return
    is_known = False
    for located in _known_records(value, 0):
        is_known = True
        yield located
    if not is_known:
        yield from ((PLAIN, record) for record in _plain_records(value))


def _known_records(value: object, depth: int) -> Iterator[tuple[JsonSource, Object]]:
    if isinstance(value, dict) and (source := source_of(value)):
        yield source, value
    elif depth < _MAX_DEPTH and isinstance(value, dict | list):
        inner = value if isinstance(value, list) else library_items(value) or value.values()
        for child in inner:
            yield from _known_records(child, depth + 1)


def _plain_records(value: object) -> list[Object]:
    """Return the objects of a list, or of a list within an object, if any of them has a title."""
    if isinstance(value, dict):
        lists = (value[name] for name in _LISTS if isinstance(value.get(name), list))
        value = next(lists, [value])
    objects = objects_of(value)
    return objects if any(map(has_title, objects)) else []


def read_values(
    values: Iterable[tuple[int, object]],
    name: str,
    format_name: str,
    no_papers: tuple[str, str, str] | None = _NO_PAPERS,
    accepts_native: bool = False,
) -> Iterator[Record]:
    """Yield the papers in values, then the warnings about the file.

    values: JSON values with their lines.
    no_papers: actual and expected content and hint of the InputError if no record has a title; for
    None, there is no such error.
    accepts_native: see `records_in`; if true, unknown keys are reported.
    """
    fields_of_keys: dict[str, str] = {}
    unknown: dict[str, int] = {}
    n_records = n_untitled = last_line = 0
    for line, value in values:
        if isinstance(value, InvalidJson):
            yield quarantine_fault(Source(name, format_name, line), value.text, value.reason)
            continue
        if not isinstance(value, dict | list):
            found, hint = "a value that is not an object", "It was dropped."
            yield Fault("warning", name, line, found, "an object", hint)
            continue
        is_empty = True
        for source, record in records_in(value, accepts_native):
            is_empty = False
            n_records += 1
            has_line = record is value and line > last_line
            last_line = line if has_line else last_line
            place = Source(name, format_name, line if has_line else n_records)
            if source is PLAIN and len(fields_of_keys) < _MAX_COLUMNS:
                roles = roles_of_keys(record)
                fields_of_keys |= {
                    key: roles.get(key, ("", 0))[0].removeprefix(":") for key in {**roles, **record}
                }
            if source is OWN:
                for key in record.keys() - KNOWN:
                    unknown.setdefault(key, line)
            yield from _read_record(source, record, place)
        if is_empty and (value or accepts_native):
            n_untitled += 1
            n_records += 1
            yield quarantine_fault(Source(name, format_name, line), _first_texts(value), _NO_TITLE)
    if no_papers and n_untitled and n_untitled == n_records:
        raise input_error(name, *no_papers)
    pairs = [(field, key) for key, field in fields_of_keys.items() if field]
    if any(key not in READ for _, key in pairs):
        unread = ", ".join(
            [display_value(key) for key, field in fields_of_keys.items() if not field][:6]
        )
        yield ColumnsRead((*pairs, *([("", unread)] if unread else [])))
    elif unknown:
        yield unknown_names_fault(
            list(unknown), Source(name, format_name, min(unknown.values())), "field"
        )


def _read_record(source: JsonSource, record: Object, place: Source) -> Iterator[Record]:
    """Yield the paper of a record and its faults."""
    if reason := source.why_no_paper(record):
        kind, hint = f"a record that is not a paper ({reason})", "It was dropped."
        yield Fault("warning", place.file, place.line, kind, "a paper", hint)
        return
    fields = source.read(record)
    is_nameless = source is not OWN and not fields.get("title")
    for found in read_fields(fields, place):
        if isinstance(found, Fault) and found.record and is_nameless:
            found = quarantine_fault(place, _first_texts(record), found.actual)
        yield found


def _first_texts(value: object) -> str:
    """Return the first texts of a record without a title, for a message."""
    if value == {}:
        return "an empty record"
    items = value.items() if isinstance(value, dict) else ()
    texts = [
        f"{key}: {display_value(text)}" for key, text in items if isinstance(text, str) and text
    ]
    return ", ".join(texts[:4]) or display_value(value)


JSON_FILE: Final[Reader] = Reader(
    name="json",
    reject_reason=reject_reason,
    read=lambda content: read_values(
        values_of(content), content.name, JSON_FILE.name, _NO_JSON_PAPERS
    ),
    description="JSON with papers: CSL-JSON, Zotero, OpenAlex, Semantic Scholar, Crossref, or a "
    "list of flat objects with a title",
    is_by_line=lambda content: has_value_per_line(content.start),
    examples=(
        '[{"title": "Bees", "authors": ["Ada One"], "year": 2024}, @@',
        '[{"title": "Bees @@", "abstract": "@@", "authors": "@@", "venue": "@@"}]',
    ),
)


# --- JSON Lines in our own form: one object per line; only `title` is required -------------------

_MAX_LINE: Final = 1_000_000
"""Maximum number of characters of a line. A longer one is not a paper, and parsing it is slow."""
_FOREIGN: Final = "the first line is a record of another source"


def paper_to_json(paper: Paper) -> dict[str, object]:
    """Return a JSON object from which the same paper can be read, without its sources.

    Fields are in the order of `FIELDS`. Empty fields are omitted, and so are fields with a default
    value (the count of a complete list of authors, the usual kind of abstract).
    """
    values: dict[str, object] = {name: getattr(paper, name) for name in FIELDS}
    values["published"] = paper.published.date
    # Without “et al.” an incomplete list of authors would be read as complete.
    is_incomplete = paper.authors and paper.author_count is None
    values["authors"] = [*paper.authors, *(["et al."] if is_incomplete else [])]
    for name in ("code_urls", "keywords", "collections"):
        values[name] = list(getattr(paper, name))
    values["reference"] = dict(paper.reference)
    if paper.abstract_kind != "digest":
        del values["abstract_kind"]
    if paper.author_count == len(paper.authors) and paper.authors:
        del values["author_count"]
    return {name: value for name, value in values.items() if value not in ("", [], {}, None)}


def _lines_reject_reason(content: Content) -> str:
    """Return why a file is not JSON Lines in Fieldguide's format, judged by first line and name."""
    if not content.is_text:
        return "not a text"
    start = content.start.lstrip()
    first = start.partition("\n")[0]
    if "\n" not in start:  # a first line that is longer than the part that readers look at
        first = next((line for line in content.lines(_MAX_LINE) if line.strip()), "")
    value = value_of_line(first.lstrip("\ufeff"))
    is_by_name = content.name.lower().endswith((".jsonl", ".ndjson"))
    if not isinstance(value, dict):
        return "" if is_by_name else "the first line is not a complete JSON object"
    if not is_by_name and "title" not in value:
        return "the first line is not an object with 'title'"
    if is_by_name and not source_of(value) and not has_title(value):
        return ""
    return "" if _may_be_native(value) else _FOREIGN


def _may_be_native(record: Object) -> bool:
    """Return whether an object may be in Fieldguide's format, with faults or further fields."""
    if not is_native(record):
        return False
    lists = (item for item in record.values() if isinstance(item, list))
    has_objects = any(isinstance(part, dict) for parts in lists for part in parts)
    is_foreign = has_objects or has_wrong_types(record) or source_of(record) is not None
    return KNOWN.issuperset(record) or not is_foreign


def _objects_of_lines(content: Content) -> Iterator[tuple[int, object]]:
    for number, value in values_of_lines(content, _MAX_LINE):
        if not isinstance(value, dict | InvalidJson):
            value = InvalidJson(
                display_value(value), f"found {display_value(value)}; expected a JSON object"
            )
        yield number, value


JSONL: Final[Reader] = Reader(
    name="jsonl",
    reject_reason=_lines_reject_reason,
    read=lambda content: read_values(
        _objects_of_lines(content), content.name, JSONL.name, None, accepts_native=True
    ),
    description="one JSON object per line with at least 'title'",
    is_by_line=lambda content: True,
    examples=(
        '{"title": "Bees", "authors": ["Ada One"], "year": 2024}\n@@',
        '{"title": "Bees", "abstract": "@@", "doi": "@@", "url": "@@"}\n',
    ),
)
