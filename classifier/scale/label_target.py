"""Where labels may be written: over labels that nobody has touched, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from classifier.errors import OutputError, PendingEditsError
from classifier.files.atomic import SHEET_ENDINGS, check_ending, check_target
from classifier.review.edits import pending_edits
from classifier.review.sheet import MARKS
from classifier.review.sheet_file import is_sheet
from classifier.scale.formats import FORMATS, pyarrow
from classifier.taxonomy.model import Taxonomy

MOST_LOOKED_AT = 100_000_000
"""Bytes of a sheet in which edits are looked for, which takes ten times as many of memory."""


def check_output(
    path: Path, inputs: Sequence[Path] | None = None, taxonomy: Taxonomy | None = None
) -> None:
    """Raise where labels cannot be written to `path`, or would replace what is not theirs.

    Without `inputs` only the ending is checked; without `taxonomy`, which names the columns that
    people fill, edits are not looked for.

    Raises UsageError for an ending that is no format or wants a package that is missing, and for
    one of the `inputs`, OutputError for a file that is not ours, PendingEditsError for a sheet that
    people have edited.
    """
    check_ending(path, tuple(FORMATS))
    if path.suffix == ".parquet":
        pyarrow()  # or it is missed after the seconds of learning
    if inputs is None:
        return
    if path.suffix in SHEET_ENDINGS and path.is_file() and path.stat().st_size > MOST_LOOKED_AT:
        raise OutputError(
            f"{path}: is too large to look for what a person typed; nothing was written. Move it "
            "away, or write to another file."
        )
    check_target(path, "-o", is_ours=_is_ours, inputs=inputs)
    if not path.exists() or path.stat().st_size == 0:
        return  # nothing to lose
    if path.suffix in SHEET_ENDINGS and taxonomy is not None and pending_edits(path, taxonomy):
        raise PendingEditsError(
            f"{path}: holds cells that a person filled; nothing was written. Write to another file."
        )


def _is_ours(path: Path) -> bool:
    """Return whether an existing file holds labels that Fieldguide wrote."""
    if path.suffix in SHEET_ENDINGS:
        return is_sheet(path)
    return _is_label_records(path) if path.suffix == ".jsonl" else _is_label_parquet(path)


def _is_label_records(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as lines:
            record = json.loads(lines.readline())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(record, dict) and {"id", "scores"} <= set(record)


def _is_label_parquet(path: Path) -> bool:
    try:
        return set(MARKS) <= set(pyarrow().parquet.read_schema(path).names)
    except (OSError, ValueError):  # ArrowInvalid is a ValueError
        return False
