from __future__ import annotations

import math

from classifier.evaluation.metrics import Figure
from classifier.evaluation.wording import aligned, interval, number


def test_what_is_undefined_is_a_dash_and_has_no_interval() -> None:
    assert (number(math.nan), interval(Figure(math.nan, math.nan, math.nan))) == ("–", "")
    assert (number(0.0449, 3), interval(Figure(0.5, 0.4, 0.6), 1)) == ("0.045", "0.4–0.6")


def test_columns_stand_below_each_other_without_blanks_behind() -> None:
    assert aligned([["", "n"], ["rain", "10"], ["hail", ""]]) == ["       n", "rain  10", "hail"]
