"""EndNote's XML; the samples are ours, their shapes are real."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import contents, text_content
from classifier.papers.paper import Paper, Published, Source
from classifier.papers.reader import Record
from classifier.papers.readers.endnote import ENDNOTE_XML


def styled(text: str) -> str:
    return f'<style face="normal" font="default" size="100%">{text}</style>'


RECORD = (
    '<record><source-app name="EndNote">EndNote</source-app>'
    '<ref-type name="Journal Article">17</ref-type>'
    f"<contributors><authors><author>{styled('Baker, A.')}</author>"
    f"<author>{styled('Oven, B.')}</author></authors></contributors>"
    f'<titles><title>{styled("Rye &amp; ")}<style face="italic">bees</style></title>'
    f"<secondary-title>{styled('J Bread')}</secondary-title></titles>"
    f"<periodical><full-title>{styled('Journal of Bread')}</full-title></periodical>"
    f"<pages>{styled('1321-1328')}</pages><volume>{styled('55')}</volume>"
    f"<number>{styled('12')}</number><edition>{styled('2016/11/05')}</edition>"
    f"<keywords><keyword>{styled('Bread/*history')}</keyword>"
    f"<keyword>{styled('oven&#xD;rye')}</keyword></keywords>"
    f"<dates><year>{styled('2016')}</year><pub-dates><date>{styled('Dec 4')}</date></pub-dates>"
    f"</dates><isbn>{styled('0011-9059')}</isbn><accession-num>{styled('27575854')}</accession-num>"
    f"<abstract>{styled('AIM: We bake.')}</abstract><label>{styled('Baker2016')}</label>"
    f"<urls><related-urls><url>{styled('https://example.org/rye')}</url></related-urls></urls>"
    f"<electronic-resource-num>{styled('10.1000/rye.1')}</electronic-resource-num>"
    f"<remote-database-provider>{styled('NLM')}</remote-database-provider>"
    f"<language>{styled('eng')}</language></record>"
)
HEAD = '<?xml version="1.0" encoding="UTF-8" ?><xml><records>'


def read(text: str) -> list[Record]:
    return list(ENDNOTE_XML.read(text_content("b.xml", text)))


def test_all_fields() -> None:
    assert read(f"{HEAD}{RECORD}</records></xml>") == [
        Paper(
            title="Rye & bees", abstract="AIM: We bake.", abstract_kind="abstract",
            authors=("Baker, A.", "Oven, B."), author_count=2, published=Published("2016-12-04"),
            venue="Journal of Bread", doi="10.1000/rye.1", url="https://example.org/rye",
            keywords=("Bread/history", "oven", "rye"),
            reference=(
                ("ISSN", "0011-9059"), ("PMID", "27575854"), ("citation-key", "Baker2016"),
                ("issue", "12"), ("language", "eng"), ("page", "1321-1328"),
                ("type", "article-journal"), ("volume", "55"),
            ),
            sources=(Source("b.xml", "endnote-xml", 1),),
        )
    ]  # fmt: skip


def test_other_programs_leave_out_styles_and_names_of_types() -> None:
    record = (
        "<record><ref-type>47</ref-type><contributors><authors><author>Baker R.</author></authors>"
        "<secondary-authors><author>Rye, C</author></secondary-authors></contributors>"
        "<titles><title>Wax</title><secondary-title>Hives 2022</secondary-title></titles>"
        "<dates><year>2022</year></dates>"
        "<urls><web-urls><url>https://arxiv.org/abs/2401.10230</url></web-urls></urls></record>"
    )
    (found,) = read(f"<xml><records>{record}</records></xml>")
    assert isinstance(found, Paper)
    assert (found.authors, found.venue, found.arxiv_id) == (
        ("Baker, R.",),
        "Hives 2022",
        "2401.10230",
    )
    assert dict(found.reference) == {"type": "paper-conference", "editor": "Rye, C"}


def test_a_file_that_breaks_off_keeps_the_records_before() -> None:
    *found, fault = read(f"{HEAD}{RECORD}{RECORD}".removesuffix("</language></record>"))
    assert [type(item) for item in found[:1]] == [Paper]
    assert isinstance(fault, Fault)
    assert fault.actual.startswith("broken XML")


@pytest.mark.parametrize(
    "text", ["Once", "<xml><records></records></xml>", "<records><record><a/>"]
)
def test_what_is_none_of_endnote(text: str) -> None:
    found = ENDNOTE_XML.reject_reason(text_content("x", text))
    assert found == snapshot("no elements <records><record> of EndNote")


@given(
    st.text(alphabet="<>/&; recods\"'")
    | st.lists(st.sampled_from([RECORD, "<records>", "<record>", "<title>", "</record>", "&"])).map(
        "".join
    )
)
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    assert all(isinstance(item, Paper | Fault) for item in read(text))


def test_real_file(shared: Path) -> None:
    (content,) = contents(shared / "data" / "inputs" / "endnote_xml" / "spidercite.xml", "s.xml")
    assert ENDNOTE_XML.reject_reason(content) == ""
    papers = [item for item in ENDNOTE_XML.read(content) if isinstance(item, Paper)]
    assert (len(papers), sum(bool(found.abstract) for found in papers)) == (10, 10)


def test_a_notice_about_a_file_of_one_line_names_the_record() -> None:
    record = (
        "<record><titles><title>{}</title></titles><ref-type>17</ref-type><urls><related-urls>"
        "<url>https://a.example/</url></related-urls></urls>"
        "<contributors><authors><author>CafÃ© {}</author></authors></contributors></record>"
    )
    text = f"<xml><records>{record.format('Rye', 1)}{record.format('Oats', 2)}</records></xml>"
    faults = [r for r in ENDNOTE_XML.read(text_content("a.xml", text)) if isinstance(r, Fault)]
    assert [(fault.line, fault.actual.rpartition(" in ")[2]) for fault in faults] == [
        (1, "'Rye'"),
        (1, "'Oats'"),
    ]
