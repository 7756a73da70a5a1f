"""The public Python API of a project: its papers, decisions and evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classifier import project
from classifier.errors import UsageError, listed
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.survey.inputs import read_inputs
from classifier.text.normalise import did_you_mean

if TYPE_CHECKING:
    from classifier.evaluation.outcome import Evaluation


class Project(project.Project):
    """A folder with a taxonomy, papers and, optionally, templates."""

    __slots__ = ()

    def papers(self) -> tuple[Paper, ...]:
        """Return the papers; raise InputError with all faults of the project."""
        return read_inputs(self).corpus.papers

    def decisions(self, facet: str = "") -> list[Decision | None]:
        """Return the current decision on each of the `papers`; None for an undecided paper.

        facet: id of the facet, by default the first. `TaxonomyClassifier.fit` takes the result as
        its `y`. Raises InputError with all faults of the project.
        """
        inputs = read_inputs(self)
        facets = inputs.taxonomy.facets
        if facet and facet not in facets:
            hint = did_you_mean(facet, [*facets])
            message = f"facet: found '{facet}'; expected {listed([*facets])}. {hint}"
            raise UsageError(message.rstrip())
        facet = facet or inputs.taxonomy.first.id
        return [inputs.decisions.get(paper.id, {}).get(facet) for paper in inputs.corpus.papers]

    def evaluate(self, paths: Sequence[str | Path] = (), **options: Any) -> Evaluation:
        """Return the `Evaluation` that `fieldguide evaluate` prints.

        paths: files of papers to score; by default the project's papers. options: keyword arguments
        of `classifier.commands.evaluate.evaluate_project`, such as `gold`, `folds` and `repeats`.
        Raises InputError and UsageError.
        """
        from classifier.commands.evaluate import evaluate_project  # late: scikit-learn is slow

        return evaluate_project(self, [Path(path) for path in paths], **options).evaluation


def open_project(folder: str | Path | None = None) -> Project:
    """Return the project in `folder`; by default, in the current folder or its nearest parent.

    Raises UsageError if there is no project, and InputError if its folder taxonomy/ is unreadable.
    """
    return Project(project.open_project(folder).root)
