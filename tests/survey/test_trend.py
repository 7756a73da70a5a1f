"""When a word on time is allowed."""

from __future__ import annotations

import doctest
from collections.abc import Callable

import pytest

from classifier.survey import trend
from classifier.survey.edition import Entry
from classifier.survey.material import Material
from classifier.survey.trend import comparable_years, differs, is_dated

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
