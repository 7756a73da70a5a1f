"""The figures of the survey: each answers the question in its caption, or is None.

A figure is a record of numbers; how they become a picture is the matter of
`classifier/site/figures/`. Every number is asked of the facts, and so stands in facts.json.
"""

from classifier.survey.figures.benchmarks import benchmarks_figure
from classifier.survey.figures.flow import flow_figure
from classifier.survey.figures.time import months_figure
from classifier.survey.figures.topics import (
    contribution_figure,
    matrix_figure,
    topics_figure,
)
from classifier.survey.figures.tree import tree_figure

__all__ = [
    "benchmarks_figure",
    "contribution_figure",
    "flow_figure",
    "matrix_figure",
    "months_figure",
    "topics_figure",
    "tree_figure",
]
