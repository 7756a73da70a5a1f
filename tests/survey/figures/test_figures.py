"""Figures of small surveys: their counts, their links, and when they are left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from inline_snapshot import snapshot

from classifier.survey import figures
from classifier.survey.document import Figure
from classifier.survey.figures import (
    contribution_figure,
    flow_figure,
    quarters_figure,
    topics_figure,
)
from classifier.survey.survey import Survey
from tests.survey.conftest import MakeEntry

SurveyOf = Callable[..., Survey]
DRAWN = [draw for name, draw in vars(figures).items() if name.endswith("_figure")]


def rows(figure: Figure | None) -> list[tuple[str, ...]]:
    assert figure is not None
    assert figure.title[-1] != "."
    assert "; n\u00a0=\u00a0" in figure.caption
    assert all(len(links) == len(figure.columns) - 1 for links in figure.links)
    assert all(len(row) == len(figure.columns) for row in figure.rows)
    return list(figure.rows)


def test_an_empty_survey_has_no_figures(survey_of: SurveyOf) -> None:
    assert not any(draw(survey_of([])) for draw in DRAWN)


def test_topics_count_filed_and_further_papers(survey_of: SurveyOf, make_entry: MakeEntry) -> None:
    entries = [make_entry(1), make_entry(2, "soil", "seeds"), make_entry(3, "seeds")]
    figure = topics_figure(survey_of(entries))
    assert rows(figure) == [("Soil", "2", "0"), ("Seeds", "1", "1"), ("Out of scope", "0", "0")]
    assert figure is not None
    assert figure.title == snapshot("Soil is the largest category: 2 of 3 papers")
    assert figure.links[1] == ("filed=seeds", "")


def test_there_is_no_largest_category_if_several_are_equal(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    figure = topics_figure(survey_of([make_entry(1), make_entry(2, "seeds")]))
    assert figure is not None
    assert figure.title == snapshot("No category has more than one paper")


def test_the_title_of_contributions_matches_its_cells(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    entries = [make_entry(1), make_entry(2), make_entry(3, kind="study"), make_entry(4, "other")]
    figure = contribution_figure(survey_of(entries))
    assert figure is not None
    assert figure.title.endswith("is the main contribution of 2 of 3 papers")
    assert figure.caption.endswith("n\u00a0=\u00a03.")


def test_the_title_mentions_if_all_papers_are_in_one_category(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    figure = topics_figure(survey_of([make_entry(1), make_entry(2)]))
    assert figure is not None
    assert figure.title == snapshot("All 2 papers are in one category")


def test_contributions_leave_out_categories_without_papers(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    figure = contribution_figure(survey_of([make_entry(1), make_entry(2, kind="study")]))
    assert rows(figure) == [("Soil", "1", "1", "0")]


def test_the_flow_adds_up(survey_of: SurveyOf, make_entry: MakeEntry) -> None:
    entries = [make_entry(1, status="reviewed"), make_entry(2, status="provisional")]
    assert rows(flow_figure(survey_of(entries, quarantined=1))) == snapshot(
        [
            ("kept", "file read", "1"),
            ("set aside", "records that could not be read", "1"),
            ("kept", "records read", "2"),
            ("set aside", "merged with another record", "0"),
            ("kept", "distinct papers", "2"),
            ("set aside", "left out by the editors", "0"),
            ("kept", "papers in the survey", "2"),
            ("of these", "decided by readers", "1"),
            ("of these", "labelled with confidence", "0"),
            ("of these", "filed provisionally", "1"),
        ]
    )


def test_the_flow_separates_imported_and_reviewed_papers(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    entries = [make_entry(3), make_entry(1, status="imported"), make_entry(2, status="reviewed")]
    told = rows(flow_figure(survey_of(entries, quarantined=1)))
    assert ("of these", "decided by readers", "1") in told
    assert ("of these", "filed by their source", "1") in told


def test_quarters_without_a_paper_are_drawn(survey_of: SurveyOf, make_entry: MakeEntry) -> None:
    dates = ["2024-08-03", "2024-09", "2025-01", "2025-01-20", "2025-03"]
    entries = [make_entry(n, published=date) for n, date in enumerate(dates, 1)]
    figure = quarters_figure(survey_of(entries))
    assert rows(figure) == [("2024-Q3", "2", "2"), ("2024-Q4", "0", "0"), ("2025-Q1", "3", "3")]
    assert figure is not None
    assert figure.title == snapshot("The year 2025 has 3 of 5 papers dated to the month")
    assert figure.caption.endswith("n\u00a0=\u00a05 of 5 that are dated to the month.")


def test_a_figure_over_time_needs_80_percent_dated_and_5_papers(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    dated = [make_entry(n, published=f"2025-{n:02}") for n in range(1, 9)]
    two = [make_entry(n) for n in (9, 10)]
    assert quarters_figure(survey_of([*dated, *two]))  # 8 of 10
    assert quarters_figure(survey_of([*dated[:7], *two])) is None  # 7 of 9
    assert quarters_figure(survey_of(dated[:4])) is None
    year_only = [make_entry(n, published="2025") for n in (9, 10, 11)]
    assert quarters_figure(survey_of([*dated, *year_only])) is None


def test_papers_older_than_five_years_are_counted_and_not_drawn(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    dates = ["1999-01", "2024-01", "2024-02", "2024-03", "2024-04"]
    entries = [make_entry(n, published=date) for n, date in enumerate(dates, 1)]
    figure = quarters_figure(survey_of(entries))
    assert len(rows(figure)) == 20
    assert figure is not None
    assert figure.caption.endswith("month; 1 older one is not shown.")


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
def test_every_number_of_a_figure_is_a_fact(
    draw: Callable[[Survey], Figure | None], survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    text = "We pass the spade test. It is 12% faster. The code is available."
    stated = {"authors": ("Ada One", "Ben Two"), "author_count": 2, "venue": "Beds"}
    entries = [
        make_entry(n, "soil", *["seeds"] * (n % 2), text=text, published=f"2025-0{n}", **stated)
        for n in range(1, 10)
    ]
    survey = survey_of(entries, quarantined=1)
    figure = draw(survey)
    assert figure, f"{draw.__name__} draws nothing of these papers: add to `stated` what it counts"
    shown = {cell for row in rows(figure) for cell in row[1:] if cell.isdigit()}
    facts = {str(fact.value) for fact in survey.facts.by_id.values()} | {"0"}
    missing = sorted(shown - facts)
    assert not missing, f"the figure shows {missing}, no facts: ask Facts.count, which notes them"
