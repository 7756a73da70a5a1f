"""Shares over time: a small line chart a category, all on one scale."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.site.figures.drawing import WIDE, Drawing, Label, Path, dot, line, merged, px
from classifier.site.figures.lettering import fitting
from classifier.site.figures.scale import number, round_end
from classifier.survey.document import Figure

_LEFT, _RIGHT = 34, 36
_HEAD, _LINES, _FOOT, _GAP = 30, 84, 22, 16

Point = tuple[float, float]


def panels(figure: Figure, width: int) -> Drawing:
    """Draw rows of (quarter, papers, share, share, …); a row without shares leaves a gap."""
    across = 3 if width >= WIDE else 1
    panel_width = (width - _GAP * (across - 1)) / across
    panel_height = _HEAD + _LINES + _FOOT + _GAP
    most = max((number(cell) for row in figure.rows for cell in row[2:]), default=0)
    end = round_end(max(most, 10))
    paths: list[Path] = []
    labels: list[Label] = []
    names = figure.columns[2:]
    for index, name in enumerate(names):
        x = index % across * (panel_width + _GAP)
        y = index // across * panel_height
        cells = [(row[0], row[2 + index]) for row in figure.rows]
        drawn, written = _panel(name, cells, (x, y), panel_width, end)
        paths += drawn
        labels += written
    height = -(-len(names) // across) * panel_height - _GAP
    return Drawing(width, height, tuple(paths), tuple(labels))


def _panel(
    name: str, cells: Sequence[tuple[str, str]], corner: Point, width: float, end: int
) -> tuple[list[Path], list[Label]]:
    """Draw the shares of one category, the last one written out."""
    x, y = corner
    left, right = x + _LEFT, x + width - _RIGHT
    top, foot = y + _HEAD, y + _HEAD + _LINES
    step = (right - left) / max(len(cells) - 1, 1)
    points = [
        (left + index * step, foot - number(share) * _LINES / end) if share else None
        for index, (_, share) in enumerate(cells)
    ]
    stated = [point for point in points if point]
    last = next((share for _, share in reversed(cells) if share), "")
    paths = [
        *merged("g", (line(left, level, right, level) for level in (top, foot))),
        *merged("c", _runs(points)),
        *merged("s1", (dot(*point, 3 if point is stated[-1] else 2) for point in stated)),
    ]
    labels = [
        Label(x, y + 13, fitting(name, width), "b"),
        Label(left - 6, top + 4, f"{end}%", "e q"),
        Label(left - 6, foot + 4, "0", "e q"),
        Label(left, foot + 18, cells[0][0].replace("-", " "), "q"),
        Label(right, foot + 18, cells[-1][0].replace("-", " "), "e q"),
    ]
    if stated:
        labels.append(Label(stated[-1][0] + 7, stated[-1][1] + 4, last))
    return paths, labels


def _runs(points: Sequence[Point | None]) -> list[str]:
    """Return the points as lines that break where a point is missing."""
    data: list[str] = []
    before: Point | None = None
    for point in points:
        if point:
            data.append(f"{'L' if before else 'M'}{px(point[0])} {px(point[1])}")
        before = point
    return data
