"""What a new project shows at once: misfiled papers, duplicates, papers without abstract."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from classifier.advice.label_errors import doubtful_decisions
from classifier.inputs import read_inputs
from classifier.learning import train
from classifier.new.categories import OTHER
from classifier.progress import Progress
from classifier.project import Project


@dataclass(frozen=True, slots=True)
class Misfiled:
    """A paper that its text puts elsewhere."""

    title: str
    filed: str
    """The name of the category that it was filed under."""
    said: str
    """The name of the category that its text speaks for."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a person may want to look at first."""

    misfiled: tuple[Misfiled, ...]
    """The likeliest slips first."""
    duplicates: tuple[tuple[str, tuple[str, ...]], ...]
    """(title, places of its records) of papers that stood in the files more than once."""
    without_abstract: tuple[str, ...]
    """Titles of papers of which neither abstract nor digest is known."""
    papers: int
    warnings: int


def look(folder: Path, progress: Progress | None = None) -> FirstLook:
    """Train on the project in `folder` and say what is doubtful; nothing is written.

    Raises InputError where the project has faults.
    """
    project = Project(folder)
    inputs = read_inputs(project, progress)
    facet = inputs.taxonomy.first
    papers = {paper.id: paper for paper in inputs.corpus.papers}
    doubts = (
        doubtful_decisions(train(inputs, progress).models_, inputs.decisions)
        if inputs.decisions
        else []
    )
    names = {category.id: category.name for category in facet.walk(retired=True)}
    return FirstLook(
        tuple(
            Misfiled(
                papers[doubt.paper_id].title_display,
                names.get(doubt.decided, doubt.decided),
                names.get(doubt.said, doubt.said),
            )
            for doubt in doubts
            if doubt.paper_id in papers and OTHER not in (doubt.decided, doubt.said)
        ),
        tuple(
            (paper.title_display, tuple(map(str, paper.sources)))
            for paper in inputs.corpus.papers
            if len(paper.sources) > 1
        ),
        tuple(p.title_display for p in inputs.corpus.papers if p.abstract_kind == "none"),
        len(inputs.corpus.papers),
        len(inputs.warnings),
    )
