"""Columns of the comparison tables, and children, against what a reader found in the digests."""

from __future__ import annotations

from tools.columns import child_verdicts, filed_child_verdicts, tallies, themes, unsolved


def test_what_columns_say_stands_in_the_digests() -> None:
    for (facet, place), tally in tallies().items():
        assert tally["right"] >= 0.95 * tally["said"], f"{facet}, {place}: precision"
        assert tally["right"] >= 0.85 * tally["read"], f"{facet}, {place}: recall"


def test_children_fit_their_papers() -> None:
    for verdicts in child_verdicts():
        given = verdicts.total() - verdicts["none"]
        assert verdicts["fits"] >= 0.97 * given, "precision"
        assert given >= 80, "children given"


def test_children_fit_the_papers_that_are_filed_under_their_parent() -> None:
    verdicts = filed_child_verdicts()
    assert verdicts["fits"] + verdicts["arguable"] >= 0.97 * verdicts.total(), "precision"
    assert verdicts.total() >= 140, "children given"


def test_themes_are_true_and_found_on_papers_that_their_cues_were_not_mended_with() -> None:
    _, tally = themes()
    assert tally["right"] >= 0.8 * tally["said"], "precision"
    assert tally["found"] >= 0.8 * tally["main"], "recall"


def test_sentences_say_that_the_problem_is_unsolved() -> None:
    verdicts, unread = unsolved()
    read = verdicts["true"] + verdicts["arguable"] + verdicts["wrong"]
    assert verdicts["wrong"] <= 0.05 * read, f"precision; nobody has read {unread}"
    assert verdicts["true"] >= 9 * verdicts["missed"], f"recall; nobody has read {unread}"
