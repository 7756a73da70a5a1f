from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.papers.paper import Paper, Published
from classifier.site.exports.citation import cite_keys, make_citation, one_line
from classifier.site.exports.reference_files import bibtex_entry, csl_item, escape_latex, ris_record

FULL = Paper(
    "50% of {braces} & R_2",
    id="doi:10.1000/a_b",
    authors=("Ada de la Cruz", "The Birds and Bees Group"),
    author_count=5,
    organisation="Bird House",
    published=Published("2024-03-05"),
    venue="Crows 2024",
    arxiv_id="2403.00001",
    doi="10.1000/a_b",
    url="https://example.org/a_b%20{c}",
)
BARE = Paper("Nothing known", id="p-0123456789")


def written(
    one: Callable[[Paper, str], str], papers: Iterable[Paper], keys: Mapping[str, str]
) -> str:
    """Return what a format writes of all papers."""
    return "\n".join(one(paper, keys[paper.id]) for paper in papers)


def read_bibtex(text: str) -> list[dict[str, str]]:
    """Read entries back by counting braces, as BibTeX does."""
    entries = []
    for kind, key, body in re.findall(r"@(\w+)\{([^,]+),\n(.*?)\n\}\n", text + "\n", re.DOTALL):
        fields = dict(re.findall(r"^  (\w+) = (.+),$", body, re.MULTILINE))
        for value in fields.values():
            assert value.count("{") == value.count("}")
        entries.append({"kind": kind, "key": key, **fields})
    return entries


def unescape(value: str) -> str:
    mathematics = {r"\lbrace": "{", r"\rbrace": "}"}
    for command, sign in (
        (r"\textasciicircum{}", "^"),
        (r"\textasciitilde{}", "~"),
        (r"\textbackslash{}", "\0"),
    ):
        value = value.replace(command, sign)
    value = re.sub(
        r"(?<!\\)\$(.+?)\$",
        lambda run: re.sub(r"\\[lr]brace", lambda m: mathematics[m.group()], run.group(1)),
        value,
    )
    return re.sub(r"\\([$&#%_])", r"\1", value).replace("\0", "\\")


def test_a_bibtex_entry_says_all_that_is_known() -> None:
    assert bibtex_entry(FULL, "doi-10.1000-a-b-31ed88f5") == (
        snapshot(
            "@misc{doi-10.1000-a-b-31ed88f5,\n"
            "  title = {{50\\% of $\\lbrace$braces$\\rbrace$ \\& R\\_2}},\n"
            "  author = {de la Cruz, Ada and {The Birds and Bees Group} and others},\n"
            "  organization = {Bird House},\n"
            "  year = {2024},\n"
            "  month = mar,\n"
            "  day = {5},\n"
            "  howpublished = {Crows 2024},\n"
            "  eprint = {2403.00001},\n"
            "  archiveprefix = {arXiv},\n"
            "  doi = {10.1000/a_b},\n"
            "  url = {https://example.org/a_b%20%7Bc%7D},\n"
            "  note = {incomplete: 2 of 5 authors},\n"
            "}\n"
        )
    )


MISSING = "incomplete: no authors; no date; no address"


def test_what_no_source_states_is_left_out_and_what_is_missing_is_named() -> None:
    assert bibtex_entry(BARE, BARE.id) == (
        f"@misc{{p-0123456789,\n  title = {{{{Nothing known}}}},\n  note = {{{MISSING}}},\n}}\n"
    )
    assert ris_record(BARE, "key") == (
        f"TY  - GEN\nID  - key\nTI  - Nothing known\nN1  - {MISSING}\nER  - \n"
    )
    item = {"id": "key", "type": "article", "title": "Nothing known", "note": MISSING}
    assert csl_item(BARE, "key") == item


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({}, ""),
        ({"author_count": None}, "incomplete: not all authors"),
        ({"authors": (), "author_count": 3}, "incomplete: 0 of 3 authors"),
        (
            {"authors": (), "author_count": None, "organisation": "Bird House"},
            "incomplete: no authors",
        ),
        ({"published": Published("2024")}, ""),
        ({"published": Published()}, "incomplete: no date"),
        ({"url": "ftp://example.org", "doi": "", "arxiv_id": ""}, "incomplete: no address"),
    ],
)
def test_the_note_names_what_is_missing(changes: dict[str, Any], note: str) -> None:
    whole = replace(FULL, author_count=len(FULL.authors))
    assert make_citation(replace(whole, **changes)).note == note


def test_keys_of_other_ids_stand_in_the_entry() -> None:
    entry = bibtex_entry(BARE, "p-0123456789", ["arxiv:2401.10230", "p-ab"])
    assert "  ids = {arxiv-2401.10230, p-ab},\n" in entry


