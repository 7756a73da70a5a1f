"""How it stands, in three lines: filed right, the weakest category, what to do."""

from __future__ import annotations

from collections.abc import Mapping

from classifier.evaluation.audited import AUDIT, LEAST_AUDITED
from classifier.evaluation.findings import Findings
from classifier.evaluation.outcome import Evaluation
from classifier.evaluation.wording import interval, number, paper_count

_DRAWN = {
    AUDIT: "drawn at random",
    "queue": "drawn by a queue, which takes the hardest",
    "volunteer": "chosen by reviewers",
    "imported": "filed by the source that they came from",
    "": "of which nobody noted how they were drawn",
}
_ENOUGH = 5
"""Scored papers of a category from which its F1 says something."""


def verdict_lines(findings: Findings) -> list[str]:
    """Return the three lines."""
    evaluation = findings.evaluation
    weakest = weakest_category(evaluation)
    return [
        _right_line(evaluation, findings.provenance.truth, findings.drawn),
        _weakest_line(evaluation, weakest),
        f"What to do: {_advice(evaluation, findings.drawn, weakest)}",
    ]


def _right_line(evaluation: Evaluation, truth: str, drawn: Mapping[str, int]) -> str:
    right = evaluation.primary_accuracy
    range_ = f" ({interval(right)})" if interval(right) else ""
    how = [
        f"{'all' if count == evaluation.setup.n else count} {_DRAWN.get(way, way)}"
        for way, count in sorted(drawn.items(), key=lambda item: (-item[1], item[0]))
    ]
    papers = f"{paper_count(evaluation.setup.n)} of {truth}"
    return f"Filed right: {number(right.value)}{range_} of {papers}{_listed(how)}."


def _listed(how: list[str]) -> str:
    return f", {'; '.join(how)}" if how else ""


def weakest_category(evaluation: Evaluation) -> str | None:
    """Return the category in scope with the lowest F1, of those with papers enough if there are."""
    scoped = {
        name: figures
        for name, figures in evaluation.categories.items()
        if figures.support and not figures.out_of_scope
    }
    enough = {name: figures for name, figures in scoped.items() if figures.support >= _ENOUGH}
    ranked = sorted(
        (round(figures.f1.value, 4), name) for name, figures in (enough or scoped).items()
    )
    return ranked[0][1] if ranked else None


def _weakest_line(evaluation: Evaluation, weakest: str | None) -> str:
    if weakest is None:
        return "Weakest category: none, since no scored paper has one that is in scope."
    figures = evaluation.categories[weakest]
    return (
        f"Weakest category: {weakest}, F1 {number(figures.f1.value)} (precision "
        f"{number(figures.precision)}, recall {number(figures.recall)}, "
        f"{paper_count(figures.support)})."
    )


def _advice(evaluation: Evaluation, drawn: Mapping[str, int], weakest: str | None) -> str:
    if evaluation.setup.n < LEAST_AUDITED or (drawn and drawn.get(AUDIT, 0) < LEAST_AUDITED):
        missing = LEAST_AUDITED - drawn.get(AUDIT, 0)
        return (
            f"`fieldguide review audit {missing}`: from {LEAST_AUDITED} papers drawn at random on "
            "the figures speak for all papers."
        )
    if weakest is None:
        return "review papers that are in scope."
    taken = {
        other: count
        for other, count in evaluation.confusion.get(weakest, {}).items()
        if other != weakest and count > 1
    }
    figures = evaluation.categories[weakest]
    if taken and figures.recall <= figures.precision:
        other = min(taken, key=lambda name: (-taken[name], name))
        return (
            f"draw the border between {weakest} and {other}, where {taken[other]} of its papers "
            "went; `fieldguide check --deep` names cues and words."
        )
    return f"`fieldguide review next --category {weakest}`, or cues: `fieldguide check --deep`."
