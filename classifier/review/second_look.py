"""Decisions that somebody has looked at twice: the same answer was given on another day or by two.

Without a clock nobody knows when a decision was doubted, only that it was given again.
"""

from __future__ import annotations

from collections.abc import Mapping

from classifier.review.ledger import ADJUDICATED, Ledger
from classifier.taxonomy.model import Taxonomy


def confirmed_decisions(
    ledger: Ledger, taxonomy: Taxonomy, aliases: Mapping[str, str]
) -> frozenset[tuple[str, str]]:
    """Return the (paper id, facet) whose decision in force was given twice, or is adjudicated.

    Twice is by two reviewers, or on two dates by one. aliases: every other id of a paper -> its id.
    """
    answers: dict[tuple[str, str], dict[tuple[str, str], set[tuple[str, bool]]]] = {}
    for entry in ledger.entries:
        if entry.facet not in taxonomy.facets:
            continue
        category = taxonomy.facet(entry.facet).resolve(entry.value)
        if category is not None:
            place = aliases.get(entry.id, entry.id), entry.facet
            given = answers.setdefault(place, {})
            told = given.setdefault((entry.reviewed_on, entry.reviewer), set())
            told.add((category.id, entry.primary))
    return frozenset(place for place, given in answers.items() if _is_confirmed(given))


def _is_confirmed(given: Mapping[tuple[str, str], set[tuple[str, bool]]]) -> bool:
    """Say whether the answer in force stands in another group, too; see `Ledger.decisions`."""
    newest = max(given, key=lambda group: (group[1] == ADJUDICATED, *group))
    return newest[1] == ADJUDICATED or sum(one == given[newest] for one in given.values()) > 1
