"""What is kept is whole or absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from classifier.files.cache import BuildCache


def test_what_is_kept_is_recalled(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path / "a" / "b")
    assert cache.load("bread") is None
    for content in (b"", b"rye", b"wheat\n\nand salt"):
        cache.store("bread", content)
        assert cache.load("bread") == content


@pytest.mark.parametrize("spoilt", [b"", b"rye", b"0123\nrye", b"\n"])
def test_what_is_damaged_is_absent(spoilt: bytes, tmp_path: Path) -> None:
    cache = BuildCache(tmp_path)
    cache.store("bread", b"rye")
    (tmp_path / "bread").write_bytes(spoilt)
    assert cache.load("bread") is None


def test_a_folder_that_cannot_be_made_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = BuildCache(tmp_path / "file" / "cache")
    cache.store("bread", b"rye")
    assert cache.load("bread") is None
