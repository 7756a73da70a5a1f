from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from classifier.site.metadata import json_in_script
from classifier.site.render import render_site
from classifier.survey.survey import Survey

PAPER = "p/arxiv-2401.10230.html"


def named(page: bytes, attribute: str = "name") -> list[tuple[str, str]]:
    """Return (name, content) of the meta elements of a page."""
    found = re.findall(rf'<meta {attribute}="([^"]+)" content="([^"]*)">', page.decode())
    return [(name, unescape(content)) for name, content in found]


def described(page: bytes) -> dict[str, object]:
    """Return the one JSON-LD description that a page holds."""
    (text,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page.decode())
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def with_home(edition: Survey) -> Survey:
    survey = edition.taxonomy.survey.model_copy(update={"base_url": "https://example.org/b/"})
    return replace(edition, taxonomy=edition.taxonomy.model_copy(update={"survey": survey}))


def test_reference_managers_find_the_paper(site: dict[str, bytes]) -> None:
    tags = [item for item in named(site[PAPER]) if item[0].startswith("citation_")]
    assert tags == [
        ("citation_title", "Hooks: bending 100% of wires"),
        ("citation_author", "de la Cruz, Ada"),
        ("citation_author", "Müller, Ben"),
        ("citation_publication_date", "2024/01/20"),
        ("citation_arxiv_id", "2401.10230"),
        ("citation_abstract_html_url", "https://arxiv.org/abs/2401.10230"),
        ("citation_pdf_url", "https://arxiv.org/pdf/2401.10230"),
    ]


def test_only_what_a_source_states_is_told(site: dict[str, bytes]) -> None:
    page = site["p/p-0123456789.html"]
    tags = [item for item in named(page) if item[0].startswith("citation_")]
    assert tags == [("citation_title", "A title and nothing else")]
    assert described(page) == {
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "name": "A title and nothing else",
        "about": ["Song"],
    }


def test_a_paper_is_described_as_an_article(edition: Survey) -> None:
    assert described(render_site(with_home(edition))[PAPER]) == {
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "@id": "https://arxiv.org/abs/2401.10230",
        "name": "Hooks: bending 100% of wires",
        "author": [
            {"@type": "Person", "name": "Ada de la Cruz"},
            {"@type": "Person", "name": "Ben Müller"},
        ],
        "datePublished": "2024-01-20",
        "identifier": ["arXiv:2401.10230"],
        "url": "https://arxiv.org/abs/2401.10230",
        "about": ["Tools & hooks", "Hooks", "Song"],
        "mainEntityOfPage": "https://example.org/b/p/arxiv-2401.10230.html",
    }


def test_a_link_to_a_paper_unfolds_as_a_card(edition: Survey, site: dict[str, bytes]) -> None:
    card = [
        ("og:type", "article"),
        ("og:site_name", "Birds that plan"),
        ("og:title", "Hooks: bending 100% of wires"),
        ("og:description", "Introduces Bend, a method."),
    ]
    assert named(site[PAPER], "property") == card
    address = ("og:url", "https://example.org/b/p/arxiv-2401.10230.html")
    assert named(render_site(with_home(edition))[PAPER], "property") == [*card, address]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("index.html", ["feed.atom", "feed.json"]),
        ("c/tools/hooks.html", ["../../c/tools/hooks.atom", "../../c/tools/hooks.feed.json"]),
        ("c/flight.html", []),
        (
            "p/doi-10.1000-abc.html",
            [f"../p/doi-10.1000-abc.{ending}" for ending in ("bib", "ris", "json")],
        ),
    ],
)
def test_a_page_names_its_other_forms(
    path: str, expected: list[str], site: dict[str, bytes]
) -> None:
    found = re.findall(r'<link rel="alternate" .*?href="(.+?)">', site[path].decode())
    assert found == expected


def test_the_survey_is_a_data_set_and_a_category_a_collection_in_it(edition: Survey) -> None:
    site = render_site(with_home(edition))
    survey, song = described(site["index.html"]), described(site["c/song.html"])
    assert survey["@type"] == "Dataset"
    assert survey["url"] == "https://example.org/b/"
    assert survey["version"] == "0123456789ab"
    assert [person["name"] for person in survey["creator"]] == ["Ada Editor", "Ben Editor"]  # type: ignore[attr-defined]
    assert song["@type"] == "CollectionPage"
    assert song["isPartOf"] == {
        "@type": "Dataset",
        "name": "Birds that plan",
        "url": "https://example.org/b/",
    }
    assert song["mainEntity"] == {"@type": "ItemList", "numberOfItems": 3}


def test_no_text_ends_the_script_that_holds_it(hostile_site: dict[str, bytes]) -> None:
    for path in (*(p for p in hostile_site if p.startswith(("c/", "p/"))), "index.html"):
        if path.endswith(".html"):
            assert described(hostile_site[path])["@context"] == "https://schema.org"
    text = json_in_script({"name": "</script><!-- & <script>"})
    assert not set("<>&") & set(text)
    assert json.loads(text) == {"name": "</script><!-- & <script>"}
