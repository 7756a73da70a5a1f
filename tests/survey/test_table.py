"""The table of labelled papers: every count is one line of pandas."""

from __future__ import annotations

import json
from collections.abc import Callable

import pandas as pd
import pytest

from classifier.pipeline import BuildResult
from classifier.survey.facts import terms_of
from classifier.survey.table import column_of

COUNTS: dict[str, Callable[[pd.DataFrame], object]] = {
    "papers.total": lambda table: len(table),
    "papers.reviewed": lambda table: (table.status == "reviewed").sum(),
    "papers.dated": lambda table: (table.published != "").sum(),
    "papers.newest": lambda table: table.published.max(),
    "papers.oldest": lambda table: table.published[table.published != ""].min(),
    "papers.with_code": lambda table: table.code.explode().eq("yes").sum(),
    "papers.with_figure": lambda table: (table.result == "stated").sum(),
    "papers.title_only": lambda table: (table.text == "none").sum(),
    "papers.key": lambda table: (table.key == "yes").sum(),
    "papers.several_topics": lambda table: table.several.value_counts()["yes"],
    "benchmarks.distinct": lambda table: table.benchmarks[table.benchmarks != ("none",)].explode().nunique(),
    "filed=sourdough": lambda table: table.groupby("primary").size()["sourdough"],
    "topic=flour": lambda table: table.explode("topics").groupby("topics").size()["flour"],
    "filed=sourdough&quarter=2024-Q1": lambda table: table.groupby(["primary", "quarter"]).size()["sourdough", "2024-Q1"],
    "contribution=method&filed=sourdough": lambda table: pd.crosstab(
        table.primary, table.contribution.explode()
    ).loc["sourdough", "method"],
    "code=yes&filed=flour": lambda table: table[table.primary == "flour"].code.explode().eq("yes").sum(),
    "quarter=undated": lambda table: (table.quarter == "undated").sum(),
}  # fmt: skip


@pytest.mark.parametrize("fact_id", COUNTS)
def test_a_fact_is_one_line_of_pandas(fact_id: str, bread: BuildResult) -> None:
    facts = json.loads(bread.files["facts.json"])
    assert COUNTS[fact_id](bread.survey.table) == facts[fact_id]["value"]


def test_the_id_of_a_count_is_a_selection_of_rows(bread: BuildResult) -> None:
    table, taxonomy = bread.survey.table, bread.survey.taxonomy
    queries = {i: f["value"] for i, f in json.loads(bread.files["facts.json"]).items() if "=" in i}
    assert len(queries) > 60
    for query, value in queries.items():
        rows = table
        for key, wanted in terms_of(query):
            values = rows[column_of(taxonomy, key)].explode()
            rows = rows.loc[values.index[values == wanted]]
        assert len(rows) == value, query


def test_every_value_of_a_figure_is_one_line_of_pandas(bread: BuildResult) -> None:
    table, facts = bread.survey.table, json.loads(bread.files["facts.json"])
    filed = table.primary.value_counts()
    also = table.topics.explode().value_counts() - filed
    for category in bread.survey.first.ids:
        there = facts.get(f"filed={category}", {"value": 0})["value"]
        applies = facts.get(f"topic={category}", {"value": 0})["value"]
        assert (filed.get(category, 0), also.get(category, 0)) == (there, applies - there)


def test_the_table_has_one_row_per_paper_in_reference_order(bread: BuildResult) -> None:
    survey = bread.survey
    assert survey.table["id"].tolist() == [entry.paper.id for entry in survey.entries]
    assert survey.table.dtypes.drop("confidence").eq(object).all()
