"""An output folder is replaced as a whole, or stays as it was."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from classifier.errors import OutputError
from classifier.files.built_folder import MANIFEST_NAME, matches_manifest
from classifier.files.folder import recover, write_folder

FIRST = {"index.html": b"one", "papers/a.html": b"a"}
SECOND = {"index.html": b"two", "papers/b.html": b"b"}


def half_written(out: Path) -> None:
    """What a build is leaving that is killed while it writes."""
    new = out.with_name(f".fieldguide-{out.name}.new")
    new.mkdir(parents=True)
    (new / "index.html").write_bytes(b"<p")


def content(folder: Path) -> dict[str, bytes]:
    """Every file below `folder` but the manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST_NAME
    }


def fails(
    *, after: int = 0, real: Callable[..., Any] | None = None, ever: bool = False
) -> Callable[..., Any]:
    """Return a function that does `real` `after` times, then finds the disk full: once, or ever."""
    calls = count()

    def call(*arguments: Any, **options: Any) -> Any:
        call_number = next(calls)
        if call_number == after or (ever and call_number > after):
            raise OSError(28, "No space left on device")
        return real(*arguments, **options) if real else None

    return call


def test_a_new_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    out = tmp_path / "site" / "out"
    write_folder(out, FIRST)
    assert content(out) == FIRST
    assert os.listdir(tmp_path / "site") == ["out"]


def test_files_of_the_last_build_go_and_files_of_others_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FIRST)
    (out / "CNAME").write_bytes(b"survey.example")
    (out / "papers" / "notes.txt").write_bytes(b"mine")
    write_folder(out, SECOND)
    assert content(out) == {**SECOND, "CNAME": b"survey.example", "papers/notes.txt": b"mine"}
    assert os.listdir(tmp_path) == ["out"]


def test_a_placeholder_does_not_make_a_folder_foreign_and_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".gitkeep").touch()
    write_folder(out, FIRST)
    write_folder(out, SECOND)
    assert content(out) == {**SECOND, ".gitkeep": b""}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_folder(tmp_path / "out", FIRST)
    assert content(tmp_path / "out") == FIRST


def test_a_folder_that_no_build_wrote_is_refused(tmp_path: Path) -> None:
    theirs = {"thesis.tex": b"years of work", "figures/one.pdf": b"%PDF"}
    for name, data in theirs.items():
        (tmp_path / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / name).write_bytes(data)
    with pytest.raises(OutputError) as caught:
        write_folder(tmp_path / "docs", FIRST)
    assert str(caught.value) == (
        f"{tmp_path / 'docs'}: contains 2 file(s) that Fieldguide did not write (no manifest.json of "
        "a build); "
        "nothing was written. Choose an empty folder with --out."
    )
    assert content(tmp_path / "docs") == theirs
    assert os.listdir(tmp_path) == ["docs"]


def test_the_manifest_of_a_web_application_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / MANIFEST_NAME).write_text('{"name": "App", "icons": []}', encoding="utf-8")
    with pytest.raises(OutputError, match="did not write"):
        write_folder(tmp_path / "out", FIRST)
    assert os.listdir(tmp_path / "out") == [MANIFEST_NAME]


def test_a_file_is_no_folder_to_fill(tmp_path: Path) -> None:
    path = tmp_path / "thesis.tex"
    path.write_bytes(b"years of work")
    with pytest.raises(OutputError) as caught:
        write_folder(path, FIRST)
    assert str(caught.value) == (
        f"{path}: is a file; nothing was written. Choose an empty folder with --out."
    )
    assert content(tmp_path) == {"thesis.tex": b"years of work"}


def test_with_a_broken_manifest_nothing_is_taken_for_ours(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FIRST)
    (out / MANIFEST_NAME).write_text("{half", encoding="utf-8")
    write_folder(out, SECOND)
    assert content(out) == {**FIRST, **SECOND}


