"""A few hundred inputs of the campaign: `python -m tools.fuzz.inputs` tries 100,000."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tools.fuzz import inputs
from tools.fuzz.files import PARTS, Outcome, Part, clear
from tools.fuzz.inputs import Row, all_parts, fuzz, keep, shared_out, table


@pytest.fixture(scope="module", autouse=True)
def _cleared() -> Iterator[None]:
    yield
    clear()


@pytest.mark.parametrize(
    ("part", "count"), shared_out(PARTS, 500), ids=lambda x: getattr(x, "name", "")
)
def test_what_people_write_is_read_or_refused_and_never_lost(part: Part, count: int) -> None:
    row = fuzz(part, count, seed=1)
    assert row.findings == {}
    assert row.read + row.refused == row.inputs == count
    assert row.read > 0


@pytest.mark.parametrize("name", ["reader ris", "reader markdown"])
def test_readers_read_or_refuse(name: str) -> None:
    (part,) = [part for part in all_parts() if part.name == name]
    assert fuzz(part, 25, seed=1).findings == {}


def test_every_part_gets_its_share() -> None:
    counts = {part.name: count for part, count in shared_out(all_parts(), 100_000)}
    assert sum(counts.values()) >= 100_000
    assert counts["labels.csv"] > 10_000
    assert min(counts.values()) > 100


def test_crashes_and_hangs_are_found_and_kept(
    tmp_path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(inputs, "HANGS", 0.05)

    def check(data: bytes) -> Outcome:
        while data == b"hang":
            pass
        if data == b"crash":
            raise KeyError("bread")
        return "read"

    seeds = [b"crash", b"hang", b"bread", b"crash"]
    row = fuzz(Part("bread", 1, lambda: seeds, lambda data, *_: data, check), 4, seed=1)
    assert (row.read, row.crashes, row.hangs, len(row.findings)) == (1, 2, 1, 2)
    keep(row, tmp_path)
    kept = {path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".txt"}
    assert kept == {b"crash", b"hang"}
    assert "KeyError in " in capsys.readouterr().out


def test_the_table_has_a_sum() -> None:
    lines = table([Row("a", 2_000, 1_500, 500), Row("b", 1, 0, 0, 1)]).splitlines()
    assert lines[-1] == "| all | 2,001 | 1,500 | 500 | 1 | 0 | 0 |"
