"""PubMed's tagged text; the samples are ours, their shapes are real."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.errors import Fault
from classifier.files.content import contents, text_content
from classifier.papers.paper import Paper, Published, Source
from classifier.papers.reader import Record
from classifier.papers.readers.pubmed import NBIB

ARTICLE = """\

PMID- 123
OWN - NLM
IS  - 1234-5678 (Electronic)
IS  - 0123-4567 (Linking)
VI  - 50
IP  - 3
DP  - 2019 Mar 5
TI  - Bees in the bakery keep the
      oven warm.
PG  - 697-704
LID - S0378(15)01297 [pii]
LID - 10.1000/BEE.7 [doi]
AB  - AIM: Warmth. METHODS: One\x20
      hive.
FAU - Baker, Ann
AU  - Baker A
AD  - Bakery,
      Rome.
FAU - Oven, Bo Jr
AU  - Oven B Jr
CN  - Hive Study Group
LA  - eng
PT  - Journal Article
TT  - Bienen.
PL  - Italy
TA  - J Bread
JT  - Journal of bread
OT  - *bees
MH  - Bread/*history
MH  - Humans
PMC - PMC77777
AID - 10.1000/BEE.7 [doi]
"""


def read(text: str) -> list[Record]:
    return list(NBIB.read(text_content("b.nbib", text)))


def paper(text: str) -> Paper:
    (found,) = read(text)
    assert isinstance(found, Paper), found
    return found


def test_all_fields() -> None:
    assert paper(ARTICLE) == Paper(
        title="Bees in the bakery keep the oven warm.",
        abstract="AIM: Warmth. METHODS: One hive.", abstract_kind="abstract",
        authors=("Baker, Ann", "Oven, Bo Jr", "Hive Study Group"), author_count=3,
        published=Published("2019-03-05"), venue="Journal of bread", doi="10.1000/bee.7",
        keywords=("bees", "Bread/history", "Humans"),
        reference=(
            ("ISSN", "1234-5678, 0123-4567"), ("PMCID", "PMC77777"), ("PMID", "123"),
            ("container-title-short", "J Bread"), ("issue", "3"), ("language", "eng"),
            ("original-title", "Bienen."), ("page", "697-704"), ("publisher-place", "Italy"),
            ("type", "article-journal"), ("volume", "50"),
        ),
        sources=(Source("b.nbib", "nbib", 2),),
    )  # fmt: skip


def test_older_records_know_initials_only_and_no_doi() -> None:
    found = paper("PMID- 7\nTI  - Bees.\nAU  - de Oven B\nAU  - Rye CD\nDP  - 1975 Mar-Apr\n")
    assert found.authors == ("de Oven, B", "Rye, CD")
    assert found.published.date[:4] == "1975"
    assert found.url == "https://pubmed.ncbi.nlm.nih.gov/7/"


def test_books_and_their_chapters() -> None:
    book = "PMID- 7\nBTI - Bees\nPB  - Hive Press\nISBN- 9783161484100\nFED - Rye, C\nED  - Rye C\n"
    whole, part = paper(book), paper(f"{book}TI  - Wax\n")
    assert (whole.title, whole.venue, whole.detail("type")) == ("Bees", "", "book")
    assert (part.title, part.venue, part.detail("type")) == ("Wax", "Bees", "chapter")
    assert (part.detail("editor"), part.detail("ISBN")) == ("Rye, C", "9783161484100")


def test_records_begin_at_their_id_without_a_blank_line() -> None:
    found = read("PMID- 1\nTI  - One\nPMID- 2\nTI  - Two\n\nPMID- 3\n")
    assert [type(item).__name__ for item in found] == ["Paper", "Paper", "Fault"]


def test_what_is_none_of_pubmed() -> None:
    for text in ("Once upon a time", "TY  - JOUR\nTI  - Rye\n", "  PMID- 1"):
        assert NBIB.reject_reason(text_content("x", text)) == "no line 'PMID- '"


LINES = ["PMID- 1", "TI  - Rye", "DP  - 2020 Spring", "LID - x [doi]", "      more", ""]


@given(st.text() | st.lists(st.sampled_from(LINES) | st.text(max_size=20)).map("\n".join))
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    assert all(isinstance(item, Paper | Fault) for item in read(text))


@pytest.mark.parametrize(
    ("name", "records", "abstracts"),
    [
        ("medline_test.medline", 175, 171),
        ("pubmed_balloon.nbib", 75, 70),
        ("pubmed_reviews.nbib", 200, 186),
    ],
)
def test_real_files(shared: Path, name: str, records: int, abstracts: int) -> None:
    (content,) = contents(shared / "data" / "inputs" / "nbib" / name, name)
    assert NBIB.reject_reason(content) == ""
    papers = [item for item in NBIB.read(content) if isinstance(item, Paper)]
    assert (len(papers), sum(bool(found.abstract) for found in papers)) == (records, abstracts)
    assert all(found.detail("PMID") for found in papers)
