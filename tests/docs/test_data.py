"""Files that a page shows are read by what reads such files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from classifier.errors import InputError
from classifier.papers.identity import read_identity
from classifier.papers.load import load_papers
from classifier.review.ledger import read_ledger
from classifier.review.lock import read_lock
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.versions import read_versions
from tests.docs.page import PAGES, Block, page_blocks

READERS: dict[str, Callable[[Path], object]] = {
    "id,alias,verdict": read_identity,
    "id,title,facet,value": lambda path: read_ledger(path, path.name),
    "id,title,primary,topics": lambda path: read_lock(path, "topic"),
    "taxonomy_digest,facet": read_versions,
}
"""How the header of a CSV file begins -> what reads it."""


def shown(kind: str, about: str = "") -> list[tuple[str, Block]]:
    """Return (page and line, block) of all blocks of a language with such a mark, or none."""
    return [
        (f"{page.name}:{block.line}", block)
        for page in PAGES
        for block in page_blocks(page)
        if block.kind == kind and (block.about == about or (not about and block.about != "broken"))
    ]


def test_taxonomies_are_free_of_faults_and_other_yaml_is_yaml(tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.yaml"
    for place, block in shown("yaml"):
        if "facets:" in block.text:
            path.write_text(block.text, "utf-8")
            assert load_taxonomy(path).warnings == (), place
        else:
            yaml.safe_load(block.text)


def test_csv_is_read_by_the_reader_of_such_a_file(tmp_path: Path) -> None:
    path = tmp_path / "shown.csv"
    for place, block in shown("csv"):
        (read,) = (read for header, read in READERS.items() if block.text.startswith(header))
        path.write_text(block.text, "utf-8")
        assert read(path), place


def test_json_is_json_and_papers_are_papers(tmp_path: Path) -> None:
    path = tmp_path / "papers.jsonl"
    for place, block in shown("json"):
        rows = [json.loads(line) for line in block.text.splitlines()]
        if all("abstract" in row for row in rows):
            path.write_text(block.text, "utf-8")
            assert len(load_papers([path], tmp_path).papers) == len(rows), place


def test_faults_are_printed_as_the_guide_shows_them(tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.yaml"
    ((_, broken),) = shown("yaml", "broken")
    ((_, faults),) = shown("text", "faults")
    path.write_text(broken.text, "utf-8")
    with pytest.raises(InputError) as raised:
        load_taxonomy(path, "taxonomy/taxonomy.yaml")
    assert f"{raised.value}\n" == faults.text
