"""Conflicts of reviewers are found, ordered, and written as a sheet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.files.table import Row, parse_table
from classifier.papers.paper import Paper
from classifier.review.edits import filled_rows
from classifier.review.ledger import COLUMNS, Ledger, read_ledger
from classifier.review.second_look import Conflict, conflict_sheet, find_conflicts
from classifier.review.sheet import checksum, label_columns, sheet_columns
from classifier.review.sheet_file import is_sheet, read_sheet
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions

PAPERS = (Paper("Rye at Night", "p-1"), Paper("=Steam", "p-2"))


def ledger(folder: Path, *rows: str) -> Ledger:
    """Read rows `id,facet,value,primary,reviewer,day`, all of March 2025."""
    lines = [",".join(COLUMNS)]
    for row in rows:
        paper, facet, value, primary, reviewer, day, *rest = row.split(",")
        drawn, note = (*rest, "", "")[:2]
        lines.append(f"{paper},,{facet},{value},{primary},{reviewer},2025-03-{day},{drawn},,{note}")
    path = folder / "reviews.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_ledger(path, "reviews.csv")


def found(taxonomy: Taxonomy, ledger_: Ledger) -> list[Conflict]:
    return find_conflicts(taxonomy, ledger_, {"old-1": "p-1"}, PAPERS, Versions())


AGREED = {
    "one reviewer": ["p-1,topic,dough,yes,Ada,01"],
    "the same answer": ["p-1,topic,ovens,yes,Ada,01", "p-1,topic,heat,yes,Bo,02"],
    "came round": [
        "p-1,topic,dough,yes,Ada,01", "p-1,topic,taste,yes,Bo,02", "p-1,topic,taste,yes,Ada,03",
    ],
    "adjudicated": [
        "p-1,topic,dough,yes,Ada,05", "p-1,topic,taste,yes,Bo,05",
        "p-1,topic,dough,yes,adjudicated,01",
    ],
    "different facets": ["p-1,topic,dough,yes,Ada,01", "p-1,kind,trial,,Bo,01"],
    "a paper that is gone": ["p-9,topic,dough,yes,Ada,01", "p-9,topic,taste,yes,Bo,01"],
}  # fmt: skip


@pytest.mark.parametrize("rows", AGREED.values(), ids=AGREED)
def test_these_decisions_are_not_in_conflict(
    tmp_path: Path, taxonomy: Taxonomy, rows: list[str]
) -> None:
    assert found(taxonomy, ledger(tmp_path, *rows)) == []


@pytest.mark.parametrize(
    ("rows", "conflicts"),
    [
        (["p-1,topic,dough,yes,Ada,01", "p-1,topic,dough,yes,Bo,02", "p-1,topic,taste,,Bo,02"], 0),
        (["p-1,topic,dough,yes,Ada,01", "p-1,topic,taste,yes,Bo,02"], 1),
    ],
)
def test_a_category_unknown_to_one_reviewer_is_not_a_conflict(
    tmp_path: Path, taxonomy: Taxonomy, rows: list[str], conflicts: int
) -> None:
    ledger_ = ledger(tmp_path, *rows)
    early = [replace(e, taxonomy_digest="early") for e in ledger_.entries if e.reviewer == "Ada"]
    late = [e for e in ledger_.entries if e.reviewer != "Ada"]
    versions = Versions({("early", "topic"): frozenset({"dough", "ovens"})})
    merged = Ledger((*early, *late))
    assert len(find_conflicts(taxonomy, merged, {}, PAPERS, versions)) == conflicts


RANKED = {
    "the primary": (
        0, "p-1,topic,dough,yes,Ada,01", "p-1,topic,dough,,Ada,01", "p-1,topic,taste,yes,Bo,01",
    ),
    "the primary alone": (
        0, "p-1,topic,dough,yes,Ada,01", "p-1,topic,taste,,Ada,01",
        "p-1,topic,dough,,Bo,01", "p-1,topic,taste,yes,Bo,01",
    ),
    "the topics": (
        1, "p-1,topic,dough,yes,Ada,01", "p-1,topic,taste,,Ada,01", "p-1,topic,dough,yes,Bo,01",
    ),
    "a further facet": (2, "p-1,kind,trial,,Ada,01", "p-1,kind,guide,,Bo,01"),
    "a child": (3, "p-1,topic,dough,yes,Ada,01", "p-1,topic,dough/rye,yes,Bo,01"),
    "an older id": (0, "old-1,topic,dough,yes,Ada,01", "p-1,topic,taste,yes,Bo,01"),
    "nobody": (0, "p-1,topic,dough,yes,,01", "p-1,topic,taste,yes,Bo,01"),
}  # fmt: skip


@pytest.mark.parametrize("case", RANKED.values(), ids=RANKED)
def test_conflicts_are_ranked_by_subject(
    tmp_path: Path, taxonomy: Taxonomy, case: tuple[int, str]
) -> None:
    rank, *rows = case
    (conflict,) = found(taxonomy, ledger(tmp_path, *rows))  # type: ignore[arg-type]
    assert (conflict.paper.id, conflict.rank) == ("p-1", rank)


BOTH = (
    "p-1,kind,trial,,Ada,01",
    "p-1,kind,guide,,Bo,02",
    "p-1,topic,dough/rye,yes,Ada,01",
    "p-1,topic,dough/rye,yes,Bo,01",
    "p-2,topic,dough,yes,Ada,01,audit,two loaves",
    "p-2,topic,taste,,Ada,01,audit",
    "p-2,topic,taste,yes,Bo,02,volunteer",
    "p-2,kind,trial,,Ada,01",
    "p-2,kind,guide,,Bo,02",
)


def sheet(taxonomy: Taxonomy, ledger_: Ledger) -> bytes:
    return conflict_sheet(taxonomy, found(taxonomy, ledger_), ledger_.decisions(taxonomy, {}))


def rows_of(taxonomy: Taxonomy, ledger_: Ledger) -> list[Row]:
    return parse_table(sheet(taxonomy, ledger_).decode(), "conflicts.csv")


def test_the_conflict_sheet_has_the_current_decision_and_all_answers(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    first, second = (row.cells for row in rows_of(taxonomy, ledger(tmp_path, *BOTH)))
    assert tuple(first) == (*sheet_columns(taxonomy), "drawn_by")
    assert {key: cell for key, cell in first.items() if cell and key != "why"} == {
        "id": "p-2",
        "title": "=Steam",
        "primary": "taste",
        "topics": "taste",
        "kind": "guide",
        "reviewer": "adjudicated",
        "drawn_by": "audit",
    }
    assert first["why"].rpartition(" [")[0] == (
        snapshot("Ada: dough; taste (two loaves) · Bo: taste | kind – Ada: trial · Bo: guide")
    )
    assert (second["id"], second["topics"], second["drawn_by"]) == (
        "p-1", "", "queue"
    )  # fmt: skip
    assert second["why"].rpartition(" [")[0] == snapshot("kind – Ada: trial · Bo: guide")


def test_ok_in_the_conflict_sheet_approves_its_labels(tmp_path: Path, taxonomy: Taxonomy) -> None:
    shown = label_columns(taxonomy)
    for row in rows_of(taxonomy, ledger(tmp_path, *BOTH)):
        assert row.cells["why"].endswith(f"[{checksum(row.cells, shown, taxonomy.digest)}]")


def test_ok_cannot_settle_a_conflict_without_current_decision(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    """If two reviewers differ since the first day, the row has no label to approve."""
    kind = ("p-1,kind,trial,,Ada,01", "p-1,kind,guide,,Bo,02")
    topic = ("p-1,topic,dough,yes,Ada,01", "p-1,topic,taste,yes,Bo,01")
    (row,) = rows_of(taxonomy, ledger(tmp_path, *kind, *topic))
    assert [row.cells[name] for name in ("status", "primary", "topics", "kind")] == [""] * 4
    (row,) = rows_of(taxonomy, ledger(tmp_path, *kind))
    assert (row.cells["primary"], row.cells["kind"]) == ("", "guide")


def test_an_unchanged_conflict_sheet_has_no_edits(tmp_path: Path, taxonomy: Taxonomy) -> None:
    path = tmp_path / "conflicts.csv"
    path.write_bytes(sheet(taxonomy, ledger(tmp_path, *BOTH)))
    assert is_sheet(path)
    assert filled_rows(read_sheet(path), taxonomy) == []


def test_the_order_of_rows_does_not_matter(tmp_path: Path, taxonomy: Taxonomy) -> None:
    one, other = ledger(tmp_path, *BOTH), ledger(tmp_path, *reversed(BOTH), *BOTH)
    assert sheet(taxonomy, one) == sheet(taxonomy, other)
