"""Import pyarrow, an optional package that writes Parquet."""

from __future__ import annotations

from typing import Any

from classifier.errors import UsageError


def import_pyarrow() -> Any:
    """Return the module pyarrow, or raise UsageError if it is not installed."""
    try:
        import pyarrow  # late: an extra, and slow
        import pyarrow.parquet
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'fieldguide[scale]'.") from error
    return pyarrow
