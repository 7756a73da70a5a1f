"""What people wrote, read as a whole: the ledger against taxonomy and papers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from classifier.build import read_inputs
from classifier.errors import InputError
from classifier.project import Project, open_project

GOLDEN = Path(__file__).parent / "golden" / "project"
PAPER = "arxiv:2304.00111,Keeping a Rye Starter Alive on Four Feedings a Month"


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    """A copy of the golden project that a test may spoil."""
    shutil.copytree(GOLDEN, tmp_path / "bread")
    return open_project(tmp_path / "bread")


def append(project: Project, *rows: str) -> None:
    """Put rows behind those in the ledger."""
    with project.ledger_file.open("a", encoding="utf-8") as ledger:
        ledger.writelines(f"{row}\n" for row in rows)


def test_a_decision_that_cannot_be_meant_stops_and_all_faults_are_told(bread: Project) -> None:
    append(
        bread,
        f"{PAPER},contribution,survey,,ada,2025-06-01,audit,,",
        "banana,,topic,flour,yes,ada,2025-06-01,audit,,",
    )
    with pytest.raises(InputError) as error:
        read_inputs(bread)
    assert str(error.value).splitlines() == [
        "taxonomy/reviews.csv:2: error: found 2 values of facet contribution (lines 2, 14); wanted "
        "one for a paper, facet, date and reviewer. Delete all but one of the rows.",
        "taxonomy/reviews.csv:15: warning: found id 'banana'; wanted the id of a paper. The row is "
        "kept and not used.",
    ]


def test_a_decision_on_a_paper_that_is_not_there_is_not_counted(bread: Project) -> None:
    before = read_inputs(bread).decisions
    append(bread, "p-0000000000,Gone,topic,flour,yes,ada,2025-06-01,audit,,")
    inputs = read_inputs(bread)
    assert inputs.decisions == before
    assert [str(fault) for fault in inputs.warnings] == [
        "taxonomy/reviews.csv:14: warning: found id 'p-0000000000'; wanted the id of a paper. The "
        "row is kept and not used."
    ]
