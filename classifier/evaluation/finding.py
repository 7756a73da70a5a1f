"""One thing about a taxonomy that is worth changing, with the figures that say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["weak", "everywhere", "shared", "unseen", "pair", "bare", "idle", "silent"]


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one kind: what they have in common."""

    kind: Kind
    title: str
    rule: str
    """When a finding of this kind is made, for people."""
    gathers: bool = False
    """Whether a finding is of several cues; its worth says of how many."""

    def count(self, findings: Sequence[Finding]) -> int:
        """Return how many of what the title names are in the findings of this kind."""
        return round(sum(one.worth for one in findings)) if self.gathers else len(findings)


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece of advice; none of it is an error."""

    kind: Kind
    facet: str
    category: str
    """Id of the category that it is about; "" where it is about papers of none."""
    file: str
    line: int
    found: str
    cure: str
    worth: float
    """How much a change would do, in papers: findings of one kind are ranked by it."""
    view: str = ""
    """The view of the cue that it is about; "" where it is about no single cue."""
    cue: str = ""
    notes: tuple[str, ...] = ()
    """More figures, a line each."""
    papers: tuple[str, ...] = ()
    """Titles of papers to look at."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.found}. {self.cure}".rstrip()


def ranked(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings by worth, then in reading order."""
    return sorted(findings, key=lambda finding: (-finding.worth, finding.line, finding.found))


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names with commas, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
