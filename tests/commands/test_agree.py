"""Several reviewers of a project: who counts, what is left to settle, where the sheet goes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from classifier.commands.agree import (
    compare_reviewers,
    reviewers_json,
    reviewers_report,
    sheet_target,
    write_conflicts,
)
from classifier.commands.status import review_status
from classifier.errors import OutputError, PendingEditsError, UsageError
from classifier.evaluation.report import text_lines
from classifier.files.table import read_table
from classifier.pipeline import build
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


def test_reviewers_without_a_common_paper_are_told_how_to_get_one(bread: Project) -> None:
    lines = lines_of(compare_reviewers(bread))
    assert lines[0] == "Decided papers: ada 3, ben 2."
    assert lines[1].startswith("Agreement needs a paper that two reviewers decided.")
    assert not any("settle" in line for line in lines)


def test_neither_adjudicated_nor_nobody_is_a_rater(bread: Project) -> None:
    add(bread, f"{RYE},topic,flour,yes,adjudicated", f"{STEAM},topic,ovens,yes,")
    assert list(compare_reviewers(bread).agreement.papers) == ["ada", "ben"]


def test_what_is_left_to_settle_is_listed_the_worst_first(disputed: Project) -> None:
    lines = lines_of(compare_reviewers(disputed))
    assert lines[lines.index("To settle: 2, what hangs most on it first") + 1 :] == [
        f"  {RYE}  Keeping a Rye Starter Alive on Four Feedings a Month",
        "    topic: ada: sourdough · ben: flour",
        f"  {STEAM}  Steam for Home Ovens Without a Pan",
        "    contribution: ada: survey · ben: method",
    ]


def test_an_adjudicated_decision_settles(disputed: Project) -> None:
    add(disputed, f"{RYE},topic,flour,yes,adjudicated", f"{STEAM},contribution,method,,adjudicated")
    reviewers = compare_reviewers(disputed)
    assert reviewers.conflicts == ()
    assert lines_of(reviewers)[-1] == "No conflict to settle."
    assert reviewers.inputs.decisions[RYE]["topic"].values == ("flour",)


def test_a_paper_that_is_left_out_has_nothing_to_settle(disputed: Project) -> None:
    add(disputed, f"{RYE},exclude,a talk,,ben")
    reviewers = compare_reviewers(disputed)
    assert [conflict.paper.id for conflict in reviewers.conflicts] == [STEAM]
    assert len(reviewers.conflicts) == review_status(disputed).conflicts


def test_json_holds_both_answers(disputed: Project) -> None:
    told = reviewers_json(compare_reviewers(disputed))
    assert told["conflicts"][1] == {  # type: ignore[index]
        "id": STEAM,
        "title": "Steam for Home Ovens Without a Pan",
        "answers": {
            "contribution": {
                name: {
                    "primary": value,
                    "values": [value],
                    "reviewed_on": f"2025-06-0{day}",
                    "note": "",
                }
                for name, value, day in (("ada", "survey", 3), ("ben", "method", 2))
            }
        },
    }


def test_the_sheet_goes_into_out_once_that_is_built(disputed: Project) -> None:
    assert (
        sheet_target(disputed, None) is None
    )  # a build would refuse a folder that it did not make
    build(disputed, disputed.out)
    target = sheet_target(disputed, None)
    assert target == disputed.out / "conflicts.csv"
    write_conflicts(target, compare_reviewers(disputed), disputed)
    assert [row.cells["id"] for row in read_table(target)] == [RYE, STEAM]
    build(disputed, disputed.out)  # and carries it over
    assert len(read_table(target)) == 2


def test_a_sheet_with_decisions_is_never_overwritten(disputed: Project, tmp_path: Path) -> None:
    path, reviewers = tmp_path / "conflicts.csv", compare_reviewers(disputed)
    write_conflicts(path, reviewers, disputed)
    write_conflicts(path, reviewers, disputed)  # the name that it comes with is no decision
    text = path.read_text(encoding="utf-8").replace(",,adjudicated,", ",a loaf,adjudicated,", 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PendingEditsError) as error:
        write_conflicts(path, reviewers, disputed)
    assert str(error.value) == (
        f"{path}: holds decisions that are in no ledger yet; nothing was written. Take them up "
        f"with `fieldguide review apply {path}`."
    )
    assert path.read_text(encoding="utf-8") == text


def test_without_a_conflict_an_earlier_sheet_loses_its_rows(
    disputed: Project, tmp_path: Path
) -> None:
    path, other = tmp_path / "conflicts.csv", tmp_path / "other.csv"
    write_conflicts(path, compare_reviewers(disputed), disputed)
    add(disputed, f"{RYE},topic,flour,yes,adjudicated", f"{STEAM},contribution,method,,adjudicated")
    settled = compare_reviewers(disputed)
    write_conflicts(path, settled, disputed)
    write_conflicts(other, settled, disputed)
    assert read_table(path) == []
    assert not other.exists()


def test_a_sheet_has_its_place(disputed: Project, tmp_path: Path) -> None:
    reviewers = compare_reviewers(disputed)
    (tmp_path / "mine.csv").write_text("name,price\nrye,3\n", encoding="utf-8")
    for path, error in (
        (tmp_path / "conflicts.xlsx", UsageError),
        (disputed.root / "papers" / "conflicts.csv", UsageError),
        (disputed.ledger_file, UsageError),
        (tmp_path / "mine.csv", OutputError),
        (tmp_path / "nowhere" / "conflicts.csv", OutputError),
    ):
        with pytest.raises(error):
            write_conflicts(path, reviewers, disputed)
    assert (tmp_path / "mine.csv").read_text(encoding="utf-8") == "name,price\nrye,3\n"
