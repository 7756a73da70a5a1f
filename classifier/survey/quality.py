"""Describe the quality of labels in words, based on the metrics of the build."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import FieldguideError
from classifier.evaluation.label_metrics import FacetMetrics, LabelMetrics
from classifier.files.reading import read_text
from classifier.survey.entry import SurveyPaper
from classifier.survey.wording import count_in_words, count_with_noun, join_words, verb_for_count

_FILES = ("facts.json", "metrics.json")
_MIN_FOR_PERCENT = 20
"""Minimum number of confident labels for an accuracy in per cent; below it is a count."""


def quality_sentences(metrics: LabelMetrics, first_facet: str) -> list[tuple[str, str]]:
    """Return sentences about the labels of the first facet, each with the ids of its metrics."""
    figures = metrics.facet(first_facet)
    sentences = []
    if metrics.prior_papers:
        text = (
            f"The classifier also learns from {metrics.prior_papers} other labelled abstracts, on "
            "which it is not tested."
        )
        sentences.append((text, "prior_papers"))
    if not figures.decided:
        text = "The quality of the labels is unknown because readers have not decided any papers."
        return [*sentences, (text, f"{first_facet}.decided")]
    category = label_source(figures).category
    text = (
        f"The classifier was tested on the {_measured_papers(figures)}, each time without that "
        f"decision: it assigned {_percent(figures.primary_accuracy)} to {category}."
    )
    sentences.append((text, f"{first_facet}.measured, {first_facet}.primary_accuracy"))
    if figures.confident_accuracy is not None:
        text = (
            f"It labels {_percent(figures.confident_share)} of the tested papers with confidence, "
            f"and {_percent(figures.confident_accuracy)} of those labels name {category}. "
            f"Labels with a confidence below {_percent(figures.confidence_cut)} are provisional."
        )
        keys = ("confident_share", "confident_accuracy", "confidence_cut")
        sentences.append((text, ", ".join(f"{first_facet}.{key}" for key in keys)))
    return sentences


def _measured_papers(figures: FacetMetrics) -> str:
    """Describe the papers on which the classifier is tested."""
    if figures.measured_on == "audited papers":
        origin = "were drawn at random for readers to decide"
    else:
        origin = label_source(figures).decided
    return f"{count_with_noun(figures.measured, 'paper')} that {origin}"


def confidence_line(
    metrics: LabelMetrics,
    first_facet: str,
    confident_now: int = 0,
    last_labels: PreviousLabels | None = None,
) -> str:
    """Return one line on the confidence threshold, its accuracy, and the last build.

    confident_now: current number of confident labels. last_labels: the labels of the last build.
    The line is "" if the facet is not learned.
    """
    figures = metrics.facets.get(first_facet)
    if figures is None:
        return ""
    change = _change_since_last_build(figures, confident_now, last_labels) if last_labels else ""
    if figures.confidence_cut is None:
        return f"{_reason_without_threshold(figures)}{change}."
    line = f"A label is confident from {figures.confidence_cut:.2f} on: "
    if not figures.decided:
        return f"{line}its accuracy is unknown until more papers are decided."
    measured = _measured_papers(figures)
    if figures.confident_accuracy is None or figures.confident_share is None:
        return f"{line}none of the {measured} reaches it{change}."
    n_confident = round(figures.confident_share * figures.measured)
    correct = _correct_labels(figures.confident_accuracy, n_confident)
    name = "names" if correct in ("one", "none") else "name"
    return (
        f"{line}with the decision hidden, {n_confident} of {measured} get such a label, and "
        f"{correct} of these {name} {label_source(figures).category}{change}."
    )


def _correct_labels(accuracy: float, n_labels: int) -> str:
    """Return how many labels are correct: "all", "none", a percentage or a count."""
    if accuracy == 1:
        return "all"
    if accuracy == 0:
        return "none"
    if n_labels >= _MIN_FOR_PERCENT:
        return _percent(accuracy)
    return count_in_words(round(accuracy * n_labels))


def _reason_without_threshold(figures: FacetMetrics) -> str:
    """Return the reason why no label is confident."""
    if missing := figures.checks_missing:
        return (
            "No label is confident, because too few decisions check the classifier: decide "
            f"{count_with_noun(missing, 'more paper')} drawn at random "
            f"(`fieldguide review audit {missing}`)"
        )
    return (
        f"No label is confident: {count_with_noun(figures.confidence_checks, 'decision')} do "
        "not show "
        f"that 90% of the most confident labels name {label_source(figures).category}"
    )


@dataclass(frozen=True, slots=True)
class PreviousLabels:
    """The confident labels of an earlier build."""

    confident: int
    """Number of confident labels."""
    decided: int
    """Number of decided papers in the first facet."""
    confidence_cut: float | None
    """Confidence from which a label was confident; None if no label was."""


def read_previous_labels(folder: Path, first_facet: str) -> PreviousLabels | None:
    """Read the confident labels of the build in a folder; None if its files are not readable."""
    try:
        facts, metrics = (json.loads(read_text(folder / name)) for name in _FILES)
        figures = metrics["facets"].get(first_facet, {})
        return PreviousLabels(
            facts["papers.confident"]["value"],
            figures.get("decided", 0),
            figures.get("confidence_cut"),
        )
    except (FieldguideError, OSError, ValueError, KeyError, TypeError):
        return None


def _change_since_last_build(
    figures: FacetMetrics, n_confident: int, last_labels: PreviousLabels
) -> str:
    """Return the previous count and threshold of confident labels; "" if the count is equal."""
    if last_labels.confident == n_confident:
        return ""
    text = f". Before, {count_with_noun(last_labels.confident, 'label')} "
    text += f"{verb_for_count(last_labels.confident, 'was', 'were')} confident"
    if last_labels.confidence_cut:
        text += f" from {last_labels.confidence_cut:.2f} on"
    more = figures.decided - last_labels.decided
    if more > 0:
        were = verb_for_count(more, "was", "were")
        text += f"; {count_with_noun(more, 'paper')} {were} decided since then"
    return text


@dataclass(frozen=True, slots=True)
class LabelSource:
    """The people or sources whose labels are used to test the classifier, in words."""

    people: str
    decided: str
    """Clause after "papers that"."""
    category: str
    """The category that they chose."""


_READERS = LabelSource("readers", "readers decided", "the category that the reader chose")
_SOURCES = {
    "papers of the queue": LabelSource(
        "readers", "readers decided (the hardest first)", "the category that the reader chose"
    ),
    "imported papers": LabelSource(
        "sources", "their sources had filed", "the category of the source"
    ),
    "decided and imported papers": LabelSource(
        "readers and sources",
        "readers or their sources had filed",
        "the category that the reader or source chose",
    ),
}


def label_source(figures: FacetMetrics) -> LabelSource:
    """Return whose labels the metrics of a facet were measured against."""
    return _SOURCES.get(figures.measured_on, _READERS)


def provisional_line(papers: Sequence[SurveyPaper], metrics: LabelMetrics, first_facet: str) -> str:
    """Return one line on the reasons for provisional labels; "" if there are none.

    papers: the papers with a provisional label. Each paper is counted under its first reason.
    """
    explained = [entry for entry in papers if entry.first.why]
    with_text = [entry for entry in explained if entry.paper.abstract_display]
    with_cue = [entry for entry in with_text if any(reason.place for reason in entry.first.why)]
    n_between = sum(len(entry.first.candidates) > 1 for entry in with_cue)
    last_reason = ("has a confidence below the threshold", "have a confidence below the threshold")
    if metrics.facet(first_facet).confidence_cut is None:
        last_reason = ("is not checked by decisions", "are not checked by decisions")
    counts = {
        ("has no evidence", "have no evidence"): len(papers) - len(explained),
        ("comes from a title alone", "come from titles alone"): len(explained) - len(with_text),
        ("matches no cue of its category", "match no cue of their category"): (
            len(with_text) - len(with_cue)
        ),
        ("is between several categories", "are between several categories"): n_between,
        last_reason: len(with_cue) - n_between,
    }
    reasons = [f"{n} {verb_for_count(n, *forms)}" for forms, n in counts.items() if n]
    if not reasons:
        return ""
    return f"Of the labels waiting for review, {join_words(reasons)}: see `why` in the sheet."


def _percent(share: float | None) -> str:
    """Return a share in per cent."""
    assert share is not None  # the caller has checked that the share is defined
    return f"{100 * share:.0f}%"
