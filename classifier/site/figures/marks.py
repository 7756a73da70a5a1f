"""Draw charts with a mark per paper: the evidence on claims, and benchmark scores over time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from classifier.site.figures.drawing import (
    WIDE,
    Drawing,
    Label,
    Mark,
    Path,
    disc_path,
    line_path,
    merge_shapes,
    wrap_text,
)
from classifier.survey.document import Figure, Point

_SIDES = ("against", "mixed", "for")
"""Sides of evidence, from left to right."""
_LINE, _ROW_GAP = 15, 10
_MAX_STEP, _SIDE_GAP = 12, 10


def draw_sides(figure: Figure, width: int) -> Drawing:
    """Draw rows of (claim, proposition, for, …) as dots, with one column per side of the evidence.

    In a wide picture, propositions are to the left of the dots; in a narrow picture, above them.
    Pages show a table with links instead.
    """
    n_columns = [max(_papers_on_side(points, side) for points in figure.points) for side in _SIDES]
    is_wide = width >= WIDE
    left = width * 0.5 if is_wide else 0
    room = width - left - 2 * _SIDE_GAP
    step = min(_MAX_STEP, room / max(sum(n_columns), 1))
    starts = [left]
    for number in n_columns[:-1]:
        starts.append(starts[-1] + number * step + _SIDE_GAP)
    labels = [
        Label(starts[at], 12, _SIDES[at].capitalize(), "q t") for at in range(3) if n_columns[at]
    ]
    marks: list[Mark] = []
    rules: list[str] = []
    y = 24.0
    for row, points in zip(figure.rows, figure.points, strict=True):
        lines = wrap_text(row[1], left - 16 if is_wide else width)
        labels += [Label(0, y + 10 + _LINE * at, text) for at, text in enumerate(lines)]
        centre = y + (_LINE * len(lines) / 2 if is_wide else _LINE * len(lines) + 8)
        for at, side in enumerate(_SIDES):
            papers = [point for point in points if point.style == side]
            first = starts[at]
            if side == "against":  # This column is flush right, next to the middle.
                first += (n_columns[at] - len(papers)) * step
            marks += [
                Mark(first + (place + 0.5) * step, centre, min(4.5, 0.42 * step), side, point)
                for place, point in enumerate(papers)
            ]
        y += _LINE * len(lines) + (_ROW_GAP if is_wide else 28)
        rules.append(line_path(0, y - _ROW_GAP / 2, width, y - _ROW_GAP / 2))
    return Drawing(width, round(y), tuple(merge_shapes("g", rules)), tuple(labels), tuple(marks))


def _papers_on_side(points: Sequence[Point], side: str) -> int:
    """Return the number of papers on a side."""
    return sum(point.style == side for point in points)


_PANEL_HEIGHT, _HEAD, _FOOT, _LEFT = 220, 26, 26, 34
_MIN_RADIUS, _MAX_RADIUS = 4.0, 15.0
_RIGHT = 24
"""Space for half of the last month's label, in pixels."""
_TEN = 10
_MAX_TICKS = 7
_LEGEND_HEIGHT, _LEGEND_LEFT, _LEGEND_STEP = 38, 100, 110
_MONTH_LABEL = 60
"""Width of a month's label, in pixels."""


@dataclass(frozen=True, slots=True)
class _Panel:
    """The axes of one benchmark: months from left to right, scores from bottom to top."""

    months: tuple[int, int]
    """First and last month, as numbers of months."""
    levels: tuple[int, int]
    """Lowest and highest level."""
    width: int
    foot: float
    """Position of the horizontal axis."""

    def x(self, month: int) -> float:
        """Return the horizontal position of a month."""
        first, last = self.months
        inner = self.width - _LEFT - _MAX_RADIUS - _RIGHT
        return _LEFT + _MAX_RADIUS + inner * (month - first) / (last - first)

    def y(self, level: float) -> float:
        """Return the vertical position of a level."""
        low, high = self.levels
        return self.foot - _PANEL_HEIGHT * (level - low) / (high - low)

    @property
    def ticks(self) -> range:
        """The scores with a label: multiples of ten or twenty."""
        low, high = self.levels
        step = _TEN if high - low < _TEN * _MAX_TICKS else 2 * _TEN
        return range(low, high + 1, step)


