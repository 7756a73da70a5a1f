"""The labelled papers as JSON Lines, CSV, Parquet or a workbook; Fieldguide reads them back."""

from __future__ import annotations

import io
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from classifier.errors import UsageError, listed
from classifier.files.arrow import import_pyarrow
from classifier.files.json_text import json_line
from classifier.files.table import csv_bytes
from classifier.files.workbook import escape_for_workbook, text_workbook
from classifier.papers.fields import DETAILS
from classifier.papers.frame import LISTS
from classifier.papers.readers.json_file import paper_to_json
from classifier.review.columns import JOINER, WHY
from classifier.review.sheet import data_columns, sheet_rows
from classifier.site.exports.citation import cite_keys
from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import terms_of
from classifier.survey.keys import PAGE_PARAMETERS
from classifier.survey.survey import Survey
from classifier.survey.table import Term
from classifier.taxonomy.model import NOT_STATED

if TYPE_CHECKING:
    from pandas import DataFrame

METADATA = (
    "cite_key", "authors", "author_count", "organisation", "published", "venue", "arxiv_id", "doi",
    "code_urls", "keywords", "collections", *DETAILS, "abstract", "abstract_kind", "retracted",
)  # fmt: skip
"""The columns of a table after those of the labels."""


def labelled_jsonl(selection: Selection) -> bytes:
    """Return one object per paper: Fieldguide's own fields, then `cite_key` and `labels`."""
    return b"".join(
        json_line(
            {
                **paper_to_json(entry.paper),
                "cite_key": selection.keys[entry.paper.id],
                "labels": {
                    facet: {
                        "primary": labels.primary,
                        "categories": list(labels.categories),
                        "status": labels.status,
                        "confidence": round(labels.confidence, 4),
                    }
                    for facet, labels in sorted(entry.labels.facets.items())
                },
                **({"columns": typed_values(entry)} if entry.values else {}),
            }
        )
        for entry in selection.entries
    )


def typed_values(entry: SurveyPaper) -> dict[str, list[dict[str, object]]]:
    """Return the values of each typed column with their sources, by column."""
    return {name: [asdict(value) for value in values] for name, values in entry.values.items()}


def labelled_csv(selection: Selection) -> bytes:
    """Return a CSV with the columns of labels.csv that Fieldguide fills, then `METADATA`."""
    table = export_table(selection).map(_cell_text)
    return csv_bytes(list(table.columns), table.to_numpy().tolist())


def labelled_xlsx(selection: Selection) -> bytes:
    """Return the table of `labelled_csv` as a workbook; the same table gives the same bytes."""
    table = export_table(selection)
    texts = table.map(lambda value: escape_for_workbook(_cell_text(value)))
    return text_workbook(texts.assign(confidence=table["confidence"]))


def labelled_parquet(selection: Selection) -> bytes:
    """Return the table of `labelled_csv` as Parquet with typed columns: lists, numbers, null.

    Raises UsageError if pyarrow is not installed.
    """
    arrow = import_pyarrow()
    texts = arrow.list_(arrow.string())
    types = {
        "confidence": arrow.float64(),
        "author_count": arrow.int32(),
        **dict.fromkeys(
            ("topics", *LISTS, *_further_facet_ids(selection), *selection.survey.taxonomy.columns),
            texts,
        ),
    }
    table = export_table(selection).map(lambda value: None if value in ("", ()) else value)
    schema = arrow.schema([(name, types.get(name, arrow.string())) for name in table.columns])
    buffer = io.BytesIO()
    arrow.parquet.write_table(arrow.Table.from_pandas(table, schema, preserve_index=False), buffer)
    return buffer.getvalue()


def export_table(selection: Selection) -> DataFrame:
    """Return the columns of labels.csv that Fieldguide fills, then `METADATA`, with typed values.

    Missing values are "", () or None.
    """
    survey, entries = selection.survey, selection.entries
    rows = sheet_rows(
        survey.whole_taxonomy,
        [entry.paper for entry in entries],
        [entry.labels for entry in entries],
    )
    typed = {entry.paper.id: entry.values for entry in survey.entries}
    columns = (*data_columns(survey.whole_taxonomy), *survey.taxonomy.columns)
    table = survey.table[survey.table["id"].isin([entry.paper.id for entry in entries])]
    table = table.assign(
        cite_key=table["id"].map(selection.keys),
        year=table["published"].str[:4],
        confidence=table["confidence"].round(4),
        why=[row[WHY] for row in rows],
    )
    for name in ("topics", *_further_facet_ids(selection)):
        table[name] = table[name].map(lambda values: tuple(v for v in values if v != NOT_STATED))
    for name in survey.taxonomy.columns:
        values = table["id"].map(lambda paper_id, name=name: typed[paper_id].get(name, ()))
        table[name] = values.map(lambda each: tuple(value.text for value in each))
    return table[[*columns, *(name for name in METADATA if name not in columns)]]


