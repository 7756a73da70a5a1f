"""When a word on time is allowed."""

from __future__ import annotations

import doctest
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from classifier.survey import trend
from classifier.survey.edition import Entry
from classifier.survey.material import Material
from classifier.survey.trend import comparable_years, differs, exact_chance, is_dated

MakeEntry = Callable[..., Entry]
MaterialOf = Callable[..., Material]


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(trend).failed == 0


# papers a year (and undated) -> the years that may be compared
YEARS: dict[str, tuple[dict[str, int], list[tuple[str, str]]]] = {
    "too few in one": ({"2023": 19, "2024": 30}, []),
    "enough in both": ({"2023": 20, "2024": 30}, [("2023", "2024")]),
    "the last two pairs": (
        {"2021": 20, "2022": 20, "2023": 20, "2024": 20},
        [("2022", "2023"), ("2023", "2024")],
    ),
    "too many undated": ({"2023": 20, "2024": 20, "": 11}, []),
    "just enough dated": ({"2023": 20, "2024": 20, "": 10}, [("2023", "2024")]),
    "no paper": ({}, []),
}


@pytest.mark.parametrize(("papers", "wanted"), YEARS.values(), ids=YEARS)
def test_which_years_may_be_compared(
    papers: dict[str, int],
    wanted: list[tuple[str, str]],
    make_entry: MakeEntry,
    material_of: MaterialOf,
) -> None:
    dates = [year for year, number in papers.items() for _ in range(number)]
    facts = material_of([make_entry(n, published=d) for n, d in enumerate(dates, 1)]).facts
    assert comparable_years(facts) == wanted
    assert is_dated(facts) == (bool(dates) and dates.count("") <= len(dates) / 5)


def test_equal_shares_do_not_differ() -> None:
    assert not differs((0, 20), (0, 30))
    assert not differs((20, 20), (30, 30))
    assert differs((0, 20), (30, 30))


@pytest.mark.parametrize(
    ("one", "other"), [((7, 48), (9, 210)), ((0, 5), (3, 40)), ((4, 4), (0, 9)), ((2, 10), (2, 10))]
)
def test_what_chance_deals_is_hypergeometric(one: tuple[int, int], other: tuple[int, int]) -> None:
    parts, papers = one[0] + other[0], one[1] + other[1]
    deals = hypergeom(papers, parts, one[1]).pmf(np.arange(one[1] + 1))
    own = deals[one[0]]
    alike = np.isclose(deals, own, rtol=1e-6, atol=0)
    wanted = deals[(deals < own) & ~alike].sum() + deals[alike].sum() / 2
    assert exact_chance(one, other) == pytest.approx(wanted, abs=1e-8)
    assert exact_chance(other, one) == exact_chance(one, other)


@pytest.mark.parametrize("wholes", [(10, 100), (10, 354), (20, 344), (20, 20)])
@pytest.mark.parametrize("share", [0.005, 0.01, 0.03, 0.1, 0.5])
def test_chance_alone_makes_a_difference_in_about_one_of_a_hundred_comparisons(
    wholes: tuple[int, int], share: float
) -> None:
    """However rare the thing is that is counted: both sides are drawn alike."""
    each = [binom(whole, share).pmf(np.arange(whole + 1)) for whole in wholes]
    wrong = math.fsum(
        each[0][a] * each[1][b]
        for a, b in np.argwhere(np.outer(*each) > 1e-6).tolist()
        if differs((a, wholes[0]), (b, wholes[1]))
    )
    assert wrong < 0.013
