"""JSON Lines, CSV and Parquet hold every field and every label, and our readers take them back."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from conftest import PAPERS, make_survey
from hypothesis import assume, given
from hypothesis import strategies as st

from classifier.files.content import text_content
from classifier.papers.clean import repair_encoding
from classifier.papers.load import read_content
from classifier.papers.paper import Paper, Published
from classifier.site.exports.labelled import (
    Selection,
    labelled_csv,
    labelled_jsonl,
    labelled_parquet,
    select_papers,
)

FULL = replace(
    PAPERS[0],
    keywords=("tool use", "wire"),
    collections=("Birds / Crows",),
    organisation="Bird House",
    venue="Journal of Corvids",
    doi="10.1000/182",
    url="https://example.org/hooks",
    reference=tuple(
        sorted(
            {
                "ISSN": "1234-5678",
                "citation-key": "cruz2024",
                "editor": "Two, Bo; Three, Cy",
                "page": "12-34",
                "publisher-place": "Nest",
                "type": "article-journal",
                "volume": "7",
            }.items()
        )
    ),
)


def selection(first: Paper = FULL) -> Selection:
    return select_papers(make_survey([first, *PAPERS[1:]]))


def read_back(name: str, content: bytes) -> list[Paper]:
    """Read an export with our own reader; a warning or a record that is refused fails."""
    found = read_content(text_content(name, content.decode()))
    assert (found.faults, found.quarantined) == ((), ())
    return list(found.papers)


def without_sources(paper: Paper, **changes: Any) -> Paper:
    """Return a paper as a reader makes it: authors who are all named are counted."""
    count = paper.author_count or len(paper.authors) or None
    return replace(paper, sources=(), author_count=count, **changes)


def test_json_lines_give_back_every_field_without_a_warning() -> None:
    chosen = selection()
    papers = read_back("papers.jsonl", labelled_jsonl(chosen))
    assert list(map(without_sources, papers)) == [
        without_sources(entry.paper) for entry in chosen.entries
    ]


def test_json_lines_hold_the_labels_and_the_key() -> None:
    record = json.loads(labelled_jsonl(selection()).splitlines()[0])
    assert record["cite_key"] == "cruz2024"
    assert record["labels"]["topic"] == {
        "primary": "tools",
        "categories": ["tools", "tools/hooks", "song"],
        "status": "reviewed",
        "confidence": 1.0,
    }


def test_csv_gives_back_every_field_without_a_warning() -> None:
    chosen = selection()
    papers = read_back("papers.csv", labelled_csv(chosen))
    assert list(map(without_sources, papers)) == [
        without_sources(entry.paper, url=entry.paper.link) for entry in chosen.entries
    ]


def test_csv_begins_with_the_labels_and_has_no_cells_for_people() -> None:
    rows = list(csv.DictReader(io.StringIO(labelled_csv(selection()).decode())))
    header = list(rows[0])
    assert {"id", "title", "status", "confidence", "primary", "topics"} <= set(header)
    assert not {"verdict", "review_primary", "exclude", "note"} & set(header)
    assert rows[0]["topics"] == "tools; tools/hooks; song"
    assert rows[0]["contribution"] == "method"
    assert (rows[0]["volume"], rows[0]["type"]) == ("7", "article-journal")


def test_parquet_has_types() -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    table = parquet.read_table(io.BytesIO(labelled_parquet(selection())))
    first, _, bare = table.to_pylist()
    assert first["authors"] == ["Ada de la Cruz", "Ben Müller"]
    assert first["topics"] == ["tools", "tools/hooks", "song"]
    assert (first["confidence"], first["author_count"], first["volume"]) == (1.0, 4, "7")
    assert bare["authors"] is None
    assert bare["contribution"] is None
    assert str(table.schema.field("contribution").type) == "list<element: string>"
    assert labelled_parquet(selection()) == labelled_parquet(selection())


TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20
).map(lambda text: f"A{text}z")
# A cell is split at semicolons and bars, which the items of a list cannot hold.
ITEM = TEXT.map(lambda text: text.replace(";", ",").replace("|", "/"))


@given(title=TEXT, venue=TEXT, items=st.lists(ITEM, max_size=3, unique=True), date=st.sampled_from(
    ["", "2024", "2024-03", "2024-03-05"]))  # fmt: skip
def test_any_text_comes_back(title: str, venue: str, items: list[str], date: str) -> None:
    # Letters in the wrong encoding are repaired where they are read.
    assume(all(repair_encoding(text) == text for text in (title, venue, *items)))
    paper = replace(
        FULL,
        title=title,
        venue=venue,
        keywords=tuple(items),
        collections=tuple(items),
        published=Published(date),
    )
    chosen = selection(paper)
    (from_jsonl, *_) = read_back("papers.jsonl", labelled_jsonl(chosen))
    (from_csv, *_) = read_back("papers.csv", labelled_csv(chosen))
    for found in (from_jsonl, from_csv):
        assert without_sources(found) == without_sources(paper)
