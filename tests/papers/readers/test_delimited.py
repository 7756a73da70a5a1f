from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault, InputError
from classifier.files.content import text_content
from classifier.papers.paper import Paper, Published
from classifier.papers.reader import Record
from classifier.papers.readers.delimited import DELIMITED


def read(text: str) -> list[Record]:
    return list(DELIMITED.read(text_content("p.csv", text)))


def test_columns_have_the_names_of_the_fields_in_any_case() -> None:
    (paper,) = read(
        "Title,ABSTRACT,authors,author_count,published,code_urls\n"
        "Baking,We bake.,Ann Oven; Bo Flour,5,2025-10-15,https://github.com/a/b;https://github.com/c/d\n"
    )
    assert isinstance(paper, Paper)
    assert (paper.title, paper.abstract, paper.abstract_kind) == ("Baking", "We bake.", "abstract")
    assert (paper.authors, paper.author_count) == (("Ann Oven", "Bo Flour"), 5)
    assert paper.published == Published("2025-10-15")
    assert paper.code_urls == ("https://github.com/a/b", "https://github.com/c/d")


def test_two_tables_may_be_joined() -> None:
    """As by `copy a.csv+b.csv c.csv` of Windows: a second header, a mark and an end of file."""
    table = '\ufeffTitle,DOI\n"{}",10.1000/{}\n'
    papers = read(f"{table.format('Rye', 1)}{table.format('Oats', 2)}\x1a")
    assert [paper.title for paper in papers if isinstance(paper, Paper)] == ["Rye", "Oats"]
    assert len(papers) == 2


def test_a_record_starts_on_the_line_of_its_title() -> None:
    text = 'title,abstract\nA,"one\ntwo\nthree"\nB,b\n'
    assert [paper.sources[0].line for paper in read(text) if isinstance(paper, Paper)] == [2, 5]


def test_the_sheet_of_a_build_may_be_read_and_its_other_columns_are_only_named() -> None:
    paper, fault = read(
        "id,title,year,url,status,verdict\n"
        "p-0123456789,Baking,2024,https://example.org,confident,ok\n"
    )
    assert isinstance(paper, Paper)
    assert (paper.id, paper.published, paper.url) == (
        "p-0123456789", Published("2024"), "https://example.org",
    )  # fmt: skip
    assert isinstance(fault, Fault)
    assert fault.actual == "unknown columns 'status', 'verdict'"
    assert fault.severity == "warning"


def test_a_quote_that_is_never_closed_swallows_no_paper() -> None:
    with pytest.raises(InputError) as caught:
        read('title,abstract\nBaking,"We bake.\nMowing,We mow.\n')
    assert str(caught.value) == (
        snapshot(
            'p.csv:2: error: found an unclosed quote; expected a closing " at the end of the cell. Close it, or double each quote within a cell; a spreadsheet program does both.'
        )
    )


def test_bad_cells_quarantine_their_row_alone() -> None:
    text = "title;author_count\n;3\nA;many\nB;2\n"
    nameless, wordy, good = read(text)
    assert isinstance(nameless, Fault)
    assert nameless.actual == snapshot("title: found none; expected the paper's title")
    assert isinstance(wordy, Fault)
    assert wordy.actual == snapshot(
        "author_count: found 'many'; expected a non-negative whole number"
    )
    assert isinstance(good, Paper)
    assert good.author_count == 2


def test_a_table_is_known_by_its_title_column() -> None:
    assert not DELIMITED.reject_reason(text_content("p.csv", 'year;"Title"\n2024;A\n'))
    assert not DELIMITED.reject_reason(text_content("p.tsv", "id\ttitle\n"))
    assert DELIMITED.reject_reason(text_content("p.csv", "name,year\nA,2024\n"))
    assert DELIMITED.reject_reason(text_content("p.csv", "x" * 1_000_000))


@given(st.text(alphabet='title,;"\n\t\r ab\0'))
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    DELIMITED.reject_reason(text_content("p.csv", text))
    with contextlib.suppress(InputError):
        read(text)
        read("title,abstract\n" + text)


def test_a_cell_behind_the_last_column_is_named() -> None:
    records = list(
        DELIMITED.read(text_content("papers.csv", "title,venue\nDough, and how it rises,ICB\n"))
    )
    assert [str(record) for record in records if isinstance(record, Fault)] == snapshot(
        [
            "papers.csv:2: warning: found 'ICB' after the last column; expected as many cells as the header. Put quotes around cells that contain a comma. Cells after the last column were not read."
        ]
    )
