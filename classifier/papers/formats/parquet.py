"""Parquet files, as data sets are kept: only the columns that are read, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain, islice
from typing import Any, Final

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.papers.formats.spreadsheet import cell_text
from classifier.papers.formats.tables import (
    FIRST,
    NO_TITLES,
    SAMPLE,
    TableRow,
    find_columns,
    table_records,
)
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead, Reader, Record

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


def read(content: Content, groups: range | None = None) -> Iterator[Record]:
    """Yield the papers of a Parquet file; raises InputError where it is broken or has no titles.

    Fields of a nested record are columns named `outer.inner`; `outer` alone where it has a title.
    groups: of the row groups that are read, as they would be among all; None for all.
    """
    pa, pq = _pyarrow(content)
    with content.open() as file:
        try:
            parquet = pq.ParquetFile(file)
            names, paths = _wanted(parquet, _leaves(parquet.schema_arrow, pa))
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _broken(content, error) from error
        if not paths:
            cure = "Rename the column of the titles 'title'."
            raise _refused(content, NO_TITLES, "a column 'title'", cure)
        every_group = range(parquet.num_row_groups)
        rows = _rows(parquet, paths, every_group, content, pa.ArrowException)
        before = 0
        if groups:  # what a column holds is told from the first rows of the file
            before = _rows_before(parquet, groups[0])
            its_own = _rows(parquet, paths, groups, content, pa.ArrowException)
            rows = chain(islice(rows, min(FIRST, before)), its_own)
        table = chain([TableRow(0, names)], rows)
        for record in table_records(table, content.name, PARQUET.name):
            if not 1 <= _line(record) <= before:
                yield record


def row_groups(content: Content) -> list[int]:
    """Return how many rows each row group of a Parquet file has; raises InputError as `read`."""
    pa, pq = _pyarrow(content)
    with content.open() as file:
        try:
            told = pq.read_metadata(file)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _broken(content, error) from error
    return [told.row_group(number).num_rows for number in range(told.num_row_groups)]


def _pyarrow(content: Content) -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # late: an extra
        import pyarrow.parquet as pq
    except ImportError as error:
        found = "a Parquet file, which needs the package pyarrow"
        raise _refused(content, found, "that package", _NO_PYARROW) from error
    return pa, pq


def _rows_before(parquet: Any, group: int) -> int:
    return sum(parquet.metadata.row_group(number).num_rows for number in range(group))


def _line(record: Record) -> int:
    """Return the row that a record comes from; 0 where it is said of the file."""
    if isinstance(record, ColumnsRead):
        return 0
    return record.sources[0].line if isinstance(record, Paper) else record.line or 0


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
    parquet: Any,
    paths: Sequence[tuple[str, ...]],
    groups: range,
    content: Content,
    broken: type[Exception],
) -> Iterator[TableRow]:
    names = [".".join(path) for path in paths]
    number = _rows_before(parquet, groups.start)
    try:
        for batch in parquet.iter_batches(_BATCH, list(groups), columns=names):
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
)
