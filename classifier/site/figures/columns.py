"""Columns over months, stacked by category."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.site.figures.drawing import LETTER, Drawing, Label, box, legend, line, merged
from classifier.site.figures.scale import number, round_end
from classifier.survey.document import Figure
from classifier.survey.wording import MONTHS

_LEFT = 26
_HEIGHT = 200


def columns(figure: Figure, width: int) -> Drawing:
    """Draw rows of (month, count, count, …) as stacked columns, the first count at the bottom."""
    swatches = [(name, f"s{i}") for i, name in enumerate(figure.columns[1:], 1)]
    paths, labels, top = legend(swatches, width)
    counts = [[number(cell) for cell in row[1:]] for row in figure.rows]
    end = round_end(max((sum(row) for row in counts), default=1))
    step = (width - _LEFT) / max(len(counts), 1)
    foot = top + _HEIGHT
    shapes: list[list[str]] = [[] for _ in figure.columns[1:]]
    for index, values in enumerate(counts):
        y = float(foot)
        for part, value in enumerate(values):
            size = value * _HEIGHT / end
            y -= size
            if value:
                shapes[part].append(box(_LEFT + index * step, y, max(step - 1.5, 1), size))
    ticks = (end,) if end % 2 else (end // 2, end)
    levels = {tick: foot - tick * _HEIGHT / end for tick in (0, *ticks)}
    drawn = [*paths, *merged("g", (line(_LEFT, y, width, y) for y in levels.values()))]
    for part, boxes in enumerate(shapes, 1):
        drawn += merged(f"s{part}", boxes)
    labels += [Label(_LEFT - 6, y + 4, str(tick), "e q") for tick, y in levels.items()]
    labels += _dates([row[0] for row in figure.rows], step, foot + 16)
    return Drawing(width, foot + 24, tuple(drawn), tuple(labels))


def _dates(months: Sequence[str], step: float, y: float) -> list[Label]:
    """Return a year under each January, and the first month where there is room for it.

    A year that would stand out on the right ends with the last month.
    """
    januaries = [index for index, month in enumerate(months) if month.endswith("-01")]
    end = _LEFT + len(months) * step
    labels = [
        Label(x, y, months[index][:4], "q")
        if (x := _LEFT + index * step) + _YEAR_ROOM <= end
        else Label(end, y, months[index][:4], "e q")
        for index in januaries
    ]
    room = (januaries[0] if januaries else len(months)) * step
    if months and room > _MONTH_ROOM:
        labels.insert(
            0, Label(_LEFT, y, f"{MONTHS[int(months[0][5:]) - 1][:3]} {months[0][:4]}", "q")
        )
    return labels


_YEAR_ROOM = 4 * LETTER
_MONTH_ROOM = 66
"""Pixels that "Jul 2022" takes."""
