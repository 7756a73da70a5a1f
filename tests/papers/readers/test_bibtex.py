from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.paper import Paper
from classifier.papers.reader import Record
from classifier.papers.readers.bibtex import BIBTEX


def read(text: str) -> list[Record]:
    return list(BIBTEX.read(text_content("p.bib", text)))


def papers(text: str) -> list[Paper]:
    return [record for record in read(text) if isinstance(record, Paper)]


def one(fields: str, kind: str = "article") -> Paper:
    (paper,) = papers(f"@{kind}{{key,\n{fields}\n}}")
    return paper


def test_an_entry_of_zotero() -> None:
    paper = one(
        "\ttitle = {Sourdough in the {Alps}},\n\tvolume = {20},\n\tissn = {1234-5678},\n"
        "\tdoi = {10.1000/ABC\\_d},\n\tabstract = {We bake.\n\nThen we\n eat "
        "{\\textless}b{\\textgreater}it{\\textless}/b{\\textgreater}.},\n\tpages = {12--34},\n"
        "\tnumber = {1},\n"
        "\tjournal = {Bread \\& Salt},\n\tauthor = {Cruz, Ada and B{\\'a}l, Bo},\n\tmonth = feb,\n"
        "\tyear = {2025},\n\tkeywords = {rye, slow food},\n\tfile = {PDF:/home/ada/x.pdf:},"
    )
    assert paper.title == "Sourdough in the Alps"
    assert paper.abstract == snapshot("We bake.\nThen we eat it.")
    assert paper.authors == ("Cruz, Ada", "Bál, Bo")
    assert (paper.published.date, paper.venue, paper.doi) == (
        "2025-02",
        "Bread & Salt",
        "10.1000/abc_d",
    )
    assert paper.keywords == ("rye", "slow food")
    assert dict(paper.reference) == {
        "type": "article-journal", "citation-key": "key", "volume": "20", "issue": "1",
        "page": "12-34", "ISSN": "1234-5678",
    }  # fmt: skip
    assert [str(source) for source in paper.sources] == ["p.bib:1"]


@pytest.mark.parametrize(
    ("fields", "date"),
    [
        ("year = 2020", "2020"), ("year = {2020}, month = {3}", "2020-03"),
        ('year = 2020, month = jan # "~5"', "2020-01-05"),
        ("year=2020, month={5~jan}", "2020-01-05"),
        ("year = 2020, month = {August 1--6}", "2020-08"),
        ('year=2020, month=nov # "--" # dec', "2020-11"),
        ("year = {2020}, month = oct, day = 7", "2020-10-07"), ("date = {2016-09}", "2016-09"),
        ("date = {1999-08-02/1999-09}", "1999-08-02"), ("date = {2016/}", "2016"),
        ("year = {in press}", ""), ("year = {2010/06//}", "2010-06"),
    ],
)  # fmt: skip
def test_dates(fields: str, date: str) -> None:
    assert one(f"title = {{A}}, {fields}").published.date == date


@pytest.mark.parametrize(
    "fields",
    [
        "eprint = {2401.10230v2}, archiveprefix = {arXiv}",
        "eprint={2401.10230}, eprinttype={arxiv}",
        "arxivId = {2401.10230}", "url = {http://arxiv.org/abs/2401.10230v1}",
        "doi = {10.48550/arXiv.2401.10230}", "journal = {arXiv preprint arXiv:2401.10230}",
        "journal = {CoRR}, volume = {abs/2401.10230}", "number = {arXiv:2401.10230}",
        "howpublished = {\\url{https://arxiv.org/pdf/2401.10230}}",
        "note = {arXiv:2401.10230 [cs]}",
        "journal = {ArXiv}, volume = {abs/2401.10230}",
        "publisher = {arXiv}, eprint = {2401.10230}",
    ],
)  # fmt: skip
def test_arxiv_ids_wherever_they_stand(fields: str) -> None:
    paper = one(f"title = {{A}}, {fields}")
    assert (paper.arxiv_id, paper.venue, paper.detail("type")) == ("2401.10230", "", "article")


