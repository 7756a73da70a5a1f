"""Where a command may write: never over what people made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from classifier.errors import OutputError, UsageError
from classifier.files.targets import check_report, check_target


def test_a_new_or_empty_file_is_fine(tmp_path: Path) -> None:
    check_report(tmp_path / "new.json", {"n"})
    (tmp_path / "empty.json").touch()
    check_report(tmp_path / "empty.json", {"n"})


@pytest.mark.parametrize("content", ["[1]", "n", '{"m": 1}', "[" * 9999])
def test_a_report_is_known_by_its_keys(content: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text('{"n": 1, "more": 2}', encoding="utf-8")
    check_report(path, {"n"})
    path.write_text(content, encoding="utf-8")
    with pytest.raises(OutputError) as error:
        check_report(path, {"n"})
    assert str(error.value) == (
        f"{path} exists and was not written by Fieldguide. Choose another file with --json."
    )


def test_an_input_is_known_by_another_name(tmp_path: Path) -> None:
    (tmp_path / "papers.jsonl").write_text("{}", encoding="utf-8")
    os.link(tmp_path / "papers.jsonl", tmp_path / "link.jsonl")
    with pytest.raises(UsageError, match=r"is also an input. Choose another file with -o\.$"):
        check_target(
            tmp_path / "link.jsonl",
            "-o",
            is_ours=lambda _: True,
            inputs=[tmp_path / "papers.jsonl"],
        )


def test_a_folder_is_closed_by_any_name_and_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "papers" / "deep").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / "papers")
    for place in ("papers", "papers/deep", "alias", "papers/../alias/deep"):
        with pytest.raises(
            UsageError, match=r"is in papers/, which contains only hand-written files"
        ):
            check_report(tmp_path / place / "new.json", {"n"}, folders=[tmp_path / "papers"])
    check_report(tmp_path / "papers.json", {"n"}, folders=[tmp_path / "papers"])


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match="was not written by Fieldguide"):
        check_report(tmp_path / "pipe", {"n"})
