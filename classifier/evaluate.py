"""Scoring a project's classifier: `fieldguide evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from classifier.build import Inputs, read_inputs
from classifier.corpus.load import load_papers
from classifier.corpus.paper import Paper
from classifier.errors import UsageError
from classifier.evaluation.crossval import evaluate
from classifier.evaluation.gold import match_gold, read_gold
from classifier.evaluation.held_out import LearningMaterial
from classifier.evaluation.outcome import Evaluation
from classifier.evaluation.report import BAR_NAMES, parse_bar
from classifier.labelling.labels import Decisions
from classifier.progress import Progress
from classifier.project import Project


def evaluate_project(
    project: Project,
    paths: Sequence[Path] = (),
    *,
    gold: Path | None = None,
    train: str | None = None,
    folds: int = 5,
    repeats: int = 1,
    bars: Sequence[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """Score the labels of papers that people have decided.

    paths: the papers to score; the project's own where there are none. gold: their truth; the
    ledger where there is none. train: a CSV like gold, `none` for the taxonomy alone, None for
    the ledger. Papers of a train file are taken from `paths` first, then from the project.
    bars: figures that the caller will ask for (`core=0.85`), refused here if there is no such.
    Raises InputError and UsageError.
    """
    inputs = read_inputs(project, progress)
    facets = [name for name in inputs.taxonomy.facets if name != inputs.taxonomy.first.id]
    for bar in bars:
        parse_bar(bar, [*BAR_NAMES, *facets])
    own = inputs.corpus.papers
    scored = load_papers(paths, Path.cwd(), progress=progress).papers if paths else own
    truth, unmatched = _truth(inputs, scored, gold)
    if not truth:
        source = str(gold) if gold else project.shown(project.ledger_file)
        raise UsageError(
            f"{source}: no decision on any of the {len(scored)} papers. Name the papers that were "
            "decided, or a --gold file with their titles."
        )
    return evaluate(
        inputs.taxonomy,
        own,
        scored,
        truth,
        _material(inputs, (*scored, *own) if paths else own, train),
        folds=folds,
        repeats=repeats,
        unmatched=unmatched,
        progress=progress,
    )


def _truth(
    inputs: Inputs, scored: Sequence[Paper], gold: Path | None
) -> tuple[Decisions, list[str]]:
    """The decisions on the scored papers, and the titles whose paper is not there."""
    if gold is None:
        known = {paper.id for paper in scored}
        return {key: value for key, value in inputs.decisions.items() if key in known}, []
    matched, unmatched = match_gold(read_gold(gold, inputs.taxonomy, str(gold)), scored)
    return matched, [row.title for row in unmatched]


def _material(
    inputs: Inputs, papers: Sequence[Paper], train: str | None
) -> LearningMaterial | None:
    if train is None:
        return LearningMaterial(inputs.corpus.papers, inputs.decisions)
    if train.lower() == "none":
        return None
    matched, _ = match_gold(read_gold(Path(train), inputs.taxonomy, train), papers)
    learned = tuple({paper.id: paper for paper in papers if paper.id in matched}.values())
    return LearningMaterial(learned, matched)
