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
_CHANCE = math.erfc(_DEVIATIONS / math.sqrt(2))
"""How often exactly, where papers are many."""
_AS_LIKELY = 1e-7
"""Two deals are alike in likelihood up to such a part: their logarithms have last digits."""


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
    """Say whether two shares, each as (part, whole), differ beyond chance.

    By the two-proportion z and, at the same level, exactly: where few papers have a thing, one more
    of them is many deviations, and chance alone gives it often.

    >>> differs((2, 50), (40, 100)), differs((5, 50), (12, 100)), differs((1, 10), (3, 354))
    (True, False, False)
    """
    pooled = (before[0] + after[0]) / (before[1] + after[1])
    error = math.sqrt(pooled * (1 - pooled) * (1 / before[1] + 1 / after[1]))
    apart = abs(before[0] / before[1] - after[0] / after[1])
    return apart > _DEVIATIONS * error > 0 and exact_chance(before, after) <= _CHANCE


def exact_chance(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return how often chance alone deals the parts as unevenly to the wholes, or more so.

    Fisher's exact test, both sides, as mid-p: over all deals of one[0] + other[0] parts among
    one[1] + other[1] papers, those less likely than this one, and half of those as likely, since
    all of them would be wrong less often than is said (Lancaster, "Significance tests in discrete
    distributions", JASA 56, 1961). 0 to 1, nine digits.
    """
    parts, papers = one[0] + other[0], one[1] + other[1]
    every, least = _log_ways(papers, parts), max(0, parts - other[1])
    deals = [
        math.exp(_log_ways(one[1], here) + _log_ways(other[1], parts - here) - every)
        for here in range(least, min(one[1], parts) + 1)
    ]
    own = deals[one[0] - least]
    rarer = math.fsum(deal for deal in deals if deal < own * (1 - _AS_LIKELY))
    alike = math.fsum(deal for deal in deals if abs(deal - own) <= own * _AS_LIKELY)
    return round(rarer + alike / 2, 9)


def _log_ways(papers: int, chosen: int) -> float:
    """Return the logarithm of how many choices there are of so many papers."""
    return math.lgamma(papers + 1) - math.lgamma(chosen + 1) - math.lgamma(papers - chosen + 1)
