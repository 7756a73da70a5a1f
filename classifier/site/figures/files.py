"""The files of a figure: two pictures and its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from jinja2 import Environment

from classifier.files.table import csv_bytes
from classifier.site.figures.charts import bars, flow, heat_map, panels
from classifier.site.figures.drawing import NARROW, WIDE, Drawing
from classifier.site.markup import plain_text
from classifier.survey.document import Chart, Document, Figure

CHARTS: Mapping[Chart, Callable[[Figure, int], Drawing]] = {
    "bars": bars,
    "flow": flow,
    "heat-map": heat_map,
    "panels": panels,
}
"""Kind of chart -> what draws a figure at a width in pixels."""
TEMPLATE = "figures/figure.svg"
"""The template that prints a drawing."""


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
    for path, width in pictures(figure):
        yield path, picture(figure, width, environment)
    yield csv_path(figure), numbers(figure)


def picture(figure: Figure, width: int, environment: Environment) -> str:
    """Return a figure as SVG, drawn for a width in pixels."""
    return environment.get_template(TEMPLATE).render(
        title=plain_text(figure.title),
        description=f"{plain_text(figure.caption)} {plain_text(figure.alt)}",
        drawing=CHARTS[figure.chart](figure, width),
    )


def pictures(figure: Figure) -> list[tuple[str, int]]:
    """Return (path, width in pixels) of the pictures of a figure: the wide one, and the narrow one
    where pages show it."""
    wide = (svg_path(figure), WIDE)
    return [wide] if figure.chart == "heat-map" else [wide, (narrow_path(figure), NARROW)]


def numbers(figure: Figure) -> str:
    """Return the numbers of a figure as CSV."""
    return csv_bytes(figure.columns, figure.rows).decode("utf-8")


def svg_path(figure: Figure) -> str:
    """Return the path of a figure's picture from the top of the site."""
    return f"figures/{figure.id}.svg"


def narrow_path(figure: Figure) -> str:
    """Return the path of the picture for narrow screens."""
    return f"figures/{figure.id}-narrow.svg"


def csv_path(figure: Figure) -> str:
    """Return the path of a figure's numbers."""
    return f"figures/{figure.id}.csv"
