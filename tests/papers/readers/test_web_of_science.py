"""Web of Science's plain text; the samples are ours, their shapes are real."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import contents, text_content
from classifier.papers.clean import plain_text
from classifier.papers.paper import Paper, Published, Source
from classifier.papers.reader import Record
from classifier.papers.readers.web_of_science import WEB_OF_SCIENCE

ARTICLE = """\
FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Baker, A
   Oven, B
AF Baker, Ann
   Oven, Bo
CA Hive Study Group
TI Bees in the bakery keep
   the oven warm
SO JOURNAL OF BREAD
LA English
DT Article
DE bees; ovens; rye
   bread
ID HONEY
AB We heat. We
   bake.
C1 Bakery, Rome, Italy.
   Another tag AB is no tag here
SN 1234-5678
EI 8765-4321
PD MAR 4
PY 2023
VL 59
IS 2
BP 228
EP 241
DI 10.1000/bee.7
UT WOS:000950695500001
PM 36965177
ER

EF"""


def read(text: str) -> list[Record]:
    return list(WEB_OF_SCIENCE.read(text_content("b.txt", text)))


def papers(text: str) -> list[Paper]:
    return [item for item in read(text) if isinstance(item, Paper)]


def test_all_fields() -> None:
    assert read(ARTICLE) == [
        Paper(
            title="Bees in the bakery keep the oven warm", abstract="We heat. We bake.",
            abstract_kind="abstract", authors=("Baker, Ann", "Oven, Bo", "Hive Study Group"),
            author_count=3, published=Published("2023-03-04"), venue="JOURNAL OF BREAD",
            doi="10.1000/bee.7", keywords=("bees", "ovens", "rye bread", "HONEY"),
            reference=(
                ("ISSN", "1234-5678, 8765-4321"), ("PMID", "36965177"), ("issue", "2"),
                ("language", "English"), ("page", "228-241"), ("type", "article-journal"),
                ("volume", "59"),
            ),
            sources=(Source("b.txt", "web-of-science", 3),),
        )
    ]  # fmt: skip


def test_a_chapter_in_proceedings() -> None:
    (found,) = papers(
        "PT C\nAU [Anonymous]\nBE Rye, C\n   Oat, D\nTI Wax\nSO HIVES 2022\nSE Lecture Notes\n"
        "CT Conference on Hives\nCL Rome\nBN 978-3-031-16852-9; 978-3-031-16851-2\nAR 12\n"
        "EA MAR 2023\nER\n"
    )
    assert (found.authors, found.published.date) == ((), "2023-03")
    assert dict(found.reference) == {
        "type": "paper-conference", "editor": "Rye, C; Oat, D", "collection-title": "Lecture Notes",
        "event-title": "Conference on Hives", "event-place": "Rome", "page": "12",
        "ISBN": "978-3-031-16852-9, 978-3-031-16851-2",
    }  # fmt: skip


def test_a_damaged_file_loses_no_record() -> None:
    text = (
        "\ufeffPT J\nAUBaker, A\nTI One\nSO BEES\nPY 2001\n"
        "PT J\nTI Two\nER\n\nAU Oven, B\nTI Three\nER\n"
    )
    found = read(text)
    unended, untyped = (item for item in found if isinstance(item, Fault))
    assert [item.title for item in found if isinstance(item, Paper)] == ["One", "Two", "Three"]
    assert papers(text)[0].authors == ("Baker, A",)
    assert untyped.severity == "notice"
    assert str(unended) == (
        snapshot(
            "b.txt:1: warning: found an entry without a line 'ER'; expected a complete entry. It was read as far as possible. Export the file again if something is missing."
        )
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Once upon a time", "no line 'PT J'"),
        ("PT J\nOnce", "no line 'TI '"),
        ("PT J\nTI Rye", "no line 'SO '"),
        (ARTICLE, ""),
    ],
)
def test_what_is_none_of_web_of_science(text: str, reason: str) -> None:
    assert WEB_OF_SCIENCE.reject_reason(text_content("x", text)) == reason


LINES = ["PT J", "TI Rye", "AUBaker, A", "PY 2020", "   more", "ER", "EF", "SN 1"]


@given(st.text() | st.lists(st.sampled_from(LINES) | st.text(max_size=20)).map("\n".join))
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    assert all(isinstance(item, Paper | Fault) for item in read(text))


@pytest.mark.parametrize(
    ("name", "records", "abstracts"),
    [("wos_bad_file.isi", 32, 10), ("wos_test.isi", 34, 12), ("wos_unlearning.txt", 1000, 0)],
)
def test_real_files(shared: Path, name: str, records: int, abstracts: int) -> None:
    (content,) = contents(shared / "data" / "inputs" / "wos_plain" / name, name)
    assert WEB_OF_SCIENCE.reject_reason(content) == ""
    found = [item for item in WEB_OF_SCIENCE.read(content) if isinstance(item, Paper)]
    assert (len(found), sum(bool(paper.abstract) for paper in found)) == (records, abstracts)


@pytest.mark.parametrize("name", ["wos_bad_file.isi", "wos_test.isi", "wos_unlearning.txt"])
def test_titles_and_abstracts_are_those_of_rispy(shared: Path, name: str) -> None:
    rispy = pytest.importorskip("rispy")
    (content,) = contents(shared / "data" / "inputs" / "wos_plain" / name, name)
    found = [item for item in WEB_OF_SCIENCE.read(content) if isinstance(item, Paper)]
    theirs = rispy.loads(content.text(), implementation=rispy.WokParser)
    assert [(paper.title.split(), paper.abstract.split()) for paper in found] == [
        (plain_text(record["document_title"]).split(), record.get("abstract", "").split())
        for record in theirs
    ]
