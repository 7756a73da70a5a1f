"""The lock, taxonomy/labels.lock.csv: the labels as last published, one row per paper.

With a lock, an unreviewed paper keeps its published labels when the classifier changes;
`fieldguide lock --update` accepts the new labels, and records when papers entered the survey and
when their primary changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import get_args

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.table import Row, check_columns, read_table, write_table
from classifier.labelling.labels import (
    Decisions,
    FacetLabels,
    PaperLabels,
    Reason,
    Status,
)
from classifier.papers.dates import is_full_date
from classifier.papers.paper import Paper
from classifier.review.columns import JOINER
from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy

_FRONT = ("id", "title", "primary", "topics")
_BACK = ("status", "reviewed", "text_digest", "cue_digest", "taxonomy_digest")
COLUMNS = (*_FRONT, *_BACK)
"""The columns of every lock; columns of other facets are before `status`."""
_HISTORY = ("entered_on", "moved_on", "moved_from")
"""The last columns, written only if a row has a value in one of them."""
_RESTORE = (
    "Restore the file from version control, or move it away and run `fieldguide lock --update`."
)

LockedLabels = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Paper id -> facet id -> locked categories, the primary first."""


@dataclass(frozen=True, slots=True)
class History:
    """The dated changes of a paper that a lock records."""

    entered_on: str = ""
    """ISO date of the first lock with this paper; "" if unknown, as in a project's first lock."""
    moved_on: str = ""
    """ISO date of the last lock that changed the primary, or ""."""
    moved_from: str = ""
    """The primary before `moved_on`, or ""."""


NO_HISTORY = History()


@dataclass(frozen=True, slots=True)
class LockedPaper:
    """One row of the lock."""

    id: str
    title: str
    facets: Mapping[str, tuple[str, ...]]
    """Facet id -> published category ids, the primary first; () if nothing is stated. Facets that
    do not apply to the paper are absent."""
    status: str
    """Status of the label in the first facet."""
    reviewed: frozenset[str]
    """Facets with a decision."""
    text_digest: str
    cue_digest: str
    taxonomy_digest: str
    history: History = NO_HISTORY
    line: int = field(default=0, compare=False)
    """1-based line in the file; 0 for a new row."""

    def history_under(self, facet: Facet, primary: str) -> History:
        """Return the history of the paper if its current primary is `primary`.

        The recorded change of the primary is left out if the primary changed again since the lock,
        or if the earlier category was merged into `primary`.
        """
        locked = _current_id(facet, self.facets[facet.id][0])
        moved_from = _current_id(facet, self.history.moved_from)
        if locked != primary or moved_from in ("", primary):
            return History(self.history.entered_on)
        return replace(self.history, moved_from=moved_from)


@dataclass(frozen=True, slots=True)
class Lock:
    """The labels as last published."""

    papers: tuple[LockedPaper, ...]
    """Sorted by id."""
    facets: tuple[str, ...]
    """The facets of the lock, the first facet first."""

    def rows(self, aliases: Mapping[str, str]) -> dict[str, LockedPaper]:
        """Return the rows by the current id of their paper; a row with that id itself wins.

        aliases: other id of a paper -> its id.
        """
        ordered = sorted(self.papers, key=lambda row: (row.id not in aliases, row.id))
        return {aliases.get(row.id, row.id): row for row in ordered}

    def labels(self, taxonomy: Taxonomy, aliases: Mapping[str, str]) -> LockedLabels:
        """Return the locked labels of each paper under `taxonomy`.

        Renamed and merged categories get their current ids; removed ones are left out. If the
        primary was removed, or the remaining categories exclude each other, the facet is absent.
        aliases: other id of a paper -> its id.
        """
        labels: dict[str, dict[str, tuple[str, ...]]] = {}
        for paper_id, row in self.rows(aliases).items():
            labels[paper_id] = {}
            for facet_id, categories in row.facets.items():
                facet = taxonomy.facets.get(facet_id)
                current = current_categories(facet, categories) if facet else ()
                if current or (facet and facet.may_be_unstated and not categories):
                    labels[paper_id][facet_id] = current
        return labels

    def faults(self, taxonomy: Taxonomy, file: str) -> list[Fault]:
        """Return a warning for each facet and category that the taxonomy does not have."""
        faults: list[Fault] = []
        accept = "`fieldguide lock --update` accepts this."
        for facet_id in self.facets:
            if facet_id not in taxonomy.facets:
                found = f"column '{facet_id}', which is not a facet"
                expected = f"a facet of the taxonomy: {', '.join(taxonomy.facets)}"
                hint = f"Its labels are not used; {accept}"
                faults.append(Fault("warning", file, 1, found, expected, hint))
        unknown: dict[tuple[str, str], list[LockedPaper]] = {}
        for row in self.papers:
            for facet_id, categories in row.facets.items():
                facet = taxonomy.facets.get(facet_id)
                for value in categories if facet else ():
                    if facet and facet.resolve(value) is None:
                        unknown.setdefault((facet_id, value), []).append(row)
        for (facet_id, value), rows in unknown.items():
            found = f"{facet_id} '{value}' in {len(rows)} row{'' if len(rows) == 1 else 's'}"
            hint = (
                f"The papers are labelled without it; {accept} Or list the old id under `aliases` "
                "of the category that replaced it."
            )
            expected = f"a category of facet {facet_id}"
            faults.append(Fault("warning", file, rows[0].line, found, expected, hint))
        return sort_faults(faults)


