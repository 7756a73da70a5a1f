"""Bars in parts: a row a name, behind it counts that add up."""

from __future__ import annotations

from classifier.site.figures.drawing import (
    LETTER,
    WIDE,
    Drawing,
    Label,
    Path,
    box,
    fitting,
    legend,
    merged,
    number,
)
from classifier.survey.document import Figure

_BAR = 14
_NUMBERS = 64
"""Room for the counts, flush right."""


def bars(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, count, count, …) as stacked bars; narrow ones below their names."""
    parts = len(figure.columns) - 1
    swatches = [(name, f"s{i}") for i, name in enumerate(figure.columns[1:], 1)]
    paths, labels, top = legend(swatches, width)
    beside = width >= WIDE
    longest = max((len(row[0]) for row in figure.rows), default=0)
    left = min(LETTER * longest + 8, width // 2 - 40) if beside else 0
    step, below = (24, 0) if beside else (38, 17)
    counts = [[number(cell) for cell in row[1:]] for row in figure.rows]
    scale = (width - left - _NUMBERS) / max([sum(row) for row in counts] + [1])
    shapes: list[list[str]] = [[] for _ in range(parts)]
    for index, (row, values) in enumerate(zip(figure.rows, counts, strict=True)):
        y = top + index * step
        labels.append(Label(0, y + 12, fitting(row[0], left or width)))
        labels.append(Label(width, y + below + 12, " + ".join(map(str, values)), "e q"))
        x = float(left)
        for part, value in enumerate(values):
            if value:
                shapes[part].append(box(x, y + below + 1, value * scale, _BAR))
            x += value * scale
    drawn: list[Path] = [*paths]
    for part, boxes in enumerate(shapes, 1):
        drawn += merged(f"s{part}", boxes)
    return Drawing(width, top + step * len(figure.rows) + 4, tuple(drawn), tuple(labels))
