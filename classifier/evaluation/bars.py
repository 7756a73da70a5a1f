"""Figures that an evaluation shall reach: `fieldguide evaluate --fail-under core=0.85`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from classifier.errors import UsageError
from classifier.evaluation.metrics import Figure
from classifier.evaluation.outcome import Evaluation

BAR_NAMES = ("core", "all", "micro", "primary", "p_at_1", "map")
"""The figures that `--fail-under` knows beside the accuracy of each further facet."""


def check_bars(evaluation: Evaluation, bars: Sequence[str]) -> list[str]:
    """Return, in words, each bar (`core=0.85`) that the evaluation does not reach.

    Names are core, all, micro, primary, p_at_1, map and the ids of further facets. An undefined
    value reaches no bar. Raises UsageError for an unknown name or a value that is not 0 to 1.
    """
    known = _named_figures(evaluation)
    failures: list[str] = []
    for bar in bars:
        name, wanted = parse_bar(bar, list(known))
        label, value = known[name][0], known[name][1].value
        no_core = name == "core" and not any(each.core for each in evaluation.categories.values())
        cure = " Mark categories `core: true` in the taxonomy, or name `all`." if no_core else ""
        if math.isnan(value):
            failures.append(f"{name}: {label} is undefined, wanted at least {wanted:g}.{cure}")
        elif value < wanted:
            # Rounded down, so that a value just below its bar never looks as if it reached it.
            shown = math.floor(value * 1000) / 1000
            failures.append(f"{name}: {label} is {shown:.3f}, wanted at least {wanted:g}.")
    return failures


def _named_figures(evaluation: Evaluation) -> dict[str, tuple[str, Figure]]:
    """Return the name of a figure, as `--fail-under` calls it -> (its name for people, it)."""
    return {
        "core": ("core mean F1", evaluation.core_f1),
        "all": ("mean F1", evaluation.mean_f1),
        "micro": ("micro F1", evaluation.micro_f1),
        "primary": ("primary accuracy", evaluation.primary_accuracy),
        "p_at_1": ("P@1", evaluation.precision_at_1),
        "map": ("mean average precision", evaluation.mean_average_precision),
        **{
            name: (f"{facet.measure} of {name}", facet.figure)
            for name, facet in sorted(evaluation.facets.items())
        },
    }


def parse_bar(bar: str, known: Sequence[str]) -> tuple[str, float]:
    """Return the figure's name and the value it shall reach; UsageError where one is wrong."""
    name, wanted = parse_value(bar)
    if name not in known:
        raise UsageError(f"--fail-under {bar}: no figure '{name}'; one of {', '.join(known)}.")
    return name, wanted


def parse_value(bar: str) -> tuple[str, float]:
    """Return the same without asking for the name, which only the taxonomy knows."""
    name, _, text = bar.partition("=")
    try:
        wanted = float(text)
    except ValueError:
        wanted = math.nan
    if not 0 <= wanted <= 1:
        raise UsageError(f"--fail-under {bar}: '{text}' is no number from 0 to 1.")
    return name.strip(), wanted
