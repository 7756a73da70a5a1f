"""What a build tells the person who started it, and its form on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from classifier.errors import Fault, doubtful, sort_faults


@dataclass(frozen=True, slots=True)
class Told:
    """What a build tells the person who started it."""

    papers: int
    reviewed: int
    confident: int
    provisional: int
    left_out: int
    """Papers that the editors left out."""
    title_only: int
    """Papers without an abstract."""
    merged: int
    """Papers that stand in the files more than once."""
    columns: tuple[str, ...]
    """A line for each foreign table: which of its columns were read."""
    warnings: tuple[Fault, ...]
    """Warnings and notices."""
    quarantined: tuple[Fault, ...]
    """The records that could not be read."""
    held: tuple[int, str]
    """How many labels the lock keeps from moving, and why they would."""
    border: str
    """From which confidence on a label is confident, what that is worth, and why it moved."""
    changes: tuple[str, str]
    """(since what, in short); ("", "") where there is neither a baseline nor a lock."""

    @property
    def doubtful(self) -> list[Fault]:
        """All that stops a strict build."""
        return doubtful(sort_faults([*self.warnings, *self.quarantined]))


def told_json(told: Told) -> dict[str, object]:
    """Return what was told as JSON holds it."""
    return asdict(told)


def told_of(kept: Mapping[str, Any]) -> Told:
    """Return what `told_json` kept; raises ValueError, TypeError or KeyError where it is none."""
    number, reasons = kept["held"]
    since, what = kept["changes"]
    faults = {
        name: tuple(Fault(**fault) for fault in kept[name]) for name in ("warnings", "quarantined")
    }
    rest = {"columns": tuple(kept["columns"]), "held": (number, reasons), "changes": (since, what)}
    return Told(**{**kept, **faults, **rest})
