"""Parquet files, as data sets are kept: each row is read as a JSON object is, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from classifier.errors import Fault, InputError
from classifier.files.content import Content
from classifier.papers.formats.json_file import read_values
from classifier.papers.reader import Reader, Record

_BATCH: Final = 1000
_START: Final = b"PAR1"
_NO_PYARROW: Final = "pip install 'fieldguide[scale]'."


def why_not(content: Content) -> str:
    """Say why a file is no Parquet file."""
    if content.is_text:
        return "a text, no Parquet file"
    return "" if content.start_bytes.startswith(_START) else "does not begin with PAR1"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a Parquet file; raises InputError where it is broken or has no titles."""
    yield from read_values(_rows(content), content.name, PARQUET.name)


def _rows(content: Content) -> Iterator[tuple[int, object]]:
    """Yield the number of each row and the row; vectors and bytes are no part of a paper."""
    pa, pq = _pyarrow(content)
    with content.open() as file:
        try:
            parquet = pq.ParquetFile(file)
            names = [field.name for field in parquet.schema_arrow if _holds_text(field.type, pa)]
            number = 0
            for batch in parquet.iter_batches(_BATCH, columns=names):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
        except (pa.ArrowException, OSError, ValueError) as error:
            found = f"a broken Parquet file ({' '.join(str(error).split())[:200]})"
            raise _refused(content, found, "a whole file", "Write or download it again.") from error


def _holds_text(kind: Any, pa: Any) -> bool:
    types = pa.types
    while types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        kind = kind.value_type
        if types.is_floating(kind):
            return False
    return not (types.is_binary(kind) or types.is_large_binary(kind))


def _pyarrow(content: Content) -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # late: an extra
        import pyarrow.parquet as pq
    except ImportError as error:
        found = "a Parquet file, which needs the package pyarrow"
        raise _refused(content, found, "that package", _NO_PYARROW) from error
    return pa, pq


def _refused(content: Content, found: str, wanted: str, cure: str) -> InputError:
    return InputError([Fault("error", content.name, None, found, wanted, cure)])


PARQUET = Reader(
    name="parquet",
    why_not=why_not,
    read=read,
    wants="a Parquet file with a column 'title'",
)