@pytest.mark.parametrize(
    ("doi", "clean"),
    [
        ("10.1000/(sici)1(1998)17:15$<$16::a1$>$3.0.co;2-p",
         "10.1000/(sici)1(1998)17:15<16::a1>3.0.co;2-p"),
        ("10.1061/(ASCE)1084-0702(2006)11:3(2)", "10.1061/(asce)1084-0702(2006)11:3(2)"),
        ("(https://doi.org/10.1016%2Fj.rye.2020.1)", "10.1016/j.rye.2020.1"),
    ],
)  # fmt: skip
def test_dois_as_people_paste_them(doi: str, clean: str) -> None:
    assert one(f"title = {{Rye}}, doi = {{{doi}}}").doi == clean


def test_full_names_of_mathscinet() -> None:
    assert one("title={Rye}, JOURNAL={J. Bread}, FJOURNAL={Journal of Bread}").venue == (
        "Journal of Bread"
    )


def test_an_address_that_google_scholar_calls_a_journal() -> None:
    paper = one("title = {Rye}, journal = {URL https://bees. org/rye}")
    assert (paper.venue, paper.url) == ("", "https://bees.org/rye")


def test_old_numbers_of_dblp() -> None:
    paper = one("title = {Rye}, journal = {CoRR}, volume = {cs.CL/0001002}")
    assert paper.arxiv_id == "cs.CL/0001002"


@pytest.mark.parametrize(
    "text", ["No abstract available.", "n/a", "[No Abstract]", "Not Available"]
)
def test_what_stands_for_no_abstract(text: str) -> None:
    assert one(f"title = {{Rye}}, abstract = {{{text}}}").abstract_kind == "none"


def test_a_note_about_another_paper_gives_no_id() -> None:
    note = "note = {A longer text on how loaves rise, against arXiv:2401.10230}"
    assert one(f"title = {{A}}, {note}").arxiv_id == ""


def test_macros_and_concatenation() -> None:
    paper = papers(
        '@string{bb = "Bread"}\n@STRING{bs = bb # { and } # "Salt"}\n'
        '@article{a, title = "On {"}crust{"}", journal = BS # ", B", publisher = unknown}'
    )[0]
    assert (paper.title, paper.venue) == ('On "crust"', "Bread and Salt, B")
    assert paper.detail("publisher") == "unknown"


def test_a_volume_that_holds_papers_is_left_out() -> None:
    records = read(
        "@inproceedings{a, title={Oars on Lakes}, crossref={p}}\n"
        "@incollection{b, title={Sails at Night}, crossref={c}}\n"
        "@proceedings{p, title={Conference on Boats}, year=2019}\n"
        "@book{c, title={Boats}, author={Dahl, Eva}, year=2019}\n"
        "@proceedings{d, title={Conference on Kites}, editor={Dahl, Eva}}\n"
        "@proceedings{e, title={Kites in Autumn}, author={Ott, Al}}\n"
    )
    assert [p.title for p in records if isinstance(p, Paper)] == [
        "Oars on Lakes", "Sails at Night", "Kites in Autumn",
    ]  # fmt: skip
    assert [str(fault) for fault in records if isinstance(fault, Fault)] == [
        f"p.bib:{line}: notice: found a volume of papers ({entry}); expected a paper. It was dropped."
        for line, entry in ((3, "@proceedings{p}"), (4, "@book{c}"), (5, "@proceedings{d}"))
    ]


def test_what_a_part_inherits() -> None:
    parts = papers(
        "@inproceedings{a, title={Ovens}, crossref={p}}\n@article{b, title={Bees}}\n"
        "@inproceedings{c, title={Loop}, crossref={c}}\n"
        "@proceedings{p, title={Baking}, subtitle={A Meeting}, year=2020, doi={10.1000/p},"
        " publisher={Guild}}"
    )
    assert [(p.title, p.venue, p.published.date, p.doi) for p in parts] == [
        ("Ovens", "Baking: A Meeting", "2020", ""), ("Bees", "", "", ""),
        ("Loop", "", "", ""),
    ]  # fmt: skip


