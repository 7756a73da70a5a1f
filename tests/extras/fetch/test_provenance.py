"""Where a file's papers came from: every run that changed it, and the last of each query."""

from __future__ import annotations

import json
from pathlib import Path

from classifier.extras.fetch.papers_file import note_run, provenance_file


def run(text: str, at: str, new: int) -> dict[str, object]:
    return {"query": {"text": text}, "at": at, "new": new, "updated": 0}


def noted(papers: Path) -> list[tuple[str, str]]:
    runs = json.loads(provenance_file(papers).read_text(encoding="utf-8"))["runs"]
    return [(each["query"]["text"], each["at"]) for each in runs]


def test_runs_that_changed_nothing_do_not_pile_up(tmp_path: Path) -> None:
    papers = tmp_path / "bread.jsonl"
    for day, (text, new) in enumerate([("rye", 2), ("rye", 0), ("wheat", 0), ("rye", 0)]):
        note_run(papers, run(text, str(day), new))
    assert noted(papers) == [("rye", "0"), ("wheat", "2"), ("rye", "3")]


def test_a_damaged_note_is_begun_anew(tmp_path: Path) -> None:
    papers = tmp_path / "bread.jsonl"
    note_run(papers, run("rye", "0", 1))
    for spoilt in ("", "[]", '{"runs": 7}', "{"):
        provenance_file(papers).write_text(spoilt, encoding="utf-8")
        note_run(papers, run("rye", "1", 1))
        assert noted(papers) == [("rye", "1")]