def _further_facet_ids(selection: Selection) -> list[str]:
    """Return the ids of the further facets."""
    _, *further = selection.survey.whole_taxonomy.facets
    return further


def _cell_text(value: object) -> str:
    """Return a value as text; a single item that contains a comma is followed by a semicolon."""
    if isinstance(value, tuple):
        return JOINER.join(value) + (";" if len(value) == 1 and "," in value[0] else "")
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Selection:
    """Papers of a survey, in the order of the reference list."""

    survey: Survey
    entries: tuple[SurveyPaper, ...]
    keys: Mapping[str, str]
    """Paper id -> cite key, of all papers of the survey, so that a selection changes no key."""


def select_papers(
    survey: Survey, *, category: str = "", filed: bool = False, query: str = ""
) -> Selection:
    """Return the papers that match `category` and `query`.

    A paper matches a query if, for each key, it has one of the values.

    category: id, alias or name of a category in the first facet; "" for all papers. filed: only
    papers whose primary category it is. query: the address of the browse page, or the part after
    its `?`. Raises UsageError for an unknown category, key or value.
    """
    if filed and not category:
        raise UsageError("--filed needs --category. Add --category ID.")
    of_category, of_query = _category_terms(survey, category, filed), _query_terms(query)
    rows = survey.facts.rows
    for term in sorted({*of_category, *of_query}):
        _check_term(survey, term, rows.keys())
    alternatives: dict[str, set[int]] = {}
    for key, value in of_query:
        alternatives.setdefault(key, set()).update(rows.get((key, value), ()))
    chosen = set(range(len(survey.entries))).intersection(
        *(rows.get(term, frozenset()) for term in of_category), *alternatives.values()
    )
    entries = tuple(survey.entries[row] for row in sorted(chosen))
    return Selection(survey, entries, cite_keys([entry.paper for entry in survey.entries]))


def _category_terms(survey: Survey, category: str, filed: bool) -> list[Term]:
    """Return the query terms for a category."""
    if not category:
        return []
    facet = survey.taxonomy.first
    found = facet.resolve(category)
    if found is None:
        ids = ", ".join(facet.ids)
        raise UsageError(
            f"--category: '{category}' is not a category of {facet.id}; expected one of {ids}."
        )
    if filed and "/" in found.id:
        raise UsageError(
            f"--filed: '{found.id}' is a subcategory, and papers are filed only "
            "under top categories. Choose its top category."
        )
    return [("filed" if filed else facet.id, found.id)]


def _query_terms(query: str) -> list[Term]:
    """Return the terms in a query."""
    text = query.rpartition("?")[2].partition("#")[0].strip()
    if not text:
        return []
    try:
        terms = terms_of(text)
    except ValueError:
        raise UsageError(
            f"--query '{query}': is not a query; expected the part after the ? in the address of "
            "browse.html, such as 'code=yes&filed=benchmarks'. Put it in quotes."
        ) from None
    if any(key == "q" for key, _ in terms):
        raise UsageError(
            "--query: words (q=…) are searched only on the browse page. Remove q, or download the "
            "papers from that page."
        )
    return [(key, value) for key, value in terms if key not in PAGE_PARAMETERS]


def _check_term(survey: Survey, term: Term, known_terms: Set[Term]) -> None:
    """Raise UsageError if no paper can have a term; a category without papers is allowed."""
    key, value = term
    taxonomy = survey.taxonomy
    facet = taxonomy.first if key == "filed" else taxonomy.facets.get(key)
    if term in known_terms or (facet is not None and value in facet.ids):
        return
    keys = sorted({each for each, _ in known_terms})
    if key not in keys:
        raise UsageError(f"--query: found key '{key}'; expected one of {', '.join(keys)}.")
    values = listed(sorted(each for of, each in known_terms if of == key), 12)
    raise UsageError(f"--query: no paper has {key}={value}; papers have {values}.")
