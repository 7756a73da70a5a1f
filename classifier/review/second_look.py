"""Find decisions to review again: reviewers differ, or the taxonomy has changed since.

Decisions follow categories that were renamed or merged. Decisions for a removed category need a
new review. So do reviewed papers that probably belong to a category that was added later: the older
decision does not mean that the new category does not apply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from classifier.files.table import write_table
from classifier.labelling.labels import (
    IMPORTED,
    NO_LABELS,
    Decision,
    Decisions,
    PaperLabels,
    with_decisions,
)
from classifier.papers.paper import Paper
from classifier.review.columns import JOINER
from classifier.review.ledger import (
    ADJUDICATED,
    NO_NAME,
    Entry,
    Ledger,
    agree,
    answer_text,
    current_decision,
)
from classifier.review.sheet import (
    blank_cells,
    checksum,
    label_columns,
    sheet_columns,
    with_checksum,
)
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.taxonomy.versions import Versions

_PRIMARY, _TOPICS, _FURTHER, _CHILDREN = range(4)
"""Ranks of conflicts, by their subject."""
EXCLUDE = "exclude"
"""The key of a conflict on whether a paper belongs to the survey; other keys are facets."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One paper on which reviewers' newest decisions differ."""

    paper: Paper
    rank: int
    """Importance: 0 primary or exclusion, 1 topics, 2 another facet, 3 children."""
    answers: Mapping[str, Mapping[str, Decision]]
    """Facet, or `EXCLUDE` -> reviewer -> their decision.

    The value of an exclusion is its reason; the other reviewers decided on the first facet.
    """


def find_conflicts(
    taxonomy: Taxonomy,
    ledger: Ledger,
    aliases: Mapping[str, str],
    papers: Sequence[Paper],
    versions: Versions,
) -> list[Conflict]:
    """Return the conflicts on `papers` without an adjudicated decision, by rank.

    An excluded paper has a conflict if another reviewer labelled it as a paper of the survey.
    Categories that did not exist for one of the decisions (`versions`) are ignored. aliases: other
    id of a paper -> its id.
    """
    excluded = ledger.editorial(EXCLUDE, aliases)
    by_reviewer = ledger.by_reviewer(taxonomy, aliases, versions)
    adjudicated = by_reviewer.pop(ADJUDICATED, {})

    def decisions_on(paper: Paper, facet: Facet) -> dict[str, Decision]:
        return {
            reviewer or NO_NAME: decided[paper.id][facet.id]
            for reviewer, decided in by_reviewer.items()
            if facet.id in decided.get(paper.id, {})
        }

    found: list[Conflict] = []
    for paper in papers:
        if exclusion := excluded.get(paper.id):
            decisions = decisions_on(paper, taxonomy.first)
            answers = _exclusion_conflict(taxonomy.first, decisions, exclusion)
        else:
            given = (
                (facet, decisions_on(paper, facet))
                for facet in taxonomy.facets.values()
                if facet.id not in adjudicated.get(paper.id, {})
            )
            answers = {
                facet.id: decisions
                for facet, decisions in given
                if not agree(facet, decisions.values(), is_first=facet is taxonomy.first)
            }
        if answers:
            rank = min(
                _conflict_rank(taxonomy, key, decisions) for key, decisions in answers.items()
            )
            found.append(Conflict(paper, rank, answers))
    return sorted(found, key=lambda conflict: (conflict.rank, conflict.paper.id))


def _exclusion_conflict(
    first: Facet, decisions: Mapping[str, Decision], exclusion: Entry
) -> dict[str, dict[str, Decision]]:
    """Return the answers of reviewers who disagree about excluding a paper; {} if they agree.

    decisions: reviewer -> decision on the first facet.
    """
    outside = first.out_of_scope.id if first.out_of_scope else ""
    contradicting = {
        reviewer: decision
        for reviewer, decision in decisions.items()
        if reviewer not in (exclusion.reviewer, IMPORTED) and decision.primary != outside
    }
    if exclusion.reviewer == ADJUDICATED or not contradicting:
        return {}
    reason = Decision((exclusion.value,), "", exclusion.reviewer)
    return {EXCLUDE: {exclusion.reviewer or NO_NAME: reason} | contradicting}


