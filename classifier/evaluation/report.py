"""An evaluation as text for people, as JSON for machines, and held against bars."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from classifier.errors import UsageError
from classifier.evaluation.metrics import Figure
from classifier.evaluation.outcome import CategoryFigures, Evaluation, Setup

_UNDEFINED = "–"
_MOST_CONFUSIONS = 8
_MOST_UNMATCHED = 5
_JSON_DIGITS = 4


def report_text(evaluation: Evaluation) -> str:
    """Return the report: what was scored and how, each category (core first), means, the rest."""
    parts = [
        _header(evaluation.setup),
        _category_lines(evaluation),
        _mean_lines(evaluation),
        _calibration_lines(evaluation),
        _confusion_lines(evaluation),
        _unmatched_lines(evaluation.setup.unmatched),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def report_json(evaluation: Evaluation) -> dict[str, object]:
    """Return the figures as JSON values; undefined ones are None, all rounded to 4 digits."""
    setup, means = evaluation.setup, _means(evaluation)
    return {
        "n": setup.n,
        "cross_validated": setup.is_cross_validated,
        "folds": setup.folds,
        "repeats": setup.repeats,
        "trained_on": setup.trained_on,
        "unlabelled": setup.unlabelled,
        "categories": {
            name: {
                "precision": _json(figures.precision),
                "recall": _json(figures.recall),
                "f1": _json(figures.f1.value),
                "support": figures.support,
                "interval": _json_interval(figures.f1),
                "core": figures.core,
            }
            for name, figures in evaluation.categories.items()
        },
        **{key: _json(mean.value) for key, mean in means.items()},
        "intervals": {key: _json_interval(mean) for key, mean in means.items()},
        "ece": _json(evaluation.ece),
        "brier": _json(evaluation.brier),
        "facets": {name: _json(facet.figure.value) for name, facet in evaluation.facets.items()},
        "abstention": _json_abstention(evaluation),
        "confusion": {name: dict(row) for name, row in evaluation.confusion.items()},
        "left_out": list(evaluation.left_out),
        "unmatched": list(setup.unmatched),
    }


BAR_NAMES = ("core", "all", "micro", "primary", "p_at_1", "map")
"""The figures that `--fail-under` knows beside the accuracy of each further facet."""


def check_bars(evaluation: Evaluation, bars: Sequence[str]) -> list[str]:
    """Return, in words, each bar (`core=0.85`) that the evaluation does not reach.

    Names are core, all, micro, primary, p_at_1, map and the ids of further facets. An undefined
    value reaches no bar. Raises UsageError for an unknown name or a value that is not 0 to 1.
    """
    known = _bar_figures(evaluation)
    failures: list[str] = []
    for bar in bars:
        name, wanted = parse_bar(bar, list(known))
        label, value = known[name]
        if math.isnan(value):
            failures.append(f"{name}: {label} is undefined, wanted at least {wanted:g}.")
        elif value < wanted:
            # Rounded down, so that a value just below its bar never looks as if it reached it.
            shown = math.floor(value * 1000) / 1000
            failures.append(f"{name}: {label} is {shown:.3f}, wanted at least {wanted:g}.")
    return failures


def _bar_figures(evaluation: Evaluation) -> dict[str, tuple[str, float]]:
    """Return bar name -> (what it is called, its value)."""
    facets = {
        name: (f"{facet.measure} of {name}", facet.figure.value)
        for name, facet in evaluation.facets.items()
    }
    return {
        **facets,
        "core": ("core mean F1", evaluation.core_f1.value),
        "all": ("mean F1", evaluation.mean_f1.value),
        "micro": ("micro F1", evaluation.micro_f1.value),
        "primary": ("primary accuracy", evaluation.primary_accuracy.value),
        "p_at_1": ("P@1", evaluation.precision_at_1.value),
        "map": ("mean average precision", evaluation.mean_average_precision.value),
    }


def parse_bar(bar: str, known: Sequence[str]) -> tuple[str, float]:
    """Return the figure's name and the value it shall reach; UsageError where one is wrong."""
    name, _, text = bar.partition("=")
    name = name.strip()
    if name not in known:
        raise UsageError(f"--fail-under {bar}: no figure '{name}'; one of {', '.join(known)}.")
    try:
        wanted = float(text)
    except ValueError:
        wanted = math.nan
    if not 0 <= wanted <= 1:
        raise UsageError(f"--fail-under {bar}: '{text}' is no number from 0 to 1.")
    return name, wanted


def _header(setup: Setup) -> list[str]:
    learned = f"{_papers(setup.trained_on)} with decisions and {setup.unlabelled} without"
    if setup.is_cross_validated:
        repeats = f", {setup.repeats} times over" if setup.repeats > 1 else ""
        how = (
            f"Cross-validated: {setup.folds} folds{repeats}, learned from {learned},\n"
            "each time without the papers of the fold that is scored."
        )
    elif setup.trained_on:
        how = f"Not cross-validated: one fit on {learned}, none of them scored."
    else:
        how = (
            f"Not cross-validated: the taxonomy alone, with {setup.unlabelled} unlabelled papers,\n"
            "none of them scored."
        )
    return [f"Scored {_papers(setup.n)}.", *how.split("\n")]


def _category_lines(evaluation: Evaluation) -> list[str]:
    entries = sorted(evaluation.categories.items(), key=lambda entry: not entry[1].core)
    width = max(len("category"), *(len(name) + 2 for name, _ in entries))
    lines = [f"{'category':<{width}}    P     R    F1     n  95 % interval of F1"]
    lines += [_category_line(name, figures, width) for name, figures in entries]
    return [*lines, *_category_notes(evaluation)]


