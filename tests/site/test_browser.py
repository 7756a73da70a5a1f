"""The site in a browser, opened by double-click: from the disk, without a server."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import WRITTEN_ELSEWHERE, watched
from inline_snapshot import snapshot

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAPER, GREY = "rgb(253, 253, 251)", "rgb(20, 23, 26)"
PAGES = (
    "index.html",
    "survey.html",
    "browse.html",
    "c/tools.html",
    "c/tools/hooks.html",
    "c/song.html",
    "p/arxiv-2401.10230.html",
    "p/doi-10.1000-abc.html",
    "p/p-0123456789.html",
    "changes.html",
    "method.html",
    "data.html",
    "404.html",
)


@pytest.fixture(scope="module")
def folder(
    site: dict[str, bytes],
    hostile_site: dict[str, bytes],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    root = tmp_path_factory.mktemp("site")
    for name, files in (("plain", site), ("hostile", hostile_site)):
        for path, content in {**files, **dict.fromkeys(WRITTEN_ELSEWHERE, b"")}.items():
            target = root / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    return root


@pytest.mark.parametrize("edition_name", ["plain", "hostile"])
def test_pages_are_styled_fit_the_screen_and_ask_for_nothing(
    browser: Browser, folder: Path, edition_name: str
) -> None:
    page = browser.new_page()
    trouble = watched(page)
    for path in PAGES:
        page.goto((folder / edition_name / path).as_uri())
        unseen = page.evaluate(
            "[...document.images].filter(i => i.complete && !i.naturalWidth).length"
        )
        assert unseen == 0, path
        for width, scheme in product((360, 1280), ("light", "dark")):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            widths = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
            assert widths[0] <= widths[1], (path, width)
            colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert colour == (PAPER if scheme == "light" else GREY), (path, scheme)
    assert trouble == []
    page.close()


def test_a_reader_gets_from_the_front_page_to_a_paper_and_back(
    browser: Browser, folder: Path
) -> None:
    page = browser.new_page()
    page.goto((folder / "plain" / "index.html").as_uri())
    page.get_by_role("link", name="Tools & hooks").click()
    assert page.locator("h1").inner_text() == "Tools & hooks"
    page.get_by_role("link", name="Hooks: bending 100% of wires").click()
    assert page.locator("h1").inner_text() == snapshot("Hooks: bending 100% of wires")
    page.get_by_role("link", name="reference 1").click()
    assert page.url.endswith("/survey.html#ref-1")
    page.get_by_role("link", name="Birds that plan").first.click()
    assert page.locator("h1").inner_text() == "Birds that plan"
    page.close()


def test_a_table_that_goes_on_shows_it_and_keeps_its_first_column(
    browser: Browser, folder: Path
) -> None:
    page = browser.new_page(viewport={"width": 800, "height": 800})
    page.goto((folder / "plain" / "survey.html").as_uri())
    box = page.locator("#table-papers-tools .scroll")
    assert "local, scroll" in box.evaluate("box => getComputedStyle(box).backgroundAttachment")
    cell = box.locator("td").first
    box.locator("table").evaluate("table => { table.style.width = '90rem' }")
    before = cell.bounding_box()
    assert box.evaluate("box => { box.scrollLeft = 60; return box.scrollLeft }") == 60
    assert cell.bounding_box() == before
    page.close()


def test_a_row_of_a_wide_table_is_a_card_on_a_telephone(browser: Browser, folder: Path) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    page.goto((folder / "plain" / "survey.html").as_uri())
    box = page.locator("#table-papers-tools .scroll")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert box.locator("td").nth(1).evaluate("td => getComputedStyle(td).display") == "block"
    page.close()


def test_labels_stand_beside_the_text_on_a_wide_screen_and_bars_clear_of_their_numbers(
    browser: Browser, folder: Path
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto((folder / "plain" / "p" / "doi-10.1000-abc.html").as_uri())
    text, labels = page.locator(".text").bounding_box(), page.locator("aside").bounding_box()
    assert text
    assert labels
    assert (labels["x"] > text["x"] + text["width"], labels["y"]) == (True, text["y"])
    gap = "cell => parseFloat(getComputedStyle(cell).paddingLeft)"
    assert page.locator(".probabilities .n").first.evaluate(gap) >= 8
    page.close()


def test_a_key_paper_is_told_by_a_word_and_a_remark_is_set_apart(
    browser: Browser, folder: Path
) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    page.goto((folder / "plain" / "c" / "song.html").as_uri())
    key = page.get_by_role("listitem").filter(has_text="key paper")
    assert key.get_by_role("link").inner_text() == snapshot("A title and nothing else")
    sign = "badge => getComputedStyle(badge, '::before').content"
    assert page.locator(".badge.key").first.evaluate(sign) == '"★" / ""'
    remark = page.locator(".remark")
    assert remark.inner_text() == snapshot("Compare Bend 1. (remark by ada)")
    assert remark.evaluate("box => getComputedStyle(box).borderLeftStyle") == "solid"
    page.goto((folder / "hostile" / "c" / "song.html").as_uri())
    item = page.locator(".remark li").first
    assert item.evaluate("item => getComputedStyle(item).borderBottomStyle") == "none"
    page.close()


def test_the_first_key_leads_past_the_navigation(browser: Browser, folder: Path) -> None:
    page = browser.new_page()
    page.goto((folder / "plain" / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.wait_for_url("**#content")
    page.close()
