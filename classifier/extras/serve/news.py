"""What open pages wait for: a new survey, or a problem and that there is none any more."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Condition
from typing import Literal

from classifier.errors import Fault, FieldguideError, InputError, PendingEditsError


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a build wrote nothing; the last good survey is still served."""

    kind: Literal["fault", "waits"]
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

    text = f"A fault of Fieldguide itself ({type(error).__name__}: {error}). Please report it."
    return Problem("fault", text, trace="".join(format_exception(error)))


class News:
    """The problem there is, and a bell for those who wait."""

    def __init__(self) -> None:
        self._bell = Condition()
        self.problem: Problem | None = None
        """Why the site is not up to date; None where it is."""
        self.number = 0
        """How often there was news."""
        self.is_over = False
        """Whether there will be no more news."""

    def publish(self, problem: Problem | None) -> None:
        """Tell everybody that a build has ended, well or with a problem."""
        with self._bell:
            self.problem = problem
            self.number += 1
            self._bell.notify_all()

    def end(self) -> None:
        """Let everybody go who waits."""
        with self._bell:
            self.is_over = True
            self._bell.notify_all()

    def wait(self, after: int, seconds: float) -> None:
        """Wait until there is news after the number `after`, at most so long."""
        with self._bell:
            self._bell.wait_for(lambda: self.number > after or self.is_over, seconds)
