"""The files of a figure, two pictures and its numbers: charts of bars, small multiples of a panel a
category, heat maps, the flow of records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jinja2 import Environment

from classifier.files.table import csv_bytes
from classifier.site.figures.drawing import (
    LETTER,
    NARROW,
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
    px,
    round_end,
    short_name,
)
from classifier.site.figures.marks import levels, sides
from classifier.site.markup import plain_text
from classifier.survey.document import Chart, Document, Figure
from classifier.survey.figures import KEPT, PART

_HEIGHT, _LEFT, _GAP = 64, 20, 16
_HEAD, _FOOT = 38, 26
_FIRST_HEIGHT = 120


def panels(figure: Figure, width: int) -> Drawing:
    """Draw rows of (quarter, all, one category, another, …).

    All papers have a panel over the full width, with its own scale.
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
    assert parts <= 2, "a part more needs a colour s3 in colours.py and style.css"
    swatches = [(name, f"s{i}") for i, name in enumerate(figure.columns[1:], 1)]
    paths, labels, top = legend(swatches, width)
    offset = width >= WIDE
    longest = max((len(row[0]) for row in figure.rows), default=0)
    left = min(LETTER * longest + 8, width // 2 - 40) if offset else 0
    step, below = (24, 0) if offset else (38, 17)
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
    for part, boxes in enumerate(shapes, 1):
        paths += merged(f"s{part}", boxes)
    return Drawing(width, top + step * len(figure.rows) + 4, tuple(paths), tuple(labels))


_BETWEEN, _BOX_HEIGHT, _DROP = 26, 62, 24
_TIP = 5


@dataclass(frozen=True, slots=True)
class Place:
    """Position of a step."""

    x: float
    y: float
    kind: str
    text: str
    count: str


def flow(figure: Figure, width: int) -> Drawing:
    """Draw rows of (kept | set aside | of these, step, count).

    Wide, what is kept runs from left to right; narrow, from the top down, the rest to its right.
    """
    kept = sum(row[0] == KEPT for row in figure.rows)
    is_wide = width >= WIDE
    box_width = (width - _BETWEEN * (kept - 1)) / kept if is_wide else (width - _BETWEEN) / 2
    places = list(_places(figure, box_width, is_wide))
    paths: list[Path] = []
    labels: list[Label] = []
    for place in places:
        style = {KEPT: "f", PART: "p"}.get(place.kind, "a")
        paths.append(Path(style, box(place.x + 0.5, place.y + 0.5, box_width - 1, _BOX_HEIGHT - 1)))
        labels.append(Label(place.x + 10, place.y + 23, f"{int(place.count):,}", "n"))
        for row, text in enumerate(in_lines(place.text, box_width - 16)[:2]):
            labels.append(Label(place.x + 10, place.y + 39 + 14 * row, text, "q"))
    paths += _arrows(places, box_width, is_wide)
    height = max((place.y for place in places), default=0) + _BOX_HEIGHT + 1
    return Drawing(width, round(height), tuple(paths), tuple(labels))


def _places(figure: Figure, box_width: float, is_wide: bool) -> Iterator[Place]:
    """Yield each step with its corner: kept ones along the way, the others off it.

    The parts of one whole touch one another.
    """
    along = -1
    off = 0
    for kind, text, count in figure.rows:
        along, off = (along + 1, 0) if kind == KEPT else (along, off + 1)
        if is_wide:
            x, y = along * (box_width + _BETWEEN), off * _BOX_HEIGHT + min(off, 1) * _DROP
        else:
            x = 0 if kind == KEPT else box_width + _BETWEEN
            y = along * (_BOX_HEIGHT + _DROP) + max(off - 1, 0) * _BOX_HEIGHT
        yield Place(x, y, kind, text, count)


def _arrows(places: Sequence[Place], box_width: float, is_wide: bool) -> list[Path]:
    """Return an arrow from each kept step to the next, and one to what leaves it."""
    kept = [place for place in places if place.kind == KEPT]
    leaving = [
        (source, target)
        for source, target in pairwise(places)
        if source.kind == KEPT and target.kind != KEPT
    ]
    onward, off = ("right", "down") if is_wide else ("down", "right")
    ends = [
        *(_arrow(source, target, onward, box_width) for source, target in pairwise(kept)),
        *(_arrow(source, target, off, box_width) for source, target in leaving),
    ]
    return [Path("w", "".join(end[0] for end in ends)), Path("h", "".join(end[1] for end in ends))]


def _arrow(source: Place, target: Place, way: str, box_width: float) -> tuple[str, str]:
    """Return the shaft and the head of an arrow between two boxes."""
    if way == "right":
        y = source.y + _BOX_HEIGHT / 2
        shaft = line(source.x + box_width, y, target.x - _TIP, y)
        return shaft, f"M{px(target.x)} {px(y)}l-{_TIP + 1}-4v8z"
    x = target.x + 24
    shaft = line(x, source.y + _BOX_HEIGHT, x, target.y - _TIP)
    return shaft, f"M{px(x)} {px(target.y)}l-4-{_TIP + 1}h8z"


LEVELS = 5
_LIGHT_ON_DARK = 4
"""From this level on the number is written in light."""
_NARROWEST, _WIDEST, _STEP = 23, 44, 24


def heat_map(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, count, count, …): names left of the rows, turned heads over columns.

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


CHARTS: Mapping[Chart, Callable[[Figure, int], Drawing]] = {
    "bars": bars,
    "flow": flow,
    "heat-map": heat_map,
    "levels": levels,
    "panels": panels,
    "sides": sides,
}
"""Kind of chart -> function that draws a figure at a width in pixels."""


DRAWN_ON_PAGES = frozenset({"heat-map", "levels", "sides"})
"""Charts that pages draw themselves, with links; their file is for survey.md and the PDF."""


def figures_of(document: Document) -> list[Figure]:
    """Return every figure of the document, in reading order."""
    return [
        block
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Figure)
    ]


def figure_files(figure: Figure, environment: Environment) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of a figure: the wide picture, the narrow one, the numbers as CSV."""
    pictures = {svg_path(figure): WIDE}
    if figure.chart not in DRAWN_ON_PAGES:
        pictures[f"figures/{figure.id}-narrow.svg"] = NARROW
    template = environment.get_template("figures/figure.svg")
    description = f"{plain_text(figure.caption)} {plain_text(figure.alt)}"
    for path, width in pictures.items():
        drawing = CHARTS[figure.chart](figure, width)
        yield (
            path,
            template.render(
                title=plain_text(figure.title), description=description, drawing=drawing
            ),
        )
    yield csv_path(figure), csv_bytes(figure.columns, figure.rows).decode("utf-8")


def drawings(figure: Figure) -> tuple[Drawing, Drawing]:
    """Return the drawings of a figure for wide and for narrow screens."""
    chart = CHARTS[figure.chart]
    return chart(figure, WIDE), chart(figure, NARROW)


def picture_sizes(figure: Figure) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (width, height) in pixels of the wide and of the narrow picture of a figure."""
    wide, narrow = drawings(figure)
    return (wide.width, wide.height), (narrow.width, narrow.height)


def svg_path(figure: Figure) -> str:
    """Return the path of a figure's picture from the top of the site."""
    return f"figures/{figure.id}.svg"


def csv_path(figure: Figure) -> str:
    """Return the path of a figure's numbers."""
    return f"figures/{figure.id}.csv"
