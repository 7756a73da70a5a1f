"""Gold labels: a CSV of titles with the labels that are true of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rapidfuzz import process

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.table import Row, check_columns, read_table
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Category, Facet, Taxonomy, spelling_key
from classifier.text.normalise import title_key

_JOINER = ";"


@dataclass(frozen=True, slots=True)
class GoldRow:
    """The truth about one paper."""

    line: int
    """1-based line in the file."""
    title: str
    """As written in the file."""
    decisions: Mapping[str, Decision]
    """Facet id -> what is true; a facet whose cell is empty is absent."""


def read_gold(path: Path, taxonomy: Taxonomy, shown: str) -> tuple[GoldRow, ...]:
    """Read a gold file: `title`, `primary`, `topics` (joined by `;`), a column each further facet.

    `primary` and `topics` answer the first facet; where that is single-valued, `topics` may be
    missing. Categories are written by id, name or alias. Columns of no facet are passed over.

    Raises InputError with every fault at once: missing columns, or empty and double titles,
    unknown categories, more than one value of a single-valued facet, a primary that is not among
    the topics. What is wrong in the same way on several lines is told once, with the first line.
    """
    rows = read_table(path, shown)
    if not rows:
        raise InputError([Fault("error", shown, None, "a header and no row", "a row a paper")])
    check_columns(rows, _required(taxonomy), shown)
    faults = _title_faults(rows, shown)
    gold = [_gold_row(row, taxonomy, shown, faults) for row in rows]
    if faults:
        raise InputError(_folded(sort_faults(faults)))
    return tuple(gold)


def match_gold(
    rows: Iterable[GoldRow], papers: Sequence[Paper]
) -> tuple[dict[str, Mapping[str, Decision]], tuple[GoldRow, ...]]:
    """Return paper id -> facet id -> truth, and the rows whose title no paper bears.

    Titles are compared by `title_key`; of several papers with one title the first is meant.
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


def _required(taxonomy: Taxonomy) -> tuple[str, ...]:
    single = taxonomy.first.kind == "single"
    return ("title", "primary") if single else ("title", "primary", "topics")


def _title_faults(rows: Sequence[Row], shown: str) -> list[Fault]:
    faults: list[Fault] = []
    first_lines: dict[str, int] = {}
    for row in rows:
        title = row.cells["title"].strip()
        if not title:
            faults.append(Fault("error", shown, row.line, "an empty title", "the paper's title"))
            continue
        first = first_lines.setdefault(title_key(title), row.line)
        if first != row.line:
            found = f'the title "{title}" a second time (first on line {first})'
            cure = "Delete one of the two rows."
            faults.append(Fault("error", shown, row.line, found, "each paper once", cure))
    return faults


def _folded(faults: Sequence[Fault]) -> list[Fault]:
    """Return equal faults of several lines as one, at the first line and with their number."""
    lines: dict[Fault, list[int | None]] = {}
    for fault in faults:
        lines.setdefault(replace(fault, line=None), []).append(fault.line)
    return [
        replace(
            fault,
            line=first,
            found=f"{fault.found} ({len(more) + 1} lines)" if more else fault.found,
        )
        for fault, (first, *more) in lines.items()
    ]


def _gold_row(row: Row, taxonomy: Taxonomy, shown: str, faults: list[Fault]) -> GoldRow:
    """Return the truth of one row; what is wrong with it is added to `faults`."""
    first = taxonomy.first
    reader = _RowReader(row, shown, faults)
    decisions = {first.id: reader.first_facet(first)}
    for facet_id, facet in taxonomy.facets.items():
        if facet_id != first.id:
            decisions[facet_id] = reader.further_facet(facet)
    known = {name: decision for name, decision in decisions.items() if decision is not None}
    return GoldRow(row.line, row.cells["title"].strip(), known)


@dataclass(frozen=True, slots=True)
class _RowReader:
    """Reads the cells of one row and lists what is wrong with them."""

    row: Row
    shown: str
    faults: list[Fault]

    def first_facet(self, facet: Facet) -> Decision | None:
        primaries = self._categories(facet, "primary")
        if primaries == []:
            self._add("an empty primary", f"a category of the facet {facet.id}")
        elif primaries and len(primaries) > 1:
            self._add(f'{len(primaries)} categories in "primary"', "one category")
        topics = self._categories(facet, "topics") if "topics" in self.row.cells else primaries
        if not primaries or topics is None:
            return None
        primary = facet.top_of(primaries[0].id)
        if primary not in {facet.top_of(category.id) for category in topics}:
            listed = self.row.cells["topics"].strip() or "none"
            found = f'the primary "{primary}", which is not among the topics ({listed})'
            self._add(found, "a primary that is one of the topics", f'Add "{primary}" to topics.')
            return None
        return _decision(facet, topics, primary)

    def further_facet(self, facet: Facet) -> Decision | None:
        categories = self._categories(facet, facet.id)
        if not categories:
            return None
        if facet.kind == "single" and len(categories) > 1:
            self._add(f'{len(categories)} categories in "{facet.id}"', "one category")
            return None
        return _decision(facet, categories, facet.top_of(categories[0].id))

    def _categories(self, facet: Facet, column: str) -> list[Category] | None:
        """Return the categories that a cell lists, or None where one of them is unknown."""
        texts = [text.strip() for text in self.row.cells.get(column, "").split(_JOINER)]
        found = {text: facet.resolve(text) for text in texts if text}
        for text in (text for text, category in found.items() if category is None):
            wanted = f"a category of the facet {facet.id}"
            self._add(f'the unknown category "{text}" in "{column}"', wanted, _nearest(facet, text))
        known = [category for category in found.values() if category is not None]
        return known if len(known) == len(found) else None

    def _add(self, found: str, wanted: str, cure: str = "") -> None:
        self.faults.append(Fault("error", self.shown, self.row.line, found, wanted, cure))


def _decision(facet: Facet, categories: Iterable[Category], primary: str) -> Decision:
    values = {value for c in categories for value in (c.id, facet.top_of(c.id))}
    return Decision(tuple(sorted(values)), primary)


def _nearest(facet: Facet, text: str) -> str:
    """Return "Did you mean …?" for the id or name that is spelled most like `text`, or ""."""
    known = [spelling for category in facet.walk() for spelling in (category.id, category.name)]
    nearest = process.extractOne(text, known, processor=spelling_key, score_cutoff=70)
    return f'Did you mean "{nearest[0]}"?' if nearest else ""
