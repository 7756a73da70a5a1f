"""The references of a large survey stand on pages of their own."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from browsing import WRITTEN_ELSEWHERE

from classifier.site.checks.links import check_site
from classifier.site.pages import references as references_page
from classifier.site.pages.references import reference_addresses
from classifier.site.pages.survey import MAX_COMPARED
from classifier.site.render import render_site
from classifier.survey.document import Document, Section, Table
from classifier.survey.survey import Survey


@pytest.fixture
def large_site(edition: Survey, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The site of three papers, where two are many."""
    monkeypatch.setattr(references_page, "REFERENCES_ON_THE_SURVEY", 2)
    monkeypatch.setattr(references_page, "REFERENCES_ON_A_PAGE", 2)
    site = render_site(replace(edition, document=with_a_long_table(edition)))
    assert check_site(site, also=WRITTEN_ELSEWHERE) == []
    return {path: page.decode() for path, page in site.items() if path.endswith(".html")}


def with_a_long_table(edition: Survey) -> Document:
    def lengthened(section: Section) -> Section:
        blocks = tuple(
            replace(block, rows=block.rows * (MAX_COMPARED + 1))
            if isinstance(block, Table)
            else block
            for block in section.blocks
        )
        return replace(section, blocks=blocks)

    return replace(edition.document, sections=tuple(map(lengthened, edition.document.sections)))


def test_each_reference_stands_on_one_page_and_knows_who_cites_it(
    large_site: dict[str, str],
) -> None:
    first, second = large_site["references.html"], large_site["references-2.html"]
    assert re.findall(r'<li id="ref-(\d+)"', first) == ["1", "2"]
    assert re.findall(r'<li id="ref-(\d+)"', second) == ["3"]
    assert '<a href="survey/abstract.html#abstract-2" aria-label="Cited here, 1">' in first
    assert '<a rel="next" href="references-2.html">' in first


def test_the_page_of_a_paper_leads_to_its_reference(large_site: dict[str, str]) -> None:
    assert 'href="../references-2.html#ref-3"' in large_site["p/p-0123456789.html"]


def test_the_survey_cites_papers_and_leaves_long_tables_to_sections(
    large_site: dict[str, str],
) -> None:
    survey = large_site["survey.html"]
    assert '<a href="p/doi-10.1000-abc.html">2</a>' in survey
    assert '<a href="references.html">list of references</a>' in survey
    assert 'id="table-papers-tools"' not in survey
    assert '<a href="survey/tools.html#table-papers-tools"' in survey
    assert 'id="table-papers-tools"' in large_site["survey/tools.html"]


def test_few_references_stand_on_the_page_of_the_survey(
    edition: Survey, site: dict[str, bytes]
) -> None:
    assert reference_addresses(edition.document)[3] == "survey.html#ref-3"
    assert b'<li id="ref-3"' in site["survey.html"]
    assert not [path for path in site if path.startswith("references") and path.endswith("html")]
