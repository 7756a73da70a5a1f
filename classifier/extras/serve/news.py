"""What open pages wait for: a new survey, a problem, or that there is none any more."""

from __future__ import annotations

from threading import Condition

from classifier.extras.serve.problem import Problem


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
