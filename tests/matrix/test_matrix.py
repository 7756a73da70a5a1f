"""A sample of the matrix; `python -m tests.matrix` is the whole."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.matrix.__main__ import differing, digests, made_in
from tests.matrix.cells import Cell, cells
from tests.matrix.projects import bread, mixed, shuffle_ledger, shuffle_records

PLAIN = Cell("plain", "process", {"PYTHONHASHSEED": "7"})
OTHERWISE = Cell(
    "all at once",
    "order",
    {
        "PYTHONHASHSEED": "1",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "FIELDGUIDE_FILE_ORDER": "reversed",
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512_SKX AVX2 FMA3",
    },
    arrange=shuffle_ledger,
    folder="ein Ördner",
    python=("", "-OO", "-W", "ignore"),
)


def test_a_build_under_other_circumstances_writes_the_same_bytes(tmp_path: Path) -> None:
    made = [made_in(cell, "bread", "build", tmp_path / cell.name) for cell in (PLAIN, OTHERWISE)]
    assert len(made[0]) > 100
    assert differing(*made, with_memos=False) == []


def test_every_circumstance_has_a_name_of_its_own() -> None:
    names = [cell.name for cell in cells()]
    assert len(set(names)) == len(names) >= 25


def test_a_byte_that_differs_is_found(tmp_path: Path) -> None:
    (tmp_path / "out" / ".cache").mkdir(parents=True)
    (tmp_path / "out" / "index.html").write_bytes(b"One")
    (tmp_path / "out" / ".cache" / "stamps.json").write_bytes(b"today")
    (tmp_path / "out" / ".cache" / "site.json").write_bytes(b"{}")
    made = digests(tmp_path)
    assert sorted(made) == ["out/.cache/site.json", "out/index.html"]
    assert differing(made, {**made, "out/index.html": "0"}, with_memos=True) == ["out/index.html"]
    assert differing(made, {"out/index.html": "0"}, with_memos=False) == ["out/index.html"]


def test_records_in_another_order_are_the_same_records(tmp_path: Path) -> None:
    bread(tmp_path / "there")
    bread(tmp_path / "here")
    shuffle_records(tmp_path / "here")
    one, other = ((tmp_path / name / "papers" / "bread.jsonl") for name in ("there", "here"))
    lines, shuffled = one.read_text().splitlines(), other.read_text().splitlines()
    assert lines != shuffled
    assert sorted(lines) == sorted(shuffled)


def test_decisions_in_another_order_keep_the_last_word(tmp_path: Path) -> None:
    bread(tmp_path / "there")
    bread(tmp_path / "here")
    shuffle_ledger(tmp_path / "here")

    def last_words(name: str) -> dict[tuple[str, str], dict[str, str]]:
        with (tmp_path / name / "taxonomy" / "reviews.csv").open(newline="") as stream:
            return {(row["id"], row["facet"]): row for row in csv.DictReader(stream)}

    assert [*last_words("there")] != [*last_words("here")]
    assert last_words("there") == last_words("here")


def test_the_mixed_project_reads_many_formats(shared: Path, tmp_path: Path) -> None:
    assert shared.is_dir()
    mixed(tmp_path / "project")
    suffixes = {path.suffix for path in (tmp_path / "project" / "papers").iterdir()}
    assert suffixes == {".jsonl", ".bib", ".ris", ".csv"}
