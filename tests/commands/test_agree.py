"""Reviewers of a project: their agreement, conflicts, and the sheet of conflicts."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from classifier.commands.agree import (
    compare_reviewers,
    reviewers_report,
)
from classifier.commands.status import review_status
from classifier.evaluation.report import text_lines
from classifier.project import Project


def lines_of(*told: Any, **options: Any) -> list[str]:
    return text_lines(reviewers_report(*told, **options))


GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "project"
RYE, STEAM = "arxiv:2304.00111", "p-fdffdc591c"


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    """The golden project, which Ada and Ben reviewed, none of its papers both."""
    shutil.copytree(GOLDEN, tmp_path / "bread")
    return Project(tmp_path / "bread")


def add(project: Project, *rows: str) -> None:
    """Add rows `id,facet,value,primary,reviewer` of June 2025 to the ledger."""
    with project.ledger_file.open("a", encoding="utf-8") as ledger:
        for row in rows:
            paper, facet, value, primary, reviewer = row.split(",")
            ledger.write(f"{paper},,{facet},{value},{primary},{reviewer},2025-06-03,audit,,\n")


@pytest.fixture
def disputed(bread: Project) -> Project:
    add(bread, f"{RYE},topic,flour,yes,ben", f"{STEAM},contribution,survey,,ada")
    return bread


def test_reviewers_without_a_common_paper_get_a_hint(bread: Project) -> None:
    lines = lines_of(compare_reviewers(bread))
    assert lines[0] == snapshot("Decided papers: ada 3, ben 2.")
    assert lines[1].startswith("Agreement needs a paper that two reviewers decided.")
    assert not any("settle" in line for line in lines)


def test_adjudicated_and_unnamed_decisions_are_not_compared(bread: Project) -> None:
    add(bread, f"{RYE},topic,flour,yes,adjudicated", f"{STEAM},topic,ovens,yes,")
    assert list(compare_reviewers(bread).agreement.papers) == ["ada", "ben"]


def test_conflicts_are_listed_by_importance(disputed: Project) -> None:
    lines = lines_of(compare_reviewers(disputed))
    assert lines[lines.index("Conflicts to settle: 2, the most important first") + 1 :] == [
        f"  {RYE}  Keeping a Rye Starter Alive on Four Feedings a Month",
        "    topic: ada: sourdough · ben: flour",
        f"  {STEAM}  Steam for Home Ovens Without a Pan",
        "    contribution: ada: survey · ben: method",
    ]


def test_an_adjudicated_decision_settles_a_conflict(disputed: Project) -> None:
    add(disputed, f"{RYE},topic,flour,yes,adjudicated", f"{STEAM},contribution,method,,adjudicated")
    reviewers = compare_reviewers(disputed)
    assert reviewers.conflicts == ()
    assert lines_of(reviewers)[-1] == "No conflict to settle."
    assert reviewers.inputs.decisions[RYE]["topic"].values == ("flour",)


def test_an_exclusion_of_a_paper_that_another_reviewer_labelled_is_a_conflict(
    disputed: Project,
) -> None:
    add(disputed, f"{RYE},exclude,a talk,,ben")
    reviewers = compare_reviewers(disputed)
    assert [conflict.paper.id for conflict in reviewers.conflicts] == [RYE, STEAM]
    assert len(reviewers.conflicts) == review_status(disputed).conflicts
    lines = lines_of(reviewers)
    assert "    exclude: ben: a talk · ada: sourdough" in lines
    add(disputed, f"{RYE},exclude,a talk,,adjudicated")
    assert [each.paper.id for each in compare_reviewers(disputed).conflicts] == [STEAM]
