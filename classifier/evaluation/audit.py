"""Estimate the accuracy of labels from audited papers, a reviewed random sample."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

MIN_AUDITED = 30
"""Minimum number of audited papers for an estimate."""
_Z = 1.959964
"""Standard deviations of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class AuditEstimate:
    """The classifier's accuracy on audited papers, in one facet."""

    facet: str
    """Id of the facet."""
    audited: int
    """Number of audited papers."""
    right: int
    """Number of audited papers whose primary a model predicts right that has not learned from the
    decision."""

    @property
    def n_missing(self) -> int:
        """Number of further papers to audit before an estimate is possible."""
        return max(0, MIN_AUDITED - self.audited)

    @property
    def accuracy(self) -> float:
        """Share of correct labels, 0 to 1."""
        return self.right / self.audited

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the accuracy (Wilson, "Probable inference", JASA 22, 1927)."""
        n, share = self.audited, self.accuracy
        middle = share + _Z**2 / (2 * n)
        half = _Z * sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
        low, high = (middle - half) / (1 + _Z**2 / n), (middle + half) / (1 + _Z**2 / n)
        return max(0.0, low), min(1.0, high)
