"""Parquet files, as data sets are kept: only the columns that are read, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any, Final

from classifier.corpus.readers import Reader, Record
from classifier.corpus.readers.tables.columns import SAMPLE, find_columns
from classifier.corpus.readers.tables.spreadsheet import cell_text
from classifier.corpus.readers.tables.table_records import NO_TITLES, TableRow, table_records
from classifier.errors import Fault, InputError
from classifier.files.content import Content

_BATCH: Final = 1000
_START: Final = b"PAR1"
_NO_PYARROW: Final = "pip install 'fieldguide[scale]'."
# What names a person or a thing in nested records, the best first.
_NAMED: Final = (
    "name",
    "display_name",
    "full_name",
    "fullname",
    "author",
    "raw_author_name",
    "title",
)


def why_not(content: Content) -> str:
    """Say why a file is no Parquet file."""
    if content.is_text:
        return "a text, no Parquet file"
    return "" if content.start_bytes.startswith(_START) else "does not begin with PAR1"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a Parquet file; raises InputError where it is broken or has no titles.

    Fields of a nested record are columns named `outer.inner`; `outer` alone where it has a title.
    """
    try:
        import pyarrow as pa  # late: an extra
        import pyarrow.parquet as pq
    except ImportError as error:
        found = "a Parquet file, which needs the package pyarrow"
        raise _refused(content, found, "that package", _NO_PYARROW) from error
    with content.open() as file:
        try:
            parquet = pq.ParquetFile(file)
            names, paths = _wanted(parquet, _leaves(parquet.schema_arrow, pa))
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _broken(content, error) from error
        if not paths:
            cure = "Rename the column of the titles 'title'."
            raise _refused(content, NO_TITLES, "a column 'title'", cure)
        rows = _rows(parquet, paths, content, pa.ArrowException)
        yield from table_records(chain([TableRow(0, names)], rows), content.name, PARQUET.name)


def _leaves(schema: Any, pa: Any) -> list[tuple[str, ...]]:
    """Return the columns of a schema; of a record its fields, two levels deep."""
    leaves: list[tuple[str, ...]] = []
    for field in schema:
        if pa.types.is_struct(field.type):
            for inner in field.type:
                if pa.types.is_struct(inner.type):
                    leaves += ((field.name, inner.name, third.name) for third in inner.type)
                else:
                    leaves.append((field.name, inner.name))
        else:
            leaves.append((field.name,))
    return leaves


def _wanted(
    parquet: Any, leaves: Sequence[tuple[str, ...]]
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return names and paths of the columns that are read, judged by names and the first rows."""
    first = next(parquet.iter_batches(batch_size=SAMPLE), None)
    sample = [_cells(record, leaves) for record in (first.to_pylist() if first else [])]
    names = _short_names(leaves)
    columns = find_columns([names, *sample])
    places = columns.places.values() if columns else ()
    read = sorted({at for held in places for at in held})
    return [names[at] for at in read], [leaves[at] for at in read]


def _short_names(leaves: Sequence[tuple[str, ...]]) -> list[str]:
    """Return `inner` for `outer.inner` where no other column has that name."""
    lasts = [path[-1] for path in leaves]
    return [
        path[-1] if lasts.count(path[-1]) == 1 and path[-1] != "name" else ".".join(path)
        for path in leaves
    ]


def _rows(
    parquet: Any, paths: Sequence[tuple[str, ...]], content: Content, broken: type[Exception]
) -> Iterator[TableRow]:
    names = [".".join(path) for path in paths]
    number = 0
    try:
        for batch in parquet.iter_batches(batch_size=_BATCH, columns=names):
            for record in batch.to_pylist():
                number += 1
                yield TableRow(number, _cells(record, paths))
    except (broken, OSError, ValueError) as error:
        raise _broken(content, error) from error


def _cells(record: Mapping[str, Any], paths: Sequence[tuple[str, ...]]) -> list[str]:
    return [_text(_value(record, path)) for path in paths]


def _value(record: Any, path: Sequence[str]) -> object:
    for name in path:
        record = record.get(name) if isinstance(record, Mapping) else None
    return record


def _text(value: object) -> str:
    """Return a value as the cell of a table; the items of a list parted by `; `."""
    match value:
        case str():
            return value
        case list():
            items = (_text(item).replace(";", ",") for item in value)
            return "; ".join(item for item in items if item)
        case Mapping():
            return next((_text(value[name]) for name in _NAMED if value.get(name)), "")
        case bytes():
            return value.decode("utf-8", "replace")
        case datetime() | date():
            return value.isoformat()[:10]
    return cell_text(value)


def _broken(content: Content, error: Exception) -> InputError:
    found = f"a broken Parquet file ({' '.join(str(error).split())[:200]})"
    return _refused(content, found, "a whole file", "Write or download it again.")


def _refused(content: Content, found: str, wanted: str, cure: str) -> InputError:
    return InputError([Fault("error", content.name, None, found, wanted, cure)])


PARQUET = Reader(
    name="parquet",
    why_not=why_not,
    read=read,
    wants="a Parquet file with a column 'title'",
    streams=True,
)
