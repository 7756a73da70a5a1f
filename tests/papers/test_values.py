"""Values as programs and people write them, read through the formats in which they come.

A case table: a file with one value in it, and what is read of that value.
"""

from __future__ import annotations

import pytest

from classifier.files.content import text_content
from classifier.papers.load import read_content
from classifier.papers.paper import Paper

FILES = {
    "bib": "@article{k, title = {Rye}, @@ = {%%}}",
    "ris": "TY  - JOUR\nTI  - Rye\n@@  - %%\nER  - \n",
    "csv": 'Document Title,@@,Source title\nRye,"%%",Loaves\nOat,,Loaves\n',
    "jsonl": '{"title": "Rye", "@@": %%}\n',
    "json": '[{"itemType": "book", "title": "Rye", "@@": %%}]',
}
"""Ending -> a file; `@@` is the name of a field there, `%%` its value."""


def read(ending: str, name: str, value: str) -> Paper:
    """Return the first paper of a file with this one value in it."""
    text = FILES[ending].replace("@@", name).replace("%%", value)
    return read_content(text_content(f"p.{ending}", text)).papers[0]


AUTHORS = [
    ("bib", "author", r"Ada de la Cruz and {B}al, Jr., Jo", "Ada de la Cruz; Bal Jr., Jo"),
    ("bib", "author", "{Bees and Birds} and others", "Bees and Birds"),
    ("bib", "author", r"Ada Cruz$^{1,2}$ and Bo Bal", "Ada Cruz; Bo Bal"),
    ("ris", "AU", "Cruz AB", "Cruz, AB"),
    ("ris", "AU", "Cruz, Ada; Bal, Bo", "Cruz, Ada; Bal, Bo"),
    ("ris", "AU", "Bal, Bo, MA, PhD", "Bal, Bo"),
    ("csv", "Authors", "Oven, Ann (57190000000); Flour B.C.", "Oven, Ann; Flour, B.C."),
    ("csv", "Authors", "Ann Oven, Bo Flour and Cy Salt", "Ann Oven; Bo Flour; Cy Salt"),
    ("csv", "Authors", "Oven, A., Flour, B.", "Oven, A.; Flour, B."),
    ("csv", "Authors", "['Ann Oven', 'Bo Flour']", "Ann Oven; Bo Flour"),
    ("csv", "Authors", "Ann Oven et al.", "Ann Oven"),
    ("json", "creators", '[{"creatorType": "author", "lastName": "Cruz", "firstName": "Ada"}]',
     "Cruz, Ada"),
    ("json", "creators", '[{"creatorType": "author", "name": "Guild of Bakers"}]',
     "Guild of Bakers"),
]  # fmt: skip


@pytest.mark.parametrize(("ending", "name", "value", "authors"), AUTHORS)
def test_people(ending: str, name: str, value: str, authors: str) -> None:
    assert "; ".join(read(ending, name, value).authors) == authors


DATES = [
    ("bib", "date", "2024-03-05/2024-03-08", "2024-03-05"),
    ("bib", "year", "2024", "2024"),
    ("ris", "PY", "2016/09//Autumn", "2016-09"),
    ("ris", "DA", "2024 Jan 5", "2024-01-05"),
    ("csv", "Publication Date", "5. März 2024", "2024-03-05"),
    ("csv", "Publication Date", "03/04/2024", "2024"),
    ("csv", "Publication Date", "13/04/2024", "2024-04-13"),
    ("csv", "Publication Date", "2024年1月5日", "2024-01-05"),
    ("csv", "Year", "2024.0", "2024"),
    ("json", "date", '"May 2024"', "2024-05"),
]


@pytest.mark.parametrize(("ending", "name", "value", "date"), DATES)
def test_dates(ending: str, name: str, value: str, date: str) -> None:
    assert read(ending, name, value).published.date == date


IDS = [
    ("bib", "doi", "https://doi.org/10.1000/ABC.", "doi:10.1000/abc"),
    ("bib", "eprint", "2401.10230v2", "arxiv:2401.10230"),
    ("bib", "url", r"https://arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"),
    ("bib", "url", "https://doi.org/10.1000/182", "doi:10.1000/182"),
    ("ris", "UR", "https://arxiv.org/abs/2401.10230", "arxiv:2401.10230"),
    ("ris", "DO", "10.48550/arXiv.2401.10230", "arxiv:2401.10230"),
    ("csv", "DOI", "https://onlinelibrary.wiley.com/doi/10.1002/abc/full?x=1", "doi:10.1002/abc"),
    ("csv", "arXiv ID", "2401.1023", "arxiv:2401.10230"),
    ("csv", "Link", "https://doi.org/10.1000/182", "doi:10.1000/182"),
    ("jsonl", "doi", '"10.1016%2Fj.oven"', "doi:10.1016/j.oven"),
    ("json", "extra", '"arXiv: 2401.10230 [cs]"', "arxiv:2401.10230"),
]


@pytest.mark.parametrize(("ending", "name", "value", "identity"), IDS)
def test_ids(ending: str, name: str, value: str, identity: str) -> None:
    paper = read(ending, name, value)
    known = [f"arxiv:{paper.arxiv_id}"] * bool(paper.arxiv_id) + [f"doi:{paper.doi}"]
    assert known[0] == identity


KINDS = [
    ("ris", "TY", "CPAPER", "paper-conference"),
    ("csv", "Document Type", "Conference paper", "paper-conference"),
    ("csv", "Document Type", "期刊", "article-journal"),
    ("csv", "Document Type", "newspaperArticle", "article-newspaper"),
    ("json", "itemType", '"preprint"', "article"),
]


@pytest.mark.parametrize(("ending", "name", "value", "kind"), KINDS)
def test_kinds_of_publication_in_the_words_of_csl(
    ending: str, name: str, value: str, kind: str
) -> None:
    if ending == "ris":
        text = FILES["ris"].replace("TY  - JOUR", f"TY  - {value}").replace("@@  - %%\n", "")
    elif name == "itemType":
        text = FILES["json"].replace('"book"', value).replace(', "@@": %%', "")
    else:
        text = FILES[ending].replace("@@", name).replace("%%", value)
    (paper, *_) = read_content(text_content(f"p.{ending}", text)).papers
    assert paper.detail("type") == kind
