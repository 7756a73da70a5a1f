from __future__ import annotations

import pytest

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.formats.saved_pages import CITATION_META
from classifier.papers.paper import Paper

ANTHOLOGY = """<!doctype html><html><head>
<meta content="Bread for All" name=citation_title>
<meta content="Ada One" name=citation_author><meta content="Bo Two" name=citation_author>
<meta content="Proceedings of the 9th Meeting on Bread" name="citation_conference_title">
<meta content="2021/8" name="citation_publication_date">
<meta content="https://bread.example/2021.1.pdf" name="citation_pdf_url">
<meta content="10" name="citation_firstpage"><meta content="19" name="citation_lastpage">
<meta content="10.1000/Bread.1" name="citation_doi">
<meta property="og:url" content="https://bread.example/2021.1/"></head></html>
"""
DUBLIN = """<html><head><meta name="DC.Title" content="Bees &amp; Bridges">
<meta name="DC.Creator" content="One, Ada; Two, Bo"><meta name="DC.Date" content="2019-05-06">
<meta name="DC.Description" content="Abstract: They &lt;i&gt;fly&lt;/i&gt; over.">
<meta name="DC.Identifier" content="doi:10.1000/bees">
<meta name="DC.Subject" content="bees; bridges"><meta name="DC.Source" content="Bees Today">
</head></html>
"""


def read(text: str) -> list[Paper | Fault]:
    return list(CITATION_META.read(text_content("paper.html", text)))


def read_paper(text: str) -> Paper:
    (paper,) = read(text)
    assert isinstance(paper, Paper)
    return paper


def test_highwire_tags() -> None:
    paper = read_paper(ANTHOLOGY)
    assert (paper.title, paper.authors) == ("Bread for All", ("Ada One", "Bo Two"))
    assert paper.venue == "Proceedings of the 9th Meeting on Bread"
    assert (paper.published.date, paper.doi) == ("2021-08", "10.1000/bread.1")
    assert paper.url == "https://bread.example/2021.1/"
    assert dict(paper.reference) == {"type": "paper-conference", "page": "10-19"}


def test_dublin_core() -> None:
    paper = read_paper(DUBLIN)
    assert (paper.title, paper.abstract) == ("Bees & Bridges", "They fly over.")
    assert (paper.authors, paper.keywords) == (("One, Ada", "Two, Bo"), ("bees", "bridges"))
    assert (paper.published.date, paper.doi) == ("2019-05-06", "10.1000/bees")
    assert paper.venue == "Bees Today"


def test_a_page_without_a_title_is_quarantined() -> None:
    (record,) = read('<html><meta name="citation_title" content=" "></html>')
    assert isinstance(record, Fault)
    assert record.found == "title: found none in the page's tags; wanted the paper's title"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ANTHOLOGY, ""),
        (DUBLIN, ""),
        ("<html><title>Bread</title>", "no tag 'citation_title' in the page's head"),
        ("title,year", "no HTML page"),
    ],
)
def test_a_page_is_known_by_its_tags(text: str, reason: str) -> None:
    assert CITATION_META.why_not(text_content("f", text)) == reason
