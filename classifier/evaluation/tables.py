"""Tables of the report that are wider than one figure a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classifier.evaluation.learning_curve import MOST_FLIPS, STEP, CurvePoint
from classifier.evaluation.metrics import Figure
from classifier.evaluation.outcome import Evaluation, Setup
from classifier.evaluation.reliability import BINS, ReliabilityBin
from classifier.evaluation.wording import aligned, interval, number, paper_count
from classifier.labelling.facet_model import ENOUGH_PAPERS, FEW_DECISIONS

_BAR_LETTERS = 30
_NO_PAPER = "·"


def headline(evaluation: Evaluation) -> dict[str, tuple[Figure, int]]:
    """Return the figures that settings are compared by: head -> (figure, decimals shown)."""
    return {
        "core F1": (evaluation.core_f1, 2),
        "mean F1": (evaluation.mean_f1, 2),
        "P@1": (evaluation.precision_at_1, 2),
        "primary": (evaluation.primary_accuracy, 2),
        **{name: (facet.figure, 2) for name, facet in evaluation.facets.items()},
        "mAP": (evaluation.mean_average_precision, 2),
        "ECE": (evaluation.ece, 3),
    }


def settings_table(caption: str, evaluations: Mapping[str, Evaluation]) -> list[str]:
    """Return a line of figures and one of their intervals for each setting; [] without any."""
    if not evaluations:
        return []
    rows: list[list[str]] = []
    for name, evaluation in evaluations.items():
        figures = headline(evaluation)
        rows = rows or [["", *figures]]
        rows.append([name, *(number(mean.value, digits) for mean, digits in figures.values())])
        rows.append(["", *(interval(mean, digits) for mean, digits in figures.values())])
    own = {name: one.setup for name, one in evaluations.items() if one.setup.in_prior is None}
    few = [name for name, setup in own.items() if _has_few(setup)]
    return [caption, *_votes_lines(few, len(own)), *aligned(rows)]


def curve_table(points: Sequence[CurvePoint]) -> list[str]:
    """Return a line a size, with the share of labels that flip until the next step."""
    if not points:
        return []
    repeats = points[-1].evaluation.setup.repeats
    draws = "one random draw" if repeats == 1 else f"mean of {repeats} random draws"
    rows = [["decided", *headline(points[0].evaluation), "flips"]]
    for point in points:
        figures = headline(point.evaluation).values()
        cells = [number(mean.value, digits) for mean, digits in figures]
        flips = f"{point.flips.value:.1%}" if point.flips else ""
        rows.append([str(point.size), *cells, flips])
    few = [str(one.size) for one in points if _has_few(one.evaluation.setup, one.size)]
    return [
        f"Learning curve: only so many decided papers are learned from ({draws}), the decisions "
        "on the others hidden; without a prior.",
        f"Flips: share of the scored papers that are filed elsewhere with {STEP} decided papers "
        f"more; wanted: at most {MOST_FLIPS:.0%}.",
        *_votes_lines(few, len(points)),
        *aligned(rows),
    ]


def _has_few(setup: Setup, drawn: int | None = None) -> bool:
    """Say whether a fit of about the usual size has too little for regressions.

    drawn: the decisions of every fit; None where each has all but those of the papers under test.
    """
    tested = setup.n // setup.folds if setup.is_cross_validated else 0
    papers = setup.trained_on + setup.unlabelled - tested
    decided = max(0, setup.trained_on - tested) if drawn is None else drawn
    return papers < ENOUGH_PAPERS and decided < FEW_DECISIONS


def _votes_lines(few: Sequence[str], rows: int) -> list[str]:
    """Return a line on the rows where cues' votes alone decide, whatever else is told."""
    if not few:
        return []
    where = "every row without a prior" if len(few) == rows else f"row {' and '.join(few)}"
    return [
        f"Fewer than {ENOUGH_PAPERS} papers and {FEW_DECISIONS} decisions: the cues' votes alone "
        f"decide in {where}; rows may be alike."
    ]


def reliability_table(bins: Sequence[ReliabilityBin]) -> list[str]:
    """Return a line a tenth: pairs of a paper and a topic, stated and true share, a bar of it."""
    if not any(one.n for one in bins):
        return []
    rows = [["probability", "pairs", "mean", "true"]]
    rows += [
        [
            f"{one.low:.1f}–{one.low + 1 / BINS:.1f}",
            str(one.n),
            number(one.mean_probability),
            number(one.share_true),
        ]
        for one in bins
    ]
    bars = ["", *("#" * round(_BAR_LETTERS * one.share_true) if one.n else "" for one in bins)]
    lines = zip(aligned(rows), bars, strict=True)
    return [
        "Reliability: how often a topic is true that is given with such a probability.",
        *(f"{line}  {bar}".rstrip() for line, bar in lines),
    ]


def confusion_table(evaluation: Evaluation) -> list[str]:
    """Return the confusion matrix; columns bear the number of the category in its row."""
    seen = {name for row in evaluation.confusion.values() for name in row}
    ids = [name for name in evaluation.categories if name in seen or name in evaluation.confusion]
    if not ids:
        return []
    known = [name for name in ids if name in evaluation.confusion]
    numbers = {name: str(position) for position, name in enumerate(ids, start=1)}
    rows = [["", *numbers.values()]]
    for name in ids:
        filed = evaluation.confusion.get(name, {})
        cells = (str(filed[other]) if other in filed else _NO_PAPER for other in ids)
        rows.append([f"{numbers[name]:>2} {name}", *cells])
    scored = paper_count(sum(sum(evaluation.confusion[name].values()) for name in known))
    return [f"Filed where: row the true category, column the one given ({scored}).", *aligned(rows)]
