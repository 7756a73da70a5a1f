from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.corpus.paper import Paper, Published
from classifier.site.exports.bibtex import bibtex, bibtex_entry, escape_latex
from classifier.site.exports.cite_keys import cite_keys
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
            unescaped = re.sub(r"\\[{}]", "", value)
            assert unescaped.count("{") == unescaped.count("}")
        entries.append({"kind": kind, "key": key, **fields})
    return entries


def unescape(value: str) -> str:
    for command, sign in (
        (r"\textasciicircum{}", "^"),
        (r"\textasciitilde{}", "~"),
        (r"\textbackslash{}", "\0"),
    ):
        value = value.replace(command, sign)
    return re.sub(r"\\([{}$&#%_])", r"\1", value).replace("\0", "\\")


def test_a_bibtex_entry_says_all_that_is_known() -> None:
    assert bibtex_entry(FULL, "key") == (
        "@misc{key,\n"
        "  title = {{50\\% of \\{braces\\} \\& R\\_2}},\n"
        "  author = {Ada de la Cruz and {The Birds and Bees Group} and others},\n"
        "  organization = {Bird House},\n"
        "  year = {2024},\n"
        "  month = mar,\n"
        "  howpublished = {Crows 2024},\n"
        "  eprint = {2403.00001},\n"
        "  archiveprefix = {arXiv},\n"
        "  doi = {10.1000/a\\_b},\n"
        "  url = {https://example.org/a_b%20%7Bc%7D},\n"
        "}\n"
    )


def test_what_no_source_states_is_left_out() -> None:
    assert bibtex_entry(BARE, "key") == "@misc{key,\n  title = {{Nothing known}},\n}\n"
    assert ris_record(BARE, "key") == "TY  - GEN\nID  - key\nTI  - Nothing known\nER  - \n"
    assert csl_item(BARE, "key") == {"id": "key", "type": "article", "title": "Nothing known"}


def test_one_bibtex_entry_a_paper() -> None:
    entries = read_bibtex(bibtex([FULL, BARE], cite_keys([FULL, BARE])))
    assert [entry["key"] for entry in entries] == ["delacruz2024braces", "nothingknown"]
    assert {entry["kind"] for entry in entries} == {"misc"}


@given(st.text(alphabet="ab {}$&#%_^~\\é", min_size=1, max_size=40))
def test_escaped_text_reads_back_and_its_braces_balance(text: str) -> None:
    assert unescape(escape_latex(text)) == text
    (entry,) = read_bibtex(bibtex_entry(replace(BARE, venue=text), "key"))
    assert unescape(entry["howpublished"][1:-1]) == text


def test_a_ris_record_says_all_that_is_known() -> None:
    assert ris_record(FULL, "key").splitlines() == [
        "TY  - GEN",
        "ID  - key",
        "TI  - 50% of {braces} & R_2",
        "AU  - de la Cruz, Ada",
        "AU  - Group, The Birds and Bees",
        "PB  - Bird House",
        "PY  - 2024",
        "DA  - 2024/03/05/",
        "T2  - Crows 2024",
        "DO  - 10.1000/a_b",
        "AN  - arXiv:2403.00001",
        "UR  - https://example.org/a_b%20{c}",
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
    ("title", "author", "date", "key"),
    [
        ("On the Origin of Crows", "Åsa Öberg", "2024-01-02", "oberg2024origin"),
        ("SWE-bench: can crows code?", "", "2023", "swe2023crows"),
        ("Crows", "", "", "crows"),
        ("乌鸦", "", "2024", "paper2024"),
    ],
)
def test_a_cite_key(title: str, author: str, date: str, key: str) -> None:
    paper = Paper(title, id="p-1", authors=(author,) if author else (), published=Published(date))
    assert cite_keys([paper]) == {"p-1": key}


def test_equal_cite_keys_are_told_apart_in_the_order_of_ids() -> None:
    papers = [Paper("Crows", id=name) for name in ("p-3", "p-1", "p-2")]
    expected = {"p-1": "crowsa", "p-2": "crowsb", "p-3": "crowsc"}
    assert cite_keys(papers) == cite_keys(papers[::-1]) == expected
