"""What a picture is made of: paths and labels at their places, in pixels; names that fit."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from classifier.survey.document import Point

WIDE, NARROW = 672, 328
"""Widths at which every figure is drawn: the measure of the text, and a telephone of 360 px without
its margins. So no letter is shrunk below the size at which it is drawn."""
LETTER = 7
"""Width of a letter at 12 px; a generous mean, since the reader's font is not known."""


@dataclass(frozen=True, slots=True)
class Path:
    """A shape, or several of one style."""

    style: str
    """Classes of templates/figures/style.css."""
    d: str


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text."""

    x: float
    y: float
    """Of its base line."""
    text: str
    style: str = ""
    is_turned: bool = False
    """Whether it climbs upright, as the head of a narrow column."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A circle that stands for a paper."""

    x: float
    y: float
    """Of its centre."""
    radius: float
    style: str
    """Classes of templates/figures/style.css."""
    point: Point
    """The paper."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: paths in the order in which they cover one another, marks and labels on top."""

    width: int
    height: int
    paths: tuple[Path, ...]
    labels: tuple[Label, ...]
    marks: tuple[Mark, ...] = ()


def box(x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle as path data.

    >>> box(8, 20.04, 10.5, 9)
    'M8 20h10.5v9h-10.5z'
    """
    return f"M{px(x)} {px(y)}h{px(width)}v{px(height)}h{px(-width)}z"


def disc(x: float, y: float, radius: float) -> str:
    """Return a circle as path data.

    >>> disc(10, 20, 4)
    'M6 20a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z'
    """
    arc = f"a{px(radius)} {px(radius)} 0 1 0 "
    return f"M{px(x - radius)} {px(y)}{arc}{px(2 * radius)} 0{arc}{px(-2 * radius)} 0z"


def line(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return an upright or a level line as path data.

    >>> line(8, 20, 8, 30), line(0, 4, 3, 4)
    ('M8 20V30', 'M0 4H3')
    """
    return f"M{px(x)} {px(y)}V{px(to_y)}" if x == to_x else f"M{px(x)} {px(y)}H{px(to_x)}"


def px(value: float) -> str:
    """Return a length with at most one decimal.

    >>> px(8.0), px(3.14159), px(-0.01)
    ('8', '3.1', '0')
    """
    rounded = round(value, 1) + 0.0
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def merged(style: str, shapes: Iterable[str]) -> tuple[Path, ...]:
    """Return shapes of one style as one path, or none."""
    data = "".join(shapes)
    return (Path(style, data),) if data else ()


def legend(names: Iterable[tuple[str, str]], width: int) -> tuple[list[Path], list[Label], int]:
    """Return (name, style) pairs as a line of swatches from the top, wrapped, and its height."""
    paths: list[Path] = []
    labels: list[Label] = []
    x, y = 0, 8
    for name, style in names:
        length = 30 + LETTER * len(name)
        if x and x + length > width:
            x, y = 0, y + 20
        paths.append(Path(style, box(x, y, 10, 10)))
        labels.append(Label(x + 15, y + 9, name))
        x += length
    return paths, labels, y + 22


def short_name(name: str, most: int = 44) -> str:
    """Return a name cut between words to at most `letters` letters.

    >>> short_name("Planning, memory, tools & skills", 24), short_name("Song")
    ('Planning, memory, tools…', 'Song')
    """
    if len(name) <= most:
        return name
    start = name[:most]
    end = max(start.rfind(" "), start.rfind("-"))
    return (start[:end] if end > 0 else name[: most - 1]).rstrip(" &,") + "…"


def fitting(name: str, width: float) -> str:
    """Return a name cut to fit into a width in pixels."""
    return short_name(name, max(2, int(width // LETTER)))


def in_lines(text: str, width: float) -> list[str]:
    """Return a text in lines of at most a width in pixels.

    >>> in_lines("merged with another record", 130)
    ['merged with', 'another record']
    """
    return textwrap.wrap(text, max(8, int(width // LETTER)), break_on_hyphens=True)


def round_end(most: float) -> int:
    """Return the first round number that is not below `most`: one digit and zeros, not 7 or 9.

    >>> [round_end(n) for n in (0, 1, 3, 7, 23, 41, 180)]
    [1, 1, 3, 8, 30, 50, 200]
    """
    size = 1
    while True:
        for step in (1, 2, 3, 4, 5, 6, 8):
            if most <= step * size:
                return step * size
        size *= 10


def number(cell: str) -> int:
    """Return the count or percentage in a cell; 0 if the cell is empty.

    >>> number("12"), number("12%"), number("")
    (12, 12, 0)
    """
    return int(cell.rstrip("%") or 0)
