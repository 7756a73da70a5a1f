"""Tables of the report that are wider than one figure a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classifier.evaluation.learning_curve import MOST_FLIPS, STEP, CurvePoint
from classifier.evaluation.metrics import Figure
from classifier.evaluation.outcome import Evaluation
from classifier.evaluation.reliability import BINS, ReliabilityBin
from classifier.evaluation.wording import aligned, interval, number, paper_count

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
    return [caption, *aligned(rows)]


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
    return [
        f"Learning curve: only so many decided papers are learned from ({draws}), the decisions "
        "on the others hidden; without a prior.",
        f"Flips: share of the scored papers that are filed elsewhere with {STEP} decided papers "
        f"more; wanted: at most {MOST_FLIPS:.0%}.",
        *aligned(rows),
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