BROKEN = {
    "round brackets": "@article(a, title = {Ovens (old)}, year = 2020)",
    "no key": "@article{title = {Ovens (old)}, year = 2020}",
    "an empty key": "@article{, title = {Ovens (old)}, year = 2020}",
    "no comma behind the key": "@article{a\n title = {Ovens (old)},\n year = 2020\n}",
    "no comma between fields": "@article{a,\n title = {Ovens (old)}\n year = {2020}\n}",
    "a field twice": "@article{a, title = {Ovens (old)}, year = 2020, title = {Bees}}",
    "a comment in the entry": "@misc{a,\n % year = {1990},\n title = {Ovens (old)},\n year = 2020}",
    "names with signs": "@misc{a:b.c, AUTHOR+an:role = {x}, TITLE = {Ovens (old)}, YEAR = 2020}",
    "the end is missing": "@article{a,\n title = {Ovens (old)},\n year = 2020,\n note = {x",
    "an open brace": "@article{a,\n title = {Ovens {(old)},\n year = 2020,\n}",
    "an open quote": '@article{a,\n title = "Ovens (old),\n year = 2020,\n}',
    "a brace too many": "@article{a,\n title = {Ovens (old)}},\n year = {2020}\n}",
    "a word without a value": "@article{a,\n checked,\n title = {Ovens (old)},\n year = {2020}\n}",
    "the brace on the next line": "@article\n{a, title = {Ovens (old)}, year = 2020}",
    "a byte order mark within": "@article{a, title = {\ufeffOvens (old)}, year = 2020}",
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_no_entry_is_lost_because_of_its_syntax_or_neighbour(broken: str) -> None:
    text = f"@misc{{first, title={{First}}}}\n\n{broken}\n\n@misc{{last, title={{Last}}}}\n"
    found = read(text)
    entries = [record for record in found if isinstance(record, Paper) or record.record]
    told = [record for record in found if isinstance(record, Fault) and record.line == 3]
    assert len(entries) == 3
    first, second, last = entries
    assert isinstance(first, Paper)
    assert isinstance(last, Paper)
    assert (first.title, last.title, last.sources[0].line) == ("First", "Last", text.count("\n"))
    whole = isinstance(second, Paper) and second.title == "Ovens (old)"
    assert told or (whole and second.published.date == "2020")


def test_what_is_broken_is_quarantined() -> None:
    fault, paper = read("@misc{b,\n title={B\n}\n@misc{c, title={C}}")
    assert isinstance(fault, Fault)
    assert isinstance(paper, Paper)
    assert (fault.line, fault.record, paper.title) == (1, "@misc{b}", "C")
    assert fault.actual.startswith("found unmatched braces, commas or quotes")


def test_comments_prose_and_commented_entries_are_no_records() -> None:
    text = (
        "# Bread\nSome words, mail a@b.org\n% @misc{x, title={X}}\n@comment{note}\n"
        '@preamble{"x"}\n'
        "@misc{a, title={A}}\n%@ARTICLE{b,\n%  TITLE = {B}\n%}\n@misc{c, title={C}}"
    )  # fmt: skip
    assert [(paper.title, paper.sources[0].line) for paper in papers(text)] == [("A", 6), ("C", 10)]


def test_a_key_that_stands_twice() -> None:
    first, second, fault = read("@misc{k, title={A}}\n@misc{k, title={B}}\n")
    assert isinstance(first, Paper)
    assert isinstance(second, Paper)
    assert (first.detail("citation-key"), second.detail("citation-key")) == ("k", "")
    assert isinstance(fault, Fault)
    assert str(fault) == (
        snapshot(
            "p.bib:2: notice: found an entry with the cite key of another one (k); expected a unique key. It was read without the key."
        )
    )


def test_an_entry_without_a_title_is_quarantined() -> None:
    (found,) = read("\n@book{k,\n author = {Cruz, Ada}}")
    reason = "title: found none; expected the paper's title"
    assert isinstance(found, Fault)
    assert (found.line, found.record, found.actual) == (2, "@book{k} Cruz, Ada", reason)


def test_an_author_list_that_breaks_off_is_not_counted() -> None:
    paper = one("title = {A}, author = {Cruz, Ada and others}")
    assert (paper.authors, paper.author_count) == (("Cruz, Ada",), None)


def test_where_people_filed_it() -> None:
    found = papers(
        "@misc{a, title={A}, groups={Rye, Other}}\n"
        "@misc{b, title={B}, mendeley-groups={Bees/Wax}}\n"
        "@comment{jabref-meta: grouping:\n0 AllEntriesGroup:;\n1 StaticGroup:Bread\\;0\\;1\\;;\n"
        "2 StaticGroup:Rye\\;0\\;1\\;;\n1 ExplicitGroup:Old\\;0\\;b\\;;}"
    )
    assert [p.collections for p in found] == [("Bread / Rye", "Other"), ("Old", "Bees / Wax")]


@pytest.mark.parametrize(
    ("kind", "type_"),
    [
        ("Article", "article-journal"), ("CONFERENCE", "paper-conference"), ("inbook", "chapter"),
        ("phdthesis", "thesis"), ("techreport", "report"), ("web_page", "webpage"),
        ("misc", "document"), ("book", "book"), ("whatever", "document"),
    ],
)  # fmt: skip
def test_types_of_csl(kind: str, type_: str) -> None:
    assert one("title = {A}", kind).detail("type") == type_


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("@article{a,\n  title={A}\n}", ""),
        ("% made by hand\n\nScopus\nEXPORT DATE: 1 May 2020\n\n@ARTICLE{a,\ntitle={A}}", ""),
        ('@string(a = "b")\n', ""),
        ("@Comment{jabref-meta: x;}", ""),
        ("@misc{title = {A}}", ""),
        ("- [Rye](https://x.org)\n\n@article{a, title={A}}", "it only quotes BibTeX"),
        ("# Cite\n```\n@article{a, title={A}}\n```", "it only quotes BibTeX"),
        ("<html><pre>\n@article{a, title={A}}", "it only quotes BibTeX"),
        ("id,title,bib\n1,Rye,\"\n@article{a, title={A}}\"", "it only quotes BibTeX"),
        ("@ada (baker) wrote", "no line '@article{key,'"),
        ("TY  - JOUR\nTI  - A\nER  - \n", "no line '@article{key,'"),
    ],
)  # fmt: skip
def test_its_face(text: str, why: str) -> None:
    assert BIBTEX.reject_reason(text_content("p.txt", text)) == why


