"""Sentences on the quality of the labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from inline_snapshot import snapshot

from classifier.evaluation.label_metrics import FacetMetrics, LabelMetrics
from classifier.labelling.labels import Reason
from classifier.survey.entry import SurveyPaper
from classifier.survey.quality import (
    PreviousLabels,
    confidence_line,
    provisional_line,
    quality_sentences,
)

METRICS = FacetMetrics(
    decided=40,
    measured_on="all decided papers",
    measured=40,
    primary_accuracy=0.754,
    mean_f1=0.8461,
    categories_counted=3,
    core_f1=0.911,
    confident_share=0.62,
    confident_accuracy=0.9,
    confidence_cut=0.708,
)


def label_metrics(**changed: Any) -> LabelMetrics:
    return LabelMetrics({"topic": replace(METRICS, **changed)})


def sentences(**changed: Any) -> list[str]:
    return [text for text, _ in quality_sentences(label_metrics(**changed), "topic")]


def line(
    changed: Mapping[str, Any], confident: int = 0, before: PreviousLabels | None = None
) -> str:
    return confidence_line(label_metrics(**changed), "topic", confident, before)


def test_each_sentence_names_the_metrics_that_it_prints() -> None:
    assert quality_sentences(label_metrics(), "topic") == snapshot(
        [
            (
                "The classifier was tested on the 40 papers that readers decided, each time without that decision: it assigned 75% to the category that the reader chose.",
                "topic.measured, topic.primary_accuracy",
            ),
            (
                "It labels 62% of the tested papers with confidence, and 90% of those labels name the category that the reader chose. Labels with a confidence below 71% are provisional.",
                "topic.confident_share, topic.confident_accuracy, topic.confidence_cut",
            ),
        ]
    )


def test_undefined_metrics_are_left_out() -> None:
    assert sentences(decided=0) == snapshot(
        ["The quality of the labels is unknown because readers have not decided any papers."]
    )
    (first,) = sentences(measured=1, confident_accuracy=None)
    assert first.startswith("The classifier was tested on the one paper that readers decided, ")


def test_the_prior_is_mentioned_with_and_without_decisions() -> None:
    for decided in (40, 0):
        metrics = replace(label_metrics(decided=decided), prior_papers=728)
        text, metric = quality_sentences(metrics, "topic")[0]
        assert "learns from 728 other labelled abstracts" in text
        assert metric == "prior_papers"


def test_metrics_of_audited_papers_are_described_so() -> None:
    first, *_ = sentences(measured_on="audited papers", measured=30)
    assert first.startswith(
        "The classifier was tested on the 30 papers that were drawn at random for readers to decide, "
    )


def test_one_line_explains_the_confidence_threshold() -> None:
    assert line({}) == (
        snapshot(
            "A label is confident from 0.71 on: with the decision hidden, 25 of 40 papers that readers decided get such a label, and 90% of these name the category that the reader chose."
        )
    )
    assert confidence_line(LabelMetrics(), "topic") == ""
    assert line({"decided": 0, "confidence_cut": 0.75}) == (
        snapshot(
            "A label is confident from 0.75 on: its accuracy is unknown until more papers are decided."
        )
    )


def test_the_line_has_the_previous_count_and_threshold() -> None:
    hardest = {"confident_accuracy": None, "confident_share": 0.0}
    before = PreviousLabels(confident=98, decided=0, confidence_cut=0.75)
    assert line(hardest, 22, before) == (
        snapshot(
            "A label is confident from 0.71 on: none of the 40 papers that readers decided reaches it. Before, 98 labels were confident from 0.75 on; 40 papers were decided since then."
        )
    )
    assert "40 papers that were drawn at random for readers to decide get such a label" in (
        line({"measured_on": "audited papers"})
    )
    assert "3 of 40 papers that readers decided get such a label, and two of these name" in (
        line({"confident_accuracy": 2 / 3, "confident_share": 3 / 40})
    )
    assert "and none of these names the category that the reader chose." in (
        line({"confident_accuracy": 0.0, "confident_share": 1 / 40})
    )
    assert "Before" not in line({}, 98, before)


def test_the_line_explains_why_no_label_is_confident() -> None:
    unchecked = {"decided": 0, "confidence_cut": None, "confidence_checks": 0, "checks_missing": 30}
    assert line(unchecked) == snapshot(
        "No label is confident, because too few decisions check the classifier: decide 30 more papers drawn at random (`fieldguide review audit 30`)."
    )
    too_hard = {"confidence_cut": None, "confidence_checks": 40, "checks_missing": 0}
    text = line(too_hard, 0, PreviousLabels(confident=12, decided=30, confidence_cut=0.82))
    assert text == snapshot(
        "No label is confident: 40 decisions do not show that 90% of the most confident labels name the category that the reader chose. Before, 12 labels were confident from 0.82 on; 10 papers were decided since then."
    )


def test_one_line_counts_the_reasons_of_provisional_labels(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    cue = Reason("soil", "‘soil’", "cue", 1.0, "in the title")
    term = Reason("soil", "“clay”", "term", 1.0)

    def waits(
        confidence: float, *candidates: str, why: tuple[Reason, ...] = (cue,), text: str = "Digs."
    ) -> SurveyPaper:
        entry = make_entry(1, text=text)
        first = replace(entry.first, confidence=confidence, candidates=candidates, why=why)
        return replace(entry, first=first)

    waiting = [
        waits(0.1, why=(), text=""), waits(0.5, text=""), waits(0.5, why=(term,)), waits(0.9), waits(0.5, "soil", "air"),
        waits(0.5), waits(0.6),
    ]  # fmt: skip
    assert provisional_line(waiting, label_metrics(), "topic") == (
        snapshot(
            "Of the labels waiting for review, 1 has no evidence, 1 comes from a title alone, 1 matches no cue of its category, 1 is between several categories and 3 have a confidence below the threshold: see `why` in the sheet."
        )
    )
    assert provisional_line([], LabelMetrics(), "topic") == ""
