"""Our own format, JSON Lines: one object a line, of which only `title` is needed."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.files.content import Content
from classifier.papers.fields import (
    EXPORTED,
    FIELDS,
    READ,
    has_wrong_types,
    read_fields,
    unused_names,
)
from classifier.papers.formats.column_names import role_of_name
from classifier.papers.formats.json_file import Broken, is_plain, value_of_line
from classifier.papers.formats.json_paths import Object
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
    start = content.start.lstrip()
    first = start.partition("\n")[0]
    if "\n" not in start:  # a first line that is longer than what readers look at
        first = next((line for line in content.lines(MOST_LINE) if line.strip()), "")
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
    others = value.keys() - _KNOWN
    lists = (item for item in value.values() if isinstance(item, list))
    return not others or not (
        any(map(role_of_name, others))
        or any(isinstance(part, dict) for parts in lists for part in parts)
        or source_of(value)
        or has_wrong_types(value)
    )


def _read(content: Content) -> Iterator[Record]:
    unknown: dict[str, int] = {}
    for number, line in enumerate(content.lines(MOST_LINE), start=1):
        if not line.strip():
            continue
        source = Source(content.name, JSONL.name, number)
        if len(line) > MOST_LINE:
            reason = f"found a line of more than {MOST_LINE:,} characters; wanted a shorter one"
            yield quarantined(source, line[:400], reason)
            continue
        value = value_of_line(line.lstrip("\ufeff"))
        if isinstance(value, Broken):
            yield quarantined(source, *value)
        elif not isinstance(value, dict):
            yield quarantined(source, line, f"found {shown(value)}; wanted a JSON object")
        else:
            for field in () if _KNOWN.issuperset(value) else value:
                if field not in _KNOWN:
                    unknown.setdefault(field, number)
            yield from read_fields(value, source)
    if unknown:
        first = Source(content.name, JSONL.name, min(unknown.values()))
        yield unused_names(list(unknown), first, "field")


JSONL = Reader(
    name="jsonl",
    why_not=why_not,
    read=_read,
    wants="one JSON object a line with at least 'title'",
    is_by_line=lambda content: True,
    examples=(
        '{"title": "Bees", "authors": ["Ada One"], "year": 2024}\n@@',
        '{"title": "Bees", "abstract": "@@", "doi": "@@", "url": "@@"}\n',
    ),
)
