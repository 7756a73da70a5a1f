"""Rates: of the papers in a row, how many have this and how many have that."""

from __future__ import annotations

from classifier.site.figures.drawing import (
    LETTER,
    WIDE,
    Drawing,
    Label,
    Path,
    box,
    legend,
    line,
    merged,
)
from classifier.site.figures.lettering import fitting
from classifier.site.figures.scale import number
from classifier.survey.document import Figure

_STEP = 13
"""From one bar of a row to the next."""
_VALUES = 74
"""Room behind the longest bar for "12 of 45"."""


def rates(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, all, some, some, …) as bars of some / all; the axis ends at 100 %."""
    parts = len(figure.columns) - 2
    swatches = [(name, f"s{i}") for i, name in enumerate(figure.columns[2:], 1)]
    paths, labels, top = legend(swatches, width)
    beside = width >= WIDE
    longest = max((len(row[0]) for row in figure.rows), default=0)
    left = min(LETTER * longest + 8, width // 2 - 40) if beside else 0
    below = 0 if beside else 17
    step = below + parts * _STEP + 9
    full = width - left - _VALUES
    shapes: list[list[str]] = [[] for _ in range(parts)]
    for index, row in enumerate(figure.rows):
        y = top + index * step
        name_y = y + (13 if not beside else (parts * _STEP + 9) // 2)
        labels.append(Label(0, name_y, fitting(row[0], left or width)))
        of = number(row[1])
        for part, cell in enumerate(row[2:]):
            bar_y = y + below + part * _STEP
            length = full * number(cell) / max(of, 1)
            shapes[part].append(box(left, bar_y + 1, max(length, 1), _STEP - 3))
            labels.append(Label(left + length + 5, bar_y + 10, f"{cell} of {row[1]}", "q t"))
    drawn = [*paths, *_guides(left, full, top, step * len(figure.rows) - 6)]
    for part, boxes in enumerate(shapes, 1):
        drawn += merged(f"s{part}", boxes)
    height = top + step * len(figure.rows) + 12
    ends = (("0", 0.0, "q t"), ("50%", 0.5, "m q t"), ("100%", 1.0, "m q t"))
    labels += [Label(left + full * at, height - 4, text, style) for text, at, style in ends]
    return Drawing(width, height, tuple(drawn), tuple(labels))


def _guides(left: float, full: float, top: float, height: float) -> tuple[Path, ...]:
    at = (left, left + full / 2, left + full)
    return merged("g", (line(x, top - 2, x, top + height + 2) for x in at))
