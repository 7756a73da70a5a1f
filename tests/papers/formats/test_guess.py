from __future__ import annotations

import pytest

from classifier.papers.formats.guess import authors_of, fields, is_record


def test_keys_are_taken_for_what_they_are_called() -> None:
    found = fields(
        {"Paper Title": "Bread &amp; butter", "Summary": "We\nbake.",
         "creators": [{"name": "Ada Cruz"}],
         "pub_date": "5 May 2024", "conference": {"name": "Bread 2024"}, "link":
         "https://arxiv.org/abs/2401.10230", "github": "https://github.com/guild/oven",
         "tags": ["ovens"], "keywords": "flour, time", "pages": "1-9"}
    )  # fmt: skip
    assert {name: value for name, value in found.items() if value} == {
        "title": "Bread & butter", "abstract": "We bake.", "authors": ["Ada Cruz"],
        "published": "2024-05-05", "venue": "Bread 2024", "arxiv_id": "2401.10230",
        "url": "https://arxiv.org/abs/2401.10230", "code_urls": ["https://github.com/guild/oven"],
        "collections": ["ovens"], "keywords": ["flour", "time"], "reference": {"page": "1-9"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ({"title": "Bread"}, True),
        ({"name": "Bread", "abstract": "We bake."}, True),
        ({"name": "Bread", "version": "1"}, False),
        ({"title": {"a": 1}}, False),
        ({"title": ""}, False),
        ({}, False),
    ],
)
def test_a_name_alone_is_no_title(record: dict[str, object], wanted: bool) -> None:
    assert is_record(record) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (["Ada Cruz", "Bo Flour"], ["Ada Cruz", "Bo Flour"]),
        ("Ada Cruz, Bo Flour and Cy Salt", ["Ada Cruz", "Bo Flour", "Cy Salt"]),
        ("Cruz, Ada; Flour, Bo", ["Cruz, Ada", "Flour, Bo"]),
        ("Cruz, Ada and Flour, Bo", ["Cruz, Ada", "Flour, Bo"]),
        ([{"first": "Ada", "last": "Cruz"}], ["Cruz, Ada"]),
        ([{"author": {"display_name": "Ada Cruz"}}], ["Ada Cruz"]),
        ([["Cruz", "Ada", ""]], ["Cruz, Ada"]),
        (None, []),
        (3, ["3"]),
    ],
)
def test_authors_come_in_many_shapes(value: object, wanted: list[str]) -> None:
    assert authors_of(value) == wanted


def test_what_lies_too_deep_is_not_looked_for() -> None:
    deep: object = "Bread"
    for _ in range(900):
        deep = [deep]
    found = fields({"title": "Bread", "abstract": deep, "keywords": deep, "doi": deep, "url": deep})
    assert {name for name, value in found.items() if value} == {"title"}
