"""How the figures of metrics.json moved, and whether that is more than noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FIGURES = (
    "decided",
    "primary_accuracy",
    "mean_f1",
    "core_f1",
    "confident_share",
    "confident_accuracy",
    "confidence_cut",
    "ece",
)
"""The figures that are compared, in the order in which they are told."""


@dataclass(frozen=True, slots=True)
class QualityChange:
    """One figure of one facet that is not what it was."""

    facet: str
    figure: str
    before: float | None
    now: float | None
    within_noise: bool | None
    """Whether the two 95 % intervals overlap; None where one is not known."""


def quality_changes(
    before: Mapping[str, Any] | None, now: Mapping[str, Any] | None
) -> tuple[QualityChange, ...]:
    """Return the figures that differ between two metrics.json, facet by facet.

    Facets and figures that only one side has are left out, and all where one side has no metrics.
    """
    facets = [_facets(metrics) for metrics in (before, now)]
    return tuple(
        change
        for facet_id in sorted(facets[0].keys() & facets[1].keys())
        for figure in FIGURES
        if (change := _change(facet_id, figure, facets[0][facet_id], facets[1][facet_id]))
    )


def _facets(metrics: Mapping[str, Any] | None) -> dict[str, Mapping[str, Any]]:
    facets = metrics.get("facets") if metrics else None
    if not isinstance(facets, dict):
        return {}
    return {name: figures for name, figures in facets.items() if isinstance(figures, dict)}


def _change(
    facet_id: str, figure: str, before: Mapping[str, Any], now: Mapping[str, Any]
) -> QualityChange | None:
    if figure not in before or figure not in now or before[figure] == now[figure]:
        return None
    intervals = [_interval(side, figure) for side in (before, now)]
    return QualityChange(
        facet_id, figure, before[figure], now[figure], _overlap(intervals[0], intervals[1])
    )


def _interval(figures: Mapping[str, Any], figure: str) -> tuple[float, float] | None:
    intervals = figures.get("intervals")
    found = intervals.get(figure) if isinstance(intervals, dict) else None
    if isinstance(found, list) and len(found) == 2 and None not in found:
        return float(found[0]), float(found[1])
    return None


def _overlap(one: tuple[float, float] | None, other: tuple[float, float] | None) -> bool | None:
    if one is None or other is None:
        return None
    return one[0] <= other[1] and other[0] <= one[1]
