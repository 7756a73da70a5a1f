"""When the survey may speak of a change over time."""

from __future__ import annotations

import math
from itertools import pairwise

from classifier.survey.facts.facts import Facts
from classifier.survey.facts.terms import UNDATED

LEAST_DATED = 0.8
"""Share of the papers that must be dated before anything is said of time."""
LEAST_PAPERS = 20
"""Papers of a year before it is compared with another."""
_MOST_PAIRS = 2
_DEVIATIONS = 2.5
"""Standard errors between two shares: chance alone exceeds them in about one of a hundred."""


def is_dated(facts: Facts) -> bool:
    """Say whether enough papers are dated for a word on time."""
    return facts.number("papers.dated") >= LEAST_DATED * facts.number("papers.total") > 0


def comparable_years(facts: Facts) -> list[tuple[str, str]]:
    """Return the last two pairs of neighbouring years that both hold papers enough, in order.

    None where too few papers are dated.
    """
    if not is_dated(facts):
        return []
    years = [year for year in facts.values("year") if year != UNDATED]
    held = {year for year in years if facts.count(year=year) >= LEAST_PAPERS}
    return [pair for pair in pairwise(years) if held.issuperset(pair)][-_MOST_PAIRS:]


def differs(before: tuple[int, int], after: tuple[int, int]) -> bool:
    """Say whether two shares, each as (part, whole), differ beyond chance: the two-proportion z.

    >>> differs((2, 50), (40, 100)), differs((5, 50), (12, 100))
    (True, False)
    """
    pooled = (before[0] + after[0]) / (before[1] + after[1])
    error = math.sqrt(pooled * (1 - pooled) * (1 / before[1] + 1 / after[1]))
    return abs(before[0] / before[1] - after[0] / after[1]) > _DEVIATIONS * error > 0