def _conflict_rank(taxonomy: Taxonomy, facet_id: str, answers: Mapping[str, Decision]) -> int:
    if facet_id == EXCLUDE:
        return _PRIMARY
    facet = taxonomy.facet(facet_id)
    tops = {
        tuple(sorted(facet.top_id_of(value) for value in decision.values if "/" not in value))
        for decision in answers.values()
    }
    if facet is taxonomy.first and len({decision.primary for decision in answers.values()}) > 1:
        return _PRIMARY
    if len(tops) == 1:
        return _CHILDREN
    return _TOPICS if facet is taxonomy.first else _FURTHER


def conflict_text(taxonomy: Taxonomy, facet_id: str, answers: Mapping[str, Decision]) -> str:
    """Return the answers in a facet as `ada: dough; taste · bo: dough`, with notes in brackets."""
    facet = taxonomy.first if facet_id == EXCLUDE else taxonomy.facet(facet_id)
    return " · ".join(
        f"{reviewer}: {answer_text(facet, decision) or JOINER.join(decision.values)}"
        + (f" ({decision.note})" if decision.note else "")
        for reviewer, decision in answers.items()
    )


def conflict_sheet(
    taxonomy: Taxonomy, conflicts: Sequence[Conflict], decisions: Decisions
) -> bytes:
    """Return a sheet of conflicts as CSV: the columns of labels.csv and `drawn_by`."""
    rows = conflict_rows(taxonomy, conflicts, decisions)
    return write_table((*sheet_columns(taxonomy), "drawn_by"), rows)


def conflict_rows(
    taxonomy: Taxonomy, conflicts: Sequence[Conflict], decisions: Decisions
) -> list[dict[str, str]]:
    """Return the rows of a sheet of conflicts (column -> cell).

    decisions: the current ones. A row shows those on the facets of the conflict, so that `ok`
    settles exactly these, or no label if one of them has no current decision. `why` has the answers
    of all reviewers; `reviewer` is filled, so that answers count as adjudicated. An audited paper
    stays audited: otherwise the audit would lose its difficult papers.
    """
    rows: list[dict[str, str]] = []
    for conflict in conflicts:
        row = blank_cells(conflict.paper) | _label_cells(taxonomy, conflict, decisions)
        rows.append(row)
        given = [each for answers in conflict.answers.values() for each in answers.values()]
        why = " | ".join(
            ("" if facet_id == taxonomy.first.id else f"{facet_id} – ")
            + conflict_text(taxonomy, facet_id, answers)
            for facet_id, answers in conflict.answers.items()
        )
        row["why"] = with_checksum(why, checksum(row, label_columns(taxonomy), taxonomy.digest))
        row["reviewer"] = ADJUDICATED
        row["drawn_by"] = "audit" if any(each.drawn_by == "audit" for each in given) else "queue"
    return rows


def _label_cells(taxonomy: Taxonomy, conflict: Conflict, decisions: Decisions) -> dict[str, str]:
    """Return the label cells of the current decisions on the facets of a conflict.

    Returns {} if one of the facets has no current decision.
    """
    first, paper_id = taxonomy.first.id, conflict.paper.id
    facets = [first if facet_id == EXCLUDE else facet_id for facet_id in conflict.answers]
    if not set(facets) <= decisions.get(paper_id, {}).keys():
        return {}
    undecided = PaperLabels(paper_id, {first: NO_LABELS})
    (labels,) = with_decisions(taxonomy, [undecided], decisions)
    cells: dict[str, str] = {}
    for facet_id in facets:
        of_facet = labels.facets[facet_id]
        if facet_id == first:
            cells |= {"primary": of_facet.primary, "topics": JOINER.join(of_facet.categories)}
        else:
            cells[facet_id] = JOINER.join(of_facet.categories)
    return cells


MAX_PER_CATEGORY = 20
"""Maximum number of papers per new category that are reviewed again."""
MIN_PROBABILITY = 0.01
"""Minimum probability that a paper belongs to a new category, for a new review. It is low because
the likeliest papers of a category with few cues get a few per cent: a minimum of 0.05 missed half
of the papers that belong."""


