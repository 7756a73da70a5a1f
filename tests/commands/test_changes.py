"""Changes between two builds equal those that a build reports about its baseline."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from classifier.commands.changes import diff, plan_lock, write_lock
from classifier.errors import InputError
from classifier.pipeline import build, compute
from classifier.project import Project
from classifier.survey.changes.report import changes_json
from classifier.survey.last_build import BuildOptions


@pytest.fixture
def bread(built_bread: Path, tmp_path: Path) -> Project:
    """A copy of the bread project with its out/."""
    return Project(shutil.copytree(built_bread, tmp_path / "bread"))


def test_equal_folders_do_not_differ(bread: Project, tmp_path: Path) -> None:
    again = shutil.copytree(bread.out, tmp_path / "again")
    assert not diff(bread.out, again)


def test_a_folder_and_the_lock_of_the_same_labels_do_not_differ(bread: Project) -> None:
    write_lock(plan_lock(bread))
    assert not diff(bread.lock_file, bread.out)
    assert not diff(bread.out, bread.lock_file)
    assert not diff(bread.lock_file, bread.lock_file)


def test_a_build_reports_the_same_changes_as_diff(bread: Project, tmp_path: Path) -> None:
    old = shutil.copytree(bread.out, tmp_path / "old")
    row = (
        "p-dd0d023955,,topic,flour,yes,ada,2025-06-03,queue,,\n"
        "p-1c93a9dbc4,,exclude,a cake,,ada,2025-06-03,,,\n"
    )
    ledger = bread.ledger_file.read_text(encoding="utf-8") + row
    bread.ledger_file.write_text(ledger, encoding="utf-8")
    shelf = bread.root / "papers" / "shelf.csv"
    shelf.write_text(
        shelf.read_text(encoding="utf-8") + "Mould on Stale Loaves,,,,,\n", encoding="utf-8"
    )
    result = build(bread, bread.out, BuildOptions(baseline=old))
    told = json.loads(result.files["changes.json"])
    assert told == json.loads(json.dumps(changes_json(diff(old, bread.out))))
    # The decision on one paper also teaches the labels of another.
    assert sorted(move["reason"] for move in told["relabelled"]) == ["human", "human", "model"]
    assert len(told["added"]) == len(told["dropped"]) == 1
    assert told["left_out"] == [paper["id"] for paper in told["dropped"]]


def test_a_changed_text_is_a_reason(bread: Project, tmp_path: Path) -> None:
    old = shutil.copytree(bread.out, tmp_path / "old")
    papers = bread.root / "papers" / "bread.jsonl"
    records = [json.loads(line) for line in papers.read_text(encoding="utf-8").splitlines()]
    for record in records:
        if record["title"].startswith("Does Resting Flour"):
            record["abstract"] = "Studies staling, shelf life and freshness of day-old bread."
    papers.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    build(bread, bread.out)
    assert {move.reason for move in diff(old, bread.out).relabelled} == {"text"}


def test_a_folder_that_is_not_a_build_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere: error: found no such folder"):
        diff(tmp_path / "nowhere", tmp_path)


def test_published_papers_are_read_as_computed(bread: Project) -> None:
    result = compute(bread, BuildOptions(baseline=bread.out))
    assert not result.survey.changes
