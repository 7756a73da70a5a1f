"""Which decisions quality is measured on: those on papers that were drawn at random.

A queue draws what is hard and volunteers what they like, so figures from their papers say nothing
of the others.
"""

from __future__ import annotations

from collections.abc import Collection

from classifier.labelling.labels import Decisions

AUDIT = "audit"
"""`drawn_by` of a decision on a paper that was drawn at random."""
LEAST_AUDITED = 30
"""Audited papers from which on quality is measured on them alone."""


def audited_papers(decisions: Decisions, facet_id: str) -> frozenset[str]:
    """Return the papers whose decision in a facet was drawn at random."""
    return frozenset(
        paper_id
        for paper_id, decided in decisions.items()
        if facet_id in decided and decided[facet_id].drawn_by == AUDIT
    )


def measured_papers(
    paper_ids: Collection[str], decisions: Decisions, facet_id: str
) -> tuple[frozenset[str], bool]:
    """Return those of the papers on which a facet is measured, and whether they are audited ones.

    They are once there are LEAST_AUDITED of them; until then all are taken.
    """
    audited = audited_papers(decisions, facet_id) & frozenset(paper_ids)
    enough = len(audited) >= LEAST_AUDITED
    return (audited if enough else frozenset(paper_ids)), enough
