"""Gold labels: a CSV of titles with their true labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.table import Row, check_columns, read_table
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Category, Facet, Taxonomy
from classifier.text.normalise import did_you_mean, title_key

_JOINER = ";"


@dataclass(frozen=True, slots=True)
class GoldRow:
    """The true labels of one paper."""

    line: int
    """1-based line in the file."""
    title: str
    """As written in the file."""
    decisions: Mapping[str, Decision]
    """True labels by facet id; facets with an empty cell are absent."""


def read_gold(path: Path, taxonomy: Taxonomy, file: str) -> tuple[GoldRow, ...]:
    """Read a gold file: `title`, `primary`, `topics` (joined by `;`), a column per other facet.

    `primary` and `topics` are labels in the first facet; if this facet is single-valued, `topics`
    may be missing. Categories are ids, names or aliases. Columns that are not facets are ignored.
    file: name of the file for messages.

    Raises InputError with all faults: missing columns, empty or repeated titles, unknown
    categories, several values in a single-valued facet, or a primary that is not among the topics.
    """
    rows = read_table(path, file)
    if not rows:
        raise InputError(
            [Fault("error", file, None, "no rows below the header", "one row per paper")]
        )
    required = ("title", "primary", "topics")
    check_columns(rows, required[: 2 if taxonomy.first.kind == "single" else 3], file)
    faults = list(_title_faults(rows, file))
    gold: list[GoldRow] = []
    for row in rows:
        problems: list[tuple[str, ...]] = []
        decisions = _read_decisions(row, taxonomy, problems)
        gold.append(GoldRow(row.line, row.cells["title"].strip(), decisions))
        faults += [Fault("error", file, row.line, *problem) for problem in problems]
    if faults:
        raise InputError(sort_faults(faults))
    return tuple(gold)


def match_gold(
    rows: Iterable[GoldRow], papers: Sequence[Paper]
) -> tuple[dict[str, Mapping[str, Decision]], tuple[GoldRow, ...]]:
    """Return the true labels by paper id and facet id, and the rows whose title no paper has.

    Titles are compared by `title_key`. If several papers have the same title, the first is used.
    """
    by_title: dict[str, str] = {}
    for paper in papers:
        by_title.setdefault(title_key(paper.title), paper.id)
    truth: dict[str, Mapping[str, Decision]] = {}
    unmatched: list[GoldRow] = []
    for row in rows:
        paper_id = by_title.get(title_key(row.title))
        if paper_id is None:
            unmatched.append(row)
        else:
            truth[paper_id] = row.decisions
    return truth, tuple(unmatched)


def _title_faults(rows: Sequence[Row], file: str) -> Iterator[Fault]:
    first_lines: dict[str, int] = {}
    for row in rows:
        title = row.cells["title"].strip()
        if not title:
            yield Fault("error", file, row.line, "an empty title", "the paper's title")
            continue
        first = first_lines.setdefault(title_key(title), row.line)
        if first != row.line:
            found = f'the title "{title}" a second time (first on line {first})'
            hint = "Delete one of the two rows."
            yield Fault("error", file, row.line, found, "each paper once", hint)


def _read_decisions(
    row: Row, taxonomy: Taxonomy, problems: list[tuple[str, ...]]
) -> dict[str, Decision]:
    """Return the true labels in a row by facet id.

    problems: list to which (actual, expected) or (actual, expected, hint) of each fault is added.
    """
    first, decisions = taxonomy.first, {}
    primaries = _categories(row, first, "primary", problems)
    topics = primaries
    if "topics" in row.cells:
        topics = _categories(row, first, "topics", problems)
    if primaries == []:
        problems.append(("an empty primary", f"a category of the facet {first.id}"))
    elif primaries and len(primaries) > 1:
        problems.append((f'{len(primaries)} categories in "primary"', "one category"))
    if primaries and topics is not None:
        primary = first.top_id_of(primaries[0].id)
        tops = {first.top_id_of(category.id) for category in topics}
        if primary not in tops:
            found = f'the primary "{primary}", which is not among the topics'
            hint = f'Add "{primary}" to topics.'
            problems.append((found, "a primary that is one of the topics", hint))
        decisions[first.id] = _make_decision(first, topics, primary)
    for facet in taxonomy.facets.values():
        given = _categories(row, facet, facet.id, problems) if facet is not first else None
        if given and facet.kind == "single" and len(given) > 1:
            problems.append((f'{len(given)} categories in "{facet.id}"', "one category"))
        elif given:
            decisions[facet.id] = _make_decision(facet, given, facet.top_id_of(given[0].id))
    return decisions


def _categories(
    row: Row, facet: Facet, column: str, problems: list[tuple[str, ...]]
) -> list[Category] | None:
    texts = [text.strip() for text in row.cells.get(column, "").split(_JOINER)]
    found = {text: facet.resolve(text) for text in texts if text}
    for text in (text for text, category in found.items() if category is None):
        names = [name for each in facet.walk() for name in (each.id, each.name)]
        expected = f"a category of the facet {facet.id}"
        actual = f'the unknown category "{text}" in "{column}"'
        problems.append((actual, expected, did_you_mean(text, names)))
    return None if None in found.values() else [each for each in found.values() if each]


def _make_decision(facet: Facet, categories: Iterable[Category], primary_id: str) -> Decision:
    values = {value for c in categories for value in (c.id, facet.top_id_of(c.id))}
    return Decision(tuple(sorted(values)), primary_id)
