"""Faults that many records of a file share, told once."""

from __future__ import annotations

from classifier.errors import Fault, Severity


class Tally:
    """Counts one kind of fault in a file and remembers the first line of it."""

    def __init__(
        self, one: str, many: str, wanted: str, cure: str, severity: Severity = "warning"
    ) -> None:
        """`one` and `many` say what was found behind the count: `entry without a line 'TY  - '`."""
        self._found = one, many
        self._wanted = wanted
        self._cure = cure
        self._severity = severity
        self._count = 0
        self._line = 0

    def add(self, line: int) -> None:
        """Count one more, which stands at `line`."""
        self._line = self._line or line
        self._count += 1

    def faults(self, name: str) -> list[Fault]:
        """Return the fault of the file `name`, or nothing where nothing was counted."""
        if not self._count:
            return []
        one, many = self._found
        found = f"{self._count:,} {many}, the first here" if self._count > 1 else f"1 {one}"
        return [Fault(self._severity, name, self._line, found, self._wanted, self._cure)]
