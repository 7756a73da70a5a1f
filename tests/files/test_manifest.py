from __future__ import annotations

import json
from pathlib import Path

import pytest

from classifier.files.manifest import digest, manifest_bytes, record_of, recorded_files

CONTENT = {"papers/b.html": b"bb", "a.html": b""}
FILES = {name: record_of(data) for name, data in CONTENT.items()}


def test_the_digest_of_nothing_is_the_published_one() -> None:
    assert digest(b"") == "cae66941d9efbd404e4d88758ea67670"


def test_a_manifest_names_each_file_with_size_and_hash(tmp_path: Path) -> None:
    data = manifest_bytes(FILES)
    assert json.loads(data) == {
        "files": {
            name: {"bytes": len(data), "blake2b": digest(data)} for name, data in CONTENT.items()
        }
    }
    (tmp_path / "manifest.json").write_bytes(data)
    assert recorded_files(tmp_path / "manifest.json") == FILES


def test_the_order_of_files_does_not_matter() -> None:
    assert manifest_bytes(FILES) == manifest_bytes(dict(reversed(FILES.items())))


@pytest.mark.parametrize("text", ["", "[]", "{}", "7", '{"files": 7}', "\ufffd", "[" * 100_000])
def test_a_manifest_that_cannot_be_read_records_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    assert recorded_files(tmp_path / "manifest.json") == {}
    assert recorded_files(tmp_path / "missing.json") == {}
