from __future__ import annotations

from pathlib import Path

import pytest

from classifier.files import memo as memo_module
from classifier.files.memo import Memos, memo_key
from classifier.files.output_folder import write_folder
from classifier.files.spool import spool_for


@pytest.fixture
def out(tmp_path: Path) -> Path:
    memos = Memos(tmp_path)
    memos.keep("sums/two.json", "one and one", b"2\nor so")
    for name, content in memos.made.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    return tmp_path


def test_a_memo_is_recalled_under_its_key_alone(out: Path) -> None:
    memos = Memos(out)
    assert memos.recall("sums/two.json", "one and one") == b"2\nor so"
    assert memos.recall("sums/two.json", "one and two") is None
    assert memos.recall("sums/three.json", "one and one") is None
    assert memos.made == {}


def test_a_damaged_memo_is_none(out: Path) -> None:
    path = out / ".cache" / "sums" / "two.json"
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole.replace(b"2", b"3"), b"\xff\n\xff"):
        path.write_bytes(damaged)
        assert Memos(out).recall("sums/two.json", "one and one") is None


def test_without_a_folder_nothing_is_remembered() -> None:
    memos = Memos()
    memos.keep("two.json", "one and one", b"2")
    assert memos.recall("two.json", "one and one") is None


def test_a_large_memo_is_laid_down_and_moved_into_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memo_module, "_MOST_HELD", 3)
    out = tmp_path / "out"
    with spool_for(out) as spool:
        memos = Memos(out, spool)
        memos.keep("small.json", "key", b"[1]")
        memos.keep("large.json", "key", b"[1,2]")
        assert [isinstance(kept, Path) for kept in memos.made.values()] == [False, True]
        assert memos.recall("large.json", "key") == b"[1,2]"
        write_folder(out, {"index.html": b"one"}, beside=memos.made)
    assert [Memos(out).recall(f"{name}.json", "key") for name in ("small", "large")] == [
        b"[1]",
        b"[1,2]",
    ]


def test_a_key_tells_arguments_and_libraries_apart() -> None:
    keys = [memo_key(["a"]), memo_key(["a", ""]), memo_key([["a"]]), memo_key(["a"], "jinja2")]
    assert len({*keys}) == 4
    assert memo_key(["a"]) == keys[0]
