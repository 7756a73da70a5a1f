"""Charts of bars: in parts, a row a name; and small multiples, a panel a category."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.site.figures.drawing import (
    LETTER,
    WIDE,
    Drawing,
    Label,
    Path,
    box,
    fitting,
    in_lines,
    legend,
    line,
    merged,
    number,
    round_end,
)
from classifier.survey.document import Figure

_HEIGHT, _LEFT, _GAP = 64, 20, 16
_HEAD, _FOOT = 38, 26
_FIRST_HEIGHT = 120


def panels(figure: Figure, width: int) -> Drawing:
    """Draw rows of (quarter, all, one category, another, …).

    All papers stand in a panel of their own over the full width, with a scale of its own.
    """
    quarters = [row[0] for row in figure.rows]
    series = [[number(row[at]) for row in figure.rows] for at in range(1, len(figure.columns))]
    across = 3 if width >= WIDE else 2
    each = (width - _GAP * (across - 1)) / across
    names = [in_lines(name, (each - 34) * 7 / 8) for name in figure.columns[2:]]
    head = _HEAD + 14 * max(0, max(map(len, names), default=0) - 2)
    end = round_end(max((max(counts, default=0) for counts in series[1:]), default=1))
    shapes: list[str] = []
    lines: list[str] = []
    labels: list[Label] = []

    def draw(at: int, x: float, y: float, size: tuple[float, int], most: int) -> None:
        wide, high = size
        counts = series[at]
        for place, text in enumerate(names[at - 1] if at else [figure.columns[1]]):
            labels.append(Label(x, y + 12 + 14 * place, text, "b"))
        labels.append(Label(x + wide, y + 12, f"{sum(counts):,}", "e q"))
        foot = y + (head if at else _HEAD) + high
        step = (wide - _LEFT) / max(len(counts), 1)
        for tick in (0, most):
            level = foot - tick * high / most
            lines.append(line(x + _LEFT, level, x + wide, level))
            labels.append(Label(x + _LEFT - 5, level + 4, str(tick), "e q t"))
        for index, count in enumerate(counts):
            if count:
                tall = count * high / most
                left = x + _LEFT + index * step
                shapes.append(box(left, foot - tall, max(step - 1.5, 1), tall))
        labels.extend(_years(quarters, x + _LEFT, step, foot + 14))

    if series:
        draw(0, 0, 0, (width, _FIRST_HEIGHT), round_end(max(series[0], default=1)))
    top = _HEAD + _FIRST_HEIGHT + _FOOT + 6
    for at in range(1, len(series)):
        row, column = divmod(at - 1, across)
        y = top + row * (head + _HEIGHT + _FOOT)
        draw(at, column * (each + _GAP), y, (each, _HEIGHT), end)
    height = top + -(-max(len(series) - 1, 0) // across) * (head + _HEIGHT + _FOOT)
    paths = (*merged("g", lines), *merged("s1", shapes))
    return Drawing(width, round(height), paths, tuple(labels))


def _years(quarters: Sequence[str], left: float, step: float, y: float) -> list[Label]:
    """Return a year under each first quarter, as far as there is room up to the next."""
    firsts = [at for at, quarter in enumerate(quarters) if quarter.endswith("Q1")]
    end = left + len(quarters) * step
    return [
        Label(left + at * step, y, f"’{quarters[at][2:4]}", "q t")
        for at in firsts
        if left + at * step + 16 <= end
    ]


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
