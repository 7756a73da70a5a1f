from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault, InputError
from classifier.files.content import text_content
from classifier.papers.load import read_content, read_file
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead
from classifier.papers.readers import reader_for
from classifier.papers.readers.json_file import JSON_FILE, read_values

CSL = {"id": "a", "type": "article-journal", "title": "Bread", "DOI": "bread"}


def read(text: str) -> list[Paper | Fault]:
    return list(JSON_FILE.read(text_content("p.json", text)))


@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("a.json", json.dumps([CSL]), "json"),
        ("a.txt", json.dumps([CSL], indent=1), "json"),
        ("a.jsonl", json.dumps(CSL), "json"),
        ("a.jsonl", json.dumps({"title": "Bread", "writers": "Ann", "authors": "Ann"}), "json"),
        ("a.jsonl", json.dumps({"title": "Bread", "authors": "Ann"}), "jsonl"),
        ("a.jsonl", json.dumps({"title": "Bread", "further": 1}), "jsonl"),
        ("a.jsonl", json.dumps({"title": "Bread", "summary": "We bake."}), "json"),
        ("a.jsonl", json.dumps({"title": "Bread", "summary": "", "abstract": "We."}), "json"),
        ("a.jsonl", "broken", "jsonl"),
        ("a.json", json.dumps({"title": "Bread"}), "jsonl"),
    ],
)
def test_content_decides_between_our_lines_and_those_of_others(
    name: str, text: str, reader: str
) -> None:
    found = reader_for(text_content(name, text))
    assert found is not None
    assert found.name == reader


def test_a_kind_of_warning_is_given_three_times() -> None:
    file = read_content(text_content("p.json", json.dumps([CSL] * 5, indent=1)))
    assert len(file.papers) == 5
    assert [fault.actual for fault in file.faults] == snapshot(
        ["doi 'bread'", "doi 'bread'", "doi 'bread', and 2 more like this"]
    )


def test_guessing_is_told() -> None:
    paper, columns = read('{"paper_title": "Bread", "stars": 5, "year": 2024}')
    assert isinstance(paper, Paper)
    assert (paper.title, paper.published.date) == ("Bread", "2024")
    assert columns == ColumnsRead((("title", "paper_title"), ("year", "year"), ("", "'stars'")))


def test_our_own_names_need_no_guess() -> None:
    record = {"title": "Bread", "authors": ["Ann"], "published": "2024", "venue": "Guild"}
    (paper,) = read(json.dumps([record]))
    assert isinstance(paper, Paper)


def test_what_is_no_paper_is_counted_and_what_has_no_title_named() -> None:
    items = [
        {"itemType": "attachment", "title": "a.pdf"},
        {"itemType": "book", "citationKey": "bread"},
        {"itemType": "book", "title": "Bread"},
        7,
    ]
    attachments, untitled, paper, values = read(json.dumps(items))
    assert isinstance(untitled, Fault)
    assert (untitled.line, untitled.record) == (2, "itemType: 'book', citationKey: 'bread'")
    assert isinstance(paper, Paper)
    assert paper.sources[0].line == 3
    assert {str(values), str(attachments)} == {
        "p.json:1: warning: found a value that is not an object; expected an object. It was dropped.",
        "p.json:1: warning: found a record that is not a paper (attachment); expected a paper. "
        "It was dropped.",
    }


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "x", "version": "1", "author": "Ann", "description": "Bakes."}',
        '{"$schema": "x",\n"title": "Paper", "properties": {"title": {"title": "Title"}}}',
        '{"openapi": "3", "info": {"title": "Bread API", "description": "Bakes."}}',
        '[{"type": "Feature", "properties": {"name": "Old bridge"}}]',
    ],
    ids=["package", "schema", "programming interface", "map"],
)
def test_json_without_papers_is_refused(text: str) -> None:
    with pytest.raises(
        InputError, match="found JSON without papers; expected flat objects with a title"
    ):
        read_content(text_content("p.json", text))


def test_a_record_is_placed_by_its_line_or_else_by_its_number() -> None:
    def lines(text: str) -> list[int]:
        return [r.sources[0].line for r in read(text) if isinstance(r, Paper)]

    record = {"id": "a", "type": "book", "title": "Bread"}
    assert lines(json.dumps([record] * 3)) == [1, 2, 3]
    assert lines("[\n" + ",\n\n".join([json.dumps(record)] * 3) + "]") == [2, 4, 6]
    assert lines(json.dumps({"items": [record] * 3}, indent=1)) == [1, 2, 3]


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    for start in ("", '[{"title": "a"},', '{"title":', "{'title':", '"[{'):
        read(start + text)


def expected(shared: Path) -> dict[str, int]:
    manifest = shared / "data/inputs/MANIFEST.csv"
    if not manifest.is_file():
        pytest.skip("needs the real inputs in ../shared/data/inputs, which are not there")
    with manifest.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["format"].endswith("_json")]
    refused = ("reporter_python_repr.jsonl", "nlp_progress.json")
    return {row["file"]: int(row["records"]) for row in rows if not row["file"].endswith(refused)}


def test_every_record_of_real_files_is_accounted_for(shared: Path) -> None:
    for name, records in expected(shared).items():
        (found,) = read_file(shared / "data/inputs" / name, name)
        left_out = 2 if name == "zotero_json/bbt_library.json" else 0  # attachments
        assert found.file.format == "json", name
        assert len(found.papers) + len(found.quarantined) + left_out == records, name


def test_titles_and_abstracts_are_those_of_the_file(shared: Path) -> None:
    """Against the plain JSON, for the files whose texts need no cleaning."""
    expected(shared)
    for name in ("openreview_json/iclr2026_safety.jsonl", "csl_json/zotero_armenian.json"):
        path = shared / "data/inputs" / name
        text = path.read_text(encoding="utf-8-sig")
        records = (
            [json.loads(line) for line in text.splitlines()]
            if "jsonl" in name
            else json.loads(text)
        )
        (found,) = read_file(path, name)
        assert [paper.title for paper in found.papers] == [
            " ".join(r["title"].split()) for r in records
        ]
        # Lines of a hard-wrapped abstract are joined.
        assert [p.abstract.split() for p in found.papers] == [
            r.get("abstract", "").split() for r in records
        ]


def test_records_of_another_syntax_are_not_called_a_table() -> None:
    with pytest.raises(InputError) as caught:
        list(read_values([(1, {"mood": "good"})], "p.toml", "toml"))
    assert str(caught.value) == snapshot(
        "p.toml: error: found records without titles; expected flat records with a title, authors, an abstract, a year … (texts, numbers, lists of texts). Write one record per paper with the key title, in a list with the key papers."
    )


def test_the_fields_of_openreview_are_read_through_their_wrapping() -> None:
    content = {"title": {"value": "Bread"}, "authors": {"value": ["Ann Oven"]},
               "keywords": {"value": ["rye; salt"]}, "primary_area": {"value": "baking"}}  # fmt: skip
    note = {"id": "a1", "forum": "a1", "pdate": 1704067200000, "content": content}
    (paper, _) = read(json.dumps([note]))
    assert isinstance(paper, Paper)
    assert (paper.title, paper.authors, paper.collections) == ("Bread", ("Ann Oven",), ("baking",))
    assert paper.keywords == ("rye", "salt")