def draw_levels(figure: Figure, width: int) -> Drawing:
    """Draw rows of (benchmark, month, level, billions of parameters, paper), a panel per benchmark.

    No line connects the marks, because the papers differ in system and budget.
    """
    paths: list[Path] = []
    labels: list[Label] = []
    marks: list[Mark] = []
    sizes = [float(row[3]) for row in figure.rows if row[3]]
    largest = max(sizes, default=1.0)
    top = 0.0
    numbered = zip(figure.rows, figure.points, strict=True)
    for name, group in groupby(numbered, key=lambda each: each[0][0]):
        rows = list(group)
        months = [_month_index(row[1]) for row, _ in rows]
        panel = _Panel(
            (min(months), max(max(months), min(months) + 1)),
            _tens_around([float(row[2]) for row, _ in rows]),
            width,
            top + _HEAD + _PANEL_HEIGHT,
        )
        labels.append(Label(0, top + 14, f"{name}, level in %", "b"))
        labels += _axis_labels(panel)
        rules = [line_path(_LEFT, panel.y(tick), width, panel.y(tick)) for tick in panel.ticks]
        paths += merge_shapes("g", rules)
        for row, (point,) in rows:
            x, y = panel.x(_month_index(row[1])), panel.y(float(row[2]))
            radius = _circle_radius(float(row[3]), largest) if row[3] else _MIN_RADIUS
            marks.append(Mark(x, y, radius, "sized" if row[3] else "ring", point))
        top = panel.foot + _FOOT
    if sizes:
        labels.append(Label(0, top + 24, "Parameters:", "q"))
        for at, size in enumerate(sorted({min(sizes), max(sizes)})):
            x, radius = _LEGEND_LEFT + at * _LEGEND_STEP, _circle_radius(size, largest)
            paths.append(Path("sized", disc_path(x, top + 20, radius)))
            labels.append(Label(x + radius + 6, top + 24, f"{size:g} billion", "q"))
        top += _LEGEND_HEIGHT
    # Large marks come first, so that they do not cover small ones.
    marks.sort(key=lambda mark: -mark.radius)
    return Drawing(width, round(top), tuple(paths), tuple(labels), tuple(marks))


def _axis_labels(panel: _Panel) -> Iterator[Label]:
    """Yield the labels of both axes."""
    for tick in panel.ticks:
        yield Label(_LEFT - 6, panel.y(tick) + 4, str(tick), "e q t")
    first, last = panel.months
    step = max(1, math.ceil((last - first) * _MONTH_LABEL / (panel.width - _LEFT)))
    for month in range(first, last + 1, step):
        label = f"{month // 12}-{month % 12 + 1:02}"
        yield Label(panel.x(month), panel.foot + 18, label, "m q t")


def _month_index(text: str) -> int:
    """Return the number of months since the year 0.

    >>> _month_index("2025-08") - _month_index("2024-12")
    8
    """
    return int(text[:4]) * 12 + int(text[5:7]) - 1


def _tens_around(values: Sequence[float]) -> tuple[int, int]:
    """Return the multiples of ten just below and just above all values.

    >>> _tens_around([34.4, 65.8]), _tens_around([50.0])
    ((30, 70), (40, 60))
    """
    low = math.floor(min(values) / _TEN) * _TEN
    high = math.ceil(max(values) / _TEN) * _TEN
    return (low, high) if low < high else (low - _TEN, high + _TEN)


def _circle_radius(size: float, largest_size: float) -> float:
    """Return the radius of a circle whose area is proportional to the size."""
    return max(_MIN_RADIUS, _MAX_RADIUS * math.sqrt(size / largest_size))
