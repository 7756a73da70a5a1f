"""Papers of which reviewers say different things, and the sheet on which they are settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from classifier.files.table import write_table
from classifier.labelling.labels import (
    Decision,
    Decisions,
    FacetLabels,
    PaperLabels,
    with_decisions,
)
from classifier.papers.paper import Paper
from classifier.review.ledger import Ledger
from classifier.review.precedence import ADJUDICATED, agree, answer_text
from classifier.review.sheet import checksum, columns, label_columns, sheet_rows, with_checksum
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.taxonomy.versions import Versions

NOBODY = "nobody"
"""Who decided where the ledger names no reviewer."""
_PRIMARY, _TOPICS, _FURTHER, _CHILDREN = range(4)
_UNDECIDED = FacetLabels((), "", 0.0, "provisional", {})


@dataclass(frozen=True, slots=True)
class Conflict:
    """One paper of which reviewers' newest decisions differ."""

    paper: Paper
    rank: int
    """How much hangs on it: 0 the primary, 1 the topics, 2 a further facet, 3 children alone."""
    answers: Mapping[str, Mapping[str, Decision]]
    """Facet in dispute -> reviewer -> their decision."""


def find_conflicts(
    taxonomy: Taxonomy,
    ledger: Ledger,
    aliases: Mapping[str, str],
    papers: Sequence[Paper],
    versions: Versions,
) -> list[Conflict]:
    """Return the conflicts on `papers` that no adjudicated decision settles, the worst first.

    A category that one of the decisions does not know (`versions`) is no matter of dispute.
    """
    by_reviewer = ledger.by_reviewer(taxonomy, aliases, versions)
    settled = by_reviewer.pop(ADJUDICATED, {})
    found: list[Conflict] = []
    for paper in papers:
        disputed = {
            facet.id: answers
            for facet in taxonomy.facets.values()
            if facet.id not in settled.get(paper.id, {})
            and not agree(facet, [*(answers := _answers(by_reviewer, paper.id, facet.id)).values()])
        }
        if disputed:
            rank = min(_rank(taxonomy, taxonomy.facet(key), disputed[key]) for key in disputed)
            found.append(Conflict(paper, rank, disputed))
    return sorted(found, key=lambda conflict: (conflict.rank, conflict.paper.id))


def _answers(
    by_reviewer: Mapping[str, Decisions], paper_id: str, facet_id: str
) -> dict[str, Decision]:
    return {
        reviewer or NOBODY: decided[paper_id][facet_id]
        for reviewer, decided in by_reviewer.items()
        if facet_id in decided.get(paper_id, {})
    }


def _rank(taxonomy: Taxonomy, facet: Facet, answers: Mapping[str, Decision]) -> int:
    tops = {
        tuple(sorted(facet.top_of(value) for value in decision.values if "/" not in value))
        for decision in answers.values()
    }
    if facet is taxonomy.first and len({decision.primary for decision in answers.values()}) > 1:
        return _PRIMARY
    if len(tops) == 1:
        return _CHILDREN
    return _TOPICS if facet is taxonomy.first else _FURTHER


def dispute_text(taxonomy: Taxonomy, facet_id: str, answers: Mapping[str, Decision]) -> str:
    """Return who gave what in one facet: `ada: dough; taste · bo: dough`, notes in brackets."""
    facet = taxonomy.facet(facet_id)
    return " · ".join(
        f"{reviewer}: {answer_text(facet, decision)}"
        + (f" ({decision.note})" if decision.note else "")
        for reviewer, decision in answers.items()
    )


def conflict_sheet(
    taxonomy: Taxonomy, conflicts: Sequence[Conflict], decisions: Decisions
) -> bytes:
    """Return the sheet to adjudicate as CSV: the columns of labels.csv and `drawn_by`.

    decisions: those in force, which the label columns show; `why` says who gave what, and
    `reviewer` is filled, so that what is typed counts as adjudicated. A paper of an audit stays
    one: else what people disagree on would leave the sample.
    """
    return write_table(
        (*columns(taxonomy), "drawn_by"), _conflict_rows(taxonomy, conflicts, decisions)
    )


def _conflict_rows(
    taxonomy: Taxonomy, conflicts: Sequence[Conflict], decisions: Decisions
) -> Iterator[dict[str, str]]:
    undecided = [
        PaperLabels(conflict.paper.id, {taxonomy.first.id: _UNDECIDED}) for conflict in conflicts
    ]
    labels = with_decisions(taxonomy, undecided, decisions)
    rows = sheet_rows(taxonomy, [conflict.paper for conflict in conflicts], labels)
    for conflict, row in zip(conflicts, rows, strict=True):
        mark = checksum(row, label_columns(taxonomy), taxonomy.digest)
        drawn = {one.drawn_by for given in conflict.answers.values() for one in given.values()}
        yield {
            **row,
            "why": with_checksum(_why(taxonomy, conflict), mark),
            "reviewer": ADJUDICATED,
            "drawn_by": "audit" if "audit" in drawn else "queue",
        }


def _why(taxonomy: Taxonomy, conflict: Conflict) -> str:
    """Return who gave what; a further facet is named, as its column is."""
    return " | ".join(
        ("" if facet_id == taxonomy.first.id else f"{facet_id} – ")
        + dispute_text(taxonomy, facet_id, answers)
        for facet_id, answers in conflict.answers.items()
    )