def current_categories(facet: Facet, categories: Sequence[str]) -> tuple[str, ...]:
    """Return the current ids of published categories, the primary first; () if not usable."""
    resolved = [facet.resolve(category) for category in categories]
    if not resolved or resolved[0] is None:
        return ()
    # A child comes after its parent, even if it replaced a top category.
    ids = (each for known in resolved if known for each in (facet.top_id_of(known.id), known.id))
    current = tuple(dict.fromkeys(ids))
    return () if facet.violated_rule(current) else current


def _current_id(facet: Facet, category: str) -> str:
    """Return the current id of a top category; `category` if the taxonomy does not have it."""
    return next(iter(current_categories(facet, [category])), category)


def make_lock(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    earlier: Mapping[str, LockedPaper] | None = None,
    today: str = "",
) -> Lock:
    """Return a lock of `labels`.

    earlier: paper id -> its row in the earlier lock; None for the first lock, which has no dates.
    today: ISO date of new papers and of changed primaries.
    """
    first = taxonomy.first

    def history_of_paper(paper_id: str, primary: str) -> History:
        if earlier is None:
            return NO_HISTORY
        row = earlier.get(paper_id)
        if row is None:
            return History(today)
        before = _current_id(first, row.facets[first.id][0])
        return row.history if before == primary else History(row.history.entered_on, today, before)

    rows = [
        LockedPaper(
            paper.id,
            paper.title,
            {facet_id: facet.categories for facet_id, facet in label.facets.items()},
            label.facets[first.id].status,
            frozenset(name for name, facet in label.facets.items() if facet.is_decided),
            paper.text_digest,
            label.cue_digest,
            taxonomy.digest,
            history_of_paper(paper.id, label.facets[first.id].primary),
        )
        for paper, label in zip(papers, labels, strict=True)
    ]
    return Lock(tuple(sorted(rows, key=lambda row: row.id)), tuple(taxonomy.facets))


def read_lock(path: Path, first_facet: str, file: str = "") -> Lock:
    """Read a lock; the columns `primary` and `topics` are labels of `first_facet`.

    Raises InputError with the missing columns, or with all invalid rows.
    """
    file = file or str(path)
    rows = read_table(path, file)
    check_columns(rows, COLUMNS, file, _RESTORE)
    faults: list[Fault] = []
    first: dict[str, int] = {}
    for row in rows:
        problems = [*_row_problems(row)]
        first_line = first.setdefault(paper_id := row.cells["id"].strip(), row.line)
        if paper_id and first_line != row.line:
            found = f"id '{paper_id}' a second time (first on line {first_line})"
            problems.append((found, "one row per paper"))
        faults += [Fault("error", file, row.line, *each, _RESTORE) for each in problems]
    if faults:
        raise InputError(sort_faults(faults))
    further = tuple(
        name for name in (rows[0].cells if rows else ()) if name not in (*COLUMNS, *_HISTORY)
    )
    papers = sorted(
        (_locked_paper(row, first_facet, further) for row in rows), key=lambda row: row.id
    )
    return Lock(tuple(papers), (first_facet, *further))


