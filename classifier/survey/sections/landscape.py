"""The landscape: what the papers look like over all categories at once."""

from __future__ import annotations

from classifier.survey.document import Block, Figure, Section
from classifier.survey.figures import (
    contribution_figure,
    matrix_figure,
    quarters_figure,
    topics_figure,
)
from classifier.survey.sections.names import names_table
from classifier.survey.sections.sample import sample_table
from classifier.survey.sections.terms import terms_table
from classifier.survey.survey import Survey


def landscape_sections(material: Survey) -> list[Section]:
    """Return the landscape: size, time, meetings, contributions, names. It shows, and says none."""
    blocks: list[Block] = [
        *placed(topics_figure(material)),
        sample_table(material),
        *placed(quarters_figure(material)),
        *terms_table(material),
        *placed(matrix_figure(material), contribution_figure(material)),
        *names_table(material, "benchmarks"),
    ]
    return [Section("landscape", "Landscape", 1, tuple(blocks))]


def placed(*figures: Figure | None) -> list[Figure]:
    """Return the figures that the data carries."""
    return [figure for figure in figures if figure is not None]
