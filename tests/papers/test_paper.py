from __future__ import annotations

from dataclasses import fields, replace

import pytest

from classifier.papers.load import Corpus
from classifier.papers.paper import (
    Paper,
    Published,
    Source,
    clean_arxiv_id,
    clean_doi,
    is_well_formed_id,
)


def test_the_digest_of_a_text_changes_with_title_and_abstract_alone() -> None:
    paper = Paper("On Frogs", abstract="They sing.")
    assert len(paper.text_digest) == 12
    assert replace(paper, venue="Ponds", id="p-1").text_digest == paper.text_digest
    others = [replace(paper, title="On Toads"), replace(paper, abstract=""),
              Paper("On Frogs\nThey sing.")]  # fmt: skip
    assert paper.text_digest not in {other.text_digest for other in others}


def test_a_corpus_knows_the_other_ids_of_each_paper() -> None:
    corpus = Corpus((), 0, (), (), (), {"p-2": "arxiv:1", "doi:3": "arxiv:1", "p-4": "doi:5"})
    assert corpus.other_ids == {"arxiv:1": ("doi:3", "p-2"), "doi:5": ("p-4",)}


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://bakers.example/loaf", "https://bakers.example/loaf"),
        ("https://www.scopus.com/inward/record.uri?eid=2", "https://doi.org/10.1000/1"),
        ("https://search.proquest.com/docview/1", "https://doi.org/10.1000/1"),
        ("http://ezproxy.uni.example/login?url=https://x.example", "https://doi.org/10.1000/1"),
        ("https://www-jstor-org.ezproxy3.library.example/stable/1", "https://doi.org/10.1000/1"),
        ("https://proxima.example/loaf", "https://proxima.example/loaf"),
    ],
)
def test_a_link_leads_where_every_reader_may_go(url: str, link: str) -> None:
    assert Paper(title="Loaf", doi="10.1000/1", url=url).link == link
    assert Paper(title="Loaf", url=url).link == url


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("arXiv:Hep-TH/9711200", "hep-th/9711200"),
        ("https://arxiv.org/abs/math.gt/0309136v2", "math.GT/0309136"),
        ("2401.10230v1", "2401.10230"),
    ],
)
def test_an_arxiv_id_has_one_spelling(text: str, found: str) -> None:
    assert clean_arxiv_id(text) == found
    assert is_well_formed_id(f"arxiv:{found}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://dl.acm.org/doi/pdf/10.1000/1.2?casa_token=abc", "10.1000/1.2"),
        ("https://onlinelibrary.example/doi/10.1000/ABC.12/full?x=1#sec2", "10.1000/abc.12"),
        ("https://journal.example/article?id=10.1000/abc.12&type=printable", "10.1000/abc.12"),
        ("https://www.biorxiv.org/content/10.1101/2020.03.22.002386v3.full.pdf",
         "10.1101/2020.03.22.002386"),
        ("https://doi.org/10.1000/abc/", "10.1000/abc"),
        ("10.1000/abc.pdf", "10.1000/abc.pdf"),
        ("10.1000/abc, 10.1000/def", "10.1000/abc"),
        ("10.1000/abc,10.1000/def", "10.1000/abc"),
        ("[10.1000/abc(1)]", "10.1000/abc(1)"),
        ("“10.1000/abc”。", "10.1000/abc"),
        ("10.1000/(SICI)1(1998)17:15<16::AID-A1>3.0.CO;2-#",
         "10.1000/(sici)1(1998)17:15<16::aid-a1>3.0.co;2-#"),
        ("https://doi.org/10.1000/.", ""),
    ],
)  # fmt: skip
def test_a_doi_ends_where_its_address_goes_on(text: str, found: str) -> None:
    assert clean_doi(text) == found


def test_a_paper_takes_another_id_and_keeps_all_else() -> None:
    paper = Paper(
        "On Frogs", "p-1", "They sing.", "abstract", ("Ada",), 1, "Pond", Published("2024-05"),
        "Ponds", "2401.10230", "10.1/2", "https://a.b", ("https://c.d",), 3, ("frog",),
        ("Water",), (("volume", "3"),), "the title", (Source("a.bib", "bibtex", 1),),
    )  # fmt: skip
    assert all(getattr(paper, field.name) for field in fields(Paper))
    assert paper.with_id("p-2") == replace(paper, id="p-2")
