from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.load import read_file
from classifier.papers.paper import Paper
from classifier.papers.readers.arxiv import OAI_PMH

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">\n<ListRecords>\n'
)
ARXIV = """<arXiv xmlns="http://arxiv.org/OAI/arXiv/">
 <id>1706.00001</id><created>2017-06-16</created><updated>2017-12-12</updated><authors>
 <author><keyname>One</keyname><forenames>Ada</forenames><suffix>Jr.</suffix></author>
 <author><keyname>The Bakers</keyname></author></authors><title>Bread in
  Orbit</title><categories>cs.CL cs.AI</categories><comments>3 pages</comments>
 <report-no>MILL-1</report-no><journal-ref>J. Bread 1 (2017) 2</journal-ref>
 <doi>10.1000/Bread</doi><license>http://arxiv.org/licenses/x/</license><abstract>  We bake
where 1 &lt; 2.
</abstract></arXiv>"""
RAW = """<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">
 <id>cs/0601001</id><submitter>Ada One</submitter><version version="v1">
 <date>Mon, 2 Jan 2006 10:00:00 GMT</date><size>9kb</size></version><version version="v2">
 <date>Tue, 3 Jan 2006 10:00:00 GMT</date></version><title>Bees</title>
 <authors>Ada One (Mill) and Bo Tw\\'o</authors><categories>cs.CL</categories>
 <abstract>They fly.</abstract></arXivRaw>"""
DUBLIN = """<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
 <dc:title>Bridges</dc:title><dc:creator>One, Ada</dc:creator><dc:subject>Stone</dc:subject>
 <dc:description>  They stand
for long.</dc:description><dc:description>Comment: 2 pages</dc:description>
 <dc:date>2015-01-02</dc:date><dc:date>2014-12-03</dc:date><dc:type>text</dc:type>
 <dc:identifier>http://arxiv.org/abs/1412.00001</dc:identifier>
 <dc:identifier>Stone Journal, 95 (2017), 248-276</dc:identifier>
 <dc:identifier>doi:10.1112/Stone.1</dc:identifier></oai_dc:dc>"""


def record(metadata: str) -> str:
    return (
        "<record><header><identifier>oai:x:1</identifier></header>"
        f"<metadata>{metadata}</metadata></record>\n"
    )


def read(*records: str) -> list[Paper | Fault]:
    text = f"{HEAD}{''.join(records)}</ListRecords></OAI-PMH>"
    return list(OAI_PMH.read(text_content("records.xml", text)))


def read_paper(metadata: str) -> Paper:
    (paper,) = read(record(metadata))
    assert isinstance(paper, Paper)
    return paper


def test_the_format_arxiv() -> None:
    paper = read_paper(ARXIV)
    assert (paper.title, paper.abstract) == snapshot(("Bread in Orbit", "We bake where 1 < 2."))
    assert paper.authors == ("One Jr., Ada", "The Bakers")
    assert (paper.arxiv_id, paper.doi) == ("1706.00001", "10.1000/bread")
    assert (paper.published.date, paper.venue) == snapshot(("2017-06-16", "J. Bread 1 (2017) 2"))
    assert paper.keywords == ("cs.CL", "cs.AI")
    assert dict(paper.reference) == {
        "type": "article",
        "note": "3 pages",
        "number": "MILL-1",
        "license": "http://arxiv.org/licenses/x/",
    }


def test_the_format_arxiv_raw_has_the_date_of_the_first_version() -> None:
    paper = read_paper(RAW)
    assert (paper.arxiv_id, paper.published.date) == ("cs/0601001", "2006-01-02")
    assert paper.authors == ("Ada One", "Bo Twó")


def test_dublin_core_whose_identifiers_are_a_link_a_journal_and_a_doi() -> None:
    paper = read_paper(DUBLIN)
    assert (paper.title, paper.abstract) == ("Bridges", "They stand for long.")
    assert (paper.arxiv_id, paper.doi) == ("1412.00001", "10.1112/stone.1")
    assert paper.venue == snapshot("Stone Journal, 95 (2017), 248-276")
    assert paper.url == "http://arxiv.org/abs/1412.00001"
    assert (paper.published.date, paper.keywords) == ("2014-12-03", ("Stone",))
    assert paper.detail("note") == "2 pages"


def test_deleted_records_are_counted_and_unknown_formats_quarantined() -> None:
    deleted = '<record><header status="deleted"><identifier>x</identifier></header></record>\n'
    unknown, paper, fault = read(deleted, deleted, record("<marc/>"), record(RAW))
    assert isinstance(unknown, Fault)
    assert unknown.actual == (
        snapshot("metadata: found no known format; expected arXiv, arXivRaw or oai_dc")
    )
    assert isinstance(paper, Paper)
    assert str(fault) == (
        snapshot(
            "records.xml:4: notice: found a deleted record, and 1 more like it; expected a record "
            "with metadata. It is left out."
        )
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD, ""),
        ("<html>", "no namespace http://www.openarchives.org/OAI/2.0/"),
        ('<a xmlns="http://www.openarchives.org/OAI/2.0/">', "no element <OAI-PMH>"),
    ],
)
def test_an_answer_is_known_by_its_namespace(text: str, reason: str) -> None:
    assert OAI_PMH.why_not(text_content("f", text)) == reason


@given(st.text(alphabet="<>/&;recordmta \n\"'=") | st.text())
def test_any_text_is_read_without_a_crash(text: str) -> None:
    read(text, record(ARXIV), record(text), record(DUBLIN.replace("1412.00001", text)))


@pytest.mark.parametrize("file", ["arxiv_hepex.xml", "arxiv_oai_dc.xml"])
def test_real_answers(shared: Path, file: str) -> None:
    (records,) = read_file(shared / "data/inputs/oai_pmh" / file, file)
    assert (records.file.format, len(records.papers), records.faults) == ("oai-pmh", 3, ())
    for paper in records.papers:
        assert all((paper.arxiv_id, paper.abstract, paper.authors, paper.keywords))
        assert paper.published.precision == "day"
