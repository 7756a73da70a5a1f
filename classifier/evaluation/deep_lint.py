"""What is wrong with a taxonomy, measured on the papers and decisions at hand. All is advice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from classifier.evaluation.category_findings import bare_papers, confusable_pairs, thin_categories
from classifier.evaluation.cue_findings import (
    EVERYWHERE_TIMES,
    LEAST_DECIDED,
    Finding,
    Group,
    cue_findings,
    ranked,
)
from classifier.evaluation.cue_statistics import (
    EVERYWHERE,
    CueStatistics,
    MeasuredFacet,
    MeasuredTexts,
    measure_facet,
)
from classifier.evaluation.report import Report, json_values
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


def deep_lint_report(lint: DeepLint, most: int = MOST_SHOWN) -> Report:
    """Return the findings, a section a group, the first `most` of each."""
    head = (
        f"{len(lint.statistics)} cues on {lint.papers} papers, {lint.decided} of them decided. "
        "What follows is advice; nothing of it is an error."
    )
    return Report((head,), tuple(list(_group_lines(lint, group, most)) for group in GROUPS))


def _group_lines(lint: DeepLint, group: Group, most: int) -> Iterator[str]:
    findings = [finding for finding in lint.findings if finding.kind == group.kind]
    if not findings:
        return
    yield f"{group.title} ({group.count(findings)}): {group.rule}"
    for finding in findings[:most]:
        yield f"  {finding}"
        yield from (f"      {note}" for note in finding.notes)
        yield from (f"      “{title}”" for title in finding.papers[:MOST_TITLES])
        if (more := len(finding.papers) - MOST_TITLES) > 0:
            yield f"      … and {more} more"
    if len(findings) > most:
        of_what = " of these lines" if group.gathers else ""
        yield f"  … and {len(findings) - most} more{of_what}"


_FIGURES = (
    "category", "view", "cue", "reached", "fired", "decided", "right", "precision", "lift", "told",
    "standing", "instead",
)  # fmt: skip


def deep_lint_json(lint: DeepLint) -> dict[str, object]:
    """Return all findings, and the figures of all cues, as JSON values; undefined ones are None."""
    return {
        "papers": lint.papers,
        "decided": lint.decided,
        "findings": [asdict(finding) for finding in lint.findings],
        "cues": [
            {
                "facet": facet,
                **{name: json_values(getattr(cue, name)) for name in _FIGURES},
                "fired": len(cue.fired),
                "instead": dict(cue.instead),
            }
            for facet, cue in lint.statistics
        ],
    }
