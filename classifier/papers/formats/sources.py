"""The sources that are known, and how records are found in a JSON value of any shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from classifier.papers.formats import (
    arxiv_daily,
    arxiv_metadata,
    arxiv_snapshot,
    crossref,
    csl,
    dblp,
    europe_pmc,
    guess,
    hugging_face,
    inspire,
    json_feed,
    openalex,
    openreview,
    own,
    papers_with_code,
    semantic_scholar,
    zotero,
)
from classifier.papers.formats.values import Object
from classifier.papers.paper import clean_arxiv_id

_MOST_DEPTH = 12
_FEWEST_WORDS = 3
"""Of a key under which a paper without a title stands, from which on it is the title."""
# Keys of schemas, notebooks and packages, whose titles are no papers'.
_OF_PROGRAMS = frozenset(("$schema", "openapi", "swagger", "lockfileVersion", "nbformat"))


def _is_paper(_: Object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class RecordSource:
    """One source of records."""

    name: str
    is_record: Callable[[Object], bool]
    fields: Callable[[Object], dict[str, object]]
    why_no_paper: Callable[[Object], str] = _is_paper
    """What a record is that is no paper, in one word; "" where it is one."""


# What has an unmistakable face comes first.
SOURCES: tuple[RecordSource, ...] = (
    RecordSource("papers.json", own.is_record, own.fields),
    RecordSource("zotero", zotero.is_record, zotero.fields, zotero.why_no_paper),
    RecordSource("arxiv-metadata", arxiv_metadata.is_record, arxiv_metadata.fields),
    RecordSource("openreview", openreview.is_record, openreview.fields, openreview.why_no_paper),
    RecordSource("crossref", crossref.is_record, crossref.fields),
    RecordSource("openalex", openalex.is_record, openalex.fields),
    RecordSource("semantic-scholar", semantic_scholar.is_record, semantic_scholar.fields),
    RecordSource("europe-pmc", europe_pmc.is_record, europe_pmc.fields),
    RecordSource("dblp", dblp.is_record, dblp.fields),
    RecordSource("inspire", inspire.is_record, inspire.fields),
    RecordSource("hugging-face", hugging_face.is_record, hugging_face.fields),
    RecordSource("arxiv-snapshot", arxiv_snapshot.is_record, arxiv_snapshot.fields),
    RecordSource("papers-with-code", papers_with_code.is_record, papers_with_code.fields),
    RecordSource("json-feed", json_feed.is_record, json_feed.fields),
    RecordSource("csl-json", csl.is_record, csl.fields),
)
GUESS = RecordSource("guess", guess.is_record, guess.fields)
# A record of a source that is known has one of these keys; authors and the like have none.
_KEYS_OF_RECORDS = frozenset((
    "title", "titles", "paper_title", "type", "DOI", "abstract_inverted_index", "itemType",
    "paper_id", "forum", "content_text", "content_html", "data", "info", "metadata", "paper",
))  # fmt: skip

Located = tuple[RecordSource, Object]


def source_of(record: Object) -> RecordSource | None:
    """Return the first source that knows an object as its record."""
    if _KEYS_OF_RECORDS.isdisjoint(record):
        return None
    for source in SOURCES:
        if source.is_record(record):
            return source
    return None


def records_in(value: object) -> Iterator[Located]:
    """Yield the records in a value with their source, in order, however deep they lie.

    Where no source knows any, objects with a key that holds a title are taken.
    """
    found = False
    for located in _known(value, 0):
        found = True
        yield located
    if not found:
        yield from _guessed(value, "", 0)


def _known(value: object, depth: int) -> Iterator[Located]:
    if isinstance(value, dict):
        source = source_of(value)
        if source:
            yield source, value
            return
    if depth < _MOST_DEPTH:
        for child in _children(value):
            yield from _known(child, depth + 1)


def _children(value: object) -> Iterable[object]:
    """Return what may hold records in a list or in an object that is none itself."""
    if isinstance(value, list):
        return (child for child in value if isinstance(child, dict | list))
    if not isinstance(value, dict) or not any(
        isinstance(child, (dict, list)) for child in value.values()
    ):
        return ()
    inner = zotero.library_items(value)
    inner = papers_with_code.leaderboard_rows(value) if inner is None else inner
    inner = _rows_of_columns(value) if inner is None else inner
    if inner is not None:
        return inner
    return (child for child in value.values() if isinstance(child, dict | list))


def _rows_of_columns(table: Object) -> Iterator[Object] | None:
    """Return the rows of a table that pandas wrote by columns, or None where it is none.

    https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_json.html: the orients
    `columns` (an object or a list a column) and `split` (`columns` and `data`).
    """
    names, data = table.get("columns"), table.get("data")
    if isinstance(names, list) and isinstance(data, list):
        rows = (row for row in data if isinstance(row, list))
        return (dict(zip(map(str, names), row, strict=False)) for row in rows)
    title = guess.columns_of(table).get("title")
    if title is None or not isinstance(table.get(title), dict | list):
        return None
    columns = {
        name: column if isinstance(column, dict) else dict(enumerate(column))
        for name, column in table.items()
        if isinstance(column, dict | list)
    }
    return ({n: c[i] for n, c in columns.items() if i in c} for i in columns[title])


def _guessed(value: object, key: str, depth: int) -> Iterator[Located]:
    if depth > _MOST_DEPTH or (isinstance(value, dict) and not _OF_PROGRAMS.isdisjoint(value)):
        return
    if isinstance(value, list):
        objects = [child for child in value if isinstance(child, dict)]
        if any(map(_is_guess, objects)):
            yield from ((GUESS, child) for child in objects)
            return
    elif isinstance(value, dict):
        if _is_guess(value) and (guess.is_rich(value) or not _holds_more(value)):
            yield GUESS, _with_id(value, key)
            return
        if arxiv_daily.is_day(value):
            yield from ((GUESS, row) for row in arxiv_daily.rows(value, key))
            return
        titled = {**value, "title": key}
        if depth and len(key.split()) >= _FEWEST_WORDS and guess.is_rich(titled):
            yield GUESS, titled
            return
        if _rows_of_columns(value) is None:
            for name, child in value.items():
                if isinstance(child, dict | list):
                    yield from _guessed(child, str(name), depth + 1)
            return
    for child in _children(value):
        yield from _guessed(child, "", depth + 1)


def _is_guess(value: Object) -> bool:
    return guess.is_record(value)


def _holds_more(value: Object) -> bool:
    """Say whether an object holds objects, so that its title is that of a list or a program."""
    inner = (child[:100] if isinstance(child, list) else [child] for child in value.values())
    return any(isinstance(part, dict) for parts in inner for part in parts)


def _with_id(record: Object, key: str) -> Object:
    """Return a record with the arXiv id or DOI under which it stands in an object."""
    if clean_arxiv_id(key) and "arxiv_id" not in record:
        return {**record, "arxiv_id": key}
    return {**record, "doi": key} if key.startswith("10.") and "doi" not in record else record
