"""The labelled papers of a build as one table, with one row per paper.

Every count in the survey is a count of rows: `filed=safety` counts the rows whose `primary` is
`safety`, `code=yes` those whose `code` contains `yes`. In a column with several values per paper,
each cell is a tuple, so that `table.explode("code")` has one row per value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from classifier.labelling.labels import columns_of_labels
from classifier.papers.frame import make_frame, paper_columns
from classifier.survey.entry import SurveyPaper
from classifier.survey.keys import FILED, KEYS
from classifier.taxonomy.model import NOT_STATED, Roles, Taxonomy

if TYPE_CHECKING:
    from pandas import DataFrame

Term = tuple[str, str]
"""(key, value) of a query, such as ("filed", "benchmarks")."""
Rows = Mapping[Term, frozenset[int]]
"""Term -> positions of the rows that have it, from 0."""


def survey_table(taxonomy: Taxonomy, entries: Sequence[SurveyPaper]) -> DataFrame:
    """Return the table of these papers, with one row per paper in the same order.

    The columns are, in this order: id, title, year, month, the labels, the keys of queries, the
    names of each lexicon, the values of each typed column, the other fields of a paper.
    """
    papers = paper_columns([entry.paper for entry in entries])
    keys: dict[str, Sequence[object]] = {}
    for key in KEYS:
        values = [tuple(key.values_of(entry)) for entry in entries]
        keys[key.id] = values if key.is_multiple else [value for (value,) in values]
    names = {
        lexicon: [_lexicon_names(entry, lexicon, taxonomy.roles) for entry in entries]
        for lexicon in taxonomy.lexicons
    }
    typed = {
        column: [_typed_values(entry, column) for entry in entries] for column in taxonomy.columns
    }
    others = {name: values for name, values in papers.items() if name not in (keys | names)}
    return make_frame(
        {
            "id": papers["id"],
            "title": papers["title"],
            "year": keys["year"],
            "month": keys["month"],
            **columns_of_labels(taxonomy, [entry.labels for entry in entries]),
            **keys,
            **names,
            **typed,
            **others,
        }
    )


def _lexicon_names(entry: SurveyPaper, lexicon: str, roles: Roles) -> tuple[str, ...]:
    """Return the names from a lexicon that a paper contains, or `NOT_STATED` if there are none.

    A paper that contains no name from the lexicon of open problems gets ().
    """
    names = entry.names.get(lexicon, ())
    if names or lexicon == roles.unsolved:
        return names
    return (NOT_STATED,)


def _typed_values(entry: SurveyPaper, column: str) -> tuple[str, ...]:
    """Return the values of a paper in a typed column."""
    return tuple(value.key for value in entry.values.get(column, ()))


def column_of(taxonomy: Taxonomy, key: str) -> str:
    """Return the name of the column with the values of a query key."""
    if key == FILED:
        return "primary"
    if key == taxonomy.first.id:
        return "topics"
    return key


def rows_by_term(taxonomy: Taxonomy, table: DataFrame) -> Rows:
    """Return the rows of each term that at least one paper has."""
    found: dict[Term, frozenset[int]] = {}
    own_keys = (*taxonomy.facets, *taxonomy.lexicons, *taxonomy.columns)
    for key in (FILED, *own_keys, *(key.id for key in KEYS)):
        values = table[column_of(taxonomy, key)].explode()
        for value, rows in values.groupby(values).groups.items():
            found[key, str(value)] = frozenset(map(int, rows))
    return found
