"""Metadata for search engines, held against the rules of schema.org, Google and sitemaps.org."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from urllib.robotparser import RobotFileParser

import jsonschema
import pytest
from inline_snapshot import snapshot
from lxml import etree
from rdflib import RDF, Dataset
from rdflib.namespace import SDO

from classifier.site.exports.discovery import MAX_ADDRESSES, paper_data, sitemap_xml
from classifier.site.render import render_site
from classifier.survey.survey import Survey

HOME = "https://example.org/birds/"
DATA_BLOCK = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)

# https://developers.google.com/search/docs/appearance/structured-data/dataset
DATASET = {
    "type": "object",
    "required": ["@context", "@type", "name", "description"],
    "properties": {
        "@context": {"const": "https://schema.org"},
        "@type": {"const": "Dataset"},
        "description": {"type": "string", "minLength": 50, "maxLength": 5000},
        "license": {"type": "string", "format": "uri"},
        "url": {"type": "string", "pattern": "^https?://"},
        "creator": {
            "items": {
                "required": ["@type", "name"],
                "properties": {"@type": {"enum": ["Person", "Organization"]}},
            }
        },
        "distribution": {
            "minItems": 1,
            "items": {"required": ["@type", "contentUrl", "encodingFormat"]},
        },
    },
}
# https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd
SITEMAP = """
<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
 targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
 <xsd:element name="urlset"><xsd:complexType><xsd:sequence>
  <xsd:element name="url" maxOccurs="unbounded"><xsd:complexType><xsd:all>
   <xsd:element name="loc"><xsd:simpleType><xsd:restriction base="xsd:anyURI">
    <xsd:minLength value="12"/><xsd:maxLength value="2048"/>
   </xsd:restriction></xsd:simpleType></xsd:element>
  </xsd:all></xsd:complexType></xsd:element>
 </xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>
