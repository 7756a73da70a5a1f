"""Pictures of how time grows with papers: both axes logarithmic, so that a power is a line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 560, 340, 64, 48, 20, 150
_COLOURS = ("#1d5f8a", "#b4531a", "#4b7a2b", "#7a3b8f")
_DASHES = ("", "6 3", "2 3", "8 3 2 3")

Points = Mapping[int, float]
"""Papers -> seconds."""


def build_picture(kept: dict[str, Any]) -> str:
    """Return a cold build's seconds over papers, beside those of bare libraries, as SVG."""
    rows = {int(papers): row for papers, row in kept["rows"].items()}
    return picture(
        "Seconds of a cold build",
        {
            "Fieldguide": {papers: row["seconds"] for papers, row in rows.items()},
            "bare libraries": {papers: row["peer_processor"] for papers, row in rows.items()},
        },
    )


def label_picture(kept: dict[str, Any]) -> str:
    """Return the seconds of `fieldguide label` over papers, a line a way of running it, as SVG."""
    lines: dict[str, dict[int, float]] = {}
    for row in kept["rows"]:
        lines.setdefault(row["way"], {})[row["papers"]] = row["seconds"]
    return picture("Seconds of fieldguide label", lines)


def picture(title: str, lines: Mapping[str, Points]) -> str:
    """Return lines over papers with marks at what was measured, as SVG."""
    xs = [papers for points in lines.values() for papers in points]
    ys = [seconds for points in lines.values() for seconds in points.values()]
    across, up = _Axis(xs, LEFT, WIDTH - RIGHT), _Axis(ys, HEIGHT - BOTTOM, TOP)
    parts = [*_grid(across, up)]
    for number, (name, points) in enumerate(lines.items()):
        places = [(across.place(x), up.place(y)) for x, y in sorted(points.items())]
        parts += _line(name, places, number)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{title} over the number of papers" font-family="sans-serif" '
        f'font-size="12">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<text x="{LEFT}" y="14" font-weight="bold">{title}</text>\n{body}\n</svg>\n'
    )


class _Axis:
    """Decades of numbers over a stretch of the picture."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.first = math.floor(math.log10(min(values)))
        self.last = max(math.ceil(math.log10(max(values))), self.first + 1)
        self.start, self.end = start, end

    def place(self, value: float) -> float:
        share = (math.log10(value) - self.first) / (self.last - self.first)
        return round(self.start + share * (self.end - self.start), 1)

    @property
    def decades(self) -> list[float]:
        return [10.0**power for power in range(self.first, self.last + 1)]


def _grid(across: _Axis, up: _Axis) -> list[str]:
    parts = []
    for value in across.decades:
        x = across.place(value)
        parts.append(f'<path d="M{x} {up.start}V{up.end}" stroke="#ddd"/>')
        parts.append(f'<text x="{x}" y="{up.start + 18}" text-anchor="middle">{value:,.0f}</text>')
    for value in up.decades:
        y = up.place(value)
        parts.append(f'<path d="M{across.start} {y}H{across.end}" stroke="#ddd"/>')
        parts.append(f'<text x="{across.start - 6}" y="{y + 4}" text-anchor="end">{value:g}</text>')
    middle = (across.start + across.end) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">papers</text>')
    return parts


def _line(name: str, places: Sequence[tuple[float, float]], number: int) -> list[str]:
    colour, dashes = _COLOURS[number % 4], _DASHES[number % 4]
    path = "L".join(f"{x} {y}" for x, y in places)
    x, y = places[-1]
    marks = [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x, y in places]
    return [
        f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2" '
        f'stroke-dasharray="{dashes}"/>',
        *marks,
        f'<text x="{x + 8}" y="{y + 4}" fill="{colour}">{name}</text>',
    ]
