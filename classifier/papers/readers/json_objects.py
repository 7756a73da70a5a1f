"""Read flat JSON objects of unknown sources by the names of their keys, like table rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from classifier.papers.clean import join_wrapped_lines
from classifier.papers.fields import FIELDS, KNOWN, READ, has_wrong_types
from classifier.papers.readers.column_names import role_of_name
from classifier.papers.readers.json_paths import JsonSource, Object, names_of, object_of, text_of
from classifier.papers.readers.row_fields import fields_of_row
from classifier.papers.readers.tables import is_export, is_field_or_detail

# Keys of schemas, interfaces and notebooks, whose titles are not titles of papers.
_OF_PROGRAMS: Final = frozenset(("$schema", "properties", "openapi", "nbformat"))
_MAX_WRAPPED: Final = 100
"""Maximum length of a line in a hard-wrapped text, in characters."""
_MIN_SECONDS, _MIN_MILLISECONDS, _MAX_MILLISECONDS = 10**8, 10**11, 10**14
"""Bounds of numbers that are times since 1970."""


def has_title(record: Object) -> bool:
    """Return whether an object has a title."""
    record = _flatten(record)
    titles = (record[key] for key, (role, _) in roles_of_keys(record).items() if role == "title")
    return _OF_PROGRAMS.isdisjoint(record) and any(isinstance(t, str) and t for t in titles)


def roles_of_keys(record: Object) -> dict[str, tuple[str, int]]:
    """Return the role and rank of each key that is read."""
    record = _flatten(record)
    roles = {key: role for key in record if (role := role_of_name(str(key)))}
    if is_export(record):
        return {key: role for key, role in roles.items() if is_field_or_detail(key)}
    return roles


def _flatten(record: Object) -> Object:
    """Return a record with nested values moved up, such as OpenReview's `content.title.value`."""
    content = object_of(record.get("content"))
    if "title" not in content:
        return record
    values = ((key, value if isinstance(value, Mapping) else {}) for key, value in content.items())
    return {**record, **content, **{key: each["value"] for key, each in values if "value" in each}}


def _fields(record: Object) -> dict[str, object]:
    record = _flatten(record)
    roles = roles_of_keys(record)
    row: dict[str, list[str | list[str]]] = {}
    for key in sorted(roles, key=lambda key: roles[key][1]):
        role, value = roles[key][0], record[key]
        if role == "possible_collections":
            continue
        text = _text_or_texts(value)
        if role == "authors" and isinstance(value, list):
            text = names_of(value)
        elif role == "abstract":
            text = text_of(value)
            if "\n" in text and max(map(len, text.split("\n"))) <= _MAX_WRAPPED:
                text = join_wrapped_lines(text)
        elif role == "date":
            text = _date_of_number(value) or text
        row.setdefault(role, []).append(text)
    return fields_of_row(row)


def _text_or_texts(value: object) -> str | list[str]:
    """Return the text or texts in a value; "" if there is no text.

    >>> _text_or_texts(2024), _text_or_texts(["rye", {"name": "oats"}])
    ('2024', ['rye', 'oats'])
    >>> _text_or_texts({"name": "Loaves"}), _text_or_texts({"a": 1})
    ('Loaves', '')
    """
    if isinstance(value, list):
        return [text for item in value if isinstance(text := _text_or_texts(item), str) and text]
    return text_of(value.get("name") if isinstance(value, Mapping) else value)


def _date_of_number(value: object) -> str:
    """Convert a number of seconds or milliseconds since 1970 to an ISO date; "" for other values.

    >>> _date_of_number(1577836800000), _date_of_number(1577836800), _date_of_number(20200101)
    ('2020-01-01', '2020-01-01', '')
    """
    if not isinstance(value, int | float) or not _MIN_SECONDS <= value < _MAX_MILLISECONDS:
        return ""
    seconds = value / 1000 if value >= _MIN_MILLISECONDS else value
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def is_native(record: Object) -> bool:
    """Return whether an object uses Fieldguide's field names, and no synonyms of them."""
    return not READ.isdisjoint(record) and not (
        is_export(record) or any(role_of_name(str(key)) for key in record.keys() - KNOWN)
    )


def _native_fields(record: Object) -> dict[str, object]:
    """Return Fieldguide's fields unchanged; a value of another type is read as in a plain object.

    If that fails too, the value is kept for the message about it.
    """
    lenient = _fields(record)
    fields: dict[str, object] = {}
    for name in FIELDS:
        value = record.get(name)
        if value is None or value != value or (value == "" and name != "title"):  # or NaN
            continue
        is_wrong = name != "title" and has_wrong_types({name: value})
        if name != "id" or not is_wrong or name in lenient:
            fields[name] = lenient.get(name, value) if is_wrong else value
    year = record.get("year")
    if isinstance(year, str | int):
        fields["year"] = year
    elif year is not None and year == year:
        fields["year"] = lenient.get("published", year)
    return fields


PLAIN: Final = JsonSource("plain", has_title, {}, read_whole=_fields)
"""The source of flat records that no other source recognises."""
OWN: Final = JsonSource("own", is_native, {}, read_whole=_native_fields)
"""Our own form: texts are unchanged, and each value that cannot be read is reported."""