def _row_problems(row: Row) -> Iterator[tuple[str, str]]:
    if row.extra:
        yield f"'{', '.join(row.extra)}' after the last column", f"{len(row.cells)} cells"
    for column in ("id", "primary"):
        if not row.cells[column].strip():
            yield f"an empty {column}", f"a value in {column}"
    primary = row.cells["primary"].strip()
    if primary and primary not in _split_cell(row.cells["topics"]):
        yield f"primary '{primary}'", f"one of the topics ('{row.cells['topics']}')"
    for column in ("entered_on", "moved_on"):
        if (day := row.cells.get(column, "").strip()) and not is_full_date(day):
            yield f"{column} '{day}'", "a date such as 2026-01-31, or an empty cell"
    statuses = get_args(Status)
    if row.cells["status"].strip() not in statuses:
        yield f"status '{row.cells['status']}'", f"one of {', '.join(statuses)}"


def _locked_paper(row: Row, first_facet: str, further: Sequence[str]) -> LockedPaper:
    cells = {column: cell.strip() for column, cell in row.cells.items()}
    facets = {first_facet: tuple(dict.fromkeys((cells["primary"], *_split_cell(cells["topics"]))))}
    for name in further:
        if cells[name]:  # In an empty cell, the facet does not apply.
            facets[name] = () if cells[name] == NOT_STATED else _split_cell(cells[name])
    return LockedPaper(
        cells["id"],
        row.cells["title"],
        facets,
        cells["status"],
        frozenset(_split_cell(cells["reviewed"])),
        cells["text_digest"],
        cells["cue_digest"],
        cells["taxonomy_digest"],
        History(*(cells.get(column, "") for column in _HISTORY)),
        row.line,
    )


def _split_cell(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(JOINER.strip()) if part.strip())


def lock_bytes(lock: Lock) -> bytes:
    """Return the lock as CSV, one row per paper, sorted by id."""
    first, *further = lock.facets
    history = _HISTORY if any(row.history != NO_HISTORY for row in lock.papers) else ()
    rows = (
        {
            "id": row.id,
            "title": row.title,
            "primary": row.facets[first][0],
            **{name: JOINER.join(ids) or NOT_STATED for name, ids in row.facets.items()},
            "topics": JOINER.join(row.facets[first]),
            "status": row.status,
            "reviewed": JOINER.join(sorted(row.reviewed)),
            "text_digest": row.text_digest,
            "cue_digest": row.cue_digest,
            "taxonomy_digest": row.taxonomy_digest,
            **(asdict(row.history) if history else {}),
        }
        for row in lock.papers
    )
    return write_table((*_FRONT, *further, *_BACK, *history), rows)


def apply_lock(
    taxonomy: Taxonomy,
    labels: Sequence[PaperLabels],
    locked: LockedLabels,
    decisions: Decisions,
) -> list[PaperLabels]:
    """Return `labels` with locked categories in place of the classifier's.

    Facets of a paper with a decision in `decisions` are not changed.
    """
    first, locked_labels = taxonomy.first.id, []
    for label in labels:
        decided, facets = decisions.get(label.paper_id, {}), dict(label.facets)
        for facet_id, categories in locked.get(label.paper_id, {}).items():
            if facet_id not in decided:
                facets[facet_id] = keep_categories(label.facets.get(facet_id), categories)
        topics = decided[first].values if first in decided else facets[first].categories
        facets = {
            facet_id: facets[facet_id]
            for facet_id, facet in taxonomy.facets.items()
            if facet_id in facets and (facet_id in decided or facet.applies_to_topics(topics))
        }
        locked_labels.append(label if facets == label.facets else replace(label, facets=facets))
    return locked_labels


def keep_categories(machine: FacetLabels | None, categories: tuple[str, ...]) -> FacetLabels:
    """Return labels of a facet with the locked `categories`, the primary first.

    machine: the current labels of the classifier; None if the facet does not apply to the paper any
    more. If their primary differs, the locked label is provisional. Its confidence is then the
    probability that the locked primary applies, and at most 1 minus the confidence of the
    classifier's primary.
    """
    primary = categories[0] if categories else ""
    if machine is None:
        why = Reason(
            primary, "locked; the classifier finds that the facet does not apply", "lock", 0.0
        )
        return FacetLabels(categories, primary, 0.0, "provisional", {}, {}, (why,))
    agrees = machine.primary == primary
    if agrees and set(machine.categories) == set(categories):
        return machine
    labels = f"{', '.join(machine.categories) or 'no cue found'} ({machine.confidence:.2f})"
    why = Reason(primary, f"locked; the classifier now assigns {labels}", "lock", 0.0)
    reduced = min(machine.probabilities.get(primary, 0.0), 1 - machine.confidence)
    return replace(
        machine,
        categories=categories,
        primary=primary,
        confidence=machine.confidence if agrees else reduced,
        status=machine.status if agrees else "provisional",
        why=(why, *machine.why),
    )