def test_one_bibtex_entry_a_paper() -> None:
    entries = read_bibtex(written(bibtex_entry, [FULL, BARE], cite_keys([FULL, BARE])))
    assert [entry["key"] for entry in entries] == ["doi-10.1000-a-b-31ed88f5", "p-0123456789"]
    assert {entry["kind"] for entry in entries} == {"misc"}


@given(st.text(alphabet="ab {}$&#%_^~\\é", min_size=1, max_size=40))
def test_escaped_text_reads_back_and_its_braces_balance(text: str) -> None:
    assert unescape(escape_latex(text)) == text
    (entry,) = read_bibtex(bibtex_entry(replace(BARE, venue=text), BARE.id))
    assert unescape(entry.get("howpublished", "{}")[1:-1]) == one_line(text)


def test_a_ris_record_says_all_that_is_known() -> None:
    assert ris_record(FULL, "key").splitlines() == snapshot(
        [
            "TY  - GEN",
            "ID  - key",
            "TI  - 50% of {braces} & R_2",
            "AU  - de la Cruz, Ada",
            "AU  - The Birds and Bees Group",
            "PB  - Bird House",
            "PY  - 2024",
            "DA  - 2024/03/05/",
            "T2  - Crows 2024",
            "DO  - 10.1000/a_b",
            "AN  - arXiv:2403.00001",
            "UR  - https://example.org/a_b%20{c}",
            "N1  - incomplete: 2 of 5 authors",
            "ER  - ",
        ]
    )


def test_one_record_a_paper_in_every_format() -> None:
    papers = [FULL, BARE]
    keys = cite_keys(papers)
    assert (
        written(ris_record, papers, keys).count("TY  - ")
        == written(ris_record, papers, keys).count("ER  - ")
        == 2
    )
    assert [item["id"] for item in [csl_item(paper, keys[paper.id]) for paper in papers]] == list(
        map(keys.__getitem__, [paper.id for paper in papers])
    )


def test_csl_takes_names_and_dates_apart() -> None:
    item = csl_item(replace(FULL, authors=("Ada de la Cruz", "Plato")), "key")
    assert item["author"] == [{"family": "de la Cruz", "given": "Ada"}, {"literal": "Plato"}]
    assert item["issued"] == {"date-parts": [[2024, 3, 5]]}


@pytest.mark.parametrize(
    ("paper_id", "key"),
    [
        ("arxiv:2401.10230", "arxiv-2401.10230"),
        ("arxiv:cs/0112017", "arxiv-cs-0112017"),
        ("doi:10.1000/abc.2", "doi-10.1000-abc.2"),
        ("doi:10.1000/a_b", "doi-10.1000-a-b-31ed88f5"),
        ("p-0123456789", "p-0123456789"),
    ],
)
def test_a_cite_key_is_the_id_as_in_addresses(paper_id: str, key: str) -> None:
    assert cite_keys([replace(BARE, id=paper_id)]) == {paper_id: key}


def test_a_cite_key_does_not_change_whatever_else_is_learned_or_read() -> None:
    richer = replace(BARE, title="Nothing much known", authors=("Ada One",))
    alone, beside = cite_keys([BARE]), cite_keys([FULL, richer, replace(BARE, id="p-0123456780")])
    assert alone.items() <= beside.items()
    assert len(set(beside.values())) == 3


@given(st.lists(st.text("ab/._-()", min_size=1, max_size=8), min_size=2, unique=True))
def test_two_dois_never_share_a_cite_key_or_a_page(suffixes: list[str]) -> None:
    papers = [replace(BARE, id=f"doi:10.1000/{suffix}") for suffix in suffixes]
    keys = set(cite_keys(papers).values())
    assert len(keys) == len(suffixes)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*", key) for key in keys)


ARTICLE = replace(
    FULL,
    author_count=2,
    venue="Journal of Corvids",
    abstract="Crows\ncount & remember.",
    abstract_kind="abstract",
    keywords=("tool use", "memory"),
    collections=("Birds / Crows",),
    reference=(
        ("ISSN", "1234-5678"),
        ("citation-key", "cruz2024crows"),
        ("editor", "Bo Two; Three, Cy"),
        ("issue", "2"),
        ("page", "12-34"),
        ("publisher", "Nest & Co"),
        ("type", "article-journal"),
        ("volume", "7"),
    ),
)


