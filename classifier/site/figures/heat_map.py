"""Heat maps with numbers: a shade says about how many, the number says it."""

from __future__ import annotations

from classifier.site.figures.drawing import (
    LETTER,
    Drawing,
    Label,
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
_NARROWEST, _WIDEST, _STEP = 23, 44, 24


def heat_map(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, count, count, …): names beside the rows, turned heads over columns.

    Pages show a table of shaded cells instead; this is what survey.md, PDF and LaTeX have.
    """
    heads = [short_name(head) for head in figure.columns[1:]]
    longest = max((len(row[0]) for row in figure.rows), default=0)
    left = min(LETTER * longest + 10, 300)
    cell = int(min(_WIDEST, max(_NARROWEST, (width - left) / len(heads))))
    top = LETTER * max(map(len, heads)) + 10
    labels = [
        Label(left + at * cell + cell // 2 + 3, top - 6, head, "q", is_turned=True)
        for at, head in enumerate(heads)
    ]
    counts = [[number(text) for text in row[1:]] for row in figure.rows]
    most = max((count for row in counts for count in row), default=0)
    shapes: dict[int, list[str]] = {level: [] for level in range(LEVELS + 1)}
    numbers: list[Label] = []
    for row, (name, values) in enumerate(zip(figure.rows, counts, strict=True)):
        y = top + row * _STEP
        labels.append(Label(0, y + 16, fitting(name[0], left)))
        shapes[0].append(box(left, y, len(heads) * cell - 2, 22))
        for at, count in enumerate(values):
            if count:
                level, x = level_of(count, most), left + at * cell
                shapes[level].append(box(x, y, cell - 2, 22))
                style = "m v" if level >= _LIGHT_ON_DARK else "m"
                numbers.append(Label(x + (cell - 2) // 2, y + 15, str(count), style))
    paths = [path for level in shapes for path in merged(f"l{level}", shapes[level])]
    right, height = max(width, left + len(heads) * cell), top + len(counts) * _STEP + 2
    return Drawing(right, height, tuple(paths), (*labels, *numbers))


def level_of(count: int, most: int) -> int:
    """Return the shade of a count: 0 for none, 1 to 5, the most.

    >>> [level_of(n, 20) for n in (0, 1, 4, 5, 20)]
    [0, 1, 1, 2, 5]
    """
    return -(-count * LEVELS // max(most, 1))
