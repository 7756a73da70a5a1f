"""The figures as numbers on a grid; the SVG itself is drawn by templates/figures/."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from classifier.site.listing import category_item, top_categories
from classifier.survey.edition import Edition
from classifier.taxonomy.model import Category

_BAR_WIDTH = 344
_BAR_STEP = 34
_CELL = 24
# Width of a letter at 12 px; a generous mean, since the reader's font is not known.
_LETTER = 7
_MOST_HEAD_LETTERS = 24
_BETWEEN_WORDS = re.compile(rf".{{1,{_MOST_HEAD_LETTERS - 1}}}(?=[ -])")
_STEEP, _FLAT = 0.87, 0.5
"""Sine and cosine of the 60 degrees by which a column head is turned."""
_LEVELS = 5


@dataclass(frozen=True, slots=True)
class Bar:
    """One topic: a bar for the papers filed there, and behind it one for those also there."""

    name: str
    y: int
    filed: int
    also: int
    filed_width: float
    also_width: float

    @property
    def also_x(self) -> float:
        """Where the second part of the bar starts."""
        return round(8 + self.filed_width, 1)


@dataclass(frozen=True, slots=True)
class TopicsFigure:
    """Papers per topic, as stacked bars."""

    bars: tuple[Bar, ...]
    height: int
    description: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the parts of the matrix lie, in pixels."""

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
    right: int
    """Room beside the last column, over which the heads lean."""


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """One topic that papers filed elsewhere also have."""

    number: int
    x: int
    head: str
    """Its name, cut to fit; "" where there is no room for names."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """Papers filed under the topic of the row that also have the topic of the column."""

    x: int
    count: int
    level: int
    """Shade: 1 to 5, the most."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One topic of the matrix."""

    number: int
    name: str
    y: int
    """Where its label starts."""
    cells_y: int
    cells: tuple[MatrixCell, ...]
    """Those that hold a paper."""


@dataclass(frozen=True, slots=True)
class MatrixFigure:
    """Primary topic by second topic, as a heat map with numbers."""

    rows: tuple[MatrixRow, ...]
    columns: tuple[MatrixColumn, ...]
    width: int
    height: int
    grid: Grid
    description: str


def topics_figure(edition: Edition) -> TopicsFigure:
    """Return the papers per topic, in the order of the taxonomy."""
    items = [category_item(edition, category) for category in top_categories(edition)]
    widest = max((item.total for item in items), default=0) or 1
    bars = tuple(
        Bar(
            name=item.name,
            y=34 + index * _BAR_STEP,
            filed=item.filed,
            also=item.total - item.filed,
            filed_width=round(item.filed / widest * _BAR_WIDTH, 1),
            also_width=round((item.total - item.filed) / widest * _BAR_WIDTH, 1),
        )
        for index, item in enumerate(items)
    )
    numbers = "; ".join(f"{bar.name}: {bar.filed} filed, {bar.also} also" for bar in bars)
    return TopicsFigure(bars, 34 + len(bars) * _BAR_STEP, numbers)


def matrix_figure(edition: Edition, *, narrow: bool = False) -> MatrixFigure:
    """Return how often a paper that is filed under one topic also has another.

    `narrow` sets the cells of a row below its label, so that a telephone shows all of them.
    """
    topics = top_categories(edition)
    grid = _narrow_grid(topics) if narrow else _wide_grid(topics)
    counts = _pair_counts(edition)
    most = max(counts.values(), default=0)
    columns = tuple(
        MatrixColumn(i + 1, grid.left + i * grid.cell, "" if narrow else short_name(topic.name))
        for i, topic in enumerate(topics)
    )
    rows = tuple(
        MatrixRow(
            number=i + 1,
            name=topic.name,
            y=grid.top + i * grid.step,
            cells_y=grid.top + i * grid.step + grid.below,
            cells=tuple(
                MatrixCell(column.x, count, _level(count, most))
                for column, second in zip(columns, topics, strict=True)
                if (count := counts.get((topic.id, second.id), 0))
            ),
        )
        for i, topic in enumerate(topics)
    )
    return MatrixFigure(
        rows=rows,
        columns=columns,
        width=grid.left + len(topics) * grid.cell + grid.right,
        height=grid.top + len(topics) * grid.step + 8,
        grid=grid,
        description=_strongest(edition, counts),
    )


def short_name(name: str) -> str:
    """Return a name cut between words to the length of a column head.

    >>> short_name("Planning, memory, tools & skills"), short_name("Song")
    ('Planning, memory, tools…', 'Song')
    """
    if len(name) <= _MOST_HEAD_LETTERS:
        return name
    between_words = _BETWEEN_WORDS.match(name)
    start = between_words.group() if between_words else name[: _MOST_HEAD_LETTERS - 1]
    return start.rstrip(" &,") + "…"


def _wide_grid(topics: Sequence[Category]) -> Grid:
    longest = max((len(topic.name) for topic in topics), default=0)
    # Four letters more: the number before the name.
    heads = [_LETTER * (len(short_name(topic.name)) + 4) for topic in topics]
    overhang = [
        round(_FLAT * head) - (len(heads) - index) * _CELL for index, head in enumerate(heads)
    ]
    return Grid(
        left=34 + _LETTER * longest,
        top=16 + round(_STEEP * max(heads, default=0)),
        cell=_CELL,
        step=_CELL,
        below=0,
        right=max(8, *overhang) + 8,
    )


def _narrow_grid(topics: Sequence[Category]) -> Grid:
    cell = min(_CELL, _BAR_WIDTH // max(len(topics), 1))
    return Grid(left=8, top=30, cell=cell, step=44, below=17, right=8)


def _pair_counts(edition: Edition) -> dict[tuple[str, str], int]:
    """Return (primary, other topic) -> papers."""
    counts: dict[tuple[str, str], int] = {}
    for entry in edition.entries:
        for other in entry.first.top_categories:
            if other != entry.first.primary:
                pair = (entry.first.primary, other)
                counts[pair] = counts.get(pair, 0) + 1
    return counts


def _level(count: int, most: int) -> int:
    return -(-count * _LEVELS // most)


def _strongest(edition: Edition, counts: dict[tuple[str, str], int]) -> str:
    """Return the five most frequent pairs in words."""
    names = {topic.id: topic.name for topic in top_categories(edition)}
    pairs = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:5]
    return "; ".join(
        f"{names.get(first, first)} with {names.get(second, second)}: {count}"
        for (first, second), count in pairs
    )