def test_the_folder_that_one_stands_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    write_folder(Path(), FIRST)
    assert content(tmp_path / "out") == FIRST


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "disk", target_is_directory=True)
    write_folder(tmp_path / "out", FIRST)
    write_folder(tmp_path / "out", SECOND)
    assert (tmp_path / "out").is_symlink()
    assert content(tmp_path / "disk") == SECOND
    assert sorted(os.listdir(tmp_path)) == ["disk", "out"]


@pytest.mark.parametrize(
    ("owner", "operation", "after"),
    [
        pytest.param(Path, "write_bytes", 0, id="first file"),
        pytest.param(Path, "write_bytes", 2, id="last file"),
        pytest.param(Path, "mkdir", 0, id="staging folder"),
        pytest.param(shutil, "copy2", 0, id="file of others"),
        pytest.param(os, "replace", 0, id="old folder moved away"),
        pytest.param(os, "replace", 1, id="new folder moved in"),
    ],
)
def test_a_failure_leaves_the_last_good_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: Any,
    operation: str,
    after: int,
) -> None:
    out = tmp_path / "out"
    write_folder(out, FIRST)
    (out / "CNAME").write_bytes(b"survey.example")
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with monkeypatch.context() as patched:
        patched.setattr(os, "link", fails(ever=True))  # so that files are copied
        patched.setattr(owner, operation, fails(after=after, real=getattr(owner, operation)))
        with pytest.raises(OutputError) as caught:
            write_folder(out, SECOND)
    assert str(caught.value) == (
        f"{out}: cannot be written (No space left on device). "
        "Free some space, then run the command again."
    )
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert os.listdir(tmp_path) == ["out"]
    write_folder(out, SECOND)
    assert content(out) == {**SECOND, "CNAME": b"survey.example"}


def test_a_disk_that_stays_full_in_mid_swap_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write_folder(out, FIRST)
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fails(after=1, real=os.replace, ever=True))
        with pytest.raises(OutputError):
            write_folder(out, SECOND)
    recover(out)
    assert content(out) == FIRST


def test_a_swap_cut_off_between_its_renames_is_taken_back(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FIRST)
    os.replace(out, tmp_path / ".fieldguide-out.old")
    recover(out)
    assert content(out) == FIRST
    assert os.listdir(tmp_path) == ["out"]


def test_the_lock_of_a_killed_build_is_cleared_away(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FIRST)
    (tmp_path / ".out.fieldguide-lock").touch()
    recover(out)
    assert os.listdir(tmp_path) == ["out"]


def test_what_a_cut_off_build_left_does_not_disturb_the_next(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FIRST)
    (out / "CNAME").write_bytes(b"survey.example")
    os.replace(out, tmp_path / ".fieldguide-out.old")
    half_written(out)
    write_folder(out, SECOND)
    assert content(out) == {**SECOND, "CNAME": b"survey.example"}
    assert os.listdir(tmp_path) == ["out"]


def test_an_old_folder_beside_a_good_one_is_cleared_away(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, SECOND)
    write_folder(tmp_path / ".fieldguide-out.old", FIRST)
    recover(out)
    assert content(out) == SECOND
    assert os.listdir(tmp_path) == ["out"]


def test_folders_of_others_beside_the_output_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".fieldguide-notes").mkdir()
    (tmp_path / ".fieldguide-notes" / "notes.txt").write_bytes(b"mine")
    half_written(tmp_path / "another-out")
    before = content(tmp_path)
    write_folder(tmp_path / "out", FIRST)
    write_folder(tmp_path / "out", SECOND)
    assert content(tmp_path) == before | {f"out/{name}": data for name, data in SECOND.items()}


