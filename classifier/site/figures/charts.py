"""Draw bar charts, small multiples, heat maps and flow charts, and write the files of a figure."""

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
    box_path,
    draw_legend,
    fit_name,
    format_length,
    line_path,
    merge_shapes,
    parse_count,
    round_up,
    short_name,
    wrap_text,
)
from classifier.site.figures.marks import draw_levels, draw_sides
from classifier.site.markup import plain_text
from classifier.survey.document import Chart, Document, Figure
from classifier.survey.figures import KEPT, PART

# Sizes of panels, in pixels. The first panel, for all papers, is higher than the others.
_HEIGHT, _LEFT, _GAP = 64, 20, 16
_HEAD, _FOOT = 38, 26
_FIRST_HEIGHT = 120


def draw_panels(figure: Figure, width: int) -> Drawing:
    """Draw rows of (quarter, all papers, one category, another, …), with one panel per category.

    The panel for all papers has the full width and its own scale.
    """
    quarters = [row[0] for row in figure.rows]
    series = [[parse_count(row[at]) for row in figure.rows] for at in range(1, len(figure.columns))]
    across = 3 if width >= WIDE else 2
    each = (width - _GAP * (across - 1)) / across
    names = [wrap_text(name, (each - 34) * 7 / 8) for name in figure.columns[2:]]
    head = _HEAD + 14 * max(0, max(map(len, names), default=0) - 2)
    shared_maximum = round_up(max((max(counts, default=0) for counts in series[1:]), default=1))
    shapes: list[str] = []
    lines: list[str] = []
    labels: list[Label] = []

    def draw_panel(column: int, x: float, y: float, size: tuple[float, int], maximum: int) -> None:
        """Draw one panel."""
        panel_width, panel_height = size
        counts = series[column]
        for row, text in enumerate(names[column - 1] if column else [figure.columns[1]]):
            labels.append(Label(x, y + 12 + 14 * row, text, "b"))
        labels.append(Label(x + panel_width, y + 12, f"{sum(counts):,}", "e q"))
        foot = y + (head if column else _HEAD) + panel_height
        step = (panel_width - _LEFT) / max(len(counts), 1)
        for tick in (0, maximum):
            level = foot - tick * panel_height / maximum
            lines.append(line_path(x + _LEFT, level, x + panel_width, level))
            labels.append(Label(x + _LEFT - 5, level + 4, str(tick), "e q t"))
        for index, count in enumerate(counts):
            if count:
                bar_height = count * panel_height / maximum
                left = x + _LEFT + index * step
                shapes.append(box_path(left, foot - bar_height, max(step - 1.5, 1), bar_height))
        labels.extend(_year_labels(quarters, x + _LEFT, step, foot + 14))

    if series:
        draw_panel(0, 0, 0, (width, _FIRST_HEIGHT), round_up(max(series[0], default=1)))
    top = _HEAD + _FIRST_HEIGHT + _FOOT + 6
    for at in range(1, len(series)):
        row, column = divmod(at - 1, across)
        y = top + row * (head + _HEIGHT + _FOOT)
        draw_panel(at, column * (each + _GAP), y, (each, _HEIGHT), shared_maximum)
    n_rows = -(-max(len(series) - 1, 0) // across)
    height = top + n_rows * (head + _HEIGHT + _FOOT)
    paths = (*merge_shapes("g", lines), *merge_shapes("s1", shapes))
    return Drawing(width, round(height), paths, tuple(labels))


def _year_labels(quarters: Sequence[str], left_edge: float, step: float, y: float) -> list[Label]:
    """Return a label with the year below each first quarter, if there is room for it."""
    firsts = [at for at, quarter in enumerate(quarters) if quarter.endswith("Q1")]
    end = left_edge + len(quarters) * step
    return [
        Label(left_edge + at * step, y, f"’{quarters[at][2:4]}", "q t")
        for at in firsts
        if left_edge + at * step + 16 <= end
    ]


_BAR = 14
_NUMBERS = 64
"""Width of the counts at the right edge, in pixels."""


def draw_bars(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, count, count, …) as stacked bars.

    In a wide picture, names are to the left of the bars; in a narrow picture, above them.
    """
    parts = len(figure.columns) - 1
    assert parts <= 2, "a third part needs a colour s3 in colours.py and style.css"
    swatches = [(name, f"s{i}") for i, name in enumerate(figure.columns[1:], 1)]
    paths, labels, top = draw_legend(swatches, width)
    longest = max((len(row[0]) for row in figure.rows), default=0)
    if width >= WIDE:
        left, step, below = min(LETTER * longest + 8, width // 2 - 40), 24, 0
    else:
        left, step, below = 0, 38, 17
    counts = [[parse_count(cell) for cell in row[1:]] for row in figure.rows]
    scale = (width - left - _NUMBERS) / max([sum(row) for row in counts] + [1])
    shapes: list[list[str]] = [[] for _ in range(parts)]
    for index, (row, values) in enumerate(zip(figure.rows, counts, strict=True)):
        y = top + index * step
        labels.append(Label(0, y + 12, fit_name(row[0], left or width)))
        labels.append(Label(width, y + below + 12, " + ".join(map(str, values)), "e q"))
        x = float(left)
        for part, value in enumerate(values):
            if value:
                shapes[part].append(box_path(x, y + below + 1, value * scale, _BAR))
            x += value * scale
    for part, boxes in enumerate(shapes, 1):
        paths += merge_shapes(f"s{part}", boxes)
    return Drawing(width, top + step * len(figure.rows) + 4, tuple(paths), tuple(labels))


# Sizes of a flow chart, in pixels.
_BETWEEN, _BOX_HEIGHT, _DROP = 26, 62, 24
_TIP = 5


@dataclass(frozen=True, slots=True)
class Step:
    """A step in a flow chart, with the position of its box."""

    x: float
    y: float
    kind: str
    text: str
    count: str


def draw_flow(figure: Figure, width: int) -> Drawing:
    """Draw rows of (kind, step, count); the kind is `KEPT`, `PART` or "set aside".

    The steps of kind `KEPT` run from left to right in a wide picture, and from top to bottom in a
    narrow one; the other steps branch off.
    """
    n_kept = sum(row[0] == KEPT for row in figure.rows)
    is_wide = width >= WIDE
    n_across = n_kept if is_wide else 2
    box_width = (width - _BETWEEN * (n_across - 1)) / n_across
    steps = list(_place_steps(figure, box_width, is_wide))
    paths: list[Path] = []
    labels: list[Label] = []
    for step in steps:
        style = {KEPT: "f", PART: "p"}.get(step.kind, "a")
        paths.append(
            Path(style, box_path(step.x + 0.5, step.y + 0.5, box_width - 1, _BOX_HEIGHT - 1))
        )
        labels.append(Label(step.x + 10, step.y + 23, f"{int(step.count):,}", "n"))
        for row, text in enumerate(wrap_text(step.text, box_width - 16)[:2]):
            labels.append(Label(step.x + 10, step.y + 39 + 14 * row, text, "q"))
    paths += _arrow_shapes(steps, box_width, is_wide)
    height = max((step.y for step in steps), default=0) + _BOX_HEIGHT + 1
    return Drawing(width, round(height), tuple(paths), tuple(labels))


def _place_steps(figure: Figure, box_width: float, is_wide: bool) -> Iterator[Step]:
    """Yield each step with the position of its box's top left corner.

    The boxes of parts of one total touch each other.
    """
    n_before = -1
    branch = 0
    for kind, text, count in figure.rows:
        if kind == KEPT:
            n_before, branch = n_before + 1, 0
        else:
            branch += 1
        if is_wide:
            x = n_before * (box_width + _BETWEEN)
            y = branch * _BOX_HEIGHT + min(branch, 1) * _DROP
        else:
            x = 0 if kind == KEPT else box_width + _BETWEEN
            y = n_before * (_BOX_HEIGHT + _DROP) + max(branch - 1, 0) * _BOX_HEIGHT
        yield Step(x, y, kind, text, count)


def _arrow_shapes(steps: Sequence[Step], box_width: float, is_wide: bool) -> list[Path]:
    """Return the arrows between kept steps, and from each kept step to its branch."""
    kept = [step for step in steps if step.kind == KEPT]
    branches = [
        (source, target)
        for source, target in pairwise(steps)
        if source.kind == KEPT and target.kind != KEPT
    ]
    onward, sideways = ("right", "down") if is_wide else ("down", "right")
    arrows = [_arrow_path(source, target, onward, box_width) for source, target in pairwise(kept)]
    arrows += [_arrow_path(source, target, sideways, box_width) for source, target in branches]
    shafts = "".join(shaft for shaft, _ in arrows)
    heads = "".join(head for _, head in arrows)
    return [Path("w", shafts), Path("h", heads)]


def _arrow_path(source: Step, target: Step, direction: str, box_width: float) -> tuple[str, str]:
    """Return shaft and head of an arrow between two boxes, as path data."""
    if direction == "right":
        y = source.y + _BOX_HEIGHT / 2
        shaft = line_path(source.x + box_width, y, target.x - _TIP, y)
        return shaft, f"M{format_length(target.x)} {format_length(y)}l-{_TIP + 1}-4v8z"
    x = target.x + 24
    shaft = line_path(x, source.y + _BOX_HEIGHT, x, target.y - _TIP)
    return shaft, f"M{format_length(x)} {format_length(target.y)}l-4-{_TIP + 1}h8z"


N_SHADES = 5
_MIN_SHADE_OF_LIGHT_TEXT = 4
"""Numbers are light on this shade and darker ones."""
_MIN_CELL, _MAX_CELL, _STEP = 23, 44, 24


def draw_heat_map(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, count, count, …) as shaded cells below vertical column headings.

    The picture is for survey.md and the PDF; pages show a table of shaded cells instead.
    """
    heads = [short_name(head) for head in figure.columns[1:]]
    longest = max((len(row[0]) for row in figure.rows), default=0)
    left = min(LETTER * longest + 10, 300)
    cell = int(min(_MAX_CELL, max(_MIN_CELL, (width - left) / len(heads))))
    top = LETTER * max(map(len, heads)) + 10
    labels = [
        Label(left + at * cell + cell // 2 + 3, top - 6, head, "q", is_vertical=True)
        for at, head in enumerate(heads)
    ]
    counts = [[parse_count(text) for text in row[1:]] for row in figure.rows]
    maximum = max((count for row in counts for count in row), default=0)
    shapes: dict[int, list[str]] = {shade: [] for shade in range(N_SHADES + 1)}
    numbers: list[Label] = []
    for row, (name, values) in enumerate(zip(figure.rows, counts, strict=True)):
        y = top + row * _STEP
        labels.append(Label(0, y + 16, fit_name(name[0], left)))
        shapes[0].append(box_path(left, y, len(heads) * cell - 2, 22))
        for at, count in enumerate(values):
            if count:
                shade, x = shade_of(count, maximum), left + at * cell
                shapes[shade].append(box_path(x, y, cell - 2, 22))
                style = "m v" if shade >= _MIN_SHADE_OF_LIGHT_TEXT else "m"
                numbers.append(Label(x + (cell - 2) // 2, y + 15, str(count), style))
    paths: list[Path] = []
    for shade, boxes in shapes.items():
        paths += merge_shapes(f"l{shade}", boxes)
    right, height = max(width, left + len(heads) * cell), top + len(counts) * _STEP + 2
    return Drawing(right, height, tuple(paths), (*labels, *numbers))


def shade_of(count: int, maximum: int) -> int:
    """Return the shade for a count: 0 for a count of 0, else 1 to 5.

    >>> [shade_of(n, 20) for n in (0, 1, 4, 5, 20)]
    [0, 1, 1, 2, 5]
    """
    return -(-count * N_SHADES // max(maximum, 1))


CHARTS: Mapping[Chart, Callable[[Figure, int], Drawing]] = {
    "bars": draw_bars,
    "flow": draw_flow,
    "heat-map": draw_heat_map,
    "levels": draw_levels,
    "panels": draw_panels,
    "sides": draw_sides,
}
"""Kind of chart -> function that draws a figure at a width in pixels."""


DRAWN_ON_PAGES = frozenset({"heat-map", "levels", "sides"})
"""Charts that pages draw themselves, with links. Their files are for survey.md and the PDF."""


def figures_of(document: Document) -> list[Figure]:
    """Return the figures in a document, in reading order."""
    return [
        block
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Figure)
    ]


def figure_files(figure: Figure, environment: Environment) -> Iterator[tuple[str, str]]:
    """Yield the files of a figure as (path, text).

    They are the wide picture, the narrow picture and the CSV of its numbers.
    """
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
    """Draw a figure for wide and for narrow screens."""
    chart = CHARTS[figure.chart]
    return chart(figure, WIDE), chart(figure, NARROW)


def picture_sizes(figure: Figure) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the sizes of a figure's wide and narrow picture: (width, height) in pixels."""
    wide, narrow = drawings(figure)
    return (wide.width, wide.height), (narrow.width, narrow.height)


def svg_path(figure: Figure) -> str:
    """Return the path of a figure's picture, relative to the site's root."""
    return f"figures/{figure.id}.svg"


def csv_path(figure: Figure) -> str:
    """Return the path of the CSV file with a figure's numbers."""
    return f"figures/{figure.id}.csv"