@dataclass(frozen=True, slots=True)
class OutdatedDecision:
    """A decision that is older than a change of the taxonomy."""

    paper_id: str
    facet: str
    category: str
    """The value of the ledger that was removed, or the id of the new category."""
    cause: Literal["removed", "new"]
    """Whether the category was removed from the taxonomy or is new in it."""
    probability: float
    """Probability that the paper belongs to the new category; 1 for a removed value."""


def outdated_decisions(
    taxonomy: Taxonomy,
    ledger: Ledger,
    versions: Versions,
    aliases: Mapping[str, str],
    labels: Sequence[PaperLabels],
) -> list[OutdatedDecision]:
    """Return the decisions to review again after a change of the taxonomy.

    First come decisions whose values were removed, by paper. Then follow the papers that most
    likely belong to a new category: at most `MAX_PER_CATEGORY` per category, including those that
    were already reviewed again, and none below `MIN_PROBABILITY`. labels: those of the project's
    papers; only their probabilities count. aliases: other id of a paper -> its id.
    """
    known = {label.paper_id for label in labels}
    removed = [
        OutdatedDecision(paper_id, entry.facet, entry.value, "removed", 1.0)
        for paper_id, entry in ledger.removed_values(taxonomy, aliases)
        if paper_id in known
    ]
    decisions = ledger.decisions(taxonomy, aliases, versions)
    again = ledger.count_reviewed_again(taxonomy, aliases, versions)
    decided = [label for label in labels if label.paper_id in decisions]
    new = [
        decision
        for facet in taxonomy.facets.values()
        for category in facet.ids
        for decision in likeliest_decisions(
            facet, category, decisions, decided, limit=MAX_PER_CATEGORY - again[facet.id, category]
        )
    ]
    return removed + sorted(new, key=_outdated_sort_key)


def outdated_text(taxonomy: Taxonomy, outdated: OutdatedDecision) -> str:
    """Return the reason for another review of a decision, in words for the reviewer."""
    facet = taxonomy.facet(outdated.facet)
    category = facet.get(outdated.category)
    if outdated.cause == "removed" or category is None:
        return f"{facet.name}: '{outdated.category}' was removed: which category applies now?"
    return f"new category {category.name}: does the paper belong to it?"


def likeliest_decisions(
    facet: Facet,
    category: str,
    decisions: Decisions,
    labels: Sequence[PaperLabels],
    *,
    limit: int = MAX_PER_CATEGORY,
) -> list[OutdatedDecision]:
    """Return the decisions older than `category`, those on its likeliest papers first."""
    found = [
        OutdatedDecision(label.paper_id, facet.id, category, "new", probability)
        for label in labels
        if (decision := decisions.get(label.paper_id, {}).get(facet.id)) is not None
        and category in decision.unknown
        and (machine := label.facets.get(facet.id)) is not None
        and (probability := machine.probabilities.get(category, 0.0)) >= MIN_PROBABILITY
    ]
    return sorted(found, key=_outdated_sort_key)[: max(0, limit)]


def _outdated_sort_key(outdated: OutdatedDecision) -> tuple[float, str, str, str]:
    return -outdated.probability, outdated.paper_id, outdated.facet, outdated.category


def confirmed_decisions(
    ledger: Ledger, taxonomy: Taxonomy, aliases: Mapping[str, str]
) -> frozenset[tuple[str, str]]:
    """Return the (paper id, facet) whose current decision was made twice, or is adjudicated.

    Twice means by two reviewers, or on two dates by one. aliases: other id of a paper -> its id.
    """
    confirmed = set()
    for key, by_group in ledger.groups(aliases, taxonomy).items():
        facet = taxonomy.facet(key[1])
        is_first = facet is taxonomy.first
        answers = {
            group: frozenset(
                (category.id, is_first and entry.primary)
                for entry in entries
                if (category := facet.resolve(entry.value))
            )
            for group, entries in by_group.items()
        }
        answers = {group: answer for group, answer in answers.items() if answer}
        group = current_decision(answers, lambda of_day: len(set(of_day)) == 1)
        if group is not None:
            n_equal = list(answers.values()).count(answers[group])
            if group[1] == ADJUDICATED or n_equal > 1:
                confirmed.add(key)
    return frozenset(confirmed)
