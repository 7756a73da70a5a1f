from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.papers.load import FileRecords, read_file

pa = pytest.importorskip("pyarrow", reason="needs pyarrow, of the extra scale")
pq = pytest.importorskip("pyarrow.parquet")


def read(path: Path, rows: list[dict[str, Any]]) -> FileRecords:
    pq.write_table(pa.Table.from_pylist(rows), path)
    (file,) = read_file(path, path.name)
    return file


def test_lists_and_names_are_read_and_vectors_passed_over(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"2401.0000{number}",
            "title": f"Bread {number}",
            "summary": "We bake.",
            "authors": [{"name": "Ann Oven"}, {"name": "Bo Flour"}],
            "publishedAt": datetime(2024, 5, 1 + number),
            "keywords": ["rye", "crust"],
            "embedding": [0.5, 0.25],
        }
        for number in range(3)
    ]
    file = read(tmp_path / "p.parquet", rows)
    paper = file.papers[1]
    assert (paper.title, paper.abstract, paper.arxiv_id) == ("Bread 1", "We bake.", "2401.00001")
    assert (paper.authors, paper.keywords) == (("Ann Oven", "Bo Flour"), ("rye", "crust"))
    assert (paper.published.date, paper.sources[0].line) == ("2024-05-02", 2)
    assert file.faults == ()


def test_own_columns_are_read_and_others_passed_over(tmp_path: Path) -> None:
    file = read(tmp_path / "p.parquet", [{"title": "Bread", "year": 2024, "score": 0.5}])
    assert (file.papers[0].title, file.papers[0].published.date) == ("Bread", "2024")


def test_a_file_without_titles_or_cut_off_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a table without titles; expected a column 'title'"):
        read(tmp_path / "p.parquet", [{"mood": "good"}])
    (tmp_path / "q.parquet").write_bytes((tmp_path / "p.parquet").read_bytes()[:-9])
    with pytest.raises(InputError, match="found a broken Parquet file"):
        read_file(tmp_path / "q.parquet", "q.parquet")


def test_without_pyarrow_the_cure_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.parquet"
    pq.write_table(pa.Table.from_pylist([{"title": "Bread"}]), path)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError) as caught:
        read_file(path, "p.parquet")
    assert str(caught.value) == (
        snapshot(
            "p.parquet: error: found a Parquet file; reading it needs the package pyarrow; expected pyarrow to be installed. pip install 'fieldguide[scale]'."
        )
    )


def test_labels_that_an_export_wrote_are_nobodys_collections(tmp_path: Path) -> None:
    rows = [
        {"id": f"p-00000000{n}", "title": f"Bread {n}", "year": "2024", "status": "confident",
         "primary": "rye", "topics": "rye; crust", "theme": "ovens", "keywords": "salt"}
        for n in range(10, 14)
    ]  # fmt: skip
    file = read(tmp_path / "p.parquet", rows)
    assert {(paper.collections, paper.keywords) for paper in file.papers} == {((), ("salt",))}
