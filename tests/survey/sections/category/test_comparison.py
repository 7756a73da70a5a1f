"""The comparison table: columns of its own, and a selection where papers are very many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from inline_snapshot import snapshot

from classifier.survey.document import Paragraph, Table
from classifier.survey.sections.category import comparison
from classifier.survey.sections.category.comparison import (
    LONG,
    SHORT,
    comparison_blocks,
    select_papers,
    table_limits,
)
from classifier.survey.sections.category.subject import Subject

import pytest  # isort: skip


def table_of(subject: Subject) -> Table:
    table = comparison_blocks(subject)[0]
    assert isinstance(table, Table)
    return table


def test_facets_with_enough_labels_are_columns(
    subject_of: Callable[..., Subject],
) -> None:
    lines = [
        "title=Digger:_A_Spade dug_with=spade+fork date=2025-03 code=https://a.example/(b)",
        "contribution=study status=reviewed | Studies dirt. The results show a gain of 3%.",
    ]
    table = table_of(subject_of(lines))
    assert table.caption == snapshot("Papers filed under Soil, and how they compare")
    assert table.columns == (
        "Ref.", "Paper", "Date", "Contribution", "Dug with", "Headline result", "Code",
        "Label",
    )  # fmt: skip
    assert table.rows[0] == (
        "[1](#ref-1)", "[Digger](p/p-0000000001.html)", "2025-03", "Method", "a spade, a fork",
        "", "[code](https://a.example/%28b%29)", "confident",
    )  # fmt: skip
    assert table.rows[1][3:5] == ("Study", "")
    assert table.rows[1][5:] == snapshot((
        "[+3 %](p/p-0000000002.html#found): The results show a gain of 3%.", "", "reviewed",
    ))  # fmt: skip


def test_with_benchmarks_a_share_of_an_unknown_whole_is_not_a_headline(
    subject_of: Callable[..., Subject],
) -> None:
    lines = [
        "| Logs sessions. The results show that over 90% of sessions have ten steps.",
        "| Digs. The results show an accuracy of 90%.",
    ]
    subject = subject_of(lines)
    none = subject.survey.taxonomy.model_copy(update={"lexicons": {}})
    plain = replace(subject, survey=replace(subject.survey, taxonomy=none))
    cells = [[row[5].partition("]")[0] for row in table_of(it).rows] for it in (subject, plain)]
    words = "The results show that over 90% of sessions have ten steps."
    assert cells == [[words, "[90 %"], ["[over 90 %", "[90 %"]]


def test_without_a_number_a_finding_is_printed(
    subject_of: Callable[..., Subject],
) -> None:
    lines = [
        "title=Digging_in_clay | Studies clay. The results show that clay beats sand.",
        "title=Mowing_lawns text=abstract | We study mowing. We find that mowing of lawns helps.",
        "title=Raking text=abstract | We study leaves. The results show that it helps.",
        "status=reviewed | Studies dirt. The results show a gain of 3%.",
    ]
    cells = [row[5] for row in table_of(subject_of(lines)).rows]
    assert cells[:3] == snapshot(
        [
            "The results show that clay beats sand.",
            "“We find that mowing of lawns helps.”",
            "",
        ]
    )


def test_a_number_without_a_unit_is_printed_only_in_its_sentence(
    subject_of: Callable[..., Subject],
) -> None:
    said = "The results show that it improves the average from 30.1 to 42.7 over all tasks."
    assert table_of(subject_of([f"| Digs. {said}"])).rows[0][5] == said


def test_amounts_are_a_column_if_enough_papers_state_them(
    subject_of: Callable[..., Subject],
) -> None:
    made = "title=A contribution=method | Presents a data set of over 1,200 garden tasks."
    others = ["contribution=method | Studies dirt."] * 4
    table = table_of(subject_of([made, *others]))
    assert "How many" in table.columns
    assert table.rows[0][table.columns.index("How many")] == "over 1,200 garden tasks"
    assert "How many" not in table_of(subject_of([made, *others, *others])).columns


def test_an_abstract_is_quoted_with_its_numbers_linked(
    subject_of: Callable[..., Subject],
) -> None:
    said = "The results show a gain of 3% in garden soil on Z^' and [m']."
    lines = [f"title=Dirt_in_Z status=reviewed text=abstract | We study dirt in Z. {said}"]
    linked = "[3%](p/p-0000000001.html#found)"
    cell = rf"“The results show a gain of {linked} in garden soil on Z^' and \[m'\].”"
    assert table_of(subject_of(lines)).rows[0][5] == cell


def test_a_number_in_an_unclear_sentence_is_not_printed(
    subject_of: Callable[..., Subject],
) -> None:
    said = "However, they show that it leads to a gain of 3%."
    lines = [f"title=Dirt_in_Z status=reviewed text=abstract | We study dirt in Z. {said}"]
    assert table_of(subject_of(lines)).rows[0][5] == ""


def test_without_facets_a_column_has_the_contributions(
    subject_of: Callable[..., Subject],
) -> None:
    abstract = "title=Dirt text=abstract | We introduce wet red dirt."
    lines = ["| Introduces dirt. Code is available.", "", abstract]
    table = table_of(subject_of(lines))
    assert table.columns[4] == "What it does"
    said = [row[4] for row in table.rows]
    assert said == snapshot(["Introduces dirt.", "", "“We introduce wet red dirt.”"])
    assert [row[5] for row in table.rows] == ["said to be released", "", ""]


def test_the_column_of_kinds_has_the_name_of_their_facet(
    subject_of: Callable[..., Subject],
) -> None:
    subject = subject_of([""])
    taxonomy = subject.survey.taxonomy
    kinds = taxonomy.facet("contribution").model_copy(update={"name": "Type of study"})
    taxonomy = taxonomy.model_copy(update={"facets": {**taxonomy.facets, "contribution": kinds}})
    renamed = replace(subject, survey=replace(subject.survey, taxonomy=taxonomy))
    assert table_of(renamed).columns[3] == "Type of study"


@pytest.mark.parametrize(
    ("line", "columns", "cells"),
    [
        ("| Introduces dirt.", (), ()),
        ("code=https://a.example", ("Code",), ("",)),
        ("| Introduces dirt. Results show a gain of 3%.", ("Headline result",), ("",)),
    ],
)
def test_without_code_and_results_there_are_no_such_columns(
    subject_of: Callable[..., Subject],
    line: str,
    columns: tuple[str, ...],
    cells: tuple[str, ...],
) -> None:
    table = table_of(subject_of(["", line]))
    assert table.columns[4:] == ("What it does", *columns, "Label")
    assert table.rows[0][5:] == (*cells, "confident")


def test_a_large_category_has_a_table_of_selected_papers(
    subject_of: Callable[..., Subject], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "LONG", (4, 1))
    lines = ["| Introduces worms."] * 3 + ["date=2025"] + ["| Introduces worms and rain."] * 2
    subject = subject_of(lines)
    table, rule = comparison_blocks(subject)
    assert isinstance(table, Table)
    assert isinstance(rule, Paragraph)
    shown = {row[0] for row in table.rows}
    assert "[4](#ref-4)" in shown
    assert len(shown) == 2
    assert rule.sentences[0].text.startswith("The table shows two of six papers: key papers, ")
    assert "the [browse page](browse.html?filed=" in rule.sentences[0].text


def test_a_small_category_has_a_table_of_all_papers(subject_of: Callable[..., Subject]) -> None:
    entries = subject_of([""] * 5).entries
    assert select_papers(entries, LONG) == list(entries)


def test_a_large_survey_has_shorter_tables(
    subject_of: Callable[..., Subject], monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = subject_of([""] * 5).survey.facts
    assert table_limits(facts) == LONG
    monkeypatch.setattr(comparison, "MANY_PAPERS", 4)
    assert table_limits(facts) == SHORT
