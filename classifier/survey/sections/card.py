"""The card of the classifier: how good its labels are, as measured in the build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from classifier.survey.document import Table
from classifier.survey.escape import escape_cell
from classifier.taxonomy.model import Taxonomy

_NOT_MEASURED = "–"

# What is asked, its key in metrics.json, and whether it is a share.
_QUESTIONS = (
    ("Papers that readers decided", "decided", "count"),
    ("Of them measured on", "measured", "count"),
    ("Filed as the reader did", "primary_accuracy", "share"),
    ("F1, mean over the categories", "mean_f1", "figure"),
    ("F1, mean over the core categories", "core_f1", "figure"),
    ("Mean distance of a probability from what came true (ECE)", "ece", "figure"),
    ("Labels that are confident", "confident_share", "share"),
    ("Confident ones filed as the reader did", "confident_accuracy", "share"),
    ("Confidence from which a label is confident", "confidence_cut", "share"),
)


def card_table(taxonomy: Taxonomy, metrics: Mapping[str, Any]) -> list[Table]:
    """Return the figures of every facet that readers decided, with 95 % intervals; none if none."""
    measured = {
        facet_id: figures
        for facet_id, figures in metrics.get("facets", {}).items()
        if figures.get("decided")
    }
    if not measured:
        return []
    rows = [
        (asked, *(_cell(figures, key, form) for figures in measured.values()))
        for asked, key, form in _QUESTIONS
        if any(_says_more(figures, key) for figures in measured.values())
    ]
    names = (escape_cell(taxonomy.facet(facet_id).name) for facet_id in measured)
    return [
        Table(
            "card",
            "How good are the labels that no reader decided? Each decision was predicted by a "
            "model that had not seen it; in brackets 95% intervals by bootstrap.",
            ("Asked", *names),
            tuple(rows),
            numeric=tuple(range(1, len(measured) + 1)),
        )
    ]


def _says_more(figures: Mapping[str, Any], key: str) -> bool:
    """Say whether a figure is known; that all decided papers were measured on is no news."""
    said = figures.get("decided") if key == "measured" else None
    return figures.get(key) not in (None, said)


def _cell(figures: Mapping[str, Any], key: str, form: str) -> str:
    value = figures.get(key)
    if value is None:
        return _NOT_MEASURED
    low, high = figures.get("intervals", {}).get(key) or (None, None)
    # Where no paper differs, resamples cannot show what the sample does not hold.
    if low is None or high is None or low == high:
        return _shown(value, form)
    return f"{_shown(value, form)} ({_shown(low, form)} to {_shown(high, form)})"


def _shown(value: float, form: str) -> str:
    if form == "share":
        return f"{100 * value:.0f}%"
    return f"{value:,}" if form == "count" else f"{value:.2f}"
