"""What the person who gave an unreadable text is told about it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.corpus.readers.unknown import describe_unknown

WRITE = "Write one object a line: jq -c"


@pytest.mark.parametrize(
    ("file", "text", "found", "cure"),
    [
        ("x.json", '[{"title": "A"}]', "a JSON list", f"{WRITE} '.[]' x.json > x.jsonl"),
        ("x.txt", "\n[]", "a JSON list", f"{WRITE} '.[]' x.txt > x.txt.jsonl"),
        (
            "x.json",
            '{\n "title": "A"\n}',
            "a JSON object over several lines",
            f"{WRITE} . x.json > x.jsonl",
        ),
        (
            "x.json",
            '{"at": [1], "my papers": [{"title": "A"}]}',
            "a JSON object with the list 'my papers'",
            f"{WRITE} '.\"my papers\"[]' x.json > x.jsonl",
        ),
        ("x.json", '{"name": "A"}', "a JSON object without 'title'", ""),
        ("x.json", "[A link](https://example.org)", "a text that no reader knows", ""),
        ("x.json", "[" * 100_000, "a text that no reader knows", ""),
        ("x.bib", "% mine\n\n@Article{oven,\n", "BibTeX, which is not read yet", ""),
        ("x.ris", "\r\nTY  - JOUR\n", "RIS, which is not read yet", ""),
        ("x.txt", "<!DOCTYPE html><p>", "an HTML page", ""),
        ("x.xml", '<?xml version="1.0"?>\n<html>', "an HTML page", ""),
        ("x.xml", '<?xml version="1.0"?>\n<feed>', "XML or HTML", ""),
        ("x.txt", "<feed xmlns='a'>", "XML or HTML", ""),
        ("x.txt", "<3 bread", "a text that no reader knows", ""),
        ("x.csv", "name,year\nA,2024\n", "a header without 'title': 'name,year'", ""),
        ("x.txt", "Once upon a time", "a text that no reader knows", ""),
    ],
)
def test_what_it_looks_like(file: str, text: str, found: str, cure: str) -> None:
    assert describe_unknown(file, text) == (found, cure)


@given(st.text(alphabet='[]{}":,1at @<>%\n') | st.text())
def test_any_text_is_described_without_a_traceback(text: str) -> None:
    assert describe_unknown("x.csv", text)[0]
