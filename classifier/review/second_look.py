"""Decisions to look at again: reviewers differ, or the taxonomy has changed since.

Decisions follow categories that were renamed or merged. Reviewers must look at decisions whose
category was removed, and at reviewed papers that may belong to a category added after the review:
the decision does not mean that the new category does not apply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
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
    Entry,
    Ledger,
    agree,
    answer_text,
    current_decision,
)
from classifier.review.sheet import blank_cells, checksum, columns, label_columns, with_checksum
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.taxonomy.versions import Versions

_PRIMARY, _TOPICS, _FURTHER, _CHILDREN = range(4)


EXCLUDE = "exclude"
"""The dispute about whether a paper belongs to the survey; the others are about facets."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One paper on which reviewers' newest decisions differ."""

    paper: Paper
    rank: int
    """Subject of the dispute: 0 primary or exclusion, 1 topics, 2 another facet, 3 children."""
    answers: Mapping[str, Mapping[str, Decision]]
    """Facet in dispute, or `EXCLUDE` -> reviewer -> their decision.

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

    An excluded paper is in conflict if another reviewer labelled it as a paper of the survey.
    Categories that did not exist for one of the decisions (`versions`) are ignored.
    """
    excluded = ledger.editorial(EXCLUDE, aliases)
    by_reviewer = ledger.by_reviewer(taxonomy, aliases, versions)
    settled = by_reviewer.pop(ADJUDICATED, {})

    def given(paper_id: str, facet_id: str) -> dict[str, Decision]:
        return {
            reviewer or "nobody": decided[paper_id][facet_id]
            for reviewer, decided in by_reviewer.items()
            if facet_id in decided.get(paper_id, {})
        }

    found: list[Conflict] = []
    for paper in papers:
        if entry := excluded.get(paper.id):
            keepers = _keepers(taxonomy.first, given(paper.id, taxonomy.first.id), entry)
            if keepers:
                reason = Decision((entry.value,), "", entry.reviewer)
                on_exclusion = {entry.reviewer or "nobody": reason} | keepers
                found.append(Conflict(paper, _PRIMARY, {EXCLUDE: on_exclusion}))
            continue
        disputed = {
            facet.id: answers
            for facet in taxonomy.facets.values()
            if facet.id not in settled.get(paper.id, {})
            and not agree(
                facet,
                [*(answers := given(paper.id, facet.id)).values()],
                is_first=facet is taxonomy.first,
            )
        }
        if disputed:
            rank = min(_rank(taxonomy, taxonomy.facet(key), disputed[key]) for key in disputed)
            found.append(Conflict(paper, rank, disputed))
    return sorted(found, key=lambda conflict: (conflict.rank, conflict.paper.id))


