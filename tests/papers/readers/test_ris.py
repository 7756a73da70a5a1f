"""RIS in the dialects of those who write it; the samples are ours, their shapes are real."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import contents, text_content
from classifier.papers.load import read_content
from classifier.papers.paper import Paper, Published, Source
from classifier.papers.reader import Record
from classifier.papers.readers.ris import RIS

ZOTERO = """\
TY  - JOUR
TI  - Rye bread keeps bees warm
AU  - Baker, Ann
AU  - Oven, Bo
T2  - Journal of Bread
AB  - We bake.
DA  - 2021/04/21/
PY  - 2021
DO  - 10.1000/RYE.1
VL  - 18
IS  - 9
SP  - 43
EP  - 55
J2  - J Bread
LA  - en
SN  - 1660-4601
UR  - https://example.org/rye
KW  - rye
KW  - *Bees
ER  -

"""


def read(text: str) -> list[Record]:
    return list(RIS.read(text_content("b.ris", text)))


def paper(text: str) -> Paper:
    (found,) = read(text)
    assert isinstance(found, Paper), found
    return found


def entry(*lines: str) -> Paper:
    return paper("\n".join(("TY  - JOUR", "TI  - Rye", *lines, "ER  - ")))


def test_cochrane() -> None:
    found = entry("AU  - Oven A", "YR  - 2020", "NO  - 4", "DOI - 10.1000/rye", "KW  - *Bread")
    assert (found.authors, found.published.date, found.doi) == (("Oven, A",), "2020", "10.1000/rye")
    assert (found.keywords, dict(found.reference)["issue"]) == (("Bread",), "4")


@pytest.mark.parametrize(
    ("lines", "keywords"),
    [
        (("KW  - rye,oats,tau", "KW  - Rats, Wistar"), ("rye", "oats", "tau", "Rats, Wistar")),
        (("KW  - rye, oats, spelt",), ("rye", "oats", "spelt")),
        (("KW  - Bread/*history/economics", "K1  - 面包"), ("Bread/history/economics", "面包")),
        (("KW  - 1,2,4-triazol", "KW  - x"), ("1,2,4-triazol", "x")),
    ],
)
def test_keywords(lines: tuple[str, ...], keywords: tuple[str, ...]) -> None:
    assert entry(*lines).keywords == keywords


@pytest.mark.parametrize(
    ("line", "authors"),
    [
        ("Oven, Ann; Flour, Bo", ("Oven, Ann", "Flour, Bo")),
        ("安奥文;李面粉", ("安奥文", "李面粉")),
        ("Oven, A., Flour, B. and Salt, C.", ("Oven, A.", "Flour, B.", "Salt, C.")),
        ("Oven, Ann and Flour, Bo", ("Oven, Ann", "Flour, Bo")),
        ("Oven, Ann, Jr.", ("Oven, Ann, Jr.",)),
        ("Department of Bread and Salt,", ("Department of Bread and Salt",)),
    ],
)
def test_several_people_on_a_line(line: str, authors: tuple[str, ...]) -> None:
    assert entry(f"AU  - {line}").authors == authors


def test_a_preprint_is_no_article_of_a_journal() -> None:
    found = entry("JO  - arXiv preprint arXiv:2001.00001")
    assert (found.arxiv_id, found.venue, dict(found.reference)["type"]) == (
        "2001.00001", "", "article",
    )  # fmt: skip


def test_no_blank_behind_the_hyphen() -> None:
    assert paper("TY  -JOUR\nTI  -Rye\nER  -\n").title == "Rye"


def test_zotero() -> None:
    assert paper(ZOTERO) == Paper(
        title="Rye bread keeps bees warm", abstract="We bake.", abstract_kind="abstract",
        authors=("Baker, Ann", "Oven, Bo"), author_count=2, published=Published("2021-04-21"),
        venue="Journal of Bread", doi="10.1000/rye.1", url="https://example.org/rye",
        keywords=("rye", "Bees"),
        reference=(
            ("ISSN", "1660-4601"), ("container-title-short", "J Bread"), ("issue", "9"),
            ("language", "en"), ("page", "43-55"), ("type", "article-journal"), ("volume", "18"),
        ),
        sources=(Source("b.ris", "ris", 1),),
    )  # fmt: skip


def test_embase_sorts_names_without_a_comma_and_keeps_the_abstract_in_n2() -> None:
    found = paper(
        "\ufeffTY  - JOUR\nY1  - 2014\nJF  - Honey Research\nJO  - Honey Res.\nA1  - Baker R.\n"
        "T1  - Honey\nN2  - Sweet.\nDB  - Embase\nC5  - 1234567\nER  -\n"
    )
    assert (found.authors, found.venue) == (("Baker, R.",), "Honey Research")
    assert (found.title, found.abstract, found.published.date) == ("Honey", "Sweet.", "2014")
    assert found.detail("PMID") == "1234567"


def test_ebsco_says_who_owns_the_abstract_in_a_second_one() -> None:
    found = entry("AB  - Bees hum.", "AB  - Copyright of Bees is theirs.", "L3  - 10.1000/bee")
    assert (found.abstract, found.doi) == ("Bees hum.", "10.1000/bee")


def test_proquest_gives_translated_titles_and_three_dates() -> None:
    found = entry("TT  - Roggen", "Y1  - 2025///May/Jun", "PY  - 2025", "DA  - May 2025")
    assert (found.detail("original-title"), found.published.date) == ("Roggen", "2025-05")


def test_endnote_keeps_lists_on_lines_of_their_own_and_the_year_apart() -> None:
    found = entry(
        "PY  - 2012", "DA  - Mar 16", "KW  - rye", "wheat", "spelt", "SP  - 1535-41", "ID  - 57530",
        "LB  - Baker2012", "DP  - NLM", "AN  - 22424230", "C2  - PMC3226309",
    )  # fmt: skip
    assert found.keywords == ("rye", "wheat", "spelt")
    assert found.published.date == "2012-03-16"
    assert {name: found.detail(name) for name in ("page", "citation-key", "PMID", "PMCID")} == {
        "page": "1535-41", "citation-key": "Baker2012", "PMID": "22424230", "PMCID": "PMC3226309",
    }  # fmt: skip


def test_dimensions_breaks_abstracts_into_lines_and_names_books_in_bt() -> None:
    found = paper(
        "\nTY  - CHAP\nTI  - Rye\nBT  - Breads\nU1  - 77 [PMID]\n"
        'AB  - AIM: <AbstractText Label="AIM">Bake.</AbstractText>\nRESULT: It\nrose.\nER  - \n'
    )
    assert found.abstract == snapshot("AIM: Bake.\nRESULT: It rose.")
    assert (found.venue, found.detail("type"), found.detail("PMID")) == ("Breads", "chapter", "77")


@pytest.mark.parametrize(
    "line",
    [
        "UR  - https://arxiv.org/abs/2401.10230v2",
        "DO  - 10.48550/arXiv.2401.10230",
        "T2  - arXiv preprint arXiv:2401.10230",
        "AN  - arXiv:2401.10230",
        "N1  - arXiv:2401.10230 [cs]",
    ],
)
def test_arxiv_ids_stand_in_many_places(line: str) -> None:
    found = paper(f"TY  - UNPB\nTI  - Rye\n{line}\nER  - \n")
    assert (found.arxiv_id, found.detail("type"), found.venue) == ("2401.10230", "article", "")


def test_a_note_that_cites_an_arxiv_paper_says_nothing_of_this_one() -> None:
    assert entry("N1  - See also arXiv:2401.10230").arxiv_id == ""


def test_one_blank_behind_tags_where_the_type_has_one() -> None:
    assert paper("TY - JOUR\nTI - Rye\nAU - Baker, A\nER - \n").authors == ("Baker, A",)
    assert entry("AB  - Of", "AI - the oven").abstract == snapshot("Of AI - the oven")


def test_windows_and_mixed_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "b.txt"
    path.write_bytes(b"\xef\xbb\xbfTY  - JOUR\r\nTI  - Rye\rAU  - Baker, A\nER  - \r\n")
    (content,) = contents(path, "b.txt")
    assert RIS.reject_reason(content) == ""
    assert [item.title for item in RIS.read(content) if isinstance(item, Paper)] == ["Rye"]


def test_missing_starts_and_ends_are_told() -> None:
    text = "T1  - One\nER  - \nTY  - JOUR\nTI  - Two\n"
    untyped, first, unended, second = read(text)
    assert [item.title for item in (first, second) if isinstance(item, Paper)] == ["One", "Two"]
    assert [str(untyped), str(unended)] == snapshot(
        [
            "b.ris:1: notice: found an entry without a line 'TY'; expected a complete entry. It was read without a type.",
            "b.ris:3: warning: found an entry without a line 'ER'; expected a complete entry. It was read as far as possible. Export the file again if something is missing.",
        ]
    )


def test_an_entry_without_a_title_is_quarantined() -> None:
    (found,) = read("\nTY  - JOUR\nAU  - Baker, A\nER  - \n")
    assert isinstance(found, Fault)
    assert (found.line, found.actual) == snapshot(
        (2, "title: found none; expected the paper's title")
    )


def test_what_is_no_ris() -> None:
    for text in ("Once upon a time", "PMID- 1\nTI  - Rye\n", '{"title": "TY  - JOUR"}'):
        assert RIS.reject_reason(text_content("x", text)) == snapshot("no line 'TY  - '")


LINES = ["TY  - JOUR", "TI  - Rye", "ER  - ", "AU  - A B.", "PY  - 2020/13/", "SN  - 1-2", "x"]


@given(st.text() | st.lists(st.sampled_from(LINES) | st.text(max_size=20)).map("\n".join))
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    assert all(isinstance(item, Paper | Fault) for item in read(text))


@pytest.mark.parametrize(
    ("name", "records", "abstracts"),
    [
        ("dimensions_fires.ris", 246, 243),
        ("ebsco_asp.ris", 4, 4),
        ("embase.ris", 6, 6),
        ("endnote_export.txt", 69, 58),
        ("jabref_corrupted.ris", 1, 0),
        ("many_authors.ris", 1, 1),
        ("proquest_multilingual.ris", 100, 100),
        ("pubmed_gambling.ris", 176, 157),
    ],
)
def test_real_files(shared: Path, name: str, records: int, abstracts: int) -> None:
    (content,) = contents(shared / "data" / "inputs" / "ris" / name, name)
    assert RIS.reject_reason(content) == ""
    papers = [item for item in RIS.read(content) if isinstance(item, Paper)]
    assert (len(papers), sum(bool(found.abstract) for found in papers)) == (records, abstracts)


@pytest.mark.parametrize("name", ["embase.ris", "proquest_multilingual.ris", "pubmed_gambling.ris"])
def test_titles_and_abstracts_are_those_of_rispy(shared: Path, name: str) -> None:
    rispy = pytest.importorskip("rispy")
    (content,) = contents(shared / "data" / "inputs" / "ris" / name, name)
    papers = [item for item in RIS.read(content) if isinstance(item, Paper)]
    theirs = [
        (r.get("title") or r["primary_title"], r.get("abstract") or r.get("notes_abstract", ""))
        for r in rispy.loads(content.text())
    ]
    assert [(p.title.split(), p.abstract.split()) for p in papers] == [
        (title.split(), abstract.split()) for title, abstract in theirs
    ]


@pytest.mark.parametrize(
    "text",
    [
        "@article{k,\n title = {Rye},\n abstract = {A\nTY  - JOUR\nTI  - Oat\nER  - \n}\n}\n",
        'title,abstract\nRye,"A\nTY  - JOUR\nTI  - Oat\nER  - "\n',
    ],
)
def test_lines_within_a_value_of_another_format_are_no_ris(text: str) -> None:
    (paper,) = read_content(text_content("p", text)).papers
    assert paper.title == "Rye"


def paper_of(text: str) -> Paper:
    (paper,) = (record for record in read(text) if isinstance(record, Paper))
    return paper


def test_the_corporate_author_of_web_of_science_is_last_and_its_conference_is_the_event() -> None:
    paper = paper_of(
        "TY  - CPAPER\nAU  - Oar, MF\nAU  - Sail, NT\nA1  - IEEE\nTI  - Boats on lakes\n"
        "T2  - 2013 CONFERENCE ON BOATS\nCP  - Conference on Boats (BOAT)\nPY  - 2013\nER  - \n"
    )
    assert paper.authors == ("Oar, MF", "Sail, NT", "IEEE")
    assert (paper.detail("event-title"), paper.detail("issue")) == (
        "Conference on Boats (BOAT)",
        "",
    )


def test_an_issue_in_cp() -> None:
    paper = paper_of("TY  - JOUR\nTI  - Boats on lakes\nCP  - 7\nER  - \n")
    assert (paper.detail("event-title"), paper.detail("issue")) == ("", "7")


@pytest.mark.parametrize("text", ["doi:10.1000/182", "DOI: 10.1000/182", "10.1000/182"])
def test_a_doi_in_m3(text: str) -> None:
    assert paper_of(f"TY  - JOUR\nTI  - Salt in bread\nM3  - {text}\nER  - \n").doi == "10.1000/182"


def test_authors_as_python_prints_a_list() -> None:
    paper = paper_of(
        "TY  - JOUR\nA1  - ['Oar, Anja', 'Sail, Wil E.', \"O'Hull, Mo\"]\nT1  - Boats\nER  - \n"
    )
    assert paper.authors == ("Oar, Anja", "Sail, Wil E.", "O'Hull, Mo")
