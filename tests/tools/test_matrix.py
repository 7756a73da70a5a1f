"""A sample of the matrix; `python -m tools.matrix` is the whole."""

from __future__ import annotations

import csv
from pathlib import Path

from classifier.files.built_folder import digest
from tools.matrix.__main__ import compared, differing, digests, made_in
from tools.matrix.cells import Cell, cells
from tools.matrix.projects import bread, mixed, shuffle_ledger, shuffle_records

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
    said = [compared(each, "order") for each in made]
    assert len(said[0]) > 100
    assert differing(*said) == []


def test_every_circumstance_has_a_name_of_its_own() -> None:
    names = [cell.name for cell in cells()]
    assert len(set(names)) == len(names) >= 25


def test_a_byte_that_differs_is_found(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "index.html").write_bytes(b"One")
    made = digests(tmp_path, tmp_path)
    assert sorted(compared(made, "digits")) == ["out/index.html"]
    assert sorted(compared(made, "python")) == ["out/index.html"]
    assert differing(made, {**made, "out/index.html": "0"}) == ["out/index.html"]


def test_what_is_told_of_inputs_is_not_what_is_said(tmp_path: Path) -> None:
    def said(lines: bytes, row: bytes, labels: bytes) -> dict[str, str]:
        (tmp_path / "papers").mkdir(exist_ok=True)
        (tmp_path / "papers" / "bread.jsonl").write_bytes(lines)
        made = tmp_path / "made"
        (made / "out").mkdir(parents=True, exist_ok=True)
        page = b"papers/bread.jsonl:" + row + digest(lines)[:12].encode()
        (made / "out" / "method.html").write_bytes(page)
        (made / "labels.csv").write_bytes(labels)
        return compared(digests(made, tmp_path), "order")

    there = said(b"{1}\n{2}\n", b"1 ", b"rye\nspelt\n")
    assert differing(there, said(b"{2}\n{1}\n", b"2 ", b"spelt\nrye\n")) == []
    assert differing(there, said(b"{2}\n{1}\n", b"2 ", b"spelt\nbun\n")) == ["labels.csv:said"]


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
