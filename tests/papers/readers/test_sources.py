"""Each source in the exact shape of its producer, in words of our own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.errors import Fault
from classifier.papers.fields import FIELDS, read_fields
from classifier.papers.paper import Paper, Source
from classifier.papers.readers.json_file import records_in
from classifier.papers.readers.json_objects import PLAIN
from classifier.papers.readers.json_sources import JSON_SOURCES as SOURCES
from classifier.papers.readers.json_sources import source_of

OPENALEX = {
    "id": "https://openalex.org/W1", "doi": "https://doi.org/10.1000/bread.1",
    "title": "Sourdough &amp; <i>time</i>", "display_name": "Sourdough & time",
    "publication_year": 2024, "publication_date": "2024-03-05", "language": "en",
    "ids": {"openalex": "https://openalex.org/W1", "pmid": "https://pubmed.ncbi.nlm.nih.gov/12"},
    "type": "article", "type_crossref": "journal-article",
    "primary_location": {
        "landing_page_url": "https://doi.org/10.1000/bread.1",
        "source": {"display_name": "Journal of Bread", "issn_l": "1234-5678", "type": "journal",
                   "host_organization_name": "Guild Press"},
    },
    "locations": [{"landing_page_url": "http://arxiv.org/abs/2401.10230", "source": None}],
    "authorships": [
        {"author": {"display_name": "Ada Cruz"}, "raw_author_name": "A. Cruz"},
        {"author": {}, "raw_author_name": "Bo Flour"},
    ],
    "biblio": {"volume": "3", "issue": "2", "first_page": "10", "last_page": "19"},
    "keywords": [{"id": "x", "display_name": "Fermentation", "score": 0.5}],
    "abstract_inverted_index": {"We": [0], "bake": [1, 3], "and": [2]},
}  # fmt: skip
SEMANTIC_SCHOLAR = {
    "paperId": "0f", "externalIds": {"ArXiv": "2401.10230", "DOI": "10.1000/bread.1",
                                     "PubMed": "12", "PubMedCentral": "34"},
    "url": "https://www.semanticscholar.org/paper/0f", "title": "Sourdough", "abstract": None,
    "venue": "arXiv.org", "publicationVenue": {"name": "Bread Conference", "issn": "1234-5678"},
    "year": 2024, "publicationDate": "2024-03-05",
    "publicationTypes": ["JournalArticle", "Conference"],
    "journal": {"name": "ArXiv", "volume": "abs/2401", "pages": "1-9"},
    "authors": [{"authorId": "1", "name": "Ada Cruz"}],
    "s2FieldsOfStudy": [{"category": "Chemistry", "source": "s2"}], "fieldsOfStudy": ["Biology"],
}  # fmt: skip
CROSSREF = {
    "DOI": "10.1000/bread.1", "type": "proceedings-article", "prefix": "10.1000", "member": "1",
    "title": ["Sourdough"], "subtitle": ["A study"], "container-title": ["Proc. Bread"],
    "abstract": "<jats:title>Abstract</jats:title><jats:p>We "
    "<jats:inline-graphic a='b' xlink:href='c'/>bake.</jats:p>",
    "author": [{"given": "Ada", "family": "Cruz"}, {"name": "Guild of Bakers"}],
    "issued": {"date-parts": [[None]]}, "published": {"date-parts": [[2024, 3]]},
    "page": "1-9", "volume": "2", "publisher": "Guild Press", "ISBN": ["9780000000001"],
    "relation": {"has-preprint": [{"id-type": "arxiv", "id": "2401.10230"}]},
    "URL": "https://doi.org/10.1000/bread.1",
}  # fmt: skip
HUGGING_FACE = {
    "paper": {"id": "2401.10230", "title": "Sourdough", "summary": "We bake\nbread.",
              "authors": [{"_id": "1", "name": "Ada Cruz", "hidden": False}],
              "publishedAt": "2024-01-18T00:00:00.000Z", "upvotes": 7,
              "githubRepo": "https://github.com/guild/oven"},
    "publishedAt": "2024-01-20T00:00:00.000Z", "title": "Sourdough", "numComments": 3,
    "organization": {"name": "guild", "fullname": "Guild of Bakers"},
}  # fmt: skip
ZOTERO = {
    "itemID": 4, "itemType": "preprint", "title": "Sourdough", "abstractNote": "We bake.",
    "creators": [{"creatorType": "author", "firstName": "Ada", "lastName": "Cruz"},
                 {"creatorType": "author", "name": "Guild of Bakers"},
                 {"creatorType": "editor", "firstName": "Bo", "lastName": "Flour"}],
    "date": "March 2024", "repository": "arXiv", "archiveID": "arXiv:2401.10230",
    "DOI": "10/abc12", "tags": [{"tag": "ovens", "type": 1}], "citationKey": "cruz2024",
    "extra": "PMID: 12\nPublisher: Guild Press", "version": 0, "collections": ["ABCD2345"],
}  # fmt: skip
FEED = {
    "id": "1", "url": "https://huggingface.co/papers/2401.10230",
    "title": "Sourdough", "content_html": "<p>We bake.</p>", "date_published": "2024-01-20",
    "authors": [{"name": "Ada Cruz"}], "tags": ["ovens"],
}  # fmt: skip
CSL = {
    "id": "cruz2024", "type": "article-journal", "title": "Sourdough", "DOI": "10.1000/bread.1",
    "author": [{"family": "Cruz", "given": "Ada", "non-dropping-particle": "de la"},
               {"literal": "Guild of Bakers"}],
    "issued": {"date-parts": [["2024", 3, "5"]]}, "container-title": "Journal of Bread",
    "note": "arXiv: 2401.10230 [cs]", "keyword": "ovens, flour", "ISSN": "1234-5678",
    "editor": [{"family": "Flour", "given": "Bo"}], "accessed": {"date-parts": [[2024, 4, 1]]},
}  # fmt: skip
CASES: dict[str, tuple[dict[str, Any], dict[str, object]]] = {
    "openalex": (OPENALEX, {
        "title": "Sourdough & time", "abstract": "We bake and bake", "arxiv_id": "2401.10230",
        "authors": ("Ada Cruz", "Bo Flour"), "venue": "Journal of Bread", "doi": "10.1000/bread.1",
        "keywords": ("Fermentation",), "published": "2024-03-05", "reference": {
            "type": "article-journal", "volume": "3", "issue": "2", "page": "10-19", "PMID": "12",
            "publisher": "Guild Press", "ISSN": "1234-5678", "language": "en"}}),
    "semantic-scholar": (SEMANTIC_SCHOLAR, {
        "title": "Sourdough", "abstract": "", "arxiv_id": "2401.10230", "doi": "10.1000/bread.1",
        "venue": "Bread Conference", "keywords": ("Biology", "Chemistry"), "reference": {
            "type": "paper-conference", "volume": "abs/2401", "page": "1-9", "ISSN": "1234-5678",
            "PMID": "12", "PMCID": "PMC34"}}),
    "crossref": (CROSSREF, {
        "title": "Sourdough: A study", "abstract": "We bake.", "published": "2024-03",
        "authors": ("Cruz, Ada", "Guild of Bakers"), "venue": "Proc. Bread",
        "arxiv_id": "2401.10230", "reference": {
            "type": "paper-conference", "volume": "2", "page": "1-9", "publisher": "Guild Press",
            "ISBN": "9780000000001"}}),
    "hugging-face": (HUGGING_FACE, {
        "title": "Sourdough", "abstract": "We bake bread.", "published": "2024-01-18",
        "comment_count": 3, "organisation": "Guild of Bakers", "arxiv_id": "2401.10230",
        "code_urls": ("https://github.com/guild/oven",)}),
    "zotero": (ZOTERO, {
        "title": "Sourdough", "authors": ("Cruz, Ada", "Guild of Bakers"), "published": "2024-03",
        "arxiv_id": "2401.10230", "doi": "", "url": "https://doi.org/10/abc12", "collections": (),
        "keywords": ("ovens",), "reference": {
            "type": "article", "citation-key": "cruz2024", "editor": "Flour, Bo", "PMID": "12",
            "number": "arXiv:2401.10230", "publisher": "arXiv",
            "note": "PMID: 12 Publisher: Guild Press"}}),
    "csl-json": (CSL, {
        "title": "Sourdough", "authors": ("de la Cruz, Ada", "Guild of Bakers"),
        "published": "2024-03-05", "venue": "Journal of Bread", "arxiv_id": "2401.10230",
        "keywords": ("ovens", "flour"), "reference": {
            "type": "article-journal", "citation-key": "cruz2024", "ISSN": "1234-5678",
            "editor": "Flour, Bo", "accessed": "2024-04-01", "note": "arXiv: 2401.10230 [cs]"}}),
}  # fmt: skip


def paper_of(record: dict[str, Any]) -> tuple[str, Paper]:
    ((source, found),) = records_in(record)
    (paper,) = read_fields(source.read(found), Source("x.json", "json", 1))
    assert isinstance(paper, Paper)
    return source.name, paper


@pytest.mark.parametrize("name", CASES)
def test_a_record_is_known_and_read(name: str) -> None:
    record, expected = CASES[name]
    source, paper = paper_of(record)
    found: dict[str, object] = {field: getattr(paper, field) for field in expected}
    if "published" in found:
        found["published"] = paper.published.date
    if "reference" in found:
        found["reference"] = dict(paper.reference)
    assert (source, found) == (name, expected)


def test_every_known_source_has_a_case() -> None:
    assert {source.name for source in SOURCES} == {*CASES, "papers.json"}


def test_a_paper_that_we_wrote_is_read_as_it_is() -> None:
    record = {
        "id": "p-0123456789", "title": "Sourdough", "abstract": "In short.",
        "abstract_kind": "digest", "authors": ["Ada Cruz"], "author_count": 1, "organisation": "",
        "published": "2024", "venue": "", "url": "https://example.org/x", "code_urls": [],
        "reference": {"type": "book"}, "text_digest": "0f", "labels": {"topic": {}},
    }  # fmt: skip
    name, paper = paper_of(record)
    assert (name, paper.id, paper.abstract_kind) == ("papers.json", "p-0123456789", "digest")
    assert paper.reference == (("type", "book"),)


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"corpusid": 1, "externalids": None, "title": "Bread", "year": 2020}, "semantic-scholar"),
        ({"type": "book", "id": 3, "title": "Bread", "issued": 2024}, "csl-json"),
        ({"type": "article-journal", "title": "Bread"}, "csl-json"),
        ({"data": {"itemType": "book", "title": "Bread"}, "key": "A"}, "zotero"),
        ({"title": "Bread", "upvotes": 3, "id": "2401.10230"}, "hugging-face"),
        ({"type": "article", "title": "Bread", "authors": "Ada", "year": 2020}, None),
        ({"title": "Bread", "arxiv_id": "2401.10230", "abstract": "We bake."}, None),
        ({"title": "Bread", "authors": ["Ada"], "venue": "Guild"}, None),
    ],
)
def test_less_of_a_record_is_enough(record: dict[str, object], name: str | None) -> None:
    source = source_of(record)
    assert (source.name if source else None) == name


def test_of_a_range_of_dates_the_start_and_of_a_year_on_new_year_the_year() -> None:
    issued = {"date-parts": [[2024, 3], [2024, 5]]}
    assert paper_of({"id": "a", "type": "book", "title": "B", "issued": issued})[
        1
    ].published.date == ("2024-03")
    new_year = {**OPENALEX, "publication_date": "2024-01-01"}
    assert paper_of(new_year)[1].published.date == "2024"


def test_collections_of_a_library_are_paths() -> None:
    library = {
        "collections": {
            "K1": {"key": "K1", "name": "Ovens", "parent": "", "items": []},
            "K2": {"key": "K2", "name": "Wood / Holz", "parent": "K1", "items": [4]},
            "K3": {"key": "K3", "name": "Loop", "parent": "K3", "items": []},
        },
        "items": [ZOTERO, {"itemID": 5, "itemType": "note", "note": "x"}],
    }
    (source, item), (_, note) = records_in(library)
    assert source.read(item)["collections"] == ["Ovens / Wood/Holz"]
    assert source.why_no_paper(note) == "note"


def test_an_address_of_the_resolver_gives_the_doi_where_none_is_stated() -> None:
    url = "https://doi.org/10.1000/182"
    for record in ({**ZOTERO, "DOI": "", "url": url}, {**CSL, "DOI": "", "URL": url}):
        _, paper = paper_of(record)
        assert (paper.doi, paper.url) == ("10.1000/182", url)


@pytest.mark.parametrize(
    "value",
    [
        {"message": {"items": [CROSSREF, CROSSREF]}},
        {"meta": {}, "results": [OPENALEX, OPENALEX]},
        {
            "total": 2,
            "data": [{"citingPaper": SEMANTIC_SCHOLAR}, {"citingPaper": SEMANTIC_SCHOLAR}],
        },
        {"book": CSL, "other": CSL},
        {"title": "A feed", "items": [FEED, FEED]},
        {"title": "A list", "papers": [{"title": "Bread"}, {"title": "Butter"}]},
    ],
)
def test_records_are_found_wherever_they_lie(value: object) -> None:
    assert len(list(records_in(value))) == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
def test_any_value_in_any_field_gives_a_paper_or_a_reason(name: str, data: st.DataObject) -> None:
    record = dict(CASES[name][0])
    for inner in ("info", "metadata", "paper", "content"):
        if isinstance(record.get(inner), dict):
            key = data.draw(st.sampled_from(sorted(record[inner])))
            record[inner] = {**record[inner], key: data.draw(JSON)}
    key = data.draw(st.sampled_from(sorted(record)))
    record[key] = data.draw(JSON)
    for source in (*SOURCES, PLAIN):
        source.is_record(record)
        fields = source.read(record)
        if source.name != "papers.json":
            for found in read_fields(fields, Source("x.json", "json", 1)):
                reason = found.actual if isinstance(found, Fault) else ""
                assert set(fields) <= set(FIELDS)
                assert "expected a string" not in reason, reason
                assert "expected a list" not in reason, reason
