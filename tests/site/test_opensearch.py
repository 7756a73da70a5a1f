from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from classifier.site.exports.sitemap import short_name
from classifier.site.render import render_site
from classifier.survey.survey import Survey

NAMESPACE = "{http://a9.com/-/spec/opensearch/1.1/}"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Birds that plan", "Birds that plan"),
        ("A field guide to bread", "A field guide to"),
        ("A fieldguide to bread", "A fieldguide to"),
        ("Counterrevolutionaries", "Counterrevolutio"),
    ],
)
def test_a_short_name_has_sixteen_characters_at_most(title: str, name: str) -> None:
    assert short_name(title) == name


def test_a_published_site_describes_its_search(
    edition: Survey, site: dict[str, bytes], hostile_edition: Survey
) -> None:
    assert "opensearch.xml" not in site
    assert b'rel="search"' not in site["index.html"]
    for one in (edition, hostile_edition):
        survey = one.taxonomy.survey.model_copy(update={"base_url": "https://example.org/b/"})
        taxonomy = one.taxonomy.model_copy(update={"survey": survey})
        published = render_site(replace(one, taxonomy=taxonomy))
        described = ElementTree.fromstring(published["opensearch.xml"])
        url = described.find(f"{NAMESPACE}Url")
        assert url is not None
        assert url.get("template") == "https://example.org/b/browse.html?q={searchTerms}"
        name = described.findtext(f"{NAMESPACE}ShortName") or ""
        assert 0 < len(name) <= 16
        assert b'href="../opensearch.xml"' in published["c/tools.html"]
