"""Decisions that were given twice."""

from __future__ import annotations

import pytest

from classifier.review.ledger import Entry, Ledger, confirmed_decisions
from classifier.taxonomy.model import Taxonomy


def ledger(*rows: str) -> Ledger:
    """Rows `reviewer date value`, a star behind the primary; all on one paper's topic."""
    entries = []
    for row in rows:
        reviewer, day, value = row.split()
        name = value.rstrip("*")
        primary = value.endswith("*")
        entries.append(Entry("p-1", "", "topic", name, primary, reviewer, day, "", "", ""))
    return Ledger(tuple(entries))


@pytest.mark.parametrize(
    ("rows", "confirmed"),
    [
        (["ada 2025-06-01 dough*"], False),
        (["ada 2025-06-01 dough*", "ben 2025-06-01 dough*"], True),
        (["ada 2025-06-01 dough*", "ada 2025-06-02 dough*"], True),
        (["ada 2025-06-01 ovens*", "ada 2025-06-02 heat*"], True),
        (["ada 2025-06-01 dough*", "ada 2025-06-02 ovens*"], False),
        (["ada 2025-06-01 dough*", "ada 2025-06-01 ovens", "ada 2025-06-02 dough*"], False),
        (["ada 2025-06-01 dough*", "ada 2025-06-02 dough*", "ben 2025-06-03 taste*"], False),
        (["adjudicated 2025-06-01 dough*", "ben 2025-06-02 taste*"], True),
        (["ada 2025-06-01 rolls*"], False),
    ],
    ids=["once", "two people", "two days", "an alias", "changed", "a topic more",
         "overtaken", "adjudicated", "unknown value"],
)  # fmt: skip
def test_what_was_given_twice_is_confirmed(
    taxonomy: Taxonomy, rows: list[str], confirmed: bool
) -> None:
    found = confirmed_decisions(ledger(*rows), taxonomy, {"p-1": "p-2"})
    assert found == ({("p-2", "topic")} if confirmed else frozenset())