@given(
    st.lists(
        st.sampled_from(
            [
                "@a{",
                "@article{k,",
                "\n",
                "@",
                "{",
                "}",
                '"',
                "=",
                ",",
                "(",
                ")",
                "#",
                "%",
                "\\",
                "title",
                " year ",
                "x",
                "@comment{",
                "@string{a=",
                "crossref={k}",
                "\n@b(",
                "and",
                "$",
            ]
        )
    ).map("".join)
    | st.text()
)
def test_any_text_is_read_or_named(text: str) -> None:
    content = text_content("p.bib", text)
    BIBTEX.reject_reason(content)
    for record in BIBTEX.read(content):
        line = record.sources[0].line if isinstance(record, Paper) else record.line
        assert line is not None
        assert 1 <= line <= text.count("\n") + text.count("\r") + 1


@pytest.mark.parametrize(
    "sign", ["{", "@", '"', "\n", "\\", " ", "@a{", "\n@a{b,c={", "a={\n", "=", "@string{a=a#a}\n"]
)  # fmt: skip
def test_rubbish_takes_no_longer_than_its_length(sign: str) -> None:
    rubbish = sign * (20_000 // len(sign))
    read(rubbish)
    read(f"@article{{k,\n title = {{Rye}},\n abstract = {{{rubbish}")
