from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.corpus.paper import Paper, Published
from classifier.site.exports.bibtex import bibtex, bibtex_entry, escape_latex
from classifier.site.exports.citation import citation, one_line
from classifier.site.exports.cite_keys import cite_key, cite_keys
from classifier.site.exports.csl import csl_item, csl_json
from classifier.site.exports.ris import ris, ris_record

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
    assert bibtex_entry(FULL, "key") == (
        "@misc{key,\n"
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


MISSING = "incomplete: no authors; no date; no address"


def test_what_no_source_states_is_left_out_and_what_is_missing_is_named() -> None:
    assert bibtex_entry(BARE, "key") == (
        f"@misc{{key,\n  title = {{{{Nothing known}}}},\n  note = {{{MISSING}}},\n}}\n"
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
        ({"authors": (), "author_count": 3}, "incomplete: 0 of 3 authors"),
        ({"authors": (), "organisation": "Bird House"}, "incomplete: no authors"),
        ({"published": Published("2024")}, ""),
        ({"published": Published()}, "incomplete: no date"),
        ({"url": "ftp://example.org", "doi": "", "arxiv_id": ""}, "incomplete: no address"),
    ],
)
def test_the_note_names_what_is_missing(changes: dict[str, Any], note: str) -> None:
    whole = replace(FULL, author_count=None)
    assert citation(replace(whole, **changes)).note == note


def test_keys_of_other_ids_stand_in_the_entry() -> None:
    entry = bibtex_entry(BARE, "p-0123456789", ["arxiv:2401.10230", "p-ab"])
    assert "  ids = {arxiv-2401.10230, p-ab},\n" in entry


def test_one_bibtex_entry_a_paper() -> None:
    entries = read_bibtex(bibtex([FULL, BARE], cite_keys([FULL, BARE])))
    assert [entry["key"] for entry in entries] == ["doi-10.1000-a-b-31ed88f5", "p-0123456789"]
    assert {entry["kind"] for entry in entries} == {"misc"}


@given(st.text(alphabet="ab {}$&#%_^~\\é", min_size=1, max_size=40))
def test_escaped_text_reads_back_and_its_braces_balance(text: str) -> None:
    assert unescape(escape_latex(text)) == text
    (entry,) = read_bibtex(bibtex_entry(replace(BARE, venue=text), "key"))
    assert unescape(entry.get("howpublished", "{}")[1:-1]) == one_line(text)


def test_a_ris_record_says_all_that_is_known() -> None:
    assert ris_record(FULL, "key").splitlines() == [
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


def test_one_record_a_paper_in_every_format() -> None:
    papers = [FULL, BARE]
    keys = cite_keys(papers)
    assert ris(papers, keys).count("TY  - ") == ris(papers, keys).count("ER  - ") == 2
    assert [item["id"] for item in json.loads(csl_json(papers, keys))] == list(
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
    assert cite_key(paper_id) == key


def test_a_cite_key_does_not_change_whatever_else_is_learned_or_read() -> None:
    richer = replace(BARE, title="Nothing much known", authors=("Ada One",))
    alone, beside = cite_keys([BARE]), cite_keys([FULL, richer, replace(BARE, id="p-0123456780")])
    assert alone.items() <= beside.items()
    assert len(set(beside.values())) == 3


@given(st.lists(st.text("ab/._-()", min_size=1, max_size=8), min_size=2, unique=True))
def test_two_dois_never_share_a_cite_key_or_a_page(suffixes: list[str]) -> None:
    keys = {cite_key(f"doi:10.1000/{suffix}") for suffix in suffixes}
    assert len(keys) == len(suffixes)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*", key) for key in keys)
