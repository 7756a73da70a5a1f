"""Decisions are deleted: those of a reviewer on a paper, or the last change of the ledger."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from classifier.commands.apply import apply_sheets
from classifier.commands.withdraw import undo_last_apply, withdraw_decisions
from classifier.errors import UsageError
from classifier.project import Project

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
PROOFING = "p-ac982c6689"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(shutil.copytree(BREAD, tmp_path / "bread"))


def answer(project: Project, reviewer: str = "ada") -> None:
    sheet = project.root / "mine.csv"
    sheet.write_text(f"id,review_primary,review_topics\n{PROOFING},,ovens\n", encoding="utf-8")
    assert apply_sheets(project, [sheet], reviewer=reviewer, today=date(2025, 7, 1)).is_whole


def test_the_decisions_of_one_reviewer_are_withdrawn(project: Project) -> None:
    before = project.ledger_file.read_text(encoding="utf-8")
    answer(project, "ada")
    answer(project, "bo")
    found = withdraw_decisions(project, "Proofing by Sound", "ada")
    assert [(entry.facet, entry.value) for entry in found] == [("topic", "ovens")]
    left = set(project.ledger_file.read_text(encoding="utf-8").splitlines())
    (only,) = left - set(before.splitlines())
    assert ",topic,ovens,yes,bo,2025-07-01," in only


def test_withdrawing_without_a_decision_lists_other_reviewers(project: Project) -> None:
    answer(project, "bo")
    with pytest.raises(UsageError, match=r"has no decision of ada. Reviewers with a decision: bo"):
        withdraw_decisions(project, PROOFING, "ada")
    with pytest.raises(UsageError, match="no paper has this id or title"):
        withdraw_decisions(project, "Cake", "ada")


def test_the_last_change_of_the_ledger_is_undone(project: Project) -> None:
    with pytest.raises(UsageError, match="Nothing to undo"):
        undo_last_apply(project)
    before = project.ledger_file.read_bytes()
    answer(project)
    undo_last_apply(project)
    assert project.ledger_file.read_bytes() == before
    with pytest.raises(UsageError, match="Nothing to undo"):
        undo_last_apply(project)


def test_a_ledger_that_was_changed_later_is_not_undone(project: Project) -> None:
    answer(project)
    text = project.ledger_file.read_text(encoding="utf-8").replace(",ovens,", ",flour,")
    project.ledger_file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="changed since the last `review apply`"):
        undo_last_apply(project)
    assert project.ledger_file.read_text(encoding="utf-8") == text
