"""The progress of a review, in figures and in words."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from classifier.commands.status import ReviewStatus, review_status, status_report
from classifier.evaluation.audit import AuditEstimate
from classifier.evaluation.report import text_lines
from classifier.files.table import read_table, write_table
from classifier.pipeline import build
from classifier.project import Project


def lines_of(*told: Any, **options: Any) -> list[str]:
    return text_lines(status_report(*told, **options))


GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "project"
STATUS = ReviewStatus(
    papers=100,
    reviewed=42,
    provisional=23,
    excluded=0,
    decided={"topic": {"dough": 30, "ovens": 12, "taste": 0}},
    drawn_by={"audit": 40, "": 2},
    reviewers={"ada": 40, "ben": 12},
    unapplied={},
    conflicts=0,
    doubtful=0,
    outdated=0,
    estimates=(AuditEstimate("topic", 40, 30),),
)


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    shutil.copytree(GOLDEN, tmp_path / "bread")
    return Project(tmp_path / "bread")


def test_the_counts_of_a_project(bread: Project) -> None:
    status = review_status(bread)
    assert status.reviewers == {"ada": 3, "ben": 2}
    assert sum(status.drawn_by.values()) == status.reviewed <= status.papers
    assert list(status.decided) == ["topic", "contribution", "fed_by"]
    assert (status.unapplied, status.conflicts, status.doubtful) == ({}, 0, 0)
    assert all(estimate.n_missing for estimate in status.estimates)


def test_filled_rows_are_counted_as_unapplied(bread: Project) -> None:
    build(bread, bread.out)
    sheet = bread.out / "labels.csv"
    cells = [dict(row.cells) for row in read_table(sheet)]
    cells[0]["verdict"] = cells[1]["note"] = "ok"
    sheet.write_bytes(write_table(list(cells[0]), cells))
    (bread.out / "next.csv").write_bytes(b"\xff\x00\x01")
    status = review_status(bread)
    assert status.unapplied == {"labels.csv": 2, "next.csv": None}
    text = "\n".join(lines_of(status))
    assert (
        "out/labels.csv: 2 filled, not applied yet: `fieldguide review apply out/labels.csv`"
        in text
    )
    assert "out/next.csv: cannot be read" in text


def test_counts_are_printed_as_bars() -> None:
    assert lines_of(STATUS)[:8] == [
        "42 of 100 papers reviewed",
        "23 papers wait for review (provisional); `fieldguide review next` selects them first",
        "drawn by: audit 40, unknown 2",
        "reviewers: ada 40, ben 12",
        "",
        "topic: decided or imported papers per category",
        f"  dough  {'█' * 30} 30",
        f"  ovens  {'█' * 12} 12",
    ]
    assert lines_of(STATUS)[8] == "  taste  0"


def test_facets_without_decisions_share_a_line() -> None:
    decided = {**STATUS.decided, "oven": {"gas": 0}, "crust": {"thick": 0}}
    text = "\n".join(lines_of(replace(STATUS, decided=decided)))
    assert "facets without a decided paper: oven, crust" in text
    assert "gas" not in text


def test_the_estimate_has_an_interval() -> None:
    assert lines_of(STATUS)[-2:] == snapshot(
        [
            "topic: about 75 % of the unreviewed papers have the right category (95 % interval 60 % to 86 %; 30 of 40 random papers)",
            "Stop when these figures are good enough; four times the audit halves an interval.",
        ]
    )


def test_too_few_audits_have_a_hint() -> None:
    status = replace(STATUS, estimates=(AuditEstimate("topic", 12, 9),))
    assert lines_of(status)[-1] == (
        snapshot(
            "topic: 12 papers audited; an estimate needs 18 more: `fieldguide review audit 18`"
        )
    )


def test_with_too_few_papers_left_no_audit_is_suggested() -> None:
    status = replace(STATUS, reviewed=97, estimates=(AuditEstimate("topic", 12, 9),))
    assert lines_of(status)[-1] == (
        snapshot("topic: 12 papers audited and 3 unreviewed, too few for an estimate")
    )


def test_without_unreviewed_papers_there_is_no_estimate() -> None:
    assert lines_of(replace(STATUS, reviewed=100))[-1] == "All papers are decided."


def test_an_excluded_paper_is_counted_only_as_excluded(bread: Project) -> None:
    before = review_status(bread)
    rye = "arxiv:2304.00111,,exclude,a talk,,ada,2025-06-03,volunteer,,\n"
    with bread.ledger_file.open("a", encoding="utf-8") as ledger:
        ledger.write(rye)
    after = review_status(bread)
    assert (after.reviewed, after.excluded) == (before.reviewed - 1, before.excluded + 1)
    assert sum(after.decided["contribution"].values()) < sum(
        before.decided["contribution"].values()
    )


def test_excluded_papers_are_reported() -> None:
    first, *_ = lines_of(replace(STATUS, excluded=3))
    assert first == snapshot("42 of 100 papers reviewed; 3 more excluded by the editors")
