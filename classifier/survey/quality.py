"""What the survey says of its own labels, from the figures that the build measured."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import FieldguideError
from classifier.evaluation.label_metrics import FacetMetrics, LabelMetrics
from classifier.files.reading import read_text
from classifier.survey.entry import SurveyPaper
from classifier.survey.wording import counted, join_words, number

_FIGURES = ("facts.json", "metrics.json")


def quality_sentences(metrics: LabelMetrics, first_facet: str) -> list[tuple[str, str]]:
    """Return (sentence, metric id) pairs on how good the labels of the first facet are."""
    figures = metrics.facet(first_facet)
    sentences = []
    if metrics.prior_papers:
        text = (
            f"The classifier starts from weights learned beforehand on {metrics.prior_papers} "
            "labelled abstracts, and is measured on other papers."
        )
        sentences.append((text, "prior_papers"))
    if not figures.decided:
        text = "How good the labels are cannot be told before readers have decided some."
        return [*sentences, (text, f"{first_facet}.decided")]
    as_whom = label_source(figures).as_they_did
    sentences.append(
        (
            f"Asked about the {_measured(figures)}, each time without having seen that decision, "
            f"the classifier files {_percent(figures.primary_accuracy)} {as_whom}.",
            f"{first_facet}.measured, {first_facet}.primary_accuracy",
        )
    )
    if figures.confident_accuracy is not None:
        text = (
            f"It is confident of {_percent(figures.confident_share)} of these papers, and "
            f"{_percent(figures.confident_accuracy)} of those are filed {as_whom}; "
            f"below a confidence of {_percent(figures.confidence_cut)} a label is marked "
            "provisional."
        )
        keys = ("confident_share", "confident_accuracy", "confidence_cut")
        sentences.append((text, ", ".join(f"{first_facet}.{key}" for key in keys)))
    return sentences


def _measured(figures: FacetMetrics) -> str:
    """Return which papers the classifier is measured on."""
    audited = figures.measured_on == "audited papers"
    drawn = "were drawn at random for readers to decide"
    which = drawn if audited else label_source(figures).had_filed
    return f"{counted(figures.measured, 'paper')} that {which}"


_FEW = 20
"""Of fewer papers no share is told."""


def confidence_line(
    metrics: LabelMetrics,
    first_facet: str,
    confident: int = 0,
    before: PreviousLabels | None = None,
) -> str:
    """Return one line on the cut-off of confident labels, their accuracy, and the change since the
    previous build; "" if the facet is not learned.

    confident: current number of confident labels; before: those of the previous build.
    """
    figures = metrics.facets.get(first_facet)
    if figures is None:
        return ""
    moved = _moved(figures, confident, before) if before else ""
    if figures.confidence_cut is None:
        return f"{_no_border(figures)}{moved}."
    line = f"A label is confident from {figures.confidence_cut:.2f} on: "
    if not figures.decided:
        return f"{line}what that is worth, more decisions will tell."
    asked, as_they_did = _measured(figures), label_source(figures).as_they_did
    if figures.confident_accuracy is None or figures.confident_share is None:
        line += f"none of the {asked} reaches it"
    else:
        sure = round(figures.confident_share * figures.measured)
        share = figures.confident_accuracy
        right = _percent(share) if sure >= _FEW else number(round(share * sure))
        if share in (0, 1):
            right = "all" if share else "none"
        line += (
            f"with the decision hidden, {sure} of {asked} get such a label, and "
            f"{right} of these {'is' if right in ('one', 'none') else 'are'} filed {as_they_did}"
        )
    return f"{line}{moved}."


def _no_border(figures: FacetMetrics) -> str:
    """Return why no label is confident."""
    if missing := figures.checks_missing:
        return (
            "No label is confident, because too few decisions check the classifier: decide "
            f"{counted(missing, 'more paper')} drawn at random "
            f"(`fieldguide review audit {missing}`)"
        )
    return (
        f"No label is confident: {counted(figures.confidence_checks, 'decision')} do not show "
        f"that nine in ten of the surest labels are filed {label_source(figures).as_they_did}"
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


def previous_labels(folder: Path, first_facet: str) -> PreviousLabels | None:
    """Return the confident labels of the build in a folder; None if its files are not readable."""
    try:
        facts, metrics = (json.loads(read_text(folder / name)) for name in _FIGURES)
        figures = metrics["facets"].get(first_facet, {})
        return PreviousLabels(
            facts["papers.confident"]["value"],
            figures.get("decided", 0),
            figures.get("confidence_cut"),
        )
    except (FieldguideError, OSError, ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True, slots=True)
class LabelSource:
    """Who filed the papers that the classifier is measured on, in words."""

    who: str
    had_filed: str
    as_they_did: str


_READERS = LabelSource("readers", "readers decided", "as the reader did")
_FILERS = {
    "papers of the queue": LabelSource(
        "readers", "readers decided (the hardest first)", "as the reader did"
    ),
    "imported papers": LabelSource("sources", "their sources had filed", "as the source did"),
    "decided and imported papers": LabelSource(
        "readers and sources", "readers or their sources had filed", "as they did"
    ),
}


def label_source(figures: FacetMetrics) -> LabelSource:
    """Return who filed the papers on which the figures of a facet were measured."""
    return _FILERS.get(figures.measured_on, _READERS)


def _moved(figures: FacetMetrics, confident: int, before: PreviousLabels) -> str:
    """Return the previous count and cut-off of confident labels; "" if the count is unchanged."""
    more = figures.decided - before.decided
    if before.confident == confident:
        return ""
    cut = before.confidence_cut
    since = f" from {cut:.2f} on" if cut else ""
    moved = f". Before, {number(before.confident)} labels were confident{since}"
    if more > 0:
        were = "was" if more == 1 else "were"
        moved += (
            f"; since then {counted(more, 'paper')} {were} decided, and the others weighed anew"
        )
    return moved


def provisional_line(
    waiting: Sequence[SurveyPaper], metrics: LabelMetrics, first_facet: str
) -> str:
    """Return in one line why labels are provisional; "" where none is."""
    border = metrics.facet(first_facet).confidence_cut
    known = [each for each in waiting if each.first.why]
    read = [each for each in known if each.paper.abstract_display]
    cued = [each for each in read if any(reason.place for reason in each.first.why)]
    between = [each for each in cued if len(each.first.candidates) > 1]
    rest = "not checked by decisions" if border is None else "less sure than a confident one"
    counts = {
        "filed without any evidence": len(waiting) - len(known),
        "filed by a title alone": len(known) - len(read),
        "filed without a cue of the category": len(read) - len(cued),
        "between two categories or more": len(between),
        rest: len(cued) - len(between),
    }
    told = [f"{n} {'are' if n > 1 else 'is'} {words}" for words, n in counts.items() if n]
    return f"Of those that wait, {join_words(told)}: see `why` in the sheet." if told else ""


def _percent(share: float | None) -> str:
    assert share is not None  # the caller has checked that the share is defined
    return f"{100 * share:.0f}%"
