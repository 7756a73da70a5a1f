"""Heat maps with numbers: a shade says about how many, the number says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classifier.site.figures.drawing import LETTER, WIDE, Drawing, Label, Path, box, merged
from classifier.site.figures.lettering import fitting, short_name
from classifier.site.figures.scale import number
from classifier.survey.document import Figure

LEVELS = 5
_LIGHT_ON_DARK = 4
"""From this level on the number is written in light."""
_NARROWEST, _WIDEST = 23, 44
_STEEP, _FLAT = 0.87, 0.5
"""Sine and cosine of the 60 degrees by which a column head is turned."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the parts of a heat map lie, in pixels."""

    left: float
    """Where the cells of a row start."""
    top: float
    """Where the first row starts."""
    cell: float
    """From one column to the next."""
    step: float
    """From one row to the next."""
    below: float
    """How far below its label a row's cells start; 0 where they stand beside it."""
    height: float
    """Of a cell."""


def heat_map(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, count, count, …).

    Narrow, the cells of a row stand below its name and columns are numbered, with a key on top.
    """
    heads = figure.columns[1:]
    if width >= WIDE:
        grid, labels = _wide(figure, width)
    else:
        grid, labels = _narrow(heads, width)
    counts = [[number(cell) for cell in row[1:]] for row in figure.rows]
    most = max((count for row in counts for count in row), default=0)
    cells: dict[int, list[str]] = {level: [] for level in range(LEVELS + 1)}
    for row, values in enumerate(counts):
        y = grid.top + row * grid.step + grid.below
        name_y = grid.top + row * grid.step + (13 if grid.below else 16)
        labels.append(Label(0, name_y, fitting(figure.rows[row][0], grid.left or width)))
        for column, count in enumerate(values):
            x = grid.left + column * grid.cell
            level = level_of(count, most)
            cells[level].append(box(x, y, grid.cell - 2, grid.height))
            if count:
                style = "m v" if level >= _LIGHT_ON_DARK else "m k"
                labels.append(Label(x + (grid.cell - 2) / 2, y + 15, str(count), style))
    paths: list[Path] = [path for n in cells for path in merged(f"l{n}", cells[n])]
    right = max(width, round(grid.left + len(heads) * grid.cell))
    height = round(grid.top + len(counts) * grid.step + 2)
    return Drawing(right, height, tuple(paths), tuple(labels))


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
    left = min(LETTER * longest + 10, 250)
    overhang = _FLAT * LETTER * len(heads[-1])
    room = (width - left - overhang) / len(heads)
    cell = int(min(_WIDEST, max(_NARROWEST, room)))
    top = round(_STEEP * LETTER * max(map(len, heads))) + 14
    labels = [
        Label(left + index * cell + cell // 2 + 2, top - 6, head, "q", is_turned=True)
        for index, head in enumerate(heads)
    ]
    return Grid(left, top, cell, 24, 0, 22), labels


def _narrow(heads: Sequence[str], width: int) -> tuple[Grid, list[Label]]:
    """Numbered columns and a key to them, two names a line."""
    cell = min(_WIDEST, width / len(heads))
    labels = [Label(0, 13, "Columns", "b")]
    half = width / 2
    for index, head in enumerate(heads):
        text = fitting(f"{index + 1} {head}", half - 4)
        labels.append(Label(index % 2 * half, 30 + index // 2 * 16, text, "q"))
    top = 36 + -(-len(heads) // 2) * 16 + 14
    labels += [
        Label(index * cell + (cell - 2) / 2, top - 4, str(index + 1), "m q")
        for index in range(len(heads))
    ]
    return Grid(0, top, cell, 44, 17, 22), labels
