from __future__ import annotations

from typing import Any

import pytest

from classifier.survey.changes.compare import QualityChange, quality_changes


def metrics(value: float, interval: list[float | None] | None = None) -> dict[str, Any]:
    figures: dict[str, Any] = {"decided": 40, "mean_f1": value}
    if interval:
        figures["intervals"] = {"mean_f1": interval}
    return {"facets": {"topic": figures}}


@pytest.mark.parametrize(
    ("before", "now", "within_noise"),
    [
        (metrics(0.7, [0.6, 0.8]), metrics(0.75, [0.65, 0.85]), True),
        (metrics(0.5, [0.4, 0.65]), metrics(0.75, [0.65, 0.85]), True),  # they touch
        (metrics(0.75, [0.65, 0.85]), metrics(0.5, [0.4, 0.65]), True),
        (metrics(0.5, [0.4, 0.6]), metrics(0.75, [0.65, 0.85]), False),
        (metrics(0.75, [0.65, 0.85]), metrics(0.5, [0.4, 0.6]), False),
        (metrics(0.5), metrics(0.75, [0.65, 0.85]), None),
        (metrics(0.5, [None, None]), metrics(0.75, [0.65, 0.85]), None),
    ],
)
def test_a_figure_moves_within_noise_where_the_intervals_overlap(
    before: dict[str, Any], now: dict[str, Any], within_noise: bool | None
) -> None:
    old, new = before["facets"]["topic"]["mean_f1"], now["facets"]["topic"]["mean_f1"]
    change = QualityChange("topic", "mean_f1", old, new, within_noise)
    assert quality_changes(before, now) == (change,)


@pytest.mark.parametrize(
    "other", [None, {}, {"facets": []}, {"facets": {"kind": {"mean_f1": 1}}}, metrics(0.7)]
)
def test_what_is_equal_or_on_one_side_only_is_left_out(other: dict[str, Any] | None) -> None:
    assert quality_changes(metrics(0.7), other) == ()
