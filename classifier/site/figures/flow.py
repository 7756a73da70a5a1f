"""The flow of records: what is kept goes on, what is set aside leaves below or beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from classifier.site.figures.drawing import WIDE, Drawing, Label, Path, box, in_lines, line, px
from classifier.survey.document import Figure
from classifier.survey.figures import KEPT, PART

_GAP, _HEIGHT, _DROP = 26, 62, 24
_TIP = 5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a step stands."""

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
    box_width = (width - _GAP * (kept - 1)) / kept if is_wide else (width - _GAP) / 2
    places = list(_places(figure, box_width, is_wide))
    paths: list[Path] = []
    labels: list[Label] = []
    for place in places:
        style = {KEPT: "f", PART: "p"}.get(place.kind, "a")
        paths.append(Path(style, box(place.x + 0.5, place.y + 0.5, box_width - 1, _HEIGHT - 1)))
        labels.append(Label(place.x + 10, place.y + 23, f"{int(place.count):,}", "n"))
        for number, text in enumerate(in_lines(place.text, box_width - 16)[:2]):
            labels.append(Label(place.x + 10, place.y + 39 + 14 * number, text, "q"))
    paths += _arrows(places, box_width, is_wide)
    height = max((place.y for place in places), default=0) + _HEIGHT + 1
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
            x, y = along * (box_width + _GAP), off * _HEIGHT + min(off, 1) * _DROP
        else:
            x = 0 if kind == KEPT else box_width + _GAP
            y = along * (_HEIGHT + _DROP) + max(off - 1, 0) * _HEIGHT
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
        y = source.y + _HEIGHT / 2
        shaft = line(source.x + box_width, y, target.x - _TIP, y)
        return shaft, f"M{px(target.x)} {px(y)}l-{_TIP + 1}-4v8z"
    x = target.x + 24
    shaft = line(x, source.y + _HEIGHT, x, target.y - _TIP)
    return shaft, f"M{px(x)} {px(target.y)}l-4-{_TIP + 1}h8z"
