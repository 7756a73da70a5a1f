"""What changed between two builds, or a build and a lock: `fieldguide diff`."""

from __future__ import annotations

from pathlib import Path

from classifier.survey.changes.compare import Changes, compare
from classifier.survey.changes.published import read_publication


def diff(old: Path, new: Path) -> Changes:
    """Compare two out/ folders, or locks. Raises InputError where one of them is neither."""
    return compare(read_publication(old), read_publication(new))
