"""What was chosen before is not chosen again, and never taken for another choice."""

from __future__ import annotations

from pathlib import Path

import pytest

from classifier.files.memo import Memos
from classifier.survey.choices import Choices


def written(memos: Memos, out: Path) -> Memos:
    """Return the memos as the next build finds them."""
    for name, content in memos.made.items():
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_bytes(content)
    return Memos(out)


def unasked() -> list[int]:
    pytest.fail("was chosen again")


def test_a_choice_is_made_once(tmp_path: Path) -> None:
    memos = Memos(tmp_path)
    first = Choices(memos)
    assert first.made("tallest", ["oak", "ash \ud800"], lambda: [1]) == [1]
    assert first.made("tallest", ["oak", "ash \ud800"], unasked) == [1]
    first.keep(memos)
    later = Choices(written(memos, tmp_path))
    assert later.made("tallest", ["oak", "ash \ud800"], unasked) == [1]


def test_another_rule_or_another_text_is_another_choice() -> None:
    choices = Choices()
    choices.made("tallest", ["oak", "ash"], lambda: [1])
    assert choices.made("oldest", ["oak", "ash"], lambda: [0]) == [0]
    assert choices.made("tallest", ["oak", "elm"], lambda: [0]) == [0]


def test_what_no_build_asks_for_any_more_is_let_go(tmp_path: Path) -> None:
    memos = Memos(tmp_path)
    first = Choices(memos)
    first.made("tallest", ["oak"], lambda: [0])
    first.keep(memos)
    memos = written(memos, tmp_path)
    second = Choices(memos)
    second.made("tallest", ["elm"], lambda: [0])
    second.keep(memos)
    third = Choices(written(memos, tmp_path))
    assert third.made("tallest", ["oak"], lambda: [7]) == [7]


def test_nothing_is_kept_anew_where_all_was_remembered(tmp_path: Path) -> None:
    memos = Memos(tmp_path)
    first = Choices(memos)
    first.made("tallest", ["oak"], lambda: [0])
    first.keep(memos)
    memos = written(memos, tmp_path)
    second = Choices(memos)
    second.made("tallest", ["oak"], unasked)
    second.keep(memos)
    assert not memos.made
