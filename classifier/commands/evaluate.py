"""Evaluate the classifier of a project, and check minimum figures: `fieldguide evaluate`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from classifier import __version__
from classifier.errors import UsageError
from classifier.evaluation.crossfit import measured_papers
from classifier.evaluation.crossval import cross_validate
from classifier.evaluation.gold import match_gold, read_gold
from classifier.evaluation.held_out import TrainingMaterial
from classifier.evaluation.metrics import Estimate
from classifier.evaluation.outcome import Evaluation, Findings
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions
from classifier.labelling.prior import Prior
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.project import Project
from classifier.survey.inputs import Inputs, read_inputs

_INPUTS = ("taxonomy", "prior")
"""Parameters of the classifier that are inputs and not settings."""


def evaluate_project(
    project: Project,
    paths: Sequence[Path] = (),
    *,
    gold: Path | None = None,
    train: str | None = None,
    prior: str | None = None,
    folds: int = 5,
    repeats: int = 1,
    bars: Sequence[str] = (),
    progress: Progress | None = None,
) -> Findings:
    """Compare the classifier's labels of papers with their correct labels.

    paths: files of papers to score; by default the project's papers. gold: their correct labels; by
    default the ledger, or only its audited papers if there are enough of them. train: a CSV like
    gold, `none` for the taxonomy alone, None for the ledger; its papers are looked up in `paths`,
    then in the project.
    prior: a file, or `none` for no prior; by default that of the project, or none if `train` is
    `none`. Papers from which the prior was learned are not scored.
    bars: minimum figures (`core=0.85`); only their names and values are checked here.
    Raises InputError and UsageError.
    """
    for bar in bars:
        parse_bar(bar)
    if train is not None and train.lower() == "none":
        prior = prior or "none"
    inputs = read_inputs(project, progress, prior=prior)
    facets = [name for name in inputs.taxonomy.facets if name != inputs.taxonomy.first.id]
    for bar in bars:
        parse_bar(bar, [*BAR_NAMES, *facets])
    own = inputs.corpus.papers
    scored = load_papers(paths, Path.cwd(), progress=progress).papers if paths else own
    ledger = project.shown(project.ledger_file)
    truth, unmatched, source = _truth(inputs, scored, gold, ledger)
    if not truth:
        raise UsageError(
            f"{source}: no decision on any of the {len(scored)} papers. Choose papers that were "
            "decided, or a --gold file with their titles."
        )
    truth, in_prior = _not_in_prior(inputs.prior, scored, truth)
    material = _training_material(inputs, (*scored, *own) if paths else own, train)
    evaluation = cross_validate(
        inputs.taxonomy,
        own,
        scored,
        truth,
        material,
        folds=folds,
        repeats=repeats,
        unmatched_titles=unmatched,
        prior=inputs.prior,
        n_in_prior=in_prior,
        progress=progress,
    )
    first = inputs.taxonomy.first.id
    sources = Counter(labels[first].drawn_by for labels in truth.values() if first in labels)
    return Findings(
        evaluation,
        _provenance(inputs, source, train or ledger, prior or project.prior_file.name),
        {} if gold else dict(sorted(sources.items())),
    )


def _not_in_prior(
    prior: Prior | None, scored: Sequence[Paper], truth: Decisions
) -> tuple[Decisions, int]:
    """Return the truth without papers from which the prior was learned, and their number.

    Raises UsageError if the prior was learned from all of them.
    """
    if prior is None:
        return truth, 0
    known = {paper.id for paper in scored if paper.id in truth and prior.was_learned_from(paper)}
    if known == set(truth):
        raise UsageError(
            f"The prior was learned from all {len(known)} papers to score, so they cannot test it. "
            "Choose other papers, or use no prior: --prior none."
        )
    return {key: labels for key, labels in truth.items() if key not in known}, len(known)


def _truth(
    inputs: Inputs, scored: Sequence[Paper], gold: Path | None, ledger: str
) -> tuple[Decisions, list[str], str]:
    """Return the correct labels of the scored papers, titles without a paper, and their source.

    If the ledger has enough audited papers, only these count.
    """
    if gold is not None:
        matched, unmatched = match_gold(read_gold(gold, inputs.taxonomy, str(gold)), scored)
        return matched, [row.title for row in unmatched], str(gold)
    decided = [paper.id for paper in scored if paper.id in inputs.decisions]
    measured, audited = measured_papers(decided, inputs.decisions, inputs.taxonomy.first.id)
    truth = {key: value for key, value in inputs.decisions.items() if key in measured}
    return truth, [], f"{ledger} (audited papers)" if audited else ledger


def _training_material(
    inputs: Inputs, papers: Sequence[Paper], train: str | None
) -> TrainingMaterial | None:
    """Return the papers and decisions to train on; None to train on the taxonomy alone."""
    if train is None:
        return TrainingMaterial(inputs.corpus.papers, inputs.decisions)
    if train.lower() == "none":
        return None
    matched, _ = match_gold(read_gold(Path(train), inputs.taxonomy, train), papers)
    learned = tuple({paper.id: paper for paper in papers if paper.id in matched}.values())
    return TrainingMaterial(learned, matched)


def _provenance(inputs: Inputs, truth: str, learned_from: str, prior: str) -> dict[str, object]:
    taxonomy = inputs.taxonomy
    parameters = TaxonomyClassifier(taxonomy).get_params(deep=False)
    categories = [each for facet in taxonomy.facets.values() for each in facet.walk()]
    return {
        "version": __version__,
        "survey": taxonomy.survey.title,
        "taxonomy_digest": taxonomy.digest,
        "inputs_digest": inputs.version,
        "categories": {name: len(facet.ids) for name, facet in taxonomy.facets.items()},
        "cues": sum(len(cues) for each in categories for _, cues in each.cues.views()),
        "truth": truth,
        "learned_from": learned_from,
        "prior": prior if inputs.prior else "none",
        "parameters": {name: parameters[name] for name in parameters if name not in _INPUTS},
    }


BAR_NAMES = ("core", "all", "micro", "primary", "p_at_1", "map")
"""Names that `--fail-under` accepts, in addition to the ids of further facets."""


def check_bars(evaluation: Evaluation, bars: Sequence[str]) -> list[str]:
    """Return a message for each bar (`core=0.85`) that the evaluation does not reach.

    Names are core, all, micro, primary, p_at_1, map and the ids of further facets. An undefined
    value does not reach any bar. Raises UsageError for an unknown name or an invalid value.
    """
    known = _figures_by_name(evaluation)
    failures: list[str] = []
    for bar in bars:
        name, expected = parse_bar(bar, list(known))
        label, value = known[name][0], known[name][1].value
        no_core = name == "core" and not any(
            category.core for category in evaluation.categories.values()
        )
        hint = " Mark categories `core: true` in the taxonomy, or use `all`." if no_core else ""
        if math.isnan(value):
            failures.append(f"{name}: {label} is undefined, expected at least {expected:g}.{hint}")
        elif value < expected:
            # Rounded down, so that a value just below its bar does not seem to reach it.
            rounded = math.floor(value * 1000) / 1000
            failures.append(f"{name}: {label} is {rounded:.3f}, expected at least {expected:g}.")
    return failures


def _figures_by_name(evaluation: Evaluation) -> dict[str, tuple[str, Estimate]]:
    return {
        "core": ("core mean F1", evaluation.core_f1),
        "all": ("mean F1", evaluation.mean_f1),
        "micro": ("micro F1", evaluation.micro_f1),
        "primary": ("primary accuracy", evaluation.primary_accuracy),
        "p_at_1": ("P@1", evaluation.precision_at_1),
        "map": ("mean average precision", evaluation.mean_average_precision),
        **{
            name: (f"{facet.measure} of {name}", facet.estimate)
            for name, facet in sorted(evaluation.facets.items())
        },
    }


def parse_bar(bar: str, known: Sequence[str] = ()) -> tuple[str, float]:
    """Return the name of a figure and its minimum; raise UsageError if one is invalid.

    known: all valid names; () if they are not known yet, and every name is valid.
    """
    name, _, text = bar.partition("=")
    name = name.strip()
    try:
        expected = float(text)
    except ValueError:
        expected = math.nan
    if not 0 <= expected <= 1:
        raise UsageError(f"--fail-under {bar}: '{text}' is not a number from 0 to 1.")
    if known and name not in known:
        raise UsageError(
            f"--fail-under {bar}: unknown metric '{name}'; expected one of {', '.join(known)}."
        )
    return name, expected