"""


@pytest.fixture
def published(survey: Survey) -> dict[str, bytes]:
    """Return the files of a site that has an address."""
    settings = survey.taxonomy.survey.model_copy(update={"base_url": HOME, "licence": "CC-BY-4.0"})
    taxonomy = survey.taxonomy.model_copy(update={"survey": settings})
    return render_site(replace(survey, taxonomy=taxonomy))


def data_of(page: bytes) -> dict[str, object]:
    (block,) = DATA_BLOCK.findall(page.decode())
    found = json.loads(block)
    assert isinstance(found, dict)
    return found


def terms_of(data: dict[str, object]) -> set[object]:
    """Return the types and properties that JSON-LD states; no context is fetched for it."""
    local = {**data, "@context": {"@vocab": str(SDO), "@base": HOME}}
    quads = list(Dataset().parse(data=json.dumps(local), format="json-ld"))
    assert quads
    return {o if p == RDF.type else p for _, p, o, _ in quads}


# rdflib warns of what its own parser uses.
@pytest.mark.filterwarnings(
    "ignore:Dataset.default_context:DeprecationWarning",
    "ignore:ConjunctiveGraph is deprecated:DeprecationWarning",
)
def test_json_ld_uses_only_terms_of_schema_org(published: dict[str, bytes]) -> None:
    checked = 0
    for path, page in published.items():
        if path == "index.html" or path.startswith("p/"):
            assert [term for term in terms_of(data_of(page)) if term not in SDO] == [], path
            checked += 1
    assert checked == 1 + sum(path.startswith("p/") for path in published)


def test_the_survey_is_a_dataset_by_the_rules_of_google(
    published: dict[str, bytes], site: dict[str, bytes]
) -> None:
    data = data_of(published["index.html"])
    jsonschema.validate(data, DATASET)
    jsonschema.validate(data_of(site["index.html"]), DATASET)  # Without an address, too.
    urls = re.findall(r'"contentUrl": "([^"]+)"', json.dumps(data))
    assert all(url.startswith(HOME) for url in urls)


def test_a_paper_is_a_scholarly_article_with_what_its_source_states(
    published: dict[str, bytes],
) -> None:
    assert data_of(published["p/arxiv-2401.10230.html"]) == snapshot(
        {
            "@context": "https://schema.org",
            "@type": "ScholarlyArticle",
            "name": "Hooks: bending 100% of wires",
            "author": [
                {
                    "@type": "Person",
                    "name": "Ada de la Cruz",
                    "givenName": "Ada",
                    "familyName": "de la Cruz",
                },
                {
                    "@type": "Person",
                    "name": "Ben Müller",
                    "givenName": "Ben",
                    "familyName": "Müller",
                },
            ],
            "datePublished": "2024-01-20",
            "identifier": [
                {"@type": "PropertyValue", "propertyID": "arXiv", "value": "2401.10230"}
            ],
            "url": "https://arxiv.org/abs/2401.10230",
            "keywords": ["Tools & hooks", "Hooks", "Song"],
        }
    )
    assert data_of(published["p/p-0123456789.html"]) == snapshot(
        {
            "@context": "https://schema.org",
            "@type": "ScholarlyArticle",
            "name": "A title and nothing else",
            "keywords": ["Song"],
        }
    )


def test_a_retracted_paper_is_marked(survey: Survey) -> None:
    entry = replace(survey.entries[0], paper=replace(survey.entries[0].paper, retracted="OpenAlex"))
    data = paper_data(entry, ())
    assert data["creativeWorkStatus"] == "Retracted"
    assert str(data["name"]).startswith("RETRACTED: ")


def test_the_sitemap_names_every_page(published: dict[str, bytes]) -> None:
    root = etree.fromstring(published["sitemap.xml"])
    etree.XMLSchema(etree.fromstring(SITEMAP)).assertValid(root)
    places = {place.text for place in root.iter("{*}loc")}
    moved = {p for p, text in published.items() if b'http-equiv="refresh"' in text}
    pages = {p for p in published if p.endswith(".html")} - moved - {"404.html"}
    assert places == {HOME + path.removesuffix("index.html") for path in pages}
    many = etree.fromstring(
        sitemap_xml(HOME, (f"{n}.html" for n in range(MAX_ADDRESSES + 1))).encode()
    )
    assert len(many) == MAX_ADDRESSES


def test_robots_txt_names_the_sitemap(published: dict[str, bytes]) -> None:
    robots = RobotFileParser()
    robots.parse(published["robots.txt"].decode().splitlines())
    assert robots.site_maps() == [f"{HOME}sitemap.xml"]
    assert robots.can_fetch("*", f"{HOME}index.html")


def test_without_an_address_there_is_no_sitemap(site: dict[str, bytes]) -> None:
    assert not {"sitemap.xml", "robots.txt"} & set(site)


def test_llms_txt_lists_chapters_and_data(site: dict[str, bytes]) -> None:
    text = site["llms.txt"].decode()
    assert text == snapshot("""\
# Birds that plan

> What crows do with tools. A survey of 3 papers, with the labels of each paper and a source per sentence.

## Chapters

- [Tools & hooks](c/tools.md): Work on tools. - hooks - sticks
- [Song](c/song.md): Work on song.

## Data

- [survey.md](survey.md): the whole survey with its references
- [papers.json](papers.json): each paper with its labels and the numbers that it states
- [references.bib](references.bib): the papers as BibTeX
""")
    for path in re.findall(r"\]\(([^)]+)\)", text):
        assert path in {*site, "labels.csv", "sentences.jsonl", "facts.json", "taxonomy.json"}


def test_a_chapter_has_its_text_as_markdown(site: dict[str, bytes]) -> None:
    text = site["c/tools.md"].decode()
    assert text.startswith("# Tools & hooks\n\nWork on *tools*.\n\n- hooks\n- sticks\n")
    for path in re.findall(r"\]\(\.\./([^)#?]+)", text):
        assert path in site
    link = '<link rel="alternate" type="text/markdown" href="../c/tools.md">'
    assert link in site["c/tools.html"].decode()


def test_previews_have_a_title_and_a_description(published: dict[str, bytes]) -> None:
    page = published["p/arxiv-2401.10230.html"].decode()
    found = re.findall(r'<meta property="og:([^"]+)" content="([^"]*)">', page)
    assert {name: unescape(content) for name, content in found} == snapshot(
        {
            "title": "Hooks: bending 100% of wires · Birds that plan",
            "type": "article",
            "site_name": "Birds that plan",
            "description": "Crows need hooks. Introduces Bend, a method. It wins 3%.",
            "url": "https://example.org/birds/p/arxiv-2401.10230.html",
        }
    )
