"""A small taxonomy with the difficult cases of sheets, and rows of a sheet for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from classifier.files.table import Row
from classifier.review.apply import AppliedRows, LedgerEditor, apply_rows
from classifier.review.ledger import Ledger
from classifier.review.read_rows import ANYONE, KnownPapers, RowReader
from classifier.review.sheet import checksum, label_columns, sheet_columns, with_checksum
from classifier.review.sheet_file import SheetFile
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, with_current

BAKERY = Taxonomy.model_validate(
    {
        "survey": {"title": "Bread"},
        "facets": {
            "topic": {
                "kind": "multi",
                "at_most": 2,
                "categories": [
                    {"id": "dough", "name": "Dough, starter & rest",
                     "children": [{"id": "dough/rye"}]},
                    {"id": "ovens", "name": "Ovens", "aliases": ["heat", "Backöfen"]},
                    {"id": "taste", "name": "Taste – and smell"},
                    {"id": "stoves", "replaced_by": "ovens"},
                    {"id": "other", "name": "Out of scope", "out_of_scope": True},
                ],
            },
            "kind": {"kind": "single", "categories": [{"id": "trial"}, {"id": "guide"}]},
            "flour": {
                "kind": "multi",
                "applies_to": ["dough"],
                "categories": [{"id": "wheat"}, {"id": "spelt"}],
            },
        },
    }
)  # fmt: skip
TITLES = {
    "arxiv:2401.10230": "Rye at Rest",
    "p-0123456789": "An Oven of Clay",
    "doi:10.9999/bread.1": "What Bread Tastes Of",
}
RYE, CLAY, TASTES = TITLES
ALIASES = {"p-aaaaaaaaaa": CLAY}
TODAY = "2025-06-10"
PENDING_READER = RowReader(
    BAKERY, Versions(), (BAKERY.digest,), KnownPapers(TITLES, ALIASES, {}), ANYONE
)
"""Reads sheets to find edits that the ledger does not have."""


def cells(paper_id: str = RYE, taxonomy: Taxonomy = BAKERY, **filled: str) -> dict[str, str]:
    """Return a row as a build writes it, with its checksum and the cells `filled`."""
    row = dict.fromkeys(sheet_columns(taxonomy), "")
    row |= {"id": paper_id, "title": TITLES.get(paper_id, ""), "status": "confident"}
    row |= {"confidence": "0.81", "primary": "dough", "topics": "dough; taste", "kind": "trial"}
    if "flour" in taxonomy.facets:
        row["flour"] = "wheat"
    return signed(row, taxonomy) | filled


def signed(row: Mapping[str, str], taxonomy: Taxonomy = BAKERY) -> dict[str, str]:
    """Return a row with the checksum of its labels."""
    digits = checksum(row, label_columns(taxonomy), taxonomy.digest)
    return {**row, "why": with_checksum("‘rye’ in the title +2.0", digits)}


def sheet(*rows: Mapping[str, str], shown: str = "out/labels.csv") -> SheetFile:
    """Return rows as a sheet."""
    names = tuple(dict.fromkeys(name for row in rows for name in row)) or sheet_columns(BAKERY)
    numbered = (Row(number, row, (), number) for number, row in enumerate(rows, 2))
    return SheetFile(Path(shown), shown, names, tuple(numbered))


def apply_sheet(
    *sheets: SheetFile,
    ledger: Ledger = Ledger(),  # noqa: B008
    reviewer: str = "ada",
    today: str = TODAY,
    taxonomy: Taxonomy = BAKERY,
    versions: Versions = Versions(),  # noqa: B008
    earlier: Sequence[str] = (),
) -> AppliedRows:
    """Apply sheets of three papers to a ledger."""
    former = {e.id: e.title for e in ledger.entries if e.id not in TITLES}
    known = KnownPapers(TITLES, ALIASES, former)
    digests = (taxonomy.digest, *earlier)
    reader = RowReader(taxonomy, versions, digests, known, reviewer)
    editor = LedgerEditor(ledger, taxonomy, with_current(versions, taxonomy), ALIASES, today)
    return apply_rows(sheets, reader, editor)


def decided(applied: AppliedRows, paper_id: str = RYE) -> dict[str, str]:
    """Return facet -> values in the ledger as text, the primary with an asterisk."""
    found: dict[str, list[str]] = {}
    for entry in sorted(applied.ledger.entries):
        if entry.id == paper_id:
            star = "*" if entry.primary else ""
            found.setdefault(entry.facet, []).append(f"{entry.value}{star}")
    return {facet: "; ".join(values) for facet, values in found.items()}
