"""The fields of a record: those in plain letters are read alike, with fewer looks."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from classifier.papers.fields import READ, read_fields
from classifier.papers.paper import Paper, Source

PLACE = Source("papers/a.jsonl", "jsonl", 7)
TEXTS = st.text(max_size=12) | st.sampled_from(
    [
        "", " ", "On Frogs", "Caf\u00c3\u00a9", "Café", "n/a", "\ud800", "a\x00b", "et al.",
        "arxiv:2401.10230v2", "arxiv:2401.10230", "10.1000/182", "2024-02-30", "2024-02-29",
        "https://a.b/c", "ftp://a.b", "fieldguide:x", "digest", "p-0123456789",
    ]
)  # fmt: skip
VALUES = st.one_of(
    TEXTS,
    st.lists(TEXTS, max_size=3),
    st.lists(TEXTS | st.none(), max_size=2),
    st.dictionaries(TEXTS, TEXTS, max_size=2),
    st.sampled_from([None, True, 0, -1, 2024, 3_000_000, 1.5, (), {}, ("a", "b")]),
)


RECORDS = st.dictionaries(st.sampled_from(sorted(READ)), VALUES, max_size=6)
TITLED = st.builds(lambda record, title: {**record, "title": title}, RECORDS, TEXTS)


def paper(**given: object) -> Paper:
    (record,) = read_fields({"title": "On Frogs", **given}, PLACE)
    assert isinstance(record, Paper)
    return record


def test_no_nul_reaches_a_sheet_or_the_ledger() -> None:
    read = paper(title="Fr\0gs", authors=["A\0a"], reference={"volume": "1\0"})
    assert (read.title, read.authors) == ("Frgs", ("Aa",))
    assert dict(read.reference) == {"volume": "1"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[No abstract available]", "none"),
        ("No abstract is available for this article.", "none"),
        ("Abstract not provided", "none"),
        ("Not applicable.", "none"),
        ("Without Abstract", "none"),
        ("“ON FROGS.”", "none"),
        ("On frogs and toads", "abstract"),
        ("No abstract notion is available for this frog.", "abstract"),
    ],
)
def test_a_text_that_says_there_is_no_abstract_is_none(text: str, kind: str) -> None:
    assert paper(abstract=text).abstract_kind == kind


@pytest.mark.parametrize(
    "name", ["Anonymous", "[Anonymous]", "anonymous authors", "Anonymous Author(s)", "Anon.",
             "[No authors listed]"],
)  # fmt: skip
def test_nobody_is_no_author(name: str) -> None:
    assert paper(authors=[name]).authors == ()
    assert paper(authors=[name]).author_count is None
    assert paper(authors=[name, "Ann Onymous", "Noa Anon"]).authors == ("Ann Onymous", "Noa Anon")


def test_the_doi_that_arxiv_gives_is_an_arxiv_id() -> None:
    assert paper(doi="https://doi.org/10.48550/arXiv.2401.10230v2").arxiv_id == "2401.10230"
    assert paper(id="doi:10.48550/arxiv.2401.10230").arxiv_id == "2401.10230"
    assert paper(doi="10.1000/2401.10230").arxiv_id == ""
    assert paper(doi="10.48550/arXiv.2401.10230", arxiv_id="2402.00001").arxiv_id == "2402.00001"
