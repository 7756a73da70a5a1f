"""What is wrong with a taxonomy, measured on the papers and decisions at hand. All is advice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from classifier.evaluation.category_findings import bare_papers, confusable_pairs, thin_categories
from classifier.evaluation.cue_findings import (
    EVERYWHERE_TIMES,
    LEAST_DECIDED,
    cue_findings,
)
from classifier.evaluation.cue_statistics import (
    EVERYWHERE,
    CueStatistics,
    MeasuredFacet,
    MeasuredTexts,
    measure_facet,
)
from classifier.evaluation.finding import Finding, Group, ranked
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions, with_decisions
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.document import Node

MOST_SHOWN = 6
"""Findings of a group that the text shows; the JSON has them all."""
MOST_TITLES = 3

GROUPS = (
    Group(
        "weak",
        "Cues that mislead",
        f"surely wrong more often than right, or no better than chance, in {LEAST_DECIDED} "
        "reviewed papers or more. Others count by standing: what the other cues of the category "
        "say there beside those of the loudest",
    ),
    Group(
        "everywhere",
        "Cues that fire everywhere",
        f"in more than {EVERYWHERE:.0%} of the papers, and {EVERYWHERE_TIMES:.0f} times as many "
        "as have the category",
    ),
    Group(
        "shared",
        "Cues of two categories that fire in the same papers",
        "they tell nothing apart",
    ),
    Group(
        "unseen",
        "Categories with too little evidence",
        "few papers, or reviewed papers that none of its cues speaks for",
    ),
    Group(
        "pair",
        "Categories that are hard to tell apart",
        "papers that a model which had not seen their decision files under the other; without "
        "reviews, papers that are nearly as likely in either. Papers without evidence do not count",
    ),
    Group(
        "bare",
        "Papers without evidence, by facet",
        "no cue of the facet speaks for them, whatever those of another say",
    ),
    Group(
        "idle",
        "Cues that reach no paper of their own",
        "where they fire, a broader cue of the same list and words always does",
        gathers=True,
    ),
    Group(
        "silent",
        "Cues that never fire",
        "in no paper; a child's cue, in no paper of its parent",
        gathers=True,
    ),
)
"""The groups of findings, what is most worth fixing first."""


@dataclass(frozen=True, slots=True)
class DeepLint:
    """What was found, and the figures of every cue."""

    papers: int
    decided: int
    """Papers on which people decided."""
    findings: tuple[Finding, ...]
    """By group, in each the most worthwhile first."""
    statistics: tuple[tuple[str, CueStatistics], ...]
    """(facet id, figures) of every cue, in the order of the taxonomy."""


def deep_lint(
    classifier: TaxonomyClassifier,
    document: Node,
    papers: Sequence[Paper],
    decisions: Decisions,
) -> DeepLint:
    """Return everything that papers and decisions say against a taxonomy.

    classifier: fitted on these papers and decisions; document: the tree that its taxonomy was read
    from. Works without any decision, from what the cues of a paper say of each other.
    """
    labels = with_decisions(classifier.taxonomy, classifier.predict(papers), decisions)
    texts = MeasuredTexts(tuple(text_views(paper) for paper in papers))
    evidence = classifier.evidence(papers)
    facets = [
        measure_facet(model, document, papers, texts, evidence[facet_id], labels, decisions)
        for facet_id, model in classifier.models_.items()
    ]
    findings = [finding for facet in facets for finding in _findings(facet)]
    return DeepLint(
        len(papers),
        sum(paper.id in decisions for paper in papers),
        tuple(
            finding
            for group in GROUPS
            for finding in ranked([f for f in findings if f.kind == group.kind])
        ),
        tuple((facet.facet.id, cue) for facet in facets for cue in facet.statistics),
    )


def _findings(measured: MeasuredFacet) -> Iterator[Finding]:
    yield from cue_findings(measured)
    yield from thin_categories(measured)
    yield from confusable_pairs(measured)
    yield from bare_papers(measured)


def deep_lint_lines(lint: DeepLint, most: int = MOST_SHOWN) -> list[str]:
    """Return the findings as text: under a heading a group, the first `most` of each."""
    lines = [
        f"{len(lint.statistics)} cues on {lint.papers} papers, {lint.decided} of them reviewed. "
        "What follows is advice; nothing of it is an error."
    ]
    for group in GROUPS:
        findings = [finding for finding in lint.findings if finding.kind == group.kind]
        if findings:
            lines += ["", f"{group.title} ({group.count(findings)}): {group.rule}"]
            lines += [line for finding in findings[:most] for line in _finding_lines(finding)]
            if len(findings) > most:
                of_what = " of these lines" if group.gathers else ""
                lines.append(f"  … and {len(findings) - most} more{of_what}")
    return lines


def _finding_lines(finding: Finding) -> list[str]:
    more = len(finding.papers) - MOST_TITLES
    below = [*finding.notes, *(f"“{title}”" for title in finding.papers[:MOST_TITLES])]
    lines = [f"  {finding}", *(f"      {line}" for line in below)]
    return [*lines, f"      … and {more} more"] if more > 0 else lines


def deep_lint_json(lint: DeepLint) -> dict[str, object]:
    """Return all findings, and the figures of all cues, as JSON values; undefined ones are None."""
    return {
        "papers": lint.papers,
        "decided": lint.decided,
        "findings": [asdict(finding) for finding in lint.findings],
        "cues": [
            {
                "facet": facet,
                "category": cue.category,
                "view": cue.view,
                "cue": cue.cue,
                "reached": cue.reached,
                "fired": len(cue.fired),
                "decided": cue.decided,
                "right": cue.right,
                "precision": _json(cue.precision),
                "lift": _json(cue.lift),
                "told": cue.told,
                "standing": _json(cue.standing),
                "instead": dict(cue.instead),
            }
            for facet, cue in lint.statistics
        ],
    }


def _json(value: float) -> float | None:
    return round(value, 4) if value == value else None
