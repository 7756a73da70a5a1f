"""Parts joined in input order: who is kept, and what is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.scale.chunks import InputTexts, cut_chunks
from classifier.scale.joining import Join, Run
from classifier.scale.tasks import LabelModel, LabelTask

Write = Callable[[str, Sequence[object]], Path]


def joined(model: LabelModel, paths: Sequence[Path], size: int) -> tuple[Join, Run]:
    texts, join = InputTexts(paths, paths[0].parent), Join()
    task = LabelTask(model, ".jsonl")
    for chunk in cut_chunks(texts, size):
        join.add(task(chunk))
    return join, join.run(texts.readers)


@pytest.mark.parametrize("size", [1, 3, 100])
def test_records_are_counted_and_named_by_the_lines_of_their_file(
    size: int, model: LabelModel, write: Write
) -> None:
    one = write("one.jsonl", [{"title": "Rye"}, "", {"title": "Oats", "arxiv_id": "2401.00001"}])
    two = write(
        "two.jsonl",
        [{"title": "RYE."}, {"title": "Salt", "arxiv_id": "2401.00001"}, {"title": ""}, 7],
    )
    join, said = joined(model, [one, two], size)
    assert (join.papers, join.skipped, said.unread) == (2, 2, 3)
    assert [(record.file, record.line) for record in said.quarantined] == [
        ("one.jsonl", 2),
        ("two.jsonl", 3),
        ("two.jsonl", 4),
    ]
    assert [(file.name, file.records) for file in said.files] == [
        ("one.jsonl", 2),
        ("two.jsonl", 2),
    ]
    assert [str(fault) for fault in said.warnings] == snapshot(
        [
            "two.jsonl:2: warning: found id arxiv:2401.00001 again, for 'Salt'; expected one id per paper. "
            "Only the first record was labelled."
        ]
    )


@pytest.mark.parametrize("size", [1, 100])
def test_what_all_records_share_is_said_once(size: int, model: LabelModel, write: Write) -> None:
    path = write("new.jsonl", [{"title": f"Rye {n}", "mood": n} for n in range(30)])
    _, said = joined(model, [path], size)
    assert [str(fault)[:61] for fault in said.warnings] == snapshot(
        ["new.jsonl:1: warning: found unknown field 'mood'; expected id"]
    )


def test_of_many_warnings_of_a_kind_the_first_are_told(model: LabelModel, write: Write) -> None:
    path = write("new.jsonl", [{"title": f"Rye {n}", "url": f"nowhere {n}"} for n in range(30)])
    said = [joined(model, [path], size)[1] for size in (1, 7, 100)]
    assert said[0] == said[1] == said[2]
    assert len(said[0].warnings) == 3
    assert said[0].warnings[-1].actual == snapshot("url 'nowhere 2', and 27 more like this")


@pytest.mark.parametrize("size", [1, 100])
def test_a_file_without_a_paper_is_named(size: int, model: LabelModel, write: Write) -> None:
    rye, none = write("rye.jsonl", [{"title": "Rye"}]), write("none.jsonl", [{"title": ""}] * 3)
    _, said = joined(model, [rye, none], size)
    assert [str(fault)[:72] for fault in said.warnings] == snapshot(
        ["none.jsonl: warning: found no paper in 3 records: line 1: title: found n"]
    )


@pytest.mark.parametrize("size", [1, 100])
def test_json_that_holds_no_paper_at_all_is_refused(
    size: int, model: LabelModel, tmp_path: Path
) -> None:
    path = tmp_path / "loaves.json"
    path.write_text('{"loaf": 1}\n{"loaf": 2}\n{"loaf": 3}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"loaves\.json: error: found JSON without papers"):
        joined(model, [path], size)
