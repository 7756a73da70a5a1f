"""The labelled papers of a build as one table, a row per paper: every count is taken from it.

The columns hold the values of queries: `filed=safety` counts the rows whose `primary` is `safety`,
`code=yes` those whose `code` holds `yes`. A column with several values per paper holds tuples; so
`table.explode("code")` has a row per value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from classifier.labelling.labels import columns_of_labels
from classifier.papers.frame import frame_of, paper_columns
from classifier.survey.entry import SurveyPaper
from classifier.survey.keys import FILED, KEYS
from classifier.taxonomy.model import NOT_STATED, Roles, Taxonomy

if TYPE_CHECKING:
    from pandas import DataFrame

Term = tuple[str, str]
"""A key of a query and its value, such as ("filed", "benchmarks")."""
Rows = Mapping[Term, frozenset[int]]
"""Term -> the rows of the papers for which it holds."""


def survey_table(taxonomy: Taxonomy, entries: Sequence[SurveyPaper]) -> DataFrame:
    """Return one row per paper, in the order of the reference list.

    Columns: id, title and labels, the keys of queries, the names of each lexicon, the values of
    typed columns, then the other fields of the papers.
    """
    papers = paper_columns([entry.paper for entry in entries])
    keys: dict[str, Sequence[object]] = {}
    for key in KEYS:
        values = [tuple(key.values_of(entry)) for entry in entries]
        keys[key.id] = values if key.is_multiple else [value for (value,) in values]
    names = {
        lexicon: [_names(entry, lexicon, taxonomy.roles) for entry in entries]
        for lexicon in taxonomy.lexicons
    }
    return frame_of(
        {
            "id": papers["id"],
            "title": papers["title"],
            "year": keys["year"],
            "month": keys["month"],
            **columns_of_labels(taxonomy, [entry.labels for entry in entries]),
            **keys,
            **names,
            **{
                column: [
                    tuple(value.key for value in entry.values.get(column, ())) for entry in entries
                ]
                for column in taxonomy.columns
            },
            **{name: values for name, values in papers.items() if name not in (keys | names)},
        }
    )


def _names(entry: SurveyPaper, lexicon: str, roles: Roles) -> tuple[str, ...]:
    names = entry.names.get(lexicon, ())
    return names if names or lexicon == roles.unsolved else (NOT_STATED,)


def column_of(taxonomy: Taxonomy, key: str) -> str:
    """Return the column of the table that answers a key of queries."""
    return {FILED: "primary", taxonomy.first.id: "topics"}.get(key, key)


def rows_by_term(taxonomy: Taxonomy, table: DataFrame) -> Rows:
    """Return the rows of each term of a query that holds for some paper."""
    found: dict[Term, frozenset[int]] = {}
    typed = tuple(taxonomy.columns)
    keys = (FILED, *taxonomy.facets, *taxonomy.lexicons, *(key.id for key in KEYS), *typed)
    for key in keys:
        values = table[column_of(taxonomy, key)].explode()
        for value, rows in values.groupby(values).groups.items():
            found[key, str(value)] = frozenset(map(int, rows))
    return found
