"""A paper drawn for review."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draw:
    """A paper to review, and why."""

    paper_id: str
    why: str
    """In words, for the reviewer."""
