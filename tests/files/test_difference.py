from __future__ import annotations

from pathlib import Path

import pytest

from classifier.files.built_folder import Difference, differences, first_difference, manifest_bytes

MADE = {"index.html": b"One\nTwo\n", "data/papers.json": b"[]\n"}


def written(out: Path, files: dict[str, bytes]) -> Path:
    """Return a folder as a build leaves it."""
    for name, content in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(content)
    (out / "manifest.json").write_bytes(manifest_bytes(files))
    return out


@pytest.mark.parametrize(
    ("there", "how"),
    [
        (None, "does not exist"),
        ("One\nTow\n", "line 2 is “Tow”, and would be “Two”"),
        ("One\n", "line 2 is “”, and would be “Two”"),
        ("One\nTwo\nThree\n", "line 3 is “Three”, and would be “”"),
        ("One\r\nTwo\n", "line 1 is “One\\r”, and would be “One”"),
        ("", "line 1 is “”, and would be “One”"),
        (b"\xff\xfe", "has different bytes"),
    ],
)
def test_where_a_file_parts_first(there: str | bytes | None, how: str) -> None:
    old = there.encode() if isinstance(there, str) else there
    assert first_difference(old, b"One\nTwo\n") == how


def test_of_a_long_line_the_place_is_shown() -> None:
    old, new = f"{'a' * 500}0.71{'b' * 500}\n", f"{'a' * 500}0.72{'b' * 500}\n"
    start, tail = f"…{'a' * 9}0.7", "b" * 27
    said = first_difference(old.encode(), new.encode())
    assert said == f"line 1 is “{start}1{tail}…”, and would be “{start}2{tail}…”"


def test_what_a_build_wrote_is_as_it_would_write_it(tmp_path: Path) -> None:
    assert differences(MADE, written(tmp_path / "out", MADE)) == []


def test_what_somebody_else_laid_there_is_no_difference(tmp_path: Path) -> None:
    out = written(tmp_path / "out", MADE)
    (out / "CNAME").write_text("example.org", encoding="utf-8")
    assert differences(MADE, out) == []


def test_what_an_earlier_build_left_would_be_removed(tmp_path: Path) -> None:
    out = written(tmp_path / "out", {**MADE, "p/gone.html": b"Gone"})
    assert differences(MADE, out) == [Difference("p/gone.html", "a build would remove it")]


def test_the_manifest_belongs_to_it(tmp_path: Path) -> None:
    out = written(tmp_path / "out", MADE)
    (out / "manifest.json").unlink()
    assert differences(MADE, out) == [Difference("manifest.json", "does not exist")]
