from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from classifier.corpus.paper import Paper
from classifier.corpus.stream import stream_papers
from classifier.errors import InputError


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def titles(papers: Sequence[Paper]) -> list[str]:
    return [paper.title for paper in papers]


def test_of_equal_ids_and_titles_the_first_is_kept(tmp_path: Path) -> None:
    one = write(tmp_path / "a.jsonl", {"title": "Rye", "arxiv_id": "2401.00001"}, {"title": "Oats"})
    two = write(
        tmp_path / "b.jsonl",
        {"title": "Rye, revised", "arxiv_id": "2401.00001v2"},
        {"title": "OATS."},
        {"title": "Salt", "doi": "10.1000/1"},
    )
    papers = list(stream_papers([one, two], tmp_path))
    assert titles(papers) == ["Rye", "Oats", "Salt"]
    assert [paper.id for paper in papers][::2] == ["arxiv:2401.00001", "doi:10.1000/1"]
    assert str(papers[2].sources[0]) == "b.jsonl:3"


def test_a_record_that_was_passed_over_is_known_by_all_its_ids(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        {"title": "Rye"},
        {"title": "Rye", "doi": "10.1000/1"},
        {"title": "Rye bread", "doi": "10.1000/1"},
    )
    assert titles(list(stream_papers([path], tmp_path))) == ["Rye"]


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"title": ""}, {"title": "Rye", "url": "nowhere"})
    told: list[object] = []
    assert titles(list(stream_papers([path], tmp_path, told.append))) == ["Rye"]
    assert len(told) == 2


def test_nothing_is_read_before_it_is_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"title": "Rye"}, {"title": "Oats"})
    papers = stream_papers([path, tmp_path / "absent.jsonl"], tmp_path)
    assert [next(papers).title, next(papers).title] == ["Rye", "Oats"]
    with pytest.raises(InputError, match="no such file"):
        next(papers)
