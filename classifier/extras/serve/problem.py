"""Why the site is not what its files say by now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from classifier.errors import Fault, FieldguideError, InputError, PendingEditsError

Kind = Literal["fault", "waits"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a build wrote nothing; the last good survey is still served."""

    kind: Kind
    """`waits` where a sheet holds edits that somebody is to take up, `fault` otherwise."""
    text: str
    """All of it, as the command line says it."""
    faults: tuple[Fault, ...] = ()
    """Of the user's files, where it is those."""
    trace: str = ""
    """Where in Fieldguide it happened, if the fault is its own."""

    @property
    def title(self) -> str:
        """What heads it in a page."""
        if self.kind == "waits":
            return "A sheet waits; the survey stays as it is"
        if not self.faults:
            return "The build failed; this is the last good survey"
        number = len(self.faults)
        are = "1 fault" if number == 1 else f"{number:,} faults"
        return f"{are} in your files; this is the last good survey"


def problem_of(error: Exception) -> Problem:
    """Return an error of a build in the words of the page and the terminal."""
    if isinstance(error, PendingEditsError):
        return Problem("waits", str(error))
    if isinstance(error, InputError):
        return Problem("fault", str(error), error.faults)
    if isinstance(error, FieldguideError | OSError):  # a file that vanished while it was read
        return Problem("fault", str(error))
    from traceback import format_exception

    told = f"A fault of Fieldguide itself ({type(error).__name__}: {error}). Please report it."
    return Problem("fault", told, trace="".join(format_exception(error)))
