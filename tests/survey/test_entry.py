"""A paper of the survey."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from classifier.survey.entry import SurveyPaper, drop_repeated_contributions


def test_of_two_records_with_one_abstract_the_one_that_it_fits_says_what_it_does(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    says = "Introduces a spade for clay."
    wrong, right, other = (make_entry(n, text=says) for n in (1, 2, 3))
    right = replace(right, paper=replace(right.paper, title="A Spade for Clay"))
    alone = make_entry(4, text="Introduces tea.")
    told = drop_repeated_contributions([wrong, right, other, alone, make_entry(5), make_entry(6)])
    assert [entry.contribution for entry in told] == ["", says, "", "Introduces tea.", "", ""]
    assert [entry.number for entry in told] == [1, 2, 3, 4, 5, 6]


def test_a_preprint_that_ends_its_sentence_otherwise_says_the_same(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    says = "Introduces a spade for clay" + " and one for peat" * 6
    told = drop_repeated_contributions(
        [make_entry(n, text=f"{says}{end}.") for n, end in ((1, ""), (2, " too"))]
    )
    assert [entry.contribution for entry in told] == [f"{says}.", ""]