def _keepers(first: Facet, given: Mapping[str, Decision], exclusion: Entry) -> dict[str, Decision]:
    """Return the decisions of other reviewers that keep an excluded paper in the survey."""
    if exclusion.reviewer == ADJUDICATED:
        return {}
    outside = first.out_of_scope.id if first.out_of_scope else ""
    return {
        reviewer: decision
        for reviewer, decision in given.items()
        if reviewer not in (exclusion.reviewer, IMPORTED) and decision.primary != outside
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
    """Return the answers in one facet: `ada: dough; taste · bo: dough`, with notes in brackets."""
    facet = taxonomy.first if facet_id == EXCLUDE else taxonomy.facet(facet_id)
    return " · ".join(
        f"{reviewer}: {answer_text(facet, decision) or JOINER.join(decision.values)}"
        + (f" ({decision.note})" if decision.note else "")
        for reviewer, decision in answers.items()
    )


def conflict_sheet(
    taxonomy: Taxonomy, conflicts: Sequence[Conflict], decisions: Decisions
) -> bytes:
    """Return the sheet to adjudicate as CSV: the columns of labels.csv and `drawn_by`."""
    rows = conflict_rows(taxonomy, conflicts, decisions)
    return write_table((*columns(taxonomy), "drawn_by"), rows)


def conflict_rows(
    taxonomy: Taxonomy, conflicts: Sequence[Conflict], decisions: Decisions
) -> list[dict[str, str]]:
    """Return the rows of the sheet to adjudicate (column -> cell).

    decisions: the current ones. A row shows those on the facets in dispute, so that `ok` settles
    exactly these, or no label if one of them has no current decision. `why` has the answers of all
    reviewers; `reviewer` is filled, so that answers count as adjudicated. An audited paper stays
    audited: otherwise the audit would lose its difficult papers.
    """
    rows: list[dict[str, str]] = []
    for conflict in conflicts:
        row = blank_cells(conflict.paper) | _disputed_cells(taxonomy, conflict, decisions)
        rows.append(row)
        selections = {one.drawn_by for given in conflict.answers.values() for one in given.values()}
        who = " | ".join(
            ("" if facet_id == taxonomy.first.id else f"{facet_id} – ")
            + dispute_text(taxonomy, facet_id, answers)
            for facet_id, answers in conflict.answers.items()
        )
        row["why"] = with_checksum(who, checksum(row, label_columns(taxonomy), taxonomy.digest))
        row["reviewer"] = ADJUDICATED
        row["drawn_by"] = "audit" if "audit" in selections else "queue"
    return rows


def _disputed_cells(taxonomy: Taxonomy, conflict: Conflict, decisions: Decisions) -> dict[str, str]:
    """Return the label cells of the current decisions on the facets in dispute, or none."""
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
NEGLIGIBLE = 0.01
"""Minimum probability that a paper belongs to a new category, for a review. It is low because the
likeliest papers of a category with few cues get a few per cent: a minimum of 0.05 missed half of
the papers that belong."""


@dataclass(frozen=True, slots=True)
class Revisit:
    """One decision to look at again."""

    paper_id: str
    facet: str
    category: str
    """The value of the ledger that is gone, or the id of the new category."""
    why: Literal["gone", "new"]
    probability: float
    """Probability that the paper belongs to the new category; 1 if the value is gone."""


def review_again(
    taxonomy: Taxonomy,
    ledger: Ledger,
    versions: Versions,
    aliases: Mapping[str, str],
    labels: Sequence[PaperLabels],
) -> list[Revisit]:
    """Return the decisions to look at again.

    First come decisions whose values are gone, by paper. Then follow the papers that most likely
    belong to a new category: at most `MAX_PER_CATEGORY` per category, including those that were
    already reviewed again, and none below `NEGLIGIBLE`. labels: those of the project's papers;
    only their probabilities count. aliases: every other id of a paper -> its id.
    """
    known = {label.paper_id for label in labels}
    gone = [revisit for revisit in _gone(taxonomy, ledger, aliases) if revisit.paper_id in known]
    decisions = ledger.decisions(taxonomy, aliases, versions)
    again = ledger.reviewed_again(taxonomy, aliases, versions)
    decided = [label for label in labels if label.paper_id in decisions]
    new = [
        revisit
        for facet in taxonomy.facets.values()
        for category in facet.ids
        for revisit in likeliest(
            facet, category, decisions, decided, limit=MAX_PER_CATEGORY - again[facet.id, category]
        )
    ]
    return gone + sorted(new, key=_order)


def revisit_text(taxonomy: Taxonomy, revisit: Revisit) -> str:
    """Return why a decision needs another review, in words for the reviewer."""
    facet = taxonomy.facets.get(revisit.facet)
    category = facet.get(revisit.category) if facet else None
    if revisit.why == "gone" or category is None:
        where = facet.name if facet else revisit.facet
        return f"{where}: '{revisit.category}' is gone: what applies now?"
    return f"new category {category.name}: does it belong?"


def review_again_lines(
    taxonomy: Taxonomy,
    ledger: Ledger,
    versions: Versions,
    aliases: Mapping[str, str],
    paper_ids: Collection[str],
) -> list[str]:
    """Return the decisions to look at again as text: one line per value and per new category.

    Without a classifier only the maximum number of papers of a new category is known.
    """
    gone = Counter(
        (revisit.facet, revisit.category)
        for revisit in _gone(taxonomy, ledger, aliases)
        if revisit.paper_id in paper_ids
    )
    decisions = ledger.decisions(taxonomy, aliases, versions)
    again = ledger.reviewed_again(taxonomy, aliases, versions)
    silent = Counter(
        (facet_id, category)
        for paper_id in sorted(paper_ids)
        for facet_id, decision in decisions.get(paper_id, {}).items()
        for category in decision.unknown
        if "/" not in category
    )
    return [
        *(
            f"decisions that say '{value}' ({facet}), which is gone: {count}"
            for (facet, value), count in sorted(gone.items())
        ),
        *(
            f"decisions older than '{category}' ({facet}), which do not cover it: {count}; "
            f"worth a second look: the likeliest {limit}"
            for (facet, category), count in sorted(silent.items())
            if (limit := min(count, MAX_PER_CATEGORY - again[facet, category])) > 0
        ),
    ]


def _gone(taxonomy: Taxonomy, ledger: Ledger, aliases: Mapping[str, str]) -> Iterator[Revisit]:
    """Yield the current values that the taxonomy no longer has, by paper."""
    for paper_id, entry in ledger.gone(taxonomy, aliases):
        yield Revisit(paper_id, entry.facet, entry.value, "gone", 1.0)


def likeliest(
    facet: Facet,
    category: str,
    decisions: Decisions,
    labels: Sequence[PaperLabels],
    *,
    limit: int = MAX_PER_CATEGORY,
) -> list[Revisit]:
    """Return the papers whose decision is older than `category`, the likeliest first."""
    found = [
        Revisit(label.paper_id, facet.id, category, "new", probability)
        for label in labels
        if (decision := decisions.get(label.paper_id, {}).get(facet.id)) is not None
        and category in decision.unknown
        and (machine := label.facets.get(facet.id)) is not None
        and (probability := machine.probabilities.get(category, 0.0)) >= NEGLIGIBLE
    ]
    return sorted(found, key=_order)[: max(0, limit)]


def _order(revisit: Revisit) -> tuple[float, str, str, str]:
    return -revisit.probability, revisit.paper_id, revisit.facet, revisit.category


def confirmed_decisions(
    ledger: Ledger, taxonomy: Taxonomy, aliases: Mapping[str, str]
) -> frozenset[tuple[str, str]]:
    """Return the (paper id, facet) whose current decision was made twice, or is adjudicated.

    Twice means by two reviewers, or on two dates by one. aliases: other id of a paper -> its id.
    """
    confirmed = set()
    for place, by_group in ledger.groups(aliases, taxonomy).items():
        facet = taxonomy.facet(place[1])
        is_first = facet is taxonomy.first
        answers = {
            group: {
                (known.id, is_first and row.primary)
                for row in rows
                if (known := facet.resolve(row.value))
            }
            for group, rows in by_group.items()
        }
        given = {group: frozenset(answer) for group, answer in answers.items() if answer}
        group = current_decision(given, lambda answers: len(set(answers)) == 1)
        if group is not None:
            same = list(given.values()).count(given[group])
            if group[1] == ADJUDICATED or same > 1:
                confirmed.add(place)
    return frozenset(confirmed)
