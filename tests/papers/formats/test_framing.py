from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.files.content import text_content
from classifier.papers.formats.framing import Broken, is_framed, values

A, B = {"title": "a"}, {"title": "b"}


def has_title(value: object) -> bool:
    return isinstance(value, dict) and "title" in value


def framed(text: str) -> list[tuple[int, Any]]:
    return [
        (line, value.reason if isinstance(value, Broken) else value)
        for line, value in values(text_content("x.json", text), has_title)
    ]


CASES = {
    "an array": ('[{"title": "a"},\n {"title": "b"}]', [(1, A), (2, B)]),
    "an array over lines": ('[\n  {\n    "title": "a"\n  },\n  {\n    "title": "b"\n  }\n]\n',
                            [(2, A), (5, B)]),
    "one object": ('{"title":\n "a"}', [(1, A)]),
    "an object a line": ('{"title": "a"}\n\n{"title": "b"}\n', [(1, A), (3, B)]),
    "lines with commas": ('{"title": "a"},\n{"title": "b"},\n', [(1, A), (2, B)]),
    "objects one behind another": ('{\n"title": "a"}{"title":\n"b"}', [(1, A), (2, B)]),
    "arrays one behind another": ('[{"title": "a"}]\n[{"title": "b"}]', [(1, A), (2, B)]),
    "a text sequence": ('\x1e{"title": "a"}\n\x1e{"title": "b"}\n', [(1, A), (2, B)]),
    "JSON in a string": (json.dumps(json.dumps([A, B])), [(1, A), (1, B)]),
    "JSON in strings of a list": (json.dumps([json.dumps(A), json.dumps(B)]), [(1, A), (1, B)]),
    "escaped without quotes": (json.dumps(json.dumps([A, B]))[1:-1], [(1, A), (1, B)]),
    "Python, a dict a line": ("{'title': 'a'}\n{'title': 'b', }\n", [(1, A), (2, B)]),
    "Python, a list": ("[{'title': 'a'}, {'title': 'b'}]", [(1, A), (1, B)]),
    "Python over lines": ("[{'title': 'a'},\n {'title': 'b'}]", [(1, A), (2, B)]),
    "a comma too many": ('[{"title": "a",},\n{"title": "b"},]', [(1, A), (2, B)]),
    "a line end in a string": ('[{"title": "a\n"}]', [(1, {"title": "a\n"})]),
    "nothing in it": ("[]", []),
    "a broken line": ('{"title": "a"}\n{"title" "x"}\n{"title": "b"}', [
        (1, A), (2, "found no JSON (expecting ':' delimiter); wanted a JSON object"), (3, B)]),
    "a broken element": ('[{"title": "a"},\n{"title" "x"},\n{"title": "b"}]', [
        (1, A), (2, "found no JSON (expecting ':' delimiter); wanted a JSON object"), (3, B)]),
    "a bracket left out": ('[{"title": "a"},\n{"title": "x", "by": ["y"},\n{"title": "b"}]', [
        (1, A), (2, "found no JSON (expecting ',' delimiter); wanted a JSON object"), (3, B)]),
    "cut off": ('[{"title": "a"},\n{"title": "b', [
        (1, A), (2, "found no JSON (it breaks off); wanted a JSON object")]),
    "cut off inside an object": ('{"n": 2, "items": [{"title": "a"},\n{"title": "b"}, {"ti', [
        (1, A), (2, B), (2, "found no JSON (it breaks off); wanted a JSON object")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_values_are_found_in_every_frame(name: str) -> None:
    text, wanted = CASES[name]
    assert is_framed(text) or text[0] == "\x1e"
    assert framed(text) == wanted


@pytest.mark.parametrize(
    "text",
    ["[A paper](https://example.org) in a list", "{\\rtf1 a}", "title,year", "", "@book{a, b}",
     '"title","year"', '["a", "b"]', "{", "[1, 2]"],
)  # fmt: skip
def test_other_texts_are_none(text: str) -> None:
    assert not is_framed(text)


@pytest.mark.parametrize("layout", [None, 1])
@given(
    st.lists(
        st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text())), max_size=6
    )
)
def test_what_json_writes_is_read(layout: int | None, records: list[dict[str, object]]) -> None:
    array = json.dumps(records, indent=layout, ensure_ascii=layout is None)
    lines = "\n".join(json.dumps(record) for record in records)
    assert [value for _, value in framed(array)] == records
    assert [value for _, value in framed(lines)] == records


def test_a_value_that_spans_blocks_is_whole_and_its_line_known() -> None:
    records = [
        {"title": f"{n}", "abstract": "x" * (70_000 if n % 7 == 0 else 50)} for n in range(99)
    ]
    text = "[\n" + ",\n".join(map(json.dumps, records)) + "\n]"
    assert framed(text) == [(number, record) for number, record in enumerate(records, start=2)]


@given(st.text(alphabet="[]{}\"':,\\n1e-.a \n", max_size=200))
def test_any_text_ends(text: str) -> None:
    for line, _ in framed(text):
        assert line >= 1


SIZE = 200_000
HARD = {
    "braces": "{" * SIZE,
    "brackets": "[" * SIZE,
    "quotes": '"' * SIZE,
    "line ends": "\n" * SIZE,
    "nested objects": '{"a":[\n' * (SIZE // 7),
    "nested lists": "[{'a':" * (SIZE // 6),
    "broken lines": '{"a" x\n' * (SIZE // 7),
    "open lists": "[" + '{"id":1,"tags":["a",\n' * (SIZE // 20),
    "an open string": '[{"a":"' + "x" * SIZE,
    "a long number": '{"a":' + "1" * SIZE + "}",
    "Python's signs": "{'a': " + "-" * SIZE,
}


@pytest.mark.parametrize("name", HARD)
def test_hard_texts_take_seconds_at_most(name: str) -> None:
    started = time.process_time()
    is_framed(HARD[name])
    assert framed(HARD[name]) is not None
    assert time.process_time() - started < 15
