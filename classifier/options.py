"""What a person may ask of a build."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What a person may ask of a build; without any it writes the survey and one sheet."""

    baseline: Path | None = None
    """An earlier out/: tell what changed since; without one, since the lock."""
    ignore_sheet: bool = False
    """Whether a sheet with edits may be overwritten."""
    strict: bool = False
    """Whether a warning stops the build."""
    xlsx: bool = False
    """Whether labels.xlsx is written, too."""
    mark: bool = False
    """Whether labels.csv begins with a byte order mark."""
    pdf: bool = False
    """Whether survey.pdf is written, too."""
