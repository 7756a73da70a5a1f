"""taxonomy/metadata-matches.csv: what was found, for a person to correct before it is taken.

It lies among what people decide, not in papers/, where a build would read doubtful matches as
facts. A row that is there is never changed: only a row that says that nothing was found, and to
which nobody added anything, gives way to what a later search finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import Fault, InputError, sort_faults
from classifier.extras.fetch.metadata.find import Match
from classifier.files.table import Row, csv_bytes
from classifier.papers.paper import Paper
from classifier.review.sheet_file import read_sheet

COLUMNS = (
    "id", "title", "found_title", "score", "take", "why", "source", "arxiv_id", "doi", "published",
    "venue", "authors", "url", "abstract",
)  # fmt: skip
JOINER = "; "
"""Between authors."""
_OF_MACHINE = ("id", "title", "why")
"""What a row that found nothing has."""


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """The sheet as it stands."""

    columns: tuple[str, ...] = COLUMNS
    """Those of the file, a person's own among them."""
    rows: tuple[Row, ...] = ()

    @property
    def settled(self) -> frozenset[str]:
        """The ids of papers that need not be asked for again."""
        return frozenset(_cell(row, "id") for row in self.rows if not _is_empty(row))


def read_matches(path: Path, shown: str) -> MatchSheet:
    """Read the sheet, however a spreadsheet saved it; a file that does not exist has no rows.

    Raises InputError where it cannot be read, lacks `id` or `take`, or has another word there than
    yes or no.
    """
    if not path.exists():
        return MatchSheet()
    sheet = read_sheet(path, shown)
    missing = [name for name in ("id", "take") if name not in sheet.columns]
    if missing:
        found = f"no column {' and '.join(missing)}"
        raise InputError([Fault("error", shown, 1, found, ",".join(COLUMNS))])
    faults = [
        Fault("error", shown, row.line, f"take '{_cell(row, 'take')}'", "yes, no or nothing")
        for row in sheet.rows
        if _cell(row, "take").lower() not in ("yes", "no", "")
    ]
    if faults:
        raise InputError(sort_faults(faults))
    return MatchSheet(tuple(sheet.columns), tuple(sheet.rows))


def sheet_bytes(
    sheet: MatchSheet, papers: Sequence[Paper], found: Mapping[str, Sequence[Match]]
) -> bytes:
    """Return the sheet with what was found for some papers behind its rows, as CSV.

    found: id of a paper -> its matches. A paper of which nothing was found has a row all the same,
    which a person may fill.
    """
    columns = (*sheet.columns, *(name for name in COLUMNS if name not in sheet.columns))
    kept = [row for row in sheet.rows if not (_is_empty(row) and _cell(row, "id") in found)]
    old = [[*(row.cells.get(name, "") for name in columns), *row.extra] for row in kept]
    new = [
        [cells.get(name, "") for name in columns]
        for paper in papers
        if paper.id in found
        for cells in _cells(paper, found[paper.id])
    ]
    return csv_bytes(columns, [*old, *new])


def taken_rows(sheet: MatchSheet) -> list[Row]:
    """Return the rows that say yes."""
    return [row for row in sheet.rows if _cell(row, "take").lower() == "yes"]


def _cells(paper: Paper, matches: Iterable[Match]) -> list[dict[str, str]]:
    named = {"id": paper.id, "title": paper.title_display}
    rows = [
        {
            **named,
            "found_title": match.found.title,
            "score": f"{match.score:.2f}",
            "take": "yes" if match.is_safe else "",
            "why": match.why,
            "source": match.source,
            "arxiv_id": match.found.arxiv_id,
            "doi": match.found.doi,
            "published": match.found.published.date,
            "venue": match.found.venue,
            "authors": JOINER.join(match.found.authors),
            "url": match.found.url,
            "abstract": match.found.abstract,
        }
        for match in matches
    ]
    return rows or [{**named, "why": "nothing found; fill in an id and say yes"}]


def _is_empty(row: Row) -> bool:
    """Return whether a row says that nothing was found, and nobody added anything."""
    typed = (cell for name, cell in row.cells.items() if name not in _OF_MACHINE)
    return not row.extra and not any(cell.strip() for cell in typed)


def _cell(row: Row, name: str) -> str:
    return row.cells.get(name, "").strip()
