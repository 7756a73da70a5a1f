"""On which decisions quality is measured."""

from __future__ import annotations

from classifier.evaluation.crossfit import audited_papers, measured_papers
from classifier.labelling.labels import Decision


def decided(**drawn_by: int) -> dict[str, dict[str, Decision]]:
    """So many papers drawn each way."""
    return {
        f"{by}-{number}": {"topic": Decision(("dough",), "dough", drawn_by=by)}
        for by, count in drawn_by.items()
        for number in range(count)
    }


def test_thirty_audited_papers_are_enough() -> None:
    decisions = decided(audit=30, queue=5)
    assert measured_papers(decisions, decisions, "topic") == (
        frozenset(f"audit-{number}" for number in range(30)),
        True,
    )


def test_until_then_all_count() -> None:
    decisions = decided(audit=29, queue=5)
    assert measured_papers(decisions, decisions, "topic") == (frozenset(decisions), False)


def test_papers_that_are_not_asked_about_do_not_count() -> None:
    decisions = decided(audit=30)
    asked = sorted(decisions)[:29]
    assert measured_papers(asked, decisions, "topic") == (frozenset(asked), False)


def test_a_facet_is_audited_for_itself() -> None:
    assert audited_papers(decided(audit=2), "kind") == frozenset()
