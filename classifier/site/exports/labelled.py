"""The labelled papers as data: JSON Lines, CSV and Parquet, which our own readers take back."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from classifier.errors import UsageError, listed
from classifier.files.json_text import json_line
from classifier.files.table import write_table
from classifier.papers.fields import DETAILS
from classifier.papers.readers.json_file import paper_to_json
from classifier.review.columns import JOINER
from classifier.review.sheet import data_columns, sheet_rows
from classifier.site.exports.citation import cite_keys
from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import Term, entry_terms, terms_of
from classifier.survey.keys import OF_THE_PAGE
from classifier.survey.survey import Survey

_TEXTS = ("organisation", "venue", "arxiv_id", "doi", "abstract", "abstract_kind")
_LISTS = ("authors", "code_urls", "keywords", "collections")
METADATA = (
    "cite_key", "authors", "author_count", "organisation", "published", "venue", "arxiv_id", "doi",
    "code_urls", "keywords", "collections", *DETAILS, "abstract", "abstract_kind",
)  # fmt: skip
"""The columns of a table after those of the labels."""


def labelled_jsonl(selection: Selection) -> bytes:
    """Return one object per paper: our own format, followed by `cite_key` and `labels`."""
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
            }
        )
        for entry in selection.entries
    )


def labelled_csv(selection: Selection) -> bytes:
    """Return the machine's columns of labels.csv, then `METADATA`; lists joined by `; `."""
    cells = ({name: _cell(value) for name, value in row.items()} for row in table_values(selection))
    return write_table(table_columns(selection), cells)


def _cell(value: object) -> str:
    """Return a value as a cell; behind a list of one item with a comma a semicolon says that it is
    one."""
    if isinstance(value, list):
        return JOINER.join(value) + (";" if len(value) == 1 and "," in value[0] else "")
    return str(value)


def table_columns(selection: Selection) -> tuple[str, ...]:
    """Return the columns of the table: labels first, as in the sheet, then metadata."""
    shown = data_columns(selection.survey.taxonomy)
    return *shown, *(name for name in METADATA if name not in shown)


def labelled_parquet(selection: Selection) -> bytes:
    """Return the table of `labelled_csv` with typed columns: lists, numbers, null for nothing.

    Raises UsageError where pyarrow is not installed.
    """
    try:
        import pyarrow.parquet  # late: an extra, and slow
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'fieldguide[scale]'.") from error
    _, *others = selection.survey.taxonomy.facets
    lists = ("topics", *_LISTS, *others)
    types = {
        "confidence": pyarrow.float64(),
        "author_count": pyarrow.int32(),
        **dict.fromkeys(lists, pyarrow.list_(pyarrow.string())),
    }
    columns = table_columns(selection)
    schema = pyarrow.schema([(name, types.get(name, pyarrow.string())) for name in columns])
    rows = [{name: row.get(name) for name in schema.names} for row in table_values(selection)]
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), buffer)
    return buffer.getvalue()


def table_values(selection: Selection) -> Iterator[dict[str, object]]:
    """Yield one row per paper: column -> typed value, without what is not stated."""
    taxonomy, entries = selection.survey.taxonomy, selection.entries
    papers, labels = [e.paper for e in entries], [e.labels for e in entries]
    for entry, row in zip(entries, sheet_rows(taxonomy, papers, labels), strict=True):
        paper = entry.paper
        stated: dict[str, object] = {name: getattr(paper, name) for name in _TEXTS}
        stated |= {name: list(getattr(paper, name)) for name in _LISTS}
        stated |= {name: text for name, text in paper.reference if name in DETAILS}
        stated |= {"published": paper.published.date, "author_count": paper.author_count}
        stated |= {"cite_key": selection.keys[paper.id]}
        further = [of for of in entry.labels.facets.items() if of[0] != taxonomy.first.id]
        typed: Mapping[str, object] = {
            "confidence": round(entry.first.confidence, 4),
            "topics": list(entry.first.categories),
            **{facet: list(of.categories) for facet, of in further},
        }
        cells = {name: row[name] for name in data_columns(taxonomy) if name in row}
        known = {**stated, **cells, **typed}  # a facet may have the name of a column
        yield {name: value for name, value in known.items() if value not in ("", [], None)}


@dataclass(frozen=True, slots=True)
class Selection:
    """Papers of an edition, in the order of its reference list."""

    survey: Survey
    entries: tuple[SurveyPaper, ...]
    keys: Mapping[str, str]
    """Paper id -> cite key, of every paper of the edition: no selection changes a key."""


def select(
    survey: Survey, *, category: str = "", filed: bool = False, query: str = ""
) -> Selection:
    """Return the papers to which `category` applies and for which `query` holds.

    The values of one key of a query are alternatives; all keys must hold.

    category: id, alias or name of a category of the first facet, "" for all papers; filed: only
    those filed under it; query: the address of the browse page, or the part after its `?`.
    Raises UsageError for a category, key or value that the survey does not know.
    """
    if filed and not category:
        raise UsageError("--filed says how --category is meant; name a category, too.")
    of_category, of_query = _category_terms(survey, category, filed), _query_terms(query)
    terms = {*of_category, *of_query}
    having = [(entry, set(entry_terms(survey.taxonomy, entry))) for entry in survey.entries]
    known = set().union(*(held for _, held in having))
    for term in sorted(terms):
        _check_term(survey, term, known)
    by_key: dict[str, set[Term]] = {}
    for key, value in of_query:
        by_key.setdefault(key, set()).add((key, value))
    alternatives = [*({term} for term in of_category), *by_key.values()]
    chosen = tuple(entry for entry, held in having if all(held & each for each in alternatives))
    return Selection(survey, chosen, cite_keys([entry.paper for entry in survey.entries]))


def _category_terms(survey: Survey, category: str, filed: bool) -> list[Term]:
    if not category:
        return []
    facet = survey.taxonomy.first
    found = facet.resolve(category)
    if found is None:
        ids = ", ".join(facet.ids)
        raise UsageError(
            f"--category '{category}': no category of {facet.id}; expected one of {ids}."
        )
    if filed and "/" in found.id:
        raise UsageError(f"--filed: nothing is filed under a part; '{found.id}' is one.")
    return [("filed" if filed else facet.id, found.id)]


def _query_terms(query: str) -> list[Term]:
    text = query.rpartition("?")[2].partition("#")[0].strip()
    if not text:
        return []
    try:
        terms = terms_of(text)
    except ValueError:
        raise UsageError(
            f"--query '{query}': found no query; expected the part after the ? in the address of "
            "browse.html, such as code=yes&filed=benchmarks (in quotes, or the shell takes the &)."
        ) from None
    if any(key == "q" for key, _ in terms):
        raise UsageError(
            "--query: words (q=…) are searched by the browse page alone; leave q out, or download "
            "the papers that it lists."
        )
    return [(key, value) for key, value in terms if key not in OF_THE_PAGE]


def _check_term(survey: Survey, term: Term, known: set[Term]) -> None:
    """Raise UsageError if no paper can have a term; it is fine if none has it."""
    key, value = term
    taxonomy = survey.taxonomy
    facet = taxonomy.first if key == "filed" else taxonomy.facets.get(key)
    if term in known or (facet is not None and value in facet.ids):
        return
    keys = sorted({each for each, _ in known})
    if key not in keys:
        raise UsageError(f"--query: found key '{key}'; expected one of {', '.join(keys)}.")
    values = listed(sorted(each for of, each in known if of == key), 12)
    raise UsageError(f"--query: no paper has {key}={value}; papers have {values}.")
