"""What is kept is whole or absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files.cache import Cache, user_cache_folder


def test_what_is_kept_is_recalled(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "a" / "b")
    assert cache.recall("bread") is None
    for content in (b"", b"rye", b"wheat\n\nand salt"):
        cache.keep("bread", content)
        assert cache.recall("bread") == content


@pytest.mark.parametrize("spoilt", [b"", b"rye", b"0123\nrye", b"\n"])
def test_what_is_damaged_is_absent(spoilt: bytes, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.keep("bread", b"rye")
    (tmp_path / "bread").write_bytes(spoilt)
    assert cache.recall("bread") is None


def test_what_is_old_goes(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.keep("bread", b"rye")
    kept = (tmp_path / "bread").stat().st_mtime
    cache.forget_older(kept - 1)
    assert cache.recall("bread") == b"rye"
    cache.forget_older(kept + 1)
    assert cache.recall("bread") is None


def test_a_folder_that_cannot_be_made_names_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match="environment variable FIELDGUIDE_CACHE"):
        Cache(tmp_path / "file" / "cache").keep("bread", b"rye")


def test_the_folder_is_the_systems_or_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("FIELDGUIDE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert user_cache_folder() == Path("/somewhere/fieldguide")
    monkeypatch.setenv("FIELDGUIDE_CACHE", "/elsewhere")
    assert user_cache_folder() == Path("/elsewhere")
