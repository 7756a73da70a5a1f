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
from classifier.papers.readers.arxiv import ARXIV_ATOM

HEAD = (
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    '<feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">\n'
    "  <id>https://arxiv.org/api/x</id>\n  <title>arXiv Query: all:bread</title>\n"
)
OLD = """  <entry>
    <id>http://arxiv.org/abs/astro-ph/0601001v2</id>
    <updated>2006-02-03T00:00:00Z</updated>
    <published>2006-01-02T14:57:58Z</published>
    <title>Bread in
  Orbit</title>
    <summary>  We bake in orbit, where 1 &lt; 2.
It rises. Code: https://github.com/bakers/orbit.
  A second paragraph.
</summary>
    <author><name>Ada One</name>
      <arxiv:affiliation xmlns:arxiv="http://arxiv.org/schemas/atom">Mill</arxiv:affiliation>
    </author>
    <author><name>Bo Tw\\'o</name></author>
    <arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1000/Bread</arxiv:doi>
    <link title="doi" href="http://dx.doi.org/10.1000/Bread" rel="related"/>
    <arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">3 pages</arxiv:comment>
    <arxiv:journal_ref xmlns:arxiv="http://arxiv.org/schemas/atom">J. Bread 1:2</arxiv:journal_ref>
    <link href="http://arxiv.org/abs/astro-ph/0601001v2" rel="alternate" type="text/html"/>
    <category term="astro-ph" scheme="http://arxiv.org/schemas/atom"/>
  </entry>
"""


def read(text: str) -> list[Paper | Fault]:
    return list(ARXIV_ATOM.read(text_content("query.xml", text)))


def test_an_entry_with_all_that_it_can_state() -> None:
    (paper,) = read(f"{HEAD}{OLD}</feed>\n")
    assert isinstance(paper, Paper)
    assert paper == Paper(
        title="Bread in Orbit",
        abstract=(
            "We bake in orbit, where 1 < 2. It rises. Code: https://github.com/bakers/orbit.\n"
            "A second paragraph."
        ),
        abstract_kind="abstract",
        authors=("Ada One", "Bo Twó"),
        author_count=2,
        organisation="Mill",
        published=paper.published,
        venue="J. Bread 1:2",
        arxiv_id="astro-ph/0601001",
        doi="10.1000/bread",
        url="http://arxiv.org/abs/astro-ph/0601001v2",
        code_urls=("https://github.com/bakers/orbit",),
        keywords=("astro-ph",),
        reference=(("note", "3 pages"), ("type", "article")),
        sources=paper.sources,
    )
    assert paper.published.date == "2006-01-02"
    assert [(source.format, source.line) for source in paper.sources] == [("arxiv-atom", 5)]


def test_the_message_about_a_wrong_query_is_no_paper() -> None:
    error = "<entry><id>https://arxiv.org/api/errors#bad</id><title>Error</title></entry>"
    assert read(f"{HEAD}{error}</feed>") == []


def test_a_feed_that_breaks_off_keeps_what_was_there_and_says_so() -> None:
    paper, fault = read(f"{HEAD}{OLD}  <entry><title>Bees")
    assert isinstance(paper, Paper)
    assert paper.title == "Bread in Orbit"
    assert str(fault) == (
        snapshot(
            "query.xml:26: warning: found broken XML (Premature end of data in tag title line 26); expected well-formed XML. Papers after this line were not read. Save or export the file again."
        )
    )


def test_an_entry_without_a_title_is_quarantined() -> None:
    (record,) = read(f"{HEAD}<entry><id>http://arxiv.org/abs/2401.00001v1</id></entry></feed>")
    assert isinstance(record, Fault)
    assert record.actual == snapshot("title: found none; expected the paper's title")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{HEAD}</feed>", ""),
        ("@article{a}", "no Atom feed"),
        (
            '<feed xmlns="http://www.w3.org/2005/Atom"><id>https://bees.example/</id></feed>',
            "an Atom feed without ids of arXiv",
        ),
    ],
)
def test_a_feed_is_known_by_its_ids(text: str, reason: str) -> None:
    assert ARXIV_ATOM.reject_reason(text_content("f", text)) == reason


@given(st.text(alphabet="<>/&;entryil d[!CDATA\n\"'=") | st.text())
def test_any_text_is_read_without_a_crash(text: str) -> None:
    read(text)
    read(f"{HEAD}{text}{OLD}")


@pytest.mark.parametrize(
    ("file", "count"),
    [("query_haitun.xml", 3), ("query_old_ids.xml", 1), ("query_transformer.xml", 5)],
)
def test_real_answers(shared: Path, file: str, count: int) -> None:
    (records,) = read_file(shared / "data/inputs/arxiv_atom" / file, file)
    assert records.file.format == "arxiv-atom"
    assert len(records.papers) == count
    assert records.faults == ()
    for paper in records.papers:
        assert all((paper.arxiv_id, paper.abstract, paper.authors, paper.keywords))
        assert paper.published.precision == "day"
