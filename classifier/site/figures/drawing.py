"""The elements of a picture: paths, labels and marks with positions in pixels."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from classifier.survey.document import Point

WIDE, NARROW = 672, 328
"""Widths of each figure, in pixels: the width of a column of text, and of a phone of 360 px without
margins. Pictures are never scaled down, so that their text stays legible."""
LETTER = 7
"""Average width of a letter at 12 px, in pixels. Generous, since the reader's font is unknown."""


@dataclass(frozen=True, slots=True)
class Path:
    """A shape, or several shapes with the same style."""

    style: str
    """Classes of templates/figures/style.css."""
    d: str
    """Path data of SVG."""


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text."""

    x: float
    y: float
    """Position of the base line."""
    text: str
    style: str = ""
    is_vertical: bool = False
    """Whether the text runs from bottom to top, as the head of a narrow column does."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A circle that represents a paper."""

    x: float
    y: float
    """Position of the centre."""
    radius: float
    style: str
    """Classes of templates/figures/style.css."""
    point: Point
    """The paper."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: paths from back to front, then marks and labels."""

    width: int
    height: int
    paths: tuple[Path, ...]
    labels: tuple[Label, ...]
    marks: tuple[Mark, ...] = ()


def box_path(x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle as path data.

    >>> box_path(8, 20.04, 10.5, 9)
    'M8 20h10.5v9h-10.5z'
    """
    corner = f"{format_length(x)} {format_length(y)}"
    right, down, left = map(format_length, (width, height, -width))
    return f"M{corner}h{right}v{down}h{left}z"


def disc_path(x: float, y: float, radius: float) -> str:
    """Return a circle as path data.

    >>> disc_path(10, 20, 4)
    'M6 20a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z'
    """
    arc = f"a{format_length(radius)} {format_length(radius)} 0 1 0 "
    start = f"{format_length(x - radius)} {format_length(y)}"
    right, left = format_length(2 * radius), format_length(-2 * radius)
    return f"M{start}{arc}{right} 0{arc}{left} 0z"


def line_path(x: float, y: float, end_x: float, end_y: float) -> str:
    """Return a vertical or horizontal line as path data.

    >>> line_path(8, 20, 8, 30), line_path(0, 4, 3, 4)
    ('M8 20V30', 'M0 4H3')
    """
    return (
        f"M{format_length(x)} {format_length(y)}V{format_length(end_y)}"
        if x == end_x
        else f"M{format_length(x)} {format_length(y)}H{format_length(end_x)}"
    )


def format_length(value: float) -> str:
    """Format a length with at most one decimal.

    >>> format_length(8.0), format_length(3.14159), format_length(-0.01)
    ('8', '3.1', '0')
    """
    rounded = round(value, 1) + 0.0
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def merge_shapes(style: str, shapes: Iterable[str]) -> list[Path]:
    """Join shapes of one style to one path; return [] if there are no shapes."""
    data = "".join(shapes)
    return [Path(style, data)] if data else []


def draw_legend(
    names: Iterable[tuple[str, str]], width: int
) -> tuple[list[Path], list[Label], int]:
    """Draw (name, style) pairs as rows of swatches at the top; return paths, labels and height."""
    paths: list[Path] = []
    labels: list[Label] = []
    x, y = 0, 8
    for name, style in names:
        length = 30 + LETTER * len(name)
        if x and x + length > width:
            x, y = 0, y + 20
        paths.append(Path(style, box_path(x, y, 10, 10)))
        labels.append(Label(x + 15, y + 9, name))
        x += length
    return paths, labels, y + 22


def short_name(name: str, max_letters: int = 44) -> str:
    """Cut a name between words to at most `max_letters` letters.

    >>> short_name("Planning, memory, tools & skills", 24), short_name("Song")
    ('Planning, memory, tools…', 'Song')
    """
    if len(name) <= max_letters:
        return name
    start = name[:max_letters]
    end = max(start.rfind(" "), start.rfind("-"))
    return (start[:end] if end > 0 else name[: max_letters - 1]).rstrip(" &,") + "…"


def fit_name(name: str, width: float) -> str:
    """Cut a name to fit into a width in pixels."""
    return short_name(name, max(2, int(width // LETTER)))


def wrap_text(text: str, width: float) -> list[str]:
    """Split a text into lines that fit into a width in pixels.

    >>> wrap_text("merged with another record", 130)
    ['merged with', 'another record']
    """
    return textwrap.wrap(text, max(8, int(width // LETTER)), break_on_hyphens=True)


def round_up(value: float) -> int:
    """Return the next round number: one digit (but not 7 or 9), followed by zeros.

    >>> [round_up(n) for n in (0, 1, 3, 7, 23, 41, 180)]
    [1, 1, 3, 8, 30, 50, 200]
    """
    size = 1
    while True:
        for step in (1, 2, 3, 4, 5, 6, 8):
            if value <= step * size:
                return step * size
        size *= 10


def parse_count(cell: str) -> int:
    """Return the count or percentage in a cell; 0 if the cell is empty.

    >>> parse_count("12"), parse_count("12%"), parse_count("")
    (12, 12, 0)
    """
    return int(cell.rstrip("%") or 0)
