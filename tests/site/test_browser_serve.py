"""A browser at a site that is served while it is edited."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import watched
from inline_snapshot import snapshot

from classifier.extras.serve.live_site import LiveSite, live_site
from classifier.project import Project
from classifier.survey.last_build import BuildOptions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(shutil.copytree(BREAD, tmp_path_factory.mktemp("served") / "bread"))


@pytest.fixture(scope="module")
def site(project: Project) -> Iterator[LiveSite]:
    with live_site(project, project.out, BuildOptions(), 0) as live:
        assert live.rebuild().problem is None
        live.start()
        yield live


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_open_page_reloads_where_it_is_scrolled(
    browser: Browser, project: Project, site: LiveSite
) -> None:
    page = browser.new_page(viewport={"width": 800, "height": 300})
    trouble = watched(page, site.address)
    page.goto(f"{site.address}c/sourdough.html")
    page.evaluate("scrollTo(0, 200)")
    edit(project.taxonomy_file, "Work on **living dough**", "Works on **living dough**")
    assert site.rebuild().problem is None
    page.get_by_text("Works on living dough").first.wait_for()
    page.wait_for_function("scrollY === 200")
    assert trouble == []
    page.close()


def test_faults_lie_over_the_page_until_they_are_mended(
    browser: Browser, project: Project, site: LiveSite
) -> None:
    page = browser.new_page()
    trouble = watched(page, site.address)
    page.goto(site.address)
    title = page.title()
    edit(project.taxonomy_file, "at_most: 2", "at_most: '<img src=x onerror=alert(1)>'")
    site.rebuild()
    board = page.get_by_role("alert")
    board.get_by_text("found '<img src=x onerror=alert(1)>'").wait_for()
    assert board.locator("h2").inner_text() == (
        snapshot("1 fault in your files; this is the last good survey")
    )
    assert board.locator("code").inner_text().startswith("taxonomy/taxonomy.yaml:")
    from playwright.sync_api import expect  # late: without Playwright the test skips

    expect(board).to_have_css("position", "fixed")  # its style is loaded behind it
    page.reload()  # who comes later sees it, too
    board.wait_for()
    board.get_by_role("button", name="Hide").click()
    board.wait_for(state="detached")
    page.reload()
    board.wait_for()
    edit(project.taxonomy_file, "at_most: '<img src=x onerror=alert(1)>'", "at_most: 2")
    assert site.rebuild().problem is None
    board.wait_for(state="detached")
    assert page.title() == title
    assert trouble == []
    page.close()


def test_every_kind_of_page_is_served_without_a_word_of_the_browser(
    browser: Browser, site: LiveSite
) -> None:
    page = browser.new_page()
    trouble = watched(page, site.address)
    for path in ("survey.html", "browse.html?q=rye", "data.html"):
        page.goto(site.address + path)
        page.wait_for_function("document.readyState === 'complete'")
    assert trouble == []
    page.goto(site.address + "no/such/page")
    assert [line for line in trouble if "404" not in line] == []
    page.get_by_role("link", name="Front page").click()
    assert page.url == f"{site.address}index.html"
    page.close()


def test_pictures_opened_alone_keep_their_style(browser: Browser, site: LiveSite) -> None:
    page = browser.new_page()
    trouble = watched(page, site.address)
    page.goto(f"{site.address}icon.svg")
    assert page.locator("svg").count() == 1
    assert trouble == []
    page.close()
