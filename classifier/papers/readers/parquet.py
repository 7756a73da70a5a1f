"""Read Parquet files in batches; each row is read like a JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from classifier.errors import input_error
from classifier.files.content import Content
from classifier.papers.reader import Reader
from classifier.papers.readers.json_file import read_values

_BATCH: Final = 1000
_SIGNATURE: Final = b"PAR1"
_INSTALL: Final = "pip install 'fieldguide[scale]'."
_NO_PAPERS: Final = (
    "a table without titles",
    "a column 'title'",
    "Rename the column of titles to 'title'.",
)


def _reject_reason(content: Content) -> str:
    if content.is_text:
        return "a text, not a Parquet file"
    return "" if content.start_bytes.startswith(_SIGNATURE) else "does not begin with PAR1"


def _rows(content: Content) -> Iterator[tuple[int, object]]:
    """Yield each row with its number; columns of vectors and bytes are not read."""
    try:
        import pyarrow as pa  # late: an extra
        import pyarrow.parquet as pq
    except ImportError as error:
        found = "a Parquet file; reading it needs the package pyarrow"
        raise input_error(content.name, found, "pyarrow to be installed", _INSTALL) from error
    with content.open() as file:
        try:
            parquet = pq.ParquetFile(file)
            names = [field.name for field in parquet.schema_arrow if _has_text(field.type, pa)]
            number = 0
            for batch in parquet.iter_batches(_BATCH, columns=names):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
        except (pa.ArrowException, OSError, ValueError) as error:
            found = f"a broken Parquet file ({' '.join(str(error).split())[:200]})"
            raise input_error(
                content.name, found, "a complete file", "Create or download it again."
            ) from error


def _has_text(column_type: Any, pa: Any) -> bool:
    """Return whether a column may contain a field of a paper, judged by its type."""
    types = pa.types
    while (
        types.is_list(column_type)
        or types.is_large_list(column_type)
        or types.is_fixed_size_list(column_type)
    ):
        column_type = column_type.value_type
        if types.is_floating(column_type):
            return False
    return not (types.is_binary(column_type) or types.is_large_binary(column_type))


PARQUET: Final[Reader] = Reader(
    name="parquet",
    reject_reason=_reject_reason,
    read=lambda content: read_values(_rows(content), content.name, PARQUET.name, _NO_PAPERS),
    description="a Parquet file with a column 'title'",
)
