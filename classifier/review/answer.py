"""One thing that a person says of a paper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """The full list for one facet, or an editorial act."""

    facet: str
    """A facet of the taxonomy, or `exclude`, `remark`, `key`, `note`."""
    values: tuple[str, ...]
    """Category ids, the filed one first, a child behind its top category, or `none` alone where
    nothing is stated; of an act one text, which is empty where it is withdrawn."""
    primary: str = ""
    """The top category that the paper is filed under, of the first facet."""
    said: str = ""
    """What was read into the cell, for the report: `filed under safety, as shown`."""

    def says_as_much_as(self, other: Answer) -> bool:
        """Say whether two answers mean the same, whatever their order and words."""
        return (self.facet, set(self.values), self.primary) == (
            other.facet,
            set(other.values),
            other.primary,
        )
