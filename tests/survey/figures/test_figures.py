"""Figures of small gardens: what they count, what they ask, and where they are not drawn."""

from __future__ import annotations

from collections.abc import Callable

from classifier.survey import figures
from classifier.survey.document import Figure
from classifier.survey.figures import (
    benchmarks_figure,
    contribution_figure,
    flow_figure,
    matrix_figure,
    months_figure,
    topics_figure,
    tree_figure,
)
from classifier.survey.figures.time import followed_categories
from classifier.survey.survey import Survey
from tests.survey.conftest import MakeEntry

MaterialOf = Callable[..., Survey]
DRAWN = (
    benchmarks_figure,
    contribution_figure,
    flow_figure,
    matrix_figure,
    months_figure,
    topics_figure,
    tree_figure,
)


def rows(figure: Figure | None) -> list[tuple[str, ...]]:
    assert figure is not None
    assert figure.caption.count("?") == 1
    assert all(len(row) == len(figure.columns) for row in figure.rows)
    return list(figure.rows)


def test_an_empty_survey_has_a_tree_and_nothing_else(material_of: MaterialOf) -> None:
    assert [draw.__name__ for draw in DRAWN if draw(material_of([]))] == ["tree_figure"]


def test_topics_tell_papers_filed_from_papers_also_there(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    entries = [make_entry(1), make_entry(2, "soil", "seeds"), make_entry(3, "seeds")]
    figure = topics_figure(material_of(entries))
    assert rows(figure) == [("Soil", "2", "0"), ("Seeds", "1", "1"), ("Out of scope", "0", "0")]
    assert figure is not None
    assert figure.alt == "Bar chart of three categories. Most papers: Soil (2)."


def test_of_places_with_as_many_papers_none_is_named_as_the_largest(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    figure = topics_figure(material_of([make_entry(1), make_entry(2, "seeds")]))
    assert figure is not None
    assert figure.alt == "Bar chart of three categories. None holds more than one paper."


def test_the_matrix_counts_pairs_of_filed_and_further_category(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    figure = matrix_figure(material_of([make_entry(1, "soil", "seeds"), make_entry(2, "seeds")]))
    assert rows(figure) == [("Soil", "0", "1")]
    assert figure is not None
    assert figure.columns == ("Filed under", "Soil", "Seeds")
    assert matrix_figure(material_of([make_entry(1), make_entry(2, "seeds")])) is None


def test_contributions_leave_out_categories_without_papers(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    figure = contribution_figure(material_of([make_entry(1), make_entry(2, kind="study")]))
    assert rows(figure) == [("Soil", "1", "1", "0")]


def test_benchmarks_stand_by_how_many_texts_name_them_and_two_must(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    said = "We pass the spade test."
    entries = [
        make_entry(1, text=said),
        make_entry(2, "seeds", text=f"{said} Worm counting helps."),
    ]
    assert rows(benchmarks_figure(material_of(entries))) == [("Spade test", "1", "1")]
    assert benchmarks_figure(material_of(entries[:1])) is None


def test_the_flow_adds_up(material_of: MaterialOf, make_entry: MakeEntry) -> None:
    entries = [make_entry(1, status="reviewed"), make_entry(2, status="provisional")]
    assert rows(flow_figure(material_of(entries, quarantined=1))) == [
        ("kept", "file read", "1"),
        ("set aside", "records that could not be read", "1"),
        ("kept", "records read", "2"),
        ("set aside", "merged with another record", "0"),
        ("kept", "distinct papers", "2"),
        ("set aside", "left out by the editors", "0"),
        ("kept", "papers in the survey", "2"),
        ("of these", "reviewed by a person", "1"),
        ("of these", "labelled with confidence", "0"),
        ("of these", "filed provisionally", "1"),
    ]


def test_the_flow_tells_imported_papers_from_reviewed_ones(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    entries = [make_entry(3), make_entry(1, status="imported"), make_entry(2, status="reviewed")]
    told = rows(flow_figure(material_of(entries)))
    assert ("of these", "reviewed by a person", "1") in told
    assert ("of these", "filed so by their source", "1") in told


def test_the_tree_holds_what_is_in_use(material_of: MaterialOf, make_entry: MakeEntry) -> None:
    entries = [make_entry(1, "soil", "soil/compost")]
    assert rows(tree_figure(material_of(entries))) == [
        ("Soil", "", "1"),
        ("Compost", "Soil", "1"),
        ("Seeds", "", "0"),
        ("Out of scope", "", "0"),
    ]


# --- over time ------------------------------------------------------------------------------------


def test_months_without_a_paper_keep_their_place(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    dates = ["2024-11-03", "2024-11", "2025-01", "2025-01-20", "2025-01"]
    entries = [make_entry(n, published=date) for n, date in enumerate(dates, 1)]
    figure = months_figure(material_of(entries))
    assert rows(figure) == [
        ("2024-11", "2", "0", "0"),
        ("2024-12", "0", "0", "0"),
        ("2025-01", "3", "0", "0"),
    ]
    assert figure is not None
    assert figure.caption.endswith("? 5 of 5 papers are dated to the month.")
    assert figure.alt.endswith("The fullest month is January 2025: three papers.")


def test_nothing_is_drawn_over_time_under_80_percent_dated_or_5_papers(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    dated = [make_entry(n, published=f"2025-{n:02}") for n in range(1, 9)]
    two = [make_entry(n) for n in (9, 10)]
    assert months_figure(material_of([*dated, *two]))  # 8 of 10
    assert months_figure(material_of([*dated[:7], *two])) is None  # 7 of 9
    assert months_figure(material_of(dated[:4])) is None
    year_only = [make_entry(n, published="2025") for n in (9, 10, 11)]
    assert months_figure(material_of([*dated, *year_only])) is None


def test_what_is_older_than_five_years_is_said_and_not_drawn(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    dates = ["1999-01", "2024-01", "2024-02", "2024-03", "2024-04"]
    entries = [make_entry(n, published=date) for n, date in enumerate(dates, 1)]
    figure = months_figure(material_of(entries))
    assert len(rows(figure)) == 60
    assert figure is not None
    assert figure.caption.endswith("month; 1 of these is older than the first month shown.")


def test_where_no_category_is_core_the_largest_are_followed(
    material_of: MaterialOf, make_entry: MakeEntry
) -> None:
    material = material_of([make_entry(1, "seeds")])
    assert [category.id for category in followed_categories(material)] == ["soil", "seeds"]


def test_all_figures_are_offered() -> None:
    assert sorted(figures.__all__) == figures.__all__
    assert {draw.__name__ for draw in DRAWN} == set(figures.__all__)


def test_every_number_of_a_figure_is_a_fact(material_of: MaterialOf, make_entry: MakeEntry) -> None:
    text = "We pass the spade test. It is 12% faster. The code is available."
    entries = [
        make_entry(n, "soil", *["seeds"] * (n % 2), text=text, published=f"2025-0{n}")
        for n in range(1, 10)
    ]
    material = material_of(entries)
    for draw in DRAWN:
        counted = {cell for row in rows(draw(material)) for cell in row if cell.isdigit()}
        values = {str(fact.value) for fact in material.facts.by_id.values()} | {"0"}
        assert counted <= values, draw.__name__
