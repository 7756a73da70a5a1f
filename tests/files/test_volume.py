"""Files of a folder that is being made: new, kept, or laid down."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files import volume as volume_module
from classifier.files.manifest import record_of
from classifier.files.output_folder import write_folder
from classifier.files.spool import spool_for
from classifier.files.standing import Standing
from classifier.files.volume import Sizes, Volume

FILES = {"index.html": b"one", "p/a.html": b"a"}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_folder(tmp_path / "out", FILES, beside={})
    return tmp_path / "out"


def test_it_holds_what_is_put_in_sorted_by_path() -> None:
    volume = Volume()
    volume.put("b", b"22")
    volume.put("a", b"1")
    assert dict(volume) == {"a": b"1", "b": b"22"}
    assert list(volume) == ["a", "b"]
    assert dict(Sizes(volume.records)) == {"b": 2, "a": 1}
    assert ("a" in volume, "c" in volume) == (True, False)


def test_a_file_that_stands_is_not_new(out: Path) -> None:
    volume = Volume(Standing(out))
    volume.put("index.html", b"one")
    volume.put("p/a.html", b"b")
    volume.put("p/b.html", b"a")
    assert [name for name in volume if volume.stands(name)] == ["index.html"]
    assert dict(volume.new()) == {"p/a.html": b"b", "p/b.html": b"a"}
    assert volume["index.html"] == b"one"


def test_a_file_is_kept_by_its_record_without_being_read(out: Path) -> None:
    volume = Volume(Standing(out))
    assert volume.keep("index.html", record_of(b"one"))
    assert not volume.keep("p/a.html", record_of(b"other"))
    assert not volume.keep("p/gone.html", record_of(b"a"))
    assert dict(volume) == {"index.html": b"one"}
    assert volume.standing(["p/a.html", "index.html"]) == {
        "p/a.html": record_of(b"a"),
        "index.html": record_of(b"one"),
    }
    assert volume.standing(["p/a.html", "p/gone.html"]) is None


@pytest.mark.parametrize(("content", "stands"), [(b"one", True), (b"two", False), (b"1", False)])
def test_of_a_file_with_another_time_the_bytes_decide(
    content: bytes, stands: bool, out: Path
) -> None:
    path = out / "index.html"
    path.write_bytes(content)
    os.utime(path, ns=(0, 0))
    assert (Standing(out).record("index.html") is not None) == stands


def test_a_file_with_the_stamp_of_the_last_build_is_believed(out: Path) -> None:
    path = out / "index.html"
    state = path.stat()
    path.write_bytes(b"eno")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert Standing(out).record("index.html") == record_of(b"one")
    (out / ".cache" / "stamps.json").unlink()
    assert Standing(out).record("index.html") is None


def test_a_sheet_into_which_somebody_typed_meanwhile_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, {"labels.csv": b"a\n"}, beside={})
    volume = Volume(Standing(out), typed=("labels.csv",))
    volume.put("labels.csv", b"a\n")
    (out / "labels.csv").write_bytes(b"typed\n")
    write_folder(out, volume, beside={})
    assert (out / "labels.csv").read_bytes() == b"a\n"


def test_files_that_are_too_many_are_laid_down(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volume_module, "_MOST_HELD", 3)
    files = {"index.html": b"one", "a.html": b"123", "p/b.html": b"4", "p/c/d.html": b"56"}
    with spool_for(out) as spool:
        volume = Volume(Standing(out), spool)
        for name, content in files.items():
            volume.put(name, content)
        assert len(os.listdir(out.parent)) == 2
        assert dict(volume) == files
        write_folder(out, volume)
        assert dict(volume) == files
    assert os.listdir(out.parent) == ["out"]
    assert {name: (out / name).read_bytes() for name in files} == files


def test_what_a_killed_build_laid_down_is_cleared_and_that_of_others_is_not(out: Path) -> None:
    ours, other = (out.parent / f".fieldguide-spool-{name}" for name in "ab")
    for folder, name in ((ours, "out"), (other, "site")):
        folder.mkdir()
        (folder / "spool-of").write_text(name, encoding="utf-8")
        (folder / "files").mkdir()
    with spool_for(out):
        assert not ours.exists()
    assert other.exists()


def test_a_disk_without_room_is_told(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("classifier.files.spool.open", full, raising=False)
    with spool_for(out) as spool, pytest.raises(OutputError) as error:
        spool.lay("a.html", b"1")
    assert str(error.value) == (
        f"{out}: cannot be written (No space left on device). Free the folder or choose another "
        "with --out."
    )
    assert os.listdir(out.parent) == ["out"]
