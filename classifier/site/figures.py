"""The figures as numbers on a grid; the SVG itself is drawn by templates/figures/."""

from __future__ import annotations

from dataclasses import dataclass

from classifier.site.listing import category_item, top_categories
from classifier.survey.edition import Edition

_BAR_WIDTH = 344
_BAR_STEP = 34
_CELL = 24
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
class MatrixCell:
    """Papers filed under the topic of the row that also have the topic of the column."""

    x: int
    y: int
    count: int
    level: int
    """Shade: 0 (none) to 5 (the most)."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One topic of the matrix."""

    number: int
    name: str
    y: int
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True, slots=True)
class MatrixFigure:
    """Primary topic by second topic, as a heat map with numbers."""

    rows: tuple[MatrixRow, ...]
    columns: tuple[tuple[int, int], ...]
    """(number, x) of each column."""
    width: int
    height: int
    cell: int
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


def matrix_figure(edition: Edition) -> MatrixFigure:
    """Return how often a paper that is filed under one topic also has another."""
    topics = top_categories(edition)
    counts = _pair_counts(edition)
    most = max(counts.values(), default=0)
    left, top = 262, 30
    columns = tuple((number, left + (number - 1) * _CELL) for number in range(1, len(topics) + 1))
    rows = tuple(
        MatrixRow(
            number=number,
            name=topic.name,
            y=top + (number - 1) * _CELL,
            cells=tuple(
                MatrixCell(x, top + (number - 1) * _CELL, count, _level(count, most))
                for (_, x), second in zip(columns, topics, strict=True)
                if (count := counts.get((topic.id, second.id), 0))
            ),
        )
        for number, topic in enumerate(topics, start=1)
    )
    return MatrixFigure(
        rows=rows,
        columns=columns,
        width=left + len(topics) * _CELL + 8,
        height=top + len(topics) * _CELL + 8,
        cell=_CELL,
        description=_strongest(edition, counts),
    )


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
