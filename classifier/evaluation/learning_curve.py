"""What reviews buy: the figures when only the first k decided papers are learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from classifier.errors import UsageError
from classifier.evaluation.crossval import Experiment
from classifier.evaluation.metrics import Figure, defined_mean, figure, resample_weights, share
from classifier.evaluation.outcome import STEP, CurvePoint
from classifier.evaluation.settings import Setting
from classifier.progress import Progress

SIZES = (0, 10, 20, 40, 80, 160)


def learning_curve(
    experiment: Experiment,
    base: Setting,
    sizes: Sequence[int] = SIZES,
    progress: Progress | None = None,
) -> tuple[CurvePoint, ...]:
    """Return a point for each of `sizes`, and in place of all that are too large, for the most.

    The first k are drawn at random from what may be learned from, by a hash; each repeat of the
    experiment draws anew, and figures are means over them. The decisions on all other papers are
    hidden; the papers stay, unlabelled. Raises UsageError where there is no decision to learn from.
    """
    most = experiment.least_decisions
    if most == 0:
        raise UsageError("--learning-curve: there is no decision to learn from.")
    reachable = sorted({min(size, most) for size in sizes})
    return tuple(_point(experiment, base, size, most, progress) for size in reachable)


def _point(
    experiment: Experiment, base: Setting, size: int, most: int, progress: Progress | None
) -> CurvePoint:
    setting = _told(base, size)
    evaluation = experiment.evaluate(setting, progress)
    if size + STEP > most:
        return CurvePoint(size, evaluation, None)
    flips = _flips(experiment, setting, _told(base, size + STEP), progress)
    return CurvePoint(size, evaluation, flips)


def _told(base: Setting, size: int) -> Setting:
    return replace(base, name=f"{size} decided", reviews=size)


def _flips(
    experiment: Experiment, before: Setting, after: Setting, progress: Progress | None
) -> Figure:
    """Return the share of papers whose filed category differs, draw by draw."""
    earlier, later = _filed(experiment, before, progress), _filed(experiment, after, progress)
    weights = resample_weights(len(experiment.papers))
    # Without a decision nothing is drawn: one round stands for every repeat.
    pairs = zip(earlier if len(earlier) == len(later) else earlier * len(later), later, strict=True)
    changed = [share(np.array(one) != np.array(other), weights) for one, other in pairs]
    return figure(defined_mean(np.stack(changed), axis=0))


def _filed(experiment: Experiment, setting: Setting, progress: Progress | None) -> list[list[str]]:
    facet_id = experiment.taxonomy.first.id
    return [
        [labels.facets[facet_id].primary for labels in round_]
        for round_ in experiment.rounds(setting, progress)
    ]


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the sizes that `--learning-curve 0,20,40` names; UsageError where one is no count.

    >>> parse_sizes("40, 0, 20")
    (0, 20, 40)
    """
    parts = [part.strip() for part in text.split(",")]
    wrong = [part for part in parts if not (part.isascii() and part.isdigit())]
    if wrong:
        found = ", ".join(f"'{part}'" for part in wrong)
        raise UsageError(
            f"--learning-curve {text}: {found} is no number of papers; write 0,20,40 for example."
        )
    return tuple(sorted({int(part) for part in parts}))
