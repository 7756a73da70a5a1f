"""Heat maps with numbers: a shade says about how many, the number says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classifier.site.figures.drawing import (
    LETTER,
    WIDE,
    Drawing,
    Label,
    Path,
    box,
    fitting,
    merged,
    number,
    short_name,
)
from classifier.survey.document import Figure

LEVELS = 5
_LIGHT_ON_DARK = 4
"""From this level on the number is written in light."""
_NARROWEST, _WIDEST = 23, 44


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the parts of a heat map lie, in pixels."""

    left: int
    """Where the cells of a row start."""
    top: int
    """Where the first row starts."""
    cell: int
    """From one column to the next."""
    step: int
    """From one row to the next."""
    below: int
    """How far below its label a row's cells start; 0 where they stand beside it."""


def heat_map(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, count, count, …).

    Narrow, the cells of a row stand below its name and columns are numbered, with a key on top.
    """
    across = len(figure.columns) - 1
    grid, heads = _wide(figure, width) if width >= WIDE else _narrow(figure, width)
    counts = [[number(cell) for cell in row[1:]] for row in figure.rows]
    tops = [grid.top + index * grid.step for index in range(len(counts))]
    names = [
        Label(0, top + (13 if grid.below else 16), fitting(row[0], grid.left or width))
        for row, top in zip(figure.rows, tops, strict=True)
    ]
    bands = merged("l0", (box(grid.left, y + grid.below, across * grid.cell - 2, 22) for y in tops))
    cells, numbers = _cells(counts, grid)
    right = max(width, round(grid.left + across * grid.cell))
    height = round(grid.top + len(counts) * grid.step + 2)
    return Drawing(right, height, (*bands, *cells), (*heads, *names, *numbers))


def _cells(counts: Sequence[Sequence[int]], grid: Grid) -> tuple[list[Path], list[Label]]:
    """Return the cells that are not empty, shade by shade, and the numbers in them."""
    most = max((count for row in counts for count in row), default=0)
    shapes: dict[int, list[str]] = {level: [] for level in range(1, LEVELS + 1)}
    labels: list[Label] = []
    for row, values in enumerate(counts):
        y = grid.top + row * grid.step + grid.below
        for column, count in enumerate(values):
            if not count:
                continue
            x = grid.left + column * grid.cell
            level = level_of(count, most)
            shapes[level].append(box(x, y, grid.cell - 2, 22))
            style = "m v" if level >= _LIGHT_ON_DARK else "m"
            labels.append(Label(x + (grid.cell - 2) // 2, y + 15, str(count), style))
    return [path for level in shapes for path in merged(f"l{level}", shapes[level])], labels


def level_of(count: int, most: int) -> int:
    """Return the shade of a count: 0 for none, 1 to 5, the most.

    >>> [level_of(n, 20) for n in (0, 1, 4, 5, 20)]
    [0, 1, 1, 2, 5]
    """
    return -(-count * LEVELS // max(most, 1))


def _wide(figure: Figure, width: int) -> tuple[Grid, list[Label]]:
    """Names beside the rows and turned heads over the columns."""
    heads = [short_name(head) for head in figure.columns[1:]]
    longest = max((len(row[0]) for row in figure.rows), default=0)
    left = min(LETTER * longest + 10, 300)
    cell = int(min(_WIDEST, max(_NARROWEST, (width - left) / len(heads))))
    top = LETTER * max(map(len, heads)) + 10
    labels = [
        Label(left + index * cell + cell // 2 + 3, top - 6, head, "q", is_turned=True)
        for index, head in enumerate(heads)
    ]
    return Grid(left, top, cell, 24, 0), labels


def _narrow(figure: Figure, width: int) -> tuple[Grid, list[Label]]:
    """Numbered columns and a key to them, two names a line where they are short."""
    keys = [f"{number} {name}" for number, name in enumerate(figure.columns[1:], 1)]
    cell = min(_WIDEST, width // len(keys))
    a_line = 2 if max(map(len, keys)) * LETTER < width / 2 else 1
    labels = [Label(0, 13, "Columns", "b")]
    labels += [
        Label(index % a_line * width // 2, 30 + index // a_line * 16, fitting(key, width), "q")
        for index, key in enumerate(keys)
    ]
    top = 56 + -(-len(keys) // a_line) * 16
    labels += [
        Label(index * cell + (cell - 2) // 2, top - 8, str(index + 1), "m q")
        for index in range(len(keys))
    ]
    return Grid(0, top, cell, 44, 17), labels
