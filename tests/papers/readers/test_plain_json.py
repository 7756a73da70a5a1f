"""JSON of no known source: flat objects are read by the names of their keys, as rows are."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.files.content import text_content
from classifier.papers.load import read_content


@pytest.mark.parametrize("around", [None, "items", "results", "data", "papers"])
def test_flat_objects_are_read_by_their_keys(around: str | None) -> None:
    records = [{
        "paper_title": "Slow rye", "abstract": "We bake\nand rest.", "year": 2024,
        "authors": [{"name": "Ann Oven"}, {"name": "Bo Flour"}], "journal": {"name": "Loaves"},
        "keywords": ["rye", "crust"], "doi": "10.1000/RYE", "score": {"stars": 3},
    }] * 2  # fmt: skip
    value = {around: records} if around else records
    found = read_content(text_content("p.json", json.dumps(value)))
    paper = found.papers[1]
    assert (paper.title, paper.abstract, paper.venue) == ("Slow rye", "We bake and rest.", "Loaves")
    assert (paper.authors, paper.keywords) == (("Ann Oven", "Bo Flour"), ("rye", "crust"))
    assert (paper.published.date, paper.doi) == ("2024", "10.1000/rye")
    assert found.file.columns_line() == (
        snapshot(
            "p.json: 2 papers; title ← paper_title, abstract ← abstract, year ← year, "
            "authors ← authors, venue ← journal, keywords ← keywords, doi ← doi; not read: 'score'"
        )
    )


@pytest.mark.parametrize(
    "value",
    [
        {"data": {"papers": {"edges": [{"node": {"title": "Rye"}}]}}},
        [{"metadata": {"title": "Rye"}}],
        {"2401.10230": {"title": "Rye"}},
    ],
)
def test_any_other_form_is_refused_with_what_helps(value: object) -> None:
    with pytest.raises(InputError) as caught:
        read_content(text_content("p.json", json.dumps(value)))
    assert str(caught.value) == (
        snapshot(
            "p.json: error: found JSON without papers; expected flat objects with a title, authors, an abstract, a year … (texts, numbers, lists of texts), or a response of a known source. Write one object per paper with the key title; with pandas, to_json(orient='records'). Leaderboards of Papers with Code are not read."
        )
    )


def test_a_row_is_read_alike_in_a_table_and_in_json() -> None:
    row = {
        "Paper title": "Slow <i>rye</i>", "Abstract": "We bake &amp; rest.", "Year": "2024.0",
        "Authors": "Oven, Ann; Flour, Bo C.", "Publication date": "JAN 10", "Journal": "ArXiv",
        "Link": "https://arxiv.org/abs/2401.10230v2", "Keywords": "rye, crust",
        "ids": "doi:10.1000/RYE", "Category": "Bread > Rye", "Start page": "3", "End page": "9",
        "Item type": "Thesis",
    }  # fmt: skip
    header, cells = (",".join(f'"{text}"' for text in texts) for texts in (row, row.values()))
    forms = {"p.csv": f"{header}\n{cells}\n", "p.json": json.dumps([row])}
    table, objects = (
        replace(read_content(text_content(name, text)).papers[0], sources=())
        for name, text in forms.items()
    )
    assert table == objects
    assert (table.title, table.abstract, table.doi) == (
        "Slow rye",
        "We bake & rest.",
        "10.1000/rye",
    )
    assert (table.published.date, table.venue, table.arxiv_id) == ("2024-01-10", "", "2401.10230")
    assert (table.keywords, table.collections) == (("rye", "crust"), ("Bread / Rye",))
    assert dict(table.reference) == {"page": "3-9", "type": "thesis"}


def test_an_arxiv_id_that_became_a_number_gets_its_zero_back() -> None:
    text = '[{"title": "Rye bread", "arxiv_id": 2401.1023, "abstract": "We bake."}]'
    (paper,) = read_content(text_content("p.json", text)).papers
    assert paper.arxiv_id == "2401.10230"
