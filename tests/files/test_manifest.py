from __future__ import annotations

import json
from pathlib import Path

import pytest

from classifier.files.manifest import digest, manifest_bytes, recorded_files

FILES = {"papers/b.html": b"bb", "a.html": b""}


def test_the_digest_of_nothing_is_the_published_one() -> None:
    assert digest(b"") == "cae66941d9efbd404e4d88758ea67670"


def test_a_manifest_names_each_file_with_size_and_hash(tmp_path: Path) -> None:
    data = manifest_bytes(FILES)
    assert json.loads(data) == {
        "files": {
            name: {"bytes": len(FILES[name]), "blake2b": digest(FILES[name])} for name in FILES
        }
    }
    (tmp_path / "manifest.json").write_bytes(data)
    assert recorded_files(tmp_path / "manifest.json") == set(FILES)


def test_the_order_of_files_does_not_matter() -> None:
    assert manifest_bytes(FILES) == manifest_bytes(dict(reversed(FILES.items())))


@pytest.mark.parametrize("text", ["", "[]", "{}", "7", '{"files": 7}', "\ufffd"])
def test_a_manifest_that_cannot_be_read_records_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    assert recorded_files(tmp_path / "manifest.json") == set()
    assert recorded_files(tmp_path / "missing.json") == set()
