"""How good are the columns of the shipped survey: the cells that cues fill, against people's.

`python -m tools.benchmarks.columns [--faults]` prints, for each facet that some papers are asked,
how many cells were read, the precision of what the cues fill in and the recall of what is stated.
columns.csv holds what one reader found stated in the text of the shipped corpus; its papers are
those that the cues were written with sight of, so these are development figures.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.optional_facet import OptionalFacetModel
from classifier.project import Project
from classifier.survey.inputs import read_inputs
from classifier.taxonomy.model import NOT_STATED
from classifier.text.normalise import title_key

READ = Path(__file__).with_name("columns.csv")
_JOINER = "; "


@dataclass(frozen=True, slots=True)
class Cell:
    """One paper in one facet."""

    title: str
    facet: str
    stated: frozenset[str]
    """What a reader found."""
    given: frozenset[str]
    """What the cues say."""


def read_cells() -> dict[str, Mapping[str, frozenset[str]]]:
    """Return title key -> facet -> what is stated; facets that were not asked are absent."""
    with READ.open(encoding="utf-8", newline="") as file:
        return {
            title_key(row["title"]): {
                facet: frozenset(cell.split(_JOINER)) - {NOT_STATED}
                for facet, cell in row.items()
                if facet != "title" and cell
            }
            for row in csv.DictReader(file)
        }


def measured_cells(root: Path) -> list[Cell]:
    """Return the cells that were read, with what the cues of the project say; no decision helps."""
    inputs = read_inputs(Project(root))
    read = read_cells()
    papers = [paper for paper in inputs.corpus.papers if title_key(paper.title) in read]
    classifier = TaxonomyClassifier(inputs.taxonomy, features="votes").fit(papers)
    scores = classifier.facet_scores(papers)
    cells = []
    for facet_id, model in classifier.models_.items():
        if isinstance(model, OptionalFacetModel):
            given = scores[facet_id].probabilities >= model.thresholds_
            for row, paper in enumerate(papers):
                stated = read[title_key(paper.title)].get(facet_id)
                if stated is not None:
                    names = (name for k, name in enumerate(model.ids) if given[row, k])
                    cells.append(Cell(paper.title_display, facet_id, stated, frozenset(names)))
    return cells


def figures(cells: list[Cell]) -> tuple[int, float, float]:
    """Return how many cells, the precision and the recall of the categories in them."""
    right = sum(len(cell.stated & cell.given) for cell in cells)
    given = sum(len(cell.given) for cell in cells)
    stated = sum(len(cell.stated) for cell in cells)
    return len(cells), right / max(given, 1), right / max(stated, 1)


def table(cells: list[Cell]) -> Iterator[str]:
    """Yield the lines of a Markdown table, a facet each and all of them."""
    yield "| facet | cells read | precision | recall |"
    yield "|---|---:|---:|---:|"
    for facet in (*dict.fromkeys(cell.facet for cell in cells), "all"):
        own = [cell for cell in cells if facet in (cell.facet, "all")]
        number, precision, recall = figures(own)
        yield f"| {facet} | {number} | {precision:.2f} | {recall:.2f} |"


def faults(cells: list[Cell]) -> Iterator[str]:
    """Yield the cells that are not as they were read."""
    for cell in cells:
        more, less = sorted(cell.given - cell.stated), sorted(cell.stated - cell.given)
        if more or less:
            yield f"{cell.facet}: +{','.join(more)} -{','.join(less)}  {cell.title}"


if __name__ == "__main__":
    found = measured_cells(Path(__file__).parents[2])
    print("\n".join(table(found)))
    if "--faults" in sys.argv:
        print("\n".join(faults(found)))
