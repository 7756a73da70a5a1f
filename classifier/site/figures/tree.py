"""A tree of categories, indented, a dot a category; its area is the papers with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from classifier.site.figures.drawing import WIDE, Drawing, Label, Path, dot, merged, px
from classifier.site.figures.lettering import fitting
from classifier.site.figures.scale import number
from classifier.survey.document import Figure

_STEP, _INDENT, _LARGEST, _SMALLEST = 20, 20, 9, 1.5
_COUNT = 30
_GAP = 28


@dataclass(frozen=True, slots=True)
class Node:
    """One category: how deep it lies and how many papers it has."""

    name: str
    depth: int
    papers: int
    parent: int
    """Position of the node that it is part of, or -1."""


def tree(figure: Figure, width: int) -> Drawing:
    """Draw rows of (name, part of, papers); wide, in two columns cut between whole branches."""
    nodes = nodes_of(figure.rows)
    across = 2 if width >= WIDE else 1
    column_width = (width - _GAP * (across - 1)) / across
    most = max((node.papers for node in nodes), default=0) or 1
    dots: list[str] = []
    twigs: list[str] = []
    labels: list[Label] = []
    lengths = [0] * across
    cut = _cut(nodes) if across > 1 else len(nodes)
    places: dict[int, tuple[float, float]] = {}
    for index, node in enumerate(nodes):
        column = int(index >= cut)
        x = column * (column_width + _GAP) + 10 + node.depth * _INDENT
        y = lengths[column] * _STEP + 12
        lengths[column] += 1
        places[index] = (x, y)
        dots.append(dot(x, y, max(_SMALLEST, _LARGEST * sqrt(node.papers / most))))
        end = column * (column_width + _GAP) + column_width
        room = end - _COUNT - x - 14
        labels.append(_name(node, x + 14, y + 4, room))
        labels.append(Label(end, y + 4, str(node.papers), "e q"))
        if node.parent >= 0:
            from_x, from_y = places[node.parent]
            twigs.append(f"M{px(from_x)} {px(from_y)}V{px(y)}H{px(x)}")
    drawn: tuple[Path, ...] = (*merged("w", twigs), *merged("s1", dots))
    return Drawing(width, max(lengths) * _STEP + 4, drawn, tuple(labels))


def _name(node: Node, x: float, y: float, room: float) -> Label:
    """Return the name as far as there is room; bold letters, of the top categories, are wider."""
    return Label(
        x, y, fitting(node.name, room if node.depth else room * 7 / 8), "" if node.depth else "b"
    )


def nodes_of(rows: Sequence[Sequence[str]]) -> list[Node]:
    """Return the rows as nodes; a row is part of the nearest row above of that name."""
    nodes: list[Node] = []
    nearest: dict[str, int] = {}
    for name, parent, papers in rows:
        above = nearest[parent] if parent else -1
        depth = nodes[above].depth + 1 if parent else 0
        nearest[name] = len(nodes)
        nodes.append(Node(name, depth, number(papers), above))
    return nodes


def _cut(nodes: Sequence[Node]) -> int:
    """Return where the second column starts: the branch nearest to the middle."""
    starts = [index for index, node in enumerate(nodes) if not node.depth]
    return min(starts[1:] or [len(nodes)], key=lambda index: abs(2 * index - len(nodes)))
