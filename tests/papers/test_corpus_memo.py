"""A corpus that was read before is the same corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from classifier.errors import InputError
from classifier.files.memo import Memos
from classifier.papers.corpus_memo import remembered_papers
from classifier.papers.identity import Identity
from classifier.papers.load import load_papers

RECORDS = (
    {
        "title": "Rye at Night",
        "abstract": "It keeps for 9 % longer.",
        "authors": ["Ada Crumb", "Zoë Loaf"],
        "published": "2024-05",
        "doi": "10.1000/a",
        "keywords": ["rye", "night"],
        "code_urls": ["https://github.com/a/b"],
    },
    {"title": "Rye at night", "doi": "10.1000/a", "venue": "Bread 2024"},
    {"title": "Salt"},
    {"mood": "good"},
)
NOBODY = Identity()


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    papers, table = tmp_path / "a.jsonl", tmp_path / "b.csv"
    papers.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    table.write_text("Document Title,Abstract,mood\nOvens,Hot.,good\n", encoding="utf-8")
    return [papers, table]


def remembered(files: list[Path], root: Path, identity: Identity = NOBODY) -> Memos:
    """Read files and write what is remembered of them below `root`."""
    memos = Memos(root)
    remembered_papers(files, root, identity, memos)
    for name, content in memos.made.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(content)
    return memos


def test_what_was_read_survives_the_disk(files: list[Path], tmp_path: Path) -> None:
    corpus = load_papers(files, tmp_path)
    assert corpus.quarantined
    assert corpus.faults
    assert corpus.merged == 1
    assert remembered(files, tmp_path).made
    later = Memos(tmp_path)
    assert remembered_papers(files, tmp_path, NOBODY, later) == corpus
    assert later.made == {}


def test_another_file_name_or_verdict_is_read_anew(files: list[Path], tmp_path: Path) -> None:
    remembered(files, tmp_path)
    with files[1].open("a", encoding="utf-8") as stream:
        stream.write("Steam,Wet.,bad\n")
    assert remembered(files, tmp_path).made
    files[1] = files[1].rename(tmp_path / "c.csv")
    assert remembered(files, tmp_path).made
    apart = Identity(different=(("p-1", "p-2"),))
    assert remembered(files, tmp_path, apart).made
    assert not remembered(files, tmp_path, apart).made


def test_a_fault_is_told_every_time(files: list[Path], tmp_path: Path) -> None:
    files[0].write_bytes(b"")
    for _ in range(2):
        with pytest.raises(InputError, match="an empty file"):
            remembered(files, tmp_path)
    with pytest.raises(InputError, match="no such file"):
        remembered([tmp_path / "gone.csv"], tmp_path)
