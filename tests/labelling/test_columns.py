"""The columns of the comparison tables against what a reader found in the same digests."""

from __future__ import annotations

from tools.columns import tallies


def test_what_columns_say_stands_in_the_digests() -> None:
    for (facet, place), tally in tallies().items():
        assert tally["right"] >= 0.95 * tally["said"], f"{facet}, {place}: precision"
        assert tally["right"] >= 0.85 * tally["read"], f"{facet}, {place}: recall"
