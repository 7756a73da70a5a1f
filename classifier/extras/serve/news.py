"""What open pages wait for: a new survey, or a problem and that there is none any more."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Condition
from typing import Literal

from classifier.errors import Fault, FieldguideError, InputError, PendingEditsError


class News:
    """The problem there is, and a bell for those who wait."""

    def __init__(self) -> None:
        self._bell = Condition()
        self._number = 0
        self._problem: Problem | None = None
        self._is_over = False

    @property
    def problem(self) -> Problem | None:
        """Why the site is not up to date; None where it is."""
        return self._problem

    @property
    def number(self) -> int:
        """How often there was news."""
        return self._number

    @property
    def is_over(self) -> bool:
        """Whether there will be no more news."""
        return self._is_over

    def publish(self, problem: Problem | None) -> None:
        """Tell everybody that a build has ended, well or with a problem."""
        with self._bell:
            self._problem = problem
            self._number += 1
            self._bell.notify_all()

    def end(self) -> None:
        """Let everybody go who waits."""
        with self._bell:
            self._is_over = True
            self._bell.notify_all()

    def wait(self, after: int, seconds: float) -> int:
        """Wait until there is news after the number `after`, at most so long; return the number."""
        with self._bell:
            self._bell.wait_for(lambda: self._number > after or self._is_over, seconds)
            return self._number


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
