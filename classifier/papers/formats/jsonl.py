"""Our own format, JSON Lines: one object a line, of which only `title` is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.fields import (
    EXPORTED,
    FIELDS,
    READ,
    has_wrong_types,
    read_fields,
    unused_names,
)
from classifier.papers.formats.json_file import reason_of, value_of_line
from classifier.papers.formats.json_records import columns_of, records_in
from classifier.papers.formats.json_sources import source_of
from classifier.papers.paper import Paper, Source
from classifier.papers.reader import Reader, Record, quarantined, shown

# A longer line holds no paper; parsing it would only cost time and memory.
MOST_LINE = 1_000_000
_FOREIGN = "the first line is a record of another source"
_KNOWN = READ | EXPORTED


def paper_to_json(paper: Paper) -> dict[str, object]:
    """Return the object that `read` makes the same paper of (its sources aside).

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


def why_not(content: Content) -> str:
    """Say why a file is no JSON Lines of ours: its first line is no object with our fields.

    A file named so is ours unless its first line is a record of another source.
    """
    if not content.is_text:
        return "no text"
    first = _first_line(content)
    value = _parsed(first)
    if content.name.lower().endswith((".jsonl", ".ndjson")):
        is_long = len(first) > MOST_LINE
        is_foreign = is_long or any(True for _ in records_in(value_of_line(first)))
        return _FOREIGN if is_foreign and not _is_ours(value) else ""
    if not first.startswith("{"):
        return "the first line is no JSON object"
    if not isinstance(value, dict):
        return "the first line is no whole JSON object"
    if "title" not in value:
        return "the first line is no object with 'title'"
    return "" if _is_ours(value) else _FOREIGN


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of JSON Lines."""
    unknown: dict[str, int] = {}
    name = content.name
    for number, line in enumerate(content.lines(MOST_LINE), start=1):
        if not line.strip():
            continue
        source = Source(name, JSONL.name, number)
        value = _object(line, source)
        if isinstance(value, Fault):
            yield value
            continue
        if not _KNOWN.issuperset(value):
            for field in value:
                if field not in _KNOWN:
                    unknown.setdefault(field, number)
        yield from read_fields(value, source)
    if unknown:
        first = Source(name, JSONL.name, min(unknown.values()))
        yield unused_names(list(unknown), first, "field")


def _first_line(content: Content) -> str:
    start = content.start.lstrip()
    if "\n" in start:
        return start.partition("\n")[0]
    return next((line for line in content.lines(MOST_LINE) if line.strip()), "")


def _is_ours(value: object) -> bool:
    """Say whether a first line may be a record of ours, if one with faults or further fields.

    It is not where another source knows it, where objects hold records, where the abstract has a
    name that is not ours, or where names that we do not have come with values that we cannot take.
    """
    if not isinstance(value, dict) or (value and not READ.intersection(value)):
        return False
    if READ.issuperset(value):
        return True
    if "abstract" not in value and "abstract" in columns_of(value):
        return False
    return not (_holds_records(value) or source_of(value) or has_wrong_types(value))


def _holds_records(value: dict[str, object]) -> bool:
    """Say whether an object is a whole feed, or a record of another format with nested ones."""
    return any(
        isinstance(item, list) and any(isinstance(part, dict) for part in item)
        for item in value.values()
    )


def _object(line: str, source: Source) -> dict[str, object] | Fault:
    """Return the object on a line, or why there is none."""
    if len(line) > MOST_LINE:
        reason = f"found a line of more than {MOST_LINE:,} characters; wanted a shorter one"
        return quarantined(source, line[:400], reason)

    value = _parsed(line)
    if isinstance(value, ValueError):
        reason = f"found no JSON ({value}); wanted a JSON object on one line"
        return quarantined(source, line, reason)
    if not isinstance(value, dict):
        return quarantined(source, line, f"found {shown(value)}; wanted a JSON object")
    return value


def _parsed(line: str) -> object:
    """Return the value of a JSON text, or the error that says why there is none."""
    try:
        return json.loads(line.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        return error
    except (RecursionError, ValueError) as error:
        return ValueError(reason_of(error))


JSONL = Reader(
    name="jsonl",
    why_not=why_not,
    read=read,
    wants="one JSON object a line with at least 'title'",
    is_by_line=lambda content: True,
)
