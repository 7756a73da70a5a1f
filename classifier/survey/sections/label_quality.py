"""The table of metrics on the quality of labels, and the sentences below it."""

from __future__ import annotations

from dataclasses import asdict

from classifier.evaluation.label_metrics import FacetMetrics, LabelMetrics
from classifier.survey.document import Block, Table, make_paragraphs, method_text
from classifier.survey.quality import label_source
from classifier.survey.wording import capitalise, escape_cell, join_words
from classifier.taxonomy.model import Taxonomy

_UNSOLVED = (
    "A problem is *said to be unsolved* if its cue is in a sentence that states a problem or a "
    "limit and that has a word such as “fails” or “lacks”."
)
_NOT_MEASURED = "–"

# (name of the measure, its field in `FacetMetrics`, format)
_MEASURES = (
    ("Papers that {decided}", "decided", "count"),
    ("Of these, tested", "measured", "count"),
    ("Assigned to {category}", "primary_accuracy", "share"),
    ("F1, mean over the categories", "mean_f1", "figure"),
    ("F1, mean over the core categories", "core_f1", "figure"),
    ("Expected calibration error (ECE) of the probabilities", "ece", "figure"),
    ("Confident labels", "confident_share", "share"),
    ("Confident labels with {category}", "confident_accuracy", "share"),
    ("Minimum confidence of a confident label", "confidence_cut", "share"),
)


def quality_table(taxonomy: Taxonomy, metrics: LabelMetrics) -> list[Table]:
    """Return the table of metrics for all decided facets, with 95 % intervals, or []."""
    measured = {
        facet_id: figures for facet_id, figures in metrics.facets.items() if figures.decided
    }
    if not measured:
        return []
    source = asdict(label_source(next(iter(measured.values()))))
    rows = []
    for name, key, form in _MEASURES:
        if any(_is_printed(figures, key) for figures in measured.values()):
            cells = (_value_cell(figures, key, form) for figures in measured.values())
            rows.append((name.format_map(source), *cells))
    names = (escape_cell(taxonomy.facet(facet_id).name) for facet_id in measured)
    return [
        Table(
            "card",
            "Quality of the labels that no reader decided, measured on decisions that the model "
            "had not seen; brackets: 95% intervals by bootstrap",
            ("Measure", *names),
            tuple(rows),
            numeric=tuple(range(1, len(measured) + 1)),
        )
    ]


def quality_blocks(taxonomy: Taxonomy, metrics: LabelMetrics) -> list[Block]:
    """Return the table of metrics, and sentences about the labels that it does not measure."""
    tables = quality_table(taxonomy, metrics)
    if not tables:
        return []
    has_unsolved = taxonomy.roles.unsolved in taxonomy.lexicons
    unmeasured = []
    if any(category.children for category in taxonomy.first.categories):
        unmeasured.append("parts of topics")
    if has_unsolved:
        unmeasured.append("problems that are said to be unsolved")
    if any(facet.may_be_unstated for facet in taxonomy.facets.values()):
        unmeasured.append("facets such as design choices")
    drafts = []
    if unmeasured:
        labels = capitalise(join_words(unmeasured))
        text = f"{labels} depend on cues; the table does not measure them."
        drafts.append(method_text("unmeasured", text))
    if has_unsolved:
        drafts.append(method_text("said-unsolved", _UNSOLVED))
    return [*tables, *make_paragraphs("method-labels", drafts)]


def _is_printed(figures: FacetMetrics, key: str) -> bool:
    """Return whether the table has this field; `measured` only if it differs from `decided`."""
    if key == "measured":
        return figures.measured != figures.decided
    return getattr(figures, key) is not None


def _value_cell(figures: FacetMetrics, key: str, form: str) -> str:
    """Return a value with its interval, as the text of a cell."""
    value = getattr(figures, key)
    if value is None:
        return _NOT_MEASURED
    low, high = figures.intervals.get(key, (None, None))
    # An interval of one point is an artefact of resampling a sample without errors.
    if low is None or high is None or low == high:
        return _format_value(value, form)
    return (
        f"{_format_value(value, form)} ({_format_value(low, form)} to {_format_value(high, form)})"
    )


def _format_value(value: float, form: str) -> str:
    """Return a value in this format."""
    if form == "share":
        return f"{100 * value:.0f}%"
    if form == "count":
        return f"{value:,}"
    return f"{value:.2f}"
