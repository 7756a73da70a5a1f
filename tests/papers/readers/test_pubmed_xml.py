"""PubMed's XML; the samples are ours, their shapes are real."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.errors import Fault
from classifier.files.content import contents, text_content
from classifier.papers.paper import Paper, Published, Source
from classifier.papers.reader import Record
from classifier.papers.readers.pubmed import PUBMED_XML

HEAD = """<?xml version="1.0"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "http://example.invalid/a.dtd">
"""
ARTICLE = """<PubmedArticle>
<MedlineCitation Status="MEDLINE" Owner="NLM">
<PMID Version="1">123</PMID>
<Article PubModel="Print">
<Journal><ISSN IssnType="Electronic">1234-5678</ISSN>
<JournalIssue><Volume>48</Volume><Issue>2-3</Issue>
<PubDate><Year>2012</Year><Month>Oct</Month><Day>29</Day></PubDate></JournalIssue>
<Title>Journal of bread</Title><ISOAbbreviation>J Bread</ISOAbbreviation></Journal>
<ArticleTitle>Bees &amp; <i>rye</i>
 bread.</ArticleTitle>
<Pagination><MedlinePgn>43-55</MedlinePgn></Pagination>
<ELocationID EIdType="doi" ValidYN="N">10.1000/wrong</ELocationID>
<ELocationID EIdType="doi" ValidYN="Y">10.1000/BEE.7</ELocationID>
<Abstract><AbstractText Label="AIM" NlmCategory="GOAL">Warm 10<sup>2</sup> ovens.</AbstractText>
<AbstractText Label="UNLABELLED">With
<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:semantics><mml:mi>x</mml:mi>
<mml:annotation>\\bee</mml:annotation></mml:semantics></mml:math> bees<!-- no -->.</AbstractText>
<CopyrightInformation>Ours.</CopyrightInformation></Abstract>
<AuthorList CompleteYN="Y">
<Author ValidYN="Y"><LastName>Baker</LastName><ForeName>Ann B</ForeName><Suffix>Jr</Suffix></Author>
<Author ValidYN="N"><LastName>Backer</LastName></Author>
<Author><LastName>Oven</LastName><Initials>B</Initials></Author>
<Author><CollectiveName>Hive Study Group</CollectiveName></Author></AuthorList>
<Language>eng</Language>
<PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList>
</Article>
<MedlineJournalInfo><Country>Italy</Country></MedlineJournalInfo>
<MeshHeadingList><MeshHeading><DescriptorName>Bread</DescriptorName>
<QualifierName>history</QualifierName></MeshHeading></MeshHeadingList>
<KeywordList Owner="NOTNLM"><Keyword>bees</Keyword></KeywordList>
<KeywordList Owner="PIP"><Keyword>rye</Keyword></KeywordList>
</MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">123</ArticleId>
<ArticleId IdType="pmc">PMC77777</ArticleId></ArticleIdList>
<ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.1000/cited</ArticleId>
</ArticleIdList></Reference></ReferenceList></PubmedData></PubmedArticle>
"""
BOOK = """<PubmedBookArticle><BookDocument><PMID>7</PMID>
<ArticleIdList><ArticleId IdType="doi">10.1000/book</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>Hive Press</PublisherName>
<PublisherLocation>Rome</PublisherLocation></Publisher><BookTitle>Bees</BookTitle>
<PubDate><Year>2003</Year><Month>05</Month></PubDate>
<AuthorList Type="editors"><Author><LastName>Rye</LastName><Initials>C</Initials></Author>
</AuthorList><Isbn>9783161484100</Isbn></Book>CHAPTER
<AuthorList Type="authors"><Author><LastName>Oat</LastName></Author></AuthorList>
<Abstract><AbstractText>Wax.</AbstractText></Abstract></BookDocument></PubmedBookArticle>"""


def read(text: str) -> list[Record]:
    return list(PUBMED_XML.read(text_content("b.xml", text)))


def paper(element: str) -> Paper:
    (found,) = read(f"{HEAD}<PubmedArticleSet>{element}</PubmedArticleSet>")
    assert isinstance(found, Paper), found
    return found


def test_all_fields() -> None:
    assert paper(ARTICLE) == Paper(
        title="Bees & rye bread.", abstract="AIM: Warm 102 ovens.\nWith x bees.",
        abstract_kind="abstract", authors=("Baker, Ann B Jr", "Oven, B", "Hive Study Group"),
        author_count=3, published=Published("2012-10-29"), venue="Journal of bread",
        doi="10.1000/bee.7", keywords=("bees", "rye", "Bread/history"),
        reference=(
            ("ISSN", "1234-5678"), ("PMCID", "PMC77777"), ("PMID", "123"),
            ("container-title-short", "J Bread"), ("issue", "2-3"), ("language", "eng"),
            ("page", "43-55"), ("publisher-place", "Italy"), ("type", "article-journal"),
            ("volume", "48"),
        ),
        sources=(Source("b.xml", "pubmed-xml", 3),),
    )  # fmt: skip


def test_dates_without_a_year_element() -> None:
    date = "<Year>2012</Year><Month>Oct</Month><Day>29</Day>"
    found = paper(ARTICLE.replace(date, "<MedlineDate>1998 Dec-1999 Jan</MedlineDate>"))
    assert found.published.year == "1998"


def test_books_and_their_chapters() -> None:
    whole = paper(BOOK.replace("CHAPTER", ""))
    part = paper(BOOK.replace("CHAPTER", "<ArticleTitle>Wax</ArticleTitle>"))
    assert (whole.title, whole.venue, whole.detail("type")) == ("Bees", "", "book")
    assert (part.title, part.venue, part.detail("type")) == ("Wax", "Bees", "chapter")
    assert (part.authors, part.doi) == (("Oat",), "10.1000/book")
    assert part.published.date == "2003-05"


def test_a_translated_title_leaves_the_original_one() -> None:
    title = (
        "<ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>Bienen.</VernacularTitle>"
    )
    found = paper(
        f"<PubmedArticle><MedlineCitation><Article>{title}</Article></MedlineCitation></PubmedArticle>"
    )
    assert (found.title, found.url) == ("Bienen.", "")


def test_a_file_that_breaks_off_keeps_the_articles_before() -> None:
    first, *_, fault = read(f"{HEAD}<PubmedArticleSet>{ARTICLE}{ARTICLE[:900]}")
    assert isinstance(first, Paper)
    assert isinstance(fault, Fault)
    assert fault.actual.startswith("broken XML")


def test_what_is_none_of_pubmed() -> None:
    found = PUBMED_XML.reject_reason(text_content("x", "<feed><entry/></feed>"))
    assert found == "no element <PubmedArticle>"


@given(
    st.text(alphabet="<>/&;!PubmedArticle\"'")
    | st.lists(
        st.sampled_from([ARTICLE, BOOK, "<PubmedArticle>", "<Article>", "</Article>", "<!--"])
    ).map("".join)
)
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    assert all(isinstance(item, Paper | Fault) for item in read(text))


@pytest.mark.parametrize(
    ("name", "records", "abstracts"), [("pubmed_2012.xml", 111, 108), ("mathml.xml", 1, 1)]
)
def test_real_files(shared: Path, name: str, records: int, abstracts: int) -> None:
    (content,) = contents(shared / "data" / "inputs" / "pubmed_xml" / name, name)
    assert PUBMED_XML.reject_reason(content) == ""
    papers = [item for item in PUBMED_XML.read(content) if isinstance(item, Paper)]
    assert (len(papers), sum(bool(found.abstract) for found in papers)) == (records, abstracts)