def test_a_new_folder_can_be_entered_by_others(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    write_folder(tmp_path / "out", FIRST)
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_changed_sheet_in_the_last_folder_is_not_deleted(tmp_path: Path) -> None:
    out, old = tmp_path / "out", tmp_path / ".fieldguide-out.old"
    write_folder(out, {**FIRST, "labels.csv": b"new"})
    write_folder(old, {**FIRST, "labels.csv": b"as built"})
    (old / "labels.csv").write_bytes(b"typed")
    before = content(tmp_path)
    for attempt in (lambda: recover(out), lambda: write_folder(out, SECOND)):
        with pytest.raises(OutputError) as caught:
            attempt()
        assert str(caught.value) == (
            f"{old}/labels.csv: was changed, and is in a folder left by an interrupted build; "
            "nothing was written. Move it away, then build again."
        )
        assert content(tmp_path) == before
    (old / "labels.csv").rename(tmp_path / "mine.csv")
    recover(out)
    assert sorted(os.listdir(tmp_path)) == ["mine.csv", "out"]


@pytest.mark.parametrize("built", [True, False])
def test_a_folder_of_others_by_the_name_of_the_last_one_is_refused(
    tmp_path: Path, built: bool
) -> None:
    out, theirs = tmp_path / "out", tmp_path / ".fieldguide-out.old"
    if built:
        write_folder(out, FIRST)
    theirs.mkdir()
    (theirs / "thesis.tex").write_bytes(b"years of work")
    before = content(tmp_path)
    with pytest.raises(OutputError) as caught:
        write_folder(out, SECOND)
    assert str(caught.value) == (
        f"{theirs}: was not written by Fieldguide, but a build needs this name for the previous "
        "folder; nothing was written. Move it away."
    )
    assert content(tmp_path) == before


def test_a_last_folder_that_cannot_be_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(tmp_path / ".fieldguide-out.old", FIRST)
    monkeypatch.setattr(os, "replace", fails())
    with pytest.raises(OutputError) as caught:
        recover(tmp_path / "out")
    assert str(caught.value) == (
        f"{tmp_path}/.fieldguide-out.old: cannot be put back (No space left on device). "
        "Free some space, then run the command again."
    )


def test_a_last_folder_that_cannot_be_deleted_stops_no_build_but_the_one_after_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of another owner, it cannot be emptied."""
    out, left = tmp_path / "out", tmp_path / ".fieldguide-out.new"
    write_folder(out, FIRST)
    real = shutil.rmtree

    def keep_old(path: Path, **options: Any) -> None:
        if not (path / "index.html").exists():
            real(path, **options)

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", keep_old)
        write_folder(out, SECOND)
        assert content(out) == SECOND
        with pytest.raises(OutputError) as caught:
            write_folder(out, FIRST)
        assert str(caught.value) == (
            f"{left}: is left over from an earlier build and cannot be deleted. Delete it."
        )
        assert content(out) == SECOND
    write_folder(out, FIRST)
    assert os.listdir(tmp_path) == ["out"]


def test_a_file_is_as_built_or_changed_or_not_recorded(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FIRST)
    (out / "CNAME").write_bytes(b"survey.example")
    assert matches_manifest(out / "index.html") is True
    assert matches_manifest(out / "CNAME") is None
    (out / "index.html").write_bytes(b"typed")
    assert matches_manifest(out / "index.html") is False
    (out / "index.html").unlink()
    assert matches_manifest(out / "index.html") is False
    (out / MANIFEST_NAME).write_text('{"files": ["index.html"]}', encoding="utf-8")
    assert matches_manifest(out / "index.html") is None


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        pytest.param("labels.csv", b"typed", id="the sheet of the build"),
        pytest.param("next.csv", b"typed", id="a sheet that was drawn"),
        pytest.param("new.csv", b"typed", id="one that was not there"),
    ],
)
def test_what_is_saved_while_a_build_runs_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, typed: bytes
) -> None:
    out = tmp_path / "out"
    write_folder(out, {**FIRST, "labels.csv": b"one"})
    (out / "next.csv").write_bytes(b"drawn")
    real = os.replace

    def saves(source: Path, target: Path) -> None:
        """The new folder is whole, and about to take its place."""
        if Path(target).name == ".fieldguide-out.old":
            (out / name).write_bytes(typed)
        real(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", saves)
        with pytest.raises(OutputError) as caught:
            write_folder(out, {**SECOND, "labels.csv": b"two"})
    assert str(caught.value) == (
        f"{out}/{name}: was changed while the build ran; nothing was written. Build again."
    )
    assert content(out) == {**FIRST, "labels.csv": b"one", "next.csv": b"drawn"} | {name: typed}
    assert os.listdir(tmp_path) == ["out"]