def _category_line(name: str, figures: CategoryFigures, width: int) -> str:
    marked = f"{'*' if figures.core else ' '} {name}"
    cells = (figures.precision, figures.recall, figures.f1.value)
    numbers = "".join(f" {_number(value):>5}" for value in cells)
    line = f"{marked:<{width}}{numbers[1:]} {figures.support:>5}  {_interval(figures.f1)}"
    return line.rstrip()


def _category_notes(evaluation: Evaluation) -> Iterator[str]:
    if any(figures.core for figures in evaluation.categories.values()):
        yield "* core category"
    scope = [name for name, figures in evaluation.categories.items() if figures.out_of_scope]
    if scope:
        yield f"Out of scope, in no mean: {', '.join(scope)}."
    left_out = [name for name in evaluation.left_out if name not in scope]
    if left_out:
        yield f"In no mean, since no scored paper has them: {', '.join(left_out)}."


def _mean_lines(evaluation: Evaluation) -> list[str]:
    core = _counted(evaluation, core_only=True)
    every = _counted(evaluation, core_only=False)
    rows = [
        ("core mean F1", evaluation.core_f1, core),
        ("mean F1", evaluation.mean_f1, every),
        ("micro F1", evaluation.micro_f1, every),
        ("mean average precision", evaluation.mean_average_precision, every),
        ("P@1", evaluation.precision_at_1, "the filed category is one of the true topics"),
        ("primary accuracy", evaluation.primary_accuracy, "filed where it belongs"),
    ]
    rows += [
        (f"{name} {facet.measure}", facet.figure, _papers(facet.n))
        for name, facet in evaluation.facets.items()
    ]
    return _figure_lines(rows)


def _figure_lines(rows: Sequence[tuple[str, Figure, str]]) -> list[str]:
    width = max(len(label) for label, _, _ in rows)
    return [
        f"{label:<{width}}  {_number(mean.value):>4}  {_interval(mean):<11}  {note}".rstrip()
        for label, mean, note in rows
    ]


def _calibration_lines(evaluation: Evaluation) -> list[str]:
    abstention = evaluation.abstention
    rows = [
        ("confident papers", abstention.confident, "share of the scored papers"),
        ("primary accuracy of those", abstention.accuracy, ""),
    ]
    coverage = "".join(f" {f'{share:.0%}':>5}" for share, _ in abstention.risk_coverage)
    accuracy = "".join(f" {_number(value):>5}" for _, value in abstention.risk_coverage)
    return [
        f"Topic probabilities: expected calibration error {_number(evaluation.ece, 3)}, "
        f"Brier score {_number(evaluation.brier, 3)}.",
        *_figure_lines(rows),
        f"most confident    {coverage}",
        f"primary accuracy  {accuracy}",
    ]


def _confusion_lines(evaluation: Evaluation) -> list[str]:
    mistakes = [
        (-count, true, given)
        for true, row in evaluation.confusion.items()
        for given, count in row.items()
        if given != true
    ]
    if not mistakes:
        return []
    lines = ["Filed elsewhere most often (true category -> filed under):"]
    for count, true, given in sorted(mistakes)[:_MOST_CONFUSIONS]:
        lines.append(f"{-count:>4}  {true} -> {given}")
    return lines


def _unmatched_lines(titles: Sequence[str]) -> list[str]:
    if not titles:
        return []
    lines = [f"Not scored, since no paper bears the title: {len(titles)}"]
    lines += [f"  {title}" for title in titles[:_MOST_UNMATCHED]]
    if len(titles) > _MOST_UNMATCHED:
        lines.append(f"  and {len(titles) - _MOST_UNMATCHED} more")
    return lines


def _means(evaluation: Evaluation) -> dict[str, Figure]:
    return {
        "core_f1": evaluation.core_f1,
        "mean_f1": evaluation.mean_f1,
        "micro_f1": evaluation.micro_f1,
        "precision_at_1": evaluation.precision_at_1,
        "primary_accuracy": evaluation.primary_accuracy,
        "mean_average_precision": evaluation.mean_average_precision,
    }


def _json_abstention(evaluation: Evaluation) -> dict[str, object]:
    abstention = evaluation.abstention
    return {
        "confident": _json(abstention.confident.value),
        "accuracy": _json(abstention.accuracy.value),
        "risk_coverage": [
            {"coverage": coverage, "accuracy": _json(accuracy)}
            for coverage, accuracy in abstention.risk_coverage
        ],
    }


def _json(value: float) -> float | None:
    return None if math.isnan(value) else round(value, _JSON_DIGITS)


def _json_interval(mean: Figure) -> list[float | None]:
    return [_json(mean.low), _json(mean.high)]


def _counted(evaluation: Evaluation, *, core_only: bool) -> str:
    n = sum(
        bool(figures.support) and (figures.core if core_only else not figures.out_of_scope)
        for figures in evaluation.categories.values()
    )
    return f"{n} {'category' if n == 1 else 'categories'}"


def _papers(n: int) -> str:
    return f"{n} paper{'' if n == 1 else 's'}"


def _number(value: float, digits: int = 2) -> str:
    return _UNDEFINED if math.isnan(value) else f"{value:.{digits}f}"


def _interval(mean: Figure) -> str:
    return "" if math.isnan(mean.low) else f"{mean.low:.2f}–{mean.high:.2f}"
