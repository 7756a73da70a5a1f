from __future__ import annotations

from pathlib import Path

import pytest

from classifier.files.memo import Memos, memo_key


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


def test_a_key_tells_arguments_and_libraries_apart() -> None:
    keys = [memo_key(["a"]), memo_key(["a", ""]), memo_key([["a"]]), memo_key(["a"], "jinja2")]
    assert len({*keys}) == 4
    assert memo_key(["a"]) == keys[0]
