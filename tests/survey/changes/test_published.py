"""Reading publications of this version and of older ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from classifier.errors import InputError
from classifier.pipeline import BuildResult
from classifier.survey.changes.compare import compare
from classifier.survey.changes.published import read_build, read_publication


def publish(folder: Path, papers: list[dict[str, Any]]) -> Path:
    (folder / "papers.json").write_text(json.dumps(papers), encoding="utf-8")
    return folder


def test_a_build_is_read_completely(bread: BuildResult, tmp_path: Path) -> None:
    for name in ("papers.json", "taxonomy.json", "excluded.csv"):
        (tmp_path / name).write_bytes(bread.files[name])
    published = read_build(tmp_path)
    assert (published.kind, published.first, len(published.papers)) == ("build", "topic", 15)
    paper = published.papers["p-0278e58e9a"]
    assert paper.labels["topic"].categories == ("ovens", "keeping")
    assert paper.labels["topic"].status == "reviewed"
    assert len(paper.text_digest) == len(paper.taxonomy_digest) == 12
    assert len(paper.cue_digest) == 15


def test_an_older_build_has_unknown_values(
    bread: BuildResult, bread_papers: list[dict[str, Any]], tmp_path: Path
) -> None:
    old = json.loads(json.dumps(bread_papers))
    for paper in old:
        for key in ("aliases", "text_digest", "cue_digest"):
            del paper[key]
    moved = next(paper for paper in old if paper["id"] == "p-dd0d023955")["labels"]["topic"]
    moved |= {"primary": "ovens", "categories": ["ovens"]}
    new = tmp_path / "new"
    new.mkdir()
    for name in ("papers.json", "taxonomy.json"):
        (new / name).write_bytes(bread.files[name])
    changes = compare(read_publication(publish(tmp_path, old)), read_publication(new))
    assert [(move.paper_id, move.reason) for move in changes.relabelled] == [
        ("p-dd0d023955", "unknown")
    ]


def test_a_lock_is_read_without_its_taxonomy(tmp_path: Path) -> None:
    lock = tmp_path / "labels.lock.csv"
    lock.write_text(
        "id,title,primary,topics,kind,status,reviewed,text_digest,cue_digest,taxonomy_digest\n"
        "p-1,A Pond,frogs,frogs; reeds,trial,confident,kind,t,c,567e83de9e5e\n"
    )
    published = read_publication(lock)
    assert (published.kind, published.first) == ("lock", "")
    labels = published.papers["p-1"].labels
    assert (labels[""].categories, labels[""].status) == (("frogs", "reeds"), "confident")
    assert (labels["kind"].categories, labels["kind"].status) == (("trial",), "reviewed")
    assert not compare(published, published)


@pytest.mark.parametrize(
    "content", ["{}", "[1]", "[{}]", "no JSON", '[{"id": 1, "labels": {}}]', '[{"labels": []}]']
)
def test_another_papers_json_is_not_a_baseline(content: str, tmp_path: Path) -> None:
    path = tmp_path / "papers.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_build(tmp_path)
    assert str(error.value) == (
        f"{path}: error: found another file; expected the papers.json of an earlier build."
    )


def test_a_missing_baseline_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read_build(tmp_path)
    assert str(error.value) == (
        f"{tmp_path}: error: found no papers.json in it; expected the out/ folder of an earlier build. "
        "Name the folder that an earlier build wrote, such as a copy of out/."
    )


def test_a_table_that_is_not_a_lock_is_reported(tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    table.write_text("id,title\np-1,A Pond\n")
    with pytest.raises(InputError, match=r"labels\.csv:1: error: found no column primary, topics"):
        read_publication(table)
