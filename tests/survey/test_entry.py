"""A paper of the survey."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from classifier.survey.entry import SurveyPaper, drop_repeated_contributions


def test_the_record_whose_title_fits_a_shared_abstract_keeps_the_contribution(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    text = "Introduces a spade for clay."
    wrong, right, other = (make_entry(n, text=text) for n in (1, 2, 3))
    right = replace(right, paper=replace(right.paper, title="A Spade for Clay"))
    alone = make_entry(4, text="Introduces tea.")
    kept = drop_repeated_contributions([wrong, right, other, alone, make_entry(5), make_entry(6)])
    assert [entry.contribution for entry in kept] == ["", text, "", "Introduces tea.", "", ""]
    assert [entry.number for entry in kept] == [1, 2, 3, 4, 5, 6]


def test_contributions_that_differ_only_at_their_end_are_equal(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    text = "Introduces a spade for clay" + " and one for peat" * 6
    kept = drop_repeated_contributions(
        [make_entry(n, text=f"{text}{end}.") for n, end in ((1, ""), (2, " too"))]
    )
    assert [entry.contribution for entry in kept] == [f"{text}.", ""]
