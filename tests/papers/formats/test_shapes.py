"""Answers and exports of services that have no module of their own, read by their keys."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from classifier.files.content import text_content
from classifier.papers.load import read_content
from classifier.papers.paper import Paper

NAMES = ["Ann Oven", "Bo C. Flour"]
TITLE, ABSTRACT = "Slow fermentation of rye bread", "Rye bread is sour, and we say why."
DOI, DATE, VENUE, ARXIV = "10.1000/bread.1", "2024-01-15", "Journal of Bread", "2401.10230"

SHAPES: dict[str, object] = {
    "zenodo": {"hits": {"hits": [{
        "id": 1, "doi": DOI, "title": TITLE, "metadata": {
            "title": TITLE, "publication_date": DATE, "description": f"<p>{ABSTRACT}</p>",
            "creators": [{"name": "Oven, Ann"}, {"name": "Flour, Bo C."}],
            "journal": {"title": VENUE}, "keywords": ["rye"]}}]}},
    "datacite": {"data": [{"id": DOI, "type": "dois", "attributes": {
        "doi": DOI, "titles": [{"title": TITLE}], "creators": [
            {"name": "Oven, Ann"}, {"name": "Flour, Bo C."}],
        "container": {"title": VENUE}, "publicationYear": 2024, "subjects": [{"subject": "rye"}],
        "descriptions": [{"description": ABSTRACT, "descriptionType": "Abstract"}]}}]},
    "ads": {"response": {"docs": [{
        "title": [TITLE], "abstract": ABSTRACT, "author": ["Oven, Ann", "Flour, Bo C."],
        "doi": [DOI], "identifier": [f"arXiv:{ARXIV}", DOI], "pub": VENUE,
        "pubdate": "2024-01-00", "keyword": ["rye"]}]}},
    "hal": {"response": {"docs": [{
        "title_s": [TITLE], "abstract_s": [ABSTRACT], "authFullName_s": NAMES,
        "publicationDate_s": DATE, "journalTitle_s": VENUE, "doiId_s": DOI,
        "keyword_s": ["rye"]}]}},
    "pubmed esummary": {"result": {"uids": ["1"], "1": {
        "uid": "1", "title": TITLE, "pubdate": "2024 Jan 15", "source": "J Bread",
        "fulljournalname": VENUE,
        "authors": [{"name": "Oven A", "authtype": "Author"}, {"name": "Flour BC"}],
        "articleids": [{"idtype": "doi", "value": DOI}]}}},
    "scopus": {"search-results": {"entry": [{
        "prism:url": "https://example.org/1", "dc:title": TITLE, "dc:description": ABSTRACT,
        "dc:creator": "Oven A.", "prism:publicationName": VENUE, "prism:coverDate": DATE,
        "prism:doi": DOI, "authkeywords": "rye | dough"}]}},
    "springer": {"records": [{
        "title": TITLE, "abstract": ABSTRACT, "creators": [{"creator": "Oven, Ann"}],
        "publicationName": VENUE, "publicationDate": DATE, "doi": DOI,
        "url": [{"format": "html", "value": "https://example.org/1"}]}]},
    "web of science": {"hits": [{
        "title": TITLE, "source": {"sourceTitle": VENUE, "publishYear": 2024},
        "names": {"authors": [{"displayName": "Oven, Ann"}]}, "identifiers": {"doi": DOI},
        "keywords": {"authorKeywords": ["rye"]}}]},
    "graphql": {"data": {"papers": {"edges": [{"node": {
        "title": TITLE, "abstract": ABSTRACT, "publishedAt": DATE, "doi": DOI,
        "authors": {"nodes": [{"name": name} for name in NAMES]}}}]}}},
    "cord-19": [{"paper_id": "a", "metadata": {
        "title": TITLE, "authors": [
            {"first": "Ann", "middle": [], "last": "Oven"},
            {"first": "Bo", "middle": ["C."], "last": "Flour"}]},
        "abstract": [{"text": ABSTRACT, "section": "Abstract"}]}],
    "chinese": [{
        "标题": TITLE, "摘要": ABSTRACT, "作者": NAMES, "年份": "2024", "期刊": VENUE}],
    "printed lists": [{
        "title": TITLE, "summary": ABSTRACT,
        "author": "[{'name': 'Ann Oven'}, {'name': 'Bo Flour'}]",
        "day": 15, "month": 1, "year": 2024, "id": f"{ARXIV}v1"}],
}  # fmt: skip
FAMILIES = {"Ann Oven", "Oven, Ann", "Oven, A", "Oven, A."}


@pytest.mark.parametrize("name", SHAPES)
def test_a_record_is_read_by_its_keys(name: str) -> None:
    found = read_content(text_content("p.json", json.dumps(SHAPES[name])))
    (paper,) = found.papers
    text = json.dumps(SHAPES[name], ensure_ascii=False)
    assert paper.title == TITLE
    assert paper.abstract == (ABSTRACT if ABSTRACT in text else "")
    assert paper.authors[0] in FAMILIES
    assert paper.venue == (VENUE if VENUE in text else "")
    assert paper.doi == (DOI if DOI in text else "")
    assert paper.arxiv_id == (ARXIV if ARXIV in text else "")
    assert paper.keywords[:1] == (("rye",) if '"rye' in text else ())
    assert paper.published.date[:4] in ("2024", "")
    if DATE in text:
        assert paper.published.date == DATE
    assert found.quarantined == ()


def test_the_names_of_a_list_are_all_read() -> None:
    def authors(name: str) -> tuple[str, ...]:
        (paper,) = read_content(text_content("p.json", json.dumps(SHAPES[name]))).papers
        assert isinstance(paper, Paper)
        return paper.authors

    assert authors("pubmed esummary") == ("Oven, A", "Flour, BC")
    assert authors("cord-19") == ("Oven, Ann", "Flour, Bo C.")
    assert authors("graphql") == tuple(NAMES)
    assert authors("printed lists") == ("Ann Oven", "Bo Flour")


def test_a_row_is_read_alike_in_a_table_and_in_json() -> None:
    row = {
        "Paper title": "Slow <i>rye</i>", "Abstract": "We bake &amp; rest.", "Year": "2024.0",
        "Authors": "Oven, Ann; Flour, Bo C.", "Publication date": "JAN 10", "Journal": "ArXiv",
        "Link": "https://arxiv.org/abs/2401.10230v2", "Keywords": "rye, crust",
        "ids": "doi:10.1000/RYE", "Category": "Bread > Rye", "Start page": "3", "End page": "9",
        "Item type": "Thesis",
    }  # fmt: skip
    header, cells = (",".join(f'"{text}"' for text in texts) for texts in (row, row.values()))
    forms = {"p.csv": f"{header}\n{cells}\n", "p.json": json.dumps([row])}
    table, objects = (
        replace(read_content(text_content(name, text)).papers[0], sources=())
        for name, text in forms.items()
    )
    assert table == objects
    assert (table.title, table.abstract, table.doi) == (
        "Slow rye",
        "We bake & rest.",
        "10.1000/rye",
    )
    assert (table.published.date, table.venue, table.arxiv_id) == ("2024-01-10", "", "2401.10230")
    assert (table.keywords, table.collections) == (("rye", "crust"), ("Bread / Rye",))
    assert dict(table.reference) == {"page": "3-9", "type": "thesis"}


def test_an_arxiv_id_that_became_a_number_gets_its_zero_back() -> None:
    text = '[{"title": "Rye bread", "arxiv_id": 2401.1023, "abstract": "We bake."}]'
    (paper,) = read_content(text_content("p.json", text)).papers
    assert paper.arxiv_id == "2401.10230"
