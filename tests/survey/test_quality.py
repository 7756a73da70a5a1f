"""What the survey says of its own labels, from hand-made figures."""

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


def border(
    changed: Mapping[str, Any], confident: int = 0, before: PreviousLabels | None = None
) -> str:
    return confidence_line(label_metrics(**changed), "topic", confident, before)


def test_each_sentence_names_the_metrics_that_it_prints() -> None:
    assert quality_sentences(label_metrics(), "topic") == snapshot(
        [
            (
                "Asked about the 40 papers that readers decided, each time without having seen that "
                "decision, the classifier files 75% as the reader did.",
                "topic.measured, topic.primary_accuracy",
            ),
            (
                "It is confident of 62% of these papers, and 90% of those are filed as the reader did; "
                "below a confidence of 71% a label is marked provisional.",
                "topic.confident_share, topic.confident_accuracy, topic.confidence_cut",
            ),
        ]
    )


def test_what_was_not_measured_is_left_out() -> None:
    assert sentences(decided=0) == snapshot(
        ["How good the labels are cannot be told before readers have decided some."]
    )
    (first,) = sentences(measured=1, confident_accuracy=None)
    assert first.startswith("Asked about the one paper that readers decided, ")


def test_what_was_learned_beforehand_is_told_with_or_without_decisions() -> None:
    for decided in (40, 0):
        metrics = replace(label_metrics(decided=decided), prior_papers=728)
        text, metric = quality_sentences(metrics, "topic")[0]
        assert "learned beforehand on 728 labelled abstracts" in text
        assert metric == "prior_papers"


def test_figures_from_audited_papers_say_so() -> None:
    first, *_ = sentences(measured_on="audited papers", measured=30)
    assert first.startswith(
        "Asked about the 30 papers that were drawn at random for readers to decide, each time "
    )


def test_one_line_says_what_confident_means() -> None:
    assert border({}) == (
        snapshot(
            "A label is confident from 0.71 on: with the decision hidden, 25 of 40 papers that readers "
            "decided get such a label, and 90% of these are filed as the reader did."
        )
    )
    assert confidence_line(LabelMetrics(), "topic") == ""
    assert border({"decided": 0, "confidence_cut": 0.75}) == (
        snapshot("A label is confident from 0.75 on: what that is worth, more decisions will tell.")
    )


def test_the_line_says_how_many_labels_were_confident_before_whatever_is_confident_now() -> None:
    hardest = {"confident_accuracy": None, "confident_share": 0.0}
    before = PreviousLabels(confident=98, decided=0, confidence_cut=0.75)
    assert border(hardest, 22, before) == (
        snapshot(
            "A label is confident from 0.71 on: none of the 40 papers that readers decided reaches it. "
            "Before, 98 labels were confident from 0.75 on; since then 40 papers were decided, and the "
            "others weighed anew."
        )
    )
    assert "40 papers that were drawn at random for readers to decide get such a label" in (
        border({"measured_on": "audited papers"})
    )
    assert "3 of 40 papers that readers decided get such a label, and two of these are" in (
        border({"confident_accuracy": 2 / 3, "confident_share": 3 / 40})
    )
    assert "and none of these is filed as the reader did." in (
        border({"confident_accuracy": 0.0, "confident_share": 1 / 40})
    )
    assert "Before" not in border({}, 98, before)


def test_where_no_label_is_confident_the_line_says_why() -> None:
    unchecked = {"decided": 0, "confidence_cut": None, "confidence_checks": 0, "checks_missing": 30}
    assert border(unchecked) == snapshot(
        "No label is confident, because too few decisions check the classifier: decide 30 more papers drawn at random (`fieldguide review audit 30`)."
    )
    too_hard = {"confidence_cut": None, "confidence_checks": 40, "checks_missing": 0}
    line = border(too_hard, 0, PreviousLabels(confident=12, decided=30, confidence_cut=0.82))
    assert line == snapshot(
        "No label is confident: 40 decisions do not show that nine in ten of the surest labels are filed as the reader did. Before, 12 labels were confident from 0.82 on; since then 10 papers were decided, and the others weighed anew."
    )


def test_it_is_told_why_labels_wait(make_entry: Callable[..., SurveyPaper]) -> None:
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
            "Of those that wait, 1 is filed without any evidence, 1 is filed by a title alone, 1 is filed without a cue of the category, 1 is between two categories or more and 3 are less sure than a confident one: see `why` in the sheet."
        )
    )
    assert provisional_line([], LabelMetrics(), "topic") == ""
