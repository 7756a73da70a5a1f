from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from classifier.build import BuildResult
from classifier.errors import InputError
from classifier.survey.changes import changes_between, read_baseline


def publish(folder: Path, papers: list[dict[str, Any]]) -> Path:
    (folder / "papers.json").write_text(json.dumps(papers), encoding="utf-8")
    return folder


def test_without_a_baseline_nothing_is_said_to_have_changed(bread: BuildResult) -> None:
    assert changes_between(None, bread.edition) == {
        "baseline": None,
        "added": [],
        "dropped": [],
        "relabelled": [],
    }


def test_the_same_edition_has_no_changes(
    bread: BuildResult, bread_papers: list[dict[str, Any]], tmp_path: Path
) -> None:
    before = read_baseline(publish(tmp_path, bread_papers), "topic")
    changes = changes_between(before, bread.edition)
    assert changes == {"baseline": {"papers": 15}, "added": [], "dropped": [], "relabelled": []}


def test_papers_come_and_go_and_labels_move(
    bread: BuildResult, bread_papers: list[dict[str, Any]], tmp_path: Path
) -> None:
    old = json.loads(json.dumps(bread_papers))
    by_title = {paper["title"]: paper for paper in old}
    old.remove(by_title["Layer Cakes That Do Not Lean"])
    old.append({**by_title["Proofing by Sound"], "id": "p-00000000aa", "title": "Toast"})
    moved = by_title["Does Resting Flour After Milling Pay?"]["labels"]["topic"]
    moved |= {"primary": "ovens", "categories": ["ovens", "flour"]}
    by_title["Steam Schedules for Deck Ovens"]["labels"]["topic"]["status"] = "provisional"
    changes: dict[str, Any] = changes_between(
        read_baseline(publish(tmp_path, old), "topic"), bread.edition
    )
    assert changes["baseline"] == {"papers": 15}
    assert [paper["title"] for paper in changes["added"]] == ["Layer Cakes That Do Not Lean"]
    assert [paper["title"] for paper in changes["dropped"]] == ["Toast"]
    (change,) = changes["relabelled"]
    assert change["before"]["primary"] == "ovens"
    assert change["now"]["primary"] == "flour"
    assert change["now"]["title"] == "Does Resting Flour After Milling Pay?"


@pytest.mark.parametrize("content", ["{}", "[1]", "[{}]", "no JSON", '[{"id": 1, "labels": {}}]'])
def test_another_papers_json_is_no_baseline(content: str, tmp_path: Path) -> None:
    path = tmp_path / "papers.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_baseline(tmp_path, "topic")
    assert str(error.value) == (
        f"{path}: error: found another file; wanted the papers.json of an earlier build."
    )


def test_a_baseline_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read_baseline(tmp_path, "topic")
    assert str(error.value) == (
        f"{tmp_path / 'papers.json'}: error: found no such file; wanted a file that exists."
    )
