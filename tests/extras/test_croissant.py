"""The data set describes itself, and the library of MLCommons reads it back, without a network."""

from __future__ import annotations

import hashlib
import json
import logging
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import make_edition

from classifier.extras.croissant import croissant_files
from classifier.site.exports.labelled import select, table_values


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return croissant_files(select(make_edition()))


def test_the_description_names_each_file_with_its_hash(files: dict[str, bytes]) -> None:
    described = json.loads(files["croissant.json"])
    hashes = {one["contentUrl"]: one["sha256"] for one in described["distribution"]}
    assert hashes == {
        name: hashlib.sha256(files[name]).hexdigest() for name in ("papers.json", "categories.json")
    }


def test_nothing_is_made_up(files: dict[str, bytes]) -> None:
    described = json.loads(files["croissant.json"])
    assert [one["name"] for one in described["creator"]] == ["Ada Editor", "Ben Editor"]
    assert not {"license", "datePublished", "url"} & set(described)


def test_the_same_edition_gives_the_same_bytes(files: dict[str, bytes]) -> None:
    assert croissant_files(select(make_edition())) == files


def test_mlcroissant_finds_no_error_and_reads_every_record(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its dependencies use what Python deprecates
        mlcroissant = pytest.importorskip("mlcroissant", reason="needs mlcroissant")
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        logging.disable(logging.WARNING)  # licence and date are recommended; we know neither
        try:
            data = mlcroissant.Dataset(str(tmp_path / "croissant.json"))
            papers = list(map(plain, data.records("papers")))
            categories = list(map(plain, data.records("categories")))
        finally:
            logging.disable(logging.NOTSET)
    stated = [
        {name: value for name, value in paper.items() if value not in (None, [])}
        for paper in papers
    ]
    wanted = list(table_values(select(make_edition())))
    assert stated == [
        {**row, **({"year": int(str(row["year"]))} if "year" in row else {})} for row in wanted
    ]
    assert [each["id"] for each in categories] == [
        *("tools", "tools/hooks", "tools/stones", "song", "flight", "method", "survey")
    ]


def plain(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with text for bytes, and names without the record set before them."""
    return {name.partition("/")[2]: text_of(value) for name, value in record.items()}


def text_of(value: Any) -> Any:
    if isinstance(value, list):
        return [text_of(item) for item in value]
    return value.decode() if isinstance(value, bytes) else value
