"""The flow of records: what is kept goes on, what is set aside leaves below or beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from classifier.site.figures.drawing import WIDE, Drawing, Label, Path, box, line, px
from classifier.site.figures.lettering import in_lines
from classifier.survey.document import Figure
from classifier.survey.figures.flow import KEPT, PART

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
    """Yield each step with its corner: kept ones along the way, the others off it."""
    along = -1
    off = 0
    for kind, text, count in figure.rows:
        along, off = (along + 1, 0) if kind == KEPT else (along, off + 1)
        if is_wide:
            x, y = along * (box_width + _GAP), off * (_HEIGHT + _DROP)
        else:
            drop = max(off - 1, 0) if kind == PART else 0
            x = 0 if kind == KEPT else box_width + _GAP
            y = (along + drop) * (_HEIGHT + _DROP)
        yield Place(x, y, kind, text, count)


def _arrows(places: Sequence[Place], box_width: float, is_wide: bool) -> list[Path]:
    """Return an arrow from each kept step to the next and to what leaves it."""
    heads: list[str] = []
    shafts: list[str] = []
    kept = [place for place in places if place.kind == KEPT]
    for source, target in pairwise(kept):
        ends = _right(source, target, box_width) if is_wide else _down(source, target)
        shafts.append(ends[0])
        heads.append(ends[1])
    source = kept[0]
    for place in places:
        if place.kind == KEPT:
            source = place
            continue
        ends = _down(source, place) if is_wide else _right(source, place, box_width)
        shafts.append(ends[0])
        heads.append(ends[1])
    return [Path("w", "".join(shafts)), Path("h", "".join(heads))]


def _right(source: Place, target: Place, box_width: float) -> tuple[str, str]:
    x, y = source.x + box_width, source.y + _HEIGHT / 2
    to_y = target.y + _HEIGHT / 2
    end = target.x - _TIP
    bend = (x + target.x) / 2 - 3
    shaft = line(x, y, end, y) if y == to_y else f"M{px(bend)} {px(y)}V{px(to_y)}H{px(end)}"
    return shaft, f"M{px(target.x)} {px(to_y)}l-{_TIP + 1}-4v8z"


def _down(source: Place, target: Place) -> tuple[str, str]:
    x = target.x + 24
    start = max(source.y, target.y - _HEIGHT - _DROP) + _HEIGHT
    return line(x, start, x, target.y - _TIP), f"M{px(x)} {px(target.y)}l-4-{_TIP + 1}h8z"