def test_a_journal_article_is_one_in_every_format() -> None:
    entry = bibtex_entry(ARTICLE, "cruz2024crows", tags=["fieldguide:birds"], abstract=True)
    assert entry.startswith("@article{cruz2024crows,\n")
    (fields,) = read_bibtex(entry)
    assert {key: value for key, value in fields.items() if key in ARTICLE_FIELDS} == ARTICLE_FIELDS
    record = ris_record(ARTICLE, "key", ["fieldguide:birds"], abstract=True).splitlines()
    assert record[0] == "TY  - JOUR"
    assert set(record) >= {
        *("A2  - Two, Bo", "A2  - Three, Cy", "PB  - Nest & Co", "VL  - 7", "IS  - 2"),
        *("SP  - 12", "EP  - 34", "SN  - 1234-5678", "T2  - Journal of Corvids"),
        *("KW  - tool use", "KW  - memory", "KW  - fieldguide:birds"),
        "AB  - Crows count & remember.",
    }
    item = csl_item(ARTICLE, "key", ["fieldguide:birds"], abstract=True)
    assert item["type"] == "article-journal"
    assert item["editor"] == [
        {"family": "Two", "given": "Bo"},
        {"family": "Three", "given": "Cy"},
    ]
    assert [item[name] for name in ("volume", "issue", "page", "publisher", "ISSN")] == [
        *("7", "2", "12-34", "Nest & Co", "1234-5678"),
    ]
    assert item["keyword"] == "tool use, memory, fieldguide:birds"
    assert item["abstract"] == "Crows count & remember."


ARTICLE_FIELDS = {
    "editor": "{Two, Bo and Three, Cy}",
    "institution": "{Bird House}",
    "journal": "{Journal of Corvids}",
    "publisher": "{Nest \\& Co}",
    "volume": "{7}",
    "number": "{2}",
    "issn": "{1234-5678}",
    "pages": "{12--34}",
    "keywords": "{tool use, memory, fieldguide:birds}",
    "groups": "{Birds / Crows}",
    "ids": "{doi-10.1000-a-b-31ed88f5}",
    "abstract": "{Crows count \\& remember.}",
}


@pytest.mark.parametrize(
    ("csl_type", "bibtex_kind", "venue", "issuer", "ris_type"),
    [
        ("article-journal", "article", "journal", "publisher", "JOUR"),
        ("paper-conference", "inproceedings", "booktitle", "publisher", "CONF"),
        ("chapter", "incollection", "booktitle", "publisher", "CHAP"),
        ("thesis", "phdthesis", "howpublished", "school", "THES"),
        ("report", "techreport", "howpublished", "institution", "RPRT"),
        ("article", "misc", "howpublished", "publisher", "GEN"),
        ("", "misc", "howpublished", "publisher", "GEN"),
        ("song", "misc", "howpublished", "publisher", "GEN"),
    ],
)
def test_each_kind_has_its_own_fields(
    csl_type: str, bibtex_kind: str, venue: str, issuer: str, ris_type: str
) -> None:
    stated = {"publisher": "Nest", "type": csl_type}
    paper = replace(BARE, venue="Crows", reference=tuple(sorted(stated.items())))
    (entry,) = read_bibtex(bibtex_entry(paper, BARE.id))
    assert (entry["kind"], entry[venue], entry[issuer]) == (bibtex_kind, "{Crows}", "{Nest}")
    assert ris_record(paper, "key").startswith(f"TY  - {ris_type}\n")
    assert csl_item(paper, "key")["type"] == (csl_type or "article")


def test_a_digest_is_no_abstract() -> None:
    digest = replace(BARE, abstract="It counts crows.", abstract_kind="digest")
    assert "counts" not in bibtex_entry(digest, "key", abstract=True)
    assert "counts" not in ris_record(digest, "key", abstract=True)
    assert "abstract" not in csl_item(digest, "key", abstract=True)


def keyed(number: int, key: str) -> Paper:
    reference = (("citation-key", key),) if key else ()
    return replace(BARE, id=f"p-{number:010}", reference=reference)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["cruz2024", "two:2020/b"], ["cruz2024", "two:2020/b"]),
        (["cruz2024", "Cruz2024"], ["p-0000000000", "p-0000000001"]),
        (["cruz 2024", "{x}", "a,b", "ø"], [f"p-{n:010}" for n in range(4)]),
        (["p-0000000001", ""], ["p-0000000000", "p-0000000001"]),
        (["p-0000000000"], ["p-0000000000"]),
        ([""], ["p-0000000000"]),
    ],
)
def test_a_persons_own_key_is_kept_where_it_is_a_key_and_nobody_elses(
    keys: list[str], expected: list[str]
) -> None:
    papers = [keyed(number, key) for number, key in enumerate(keys)]
    assert list(cite_keys(papers).values()) == expected


def test_who_is_cited_by_an_own_key_is_known_by_the_id_too() -> None:
    assert "  ids = {p-0000000000},\n" in bibtex_entry(keyed(0, "cruz2024"), "cruz2024")
