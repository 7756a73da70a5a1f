"""Columns of the comparison tables, and children, against what a reader found in the digests."""

from __future__ import annotations

from tools.columns import child_verdicts, tallies


def test_what_columns_say_stands_in_the_digests() -> None:
    for (facet, place), tally in tallies().items():
        assert tally["right"] >= 0.95 * tally["said"], f"{facet}, {place}: precision"
        assert tally["right"] >= 0.85 * tally["read"], f"{facet}, {place}: recall"


def test_children_fit_their_papers() -> None:
    for verdicts in child_verdicts():
        given = verdicts.total() - verdicts["none"]
        assert verdicts["fits"] >= 0.97 * given, "precision"
        assert given >= 80, "children given"
