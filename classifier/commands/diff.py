"""What changed between two builds, or a build and a lock: `fieldguide diff`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from classifier.survey.changes.alarms import DEFAULT_LIMITS, Alarm, AlarmName, find_alarms
from classifier.survey.changes.compare import Changes, compare
from classifier.survey.changes.published import read_publication


def diff(old: Path, new: Path) -> Changes:
    """Compare two out/ folders, or locks. Raises InputError where one of them is neither."""
    return compare(read_publication(old), read_publication(new))


def diff_with_alarms(
    old: Path, new: Path, limits: Mapping[AlarmName, float] = DEFAULT_LIMITS
) -> tuple[Changes, list[Alarm]]:
    """Return the same, and what of it nobody asked for."""
    before, now = read_publication(old), read_publication(new)
    changes = compare(before, now)
    return changes, find_alarms(before, now, changes, limits)
