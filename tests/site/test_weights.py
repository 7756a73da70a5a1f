"""Pages stay light however many papers there are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from browsing import WRITTEN_ELSEWHERE
from generated import make_large_survey
from page_tags import Tags

from classifier.site.checks.links import check_site
from classifier.site.pages.benchmarks import MAX_ROWS
from classifier.site.render import render_site

MOST_PAPERS = 600
LISTS = ("benchmarks", "c/", "index", "data", "method", "changes", "survey/")


@pytest.fixture(scope="module")
def large_site() -> Mapping[str, bytes]:
    return render_site(make_large_survey(MOST_PAPERS))


def test_a_page_of_a_paper_has_15_kb_at_most(large_site: Mapping[str, bytes]) -> None:
    papers = [
        len(page)
        for path, page in large_site.items()
        if path.startswith("p/") and path.endswith(".html")
    ]
    assert len(papers) == MOST_PAPERS
    assert max(papers) <= 15_000


@pytest.mark.parametrize("name", LISTS)
def test_a_list_page_has_150_kb_and_1500_nodes_at_most_or_30_a_benchmark(
    name: str, large_site: Mapping[str, bytes]
) -> None:
    pages = [path for path in large_site if path.startswith(name) and path.endswith(".html")]
    assert pages
    for path in pages:
        assert len(large_site[path]) <= 150_000, path
        # Benchmarks are one index that sorts, up to 140 of them, with ten papers each.
        most = 32 * MAX_ROWS if name == "benchmarks" else 1_500
        assert len(Tags(large_site[path]).tags) <= most, path


def test_every_link_of_a_large_site_leads_somewhere(large_site: Mapping[str, bytes]) -> None:
    lists = {path: page for path, page in large_site.items() if not path.startswith("p/")}
    assert check_site(lists, other_paths={*WRITTEN_ELSEWHERE, *large_site}) == []
