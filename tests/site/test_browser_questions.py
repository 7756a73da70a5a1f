"""What readers come for, each answered from the front page in three clicks at most, on a phone.

A disclosure that is opened is a click, and so is a form that is sent off; typing is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MOST_CLICKS = 3
LONGEST_WAIT = 10_000  # milliseconds
TOPIC = "Sourdough & fermentation"
PAPER = "Keeping a Rye Starter"


class Reader:
    """Somebody with a phone on the front page, whose clicks are counted."""

    def __init__(self, page: Page, home: str) -> None:
        """Open the front page."""
        self.render_page = page
        self.clicks = 0
        page.goto(f"{home}index.html")

    def follow(self, name: str, inside: str = "main") -> None:
        """Click the link of that name."""
        self.click(
            self.render_page.locator(inside).get_by_role("link", name=name, exact=True).first
        )

    def open_topic(self) -> None:
        """Go to the page of a topic."""
        self.follow(TOPIC, ".topics")

    def follow_menu(self, name: str) -> None:
        """Open the menu of the header and click a link in it."""
        self.click(self.render_page.locator("header.site summary"))
        self.follow(name, "header.site")

    def search(self, words: str) -> None:
        """Type words and take the first paper offered."""
        self.render_page.locator("#q").press_sequentially(words, delay=1)
        self.click(self.render_page.get_by_role("option").first)

    def click(self, place: Locator) -> None:
        """Click, and count it."""
        place.click()
        self.clicks += 1

    def row(self, name: str) -> Locator:
        """Return the row of a table that begins with a name."""
        header = self.render_page.get_by_role("rowheader", name=name, exact=True)
        return self.render_page.locator("tr").filter(has=header)

    def listed(self) -> list[str]:
        """Return the titles that the browse page lists."""
        self.render_page.locator("[data-part=heading]:not(:empty)").wait_for()
        return sorted(self.render_page.locator("[data-part=papers] .title").all_inner_texts())


@pytest.fixture
def reader(browser: Browser, bread_folder: Path) -> Iterator[Reader]:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    page.set_default_timeout(LONGEST_WAIT)
    trouble = watched(page)
    reader = Reader(page, f"{bread_folder.as_uri()}/")
    yield reader
    assert reader.clicks <= MOST_CLICKS
    assert trouble == []
    page.close()


def test_which_methods_of_a_topic_are_there(reader: Reader) -> None:
    reader.open_topic()
    number = reader.row("Method").get_by_role("link").first
    expected = int(number.inner_text())
    reader.click(number)
    assert len(reader.listed()) == expected


def test_which_papers_of_a_topic_come_with_code(reader: Reader) -> None:
    reader.open_topic()
    reader.click(reader.row("All").get_by_role("link").last)
    assert len(reader.listed()) == 2
    assert "with code" in reader.render_page.locator("[data-part=heading]").inner_text()


def test_the_references_of_a_topic(reader: Reader, bread_site: dict[str, bytes]) -> None:
    reader.open_topic()
    link = reader.render_page.get_by_role("link", name="BibTeX", exact=True).first
    assert link.evaluate("link => link.href").endswith("/c/sourdough.bib")
    assert bread_site["c/sourdough.bib"].startswith(b"@misc{")
    assert link.bounding_box() is not None


def test_how_to_follow_a_topic(reader: Reader) -> None:
    reader.open_topic()
    link = reader.render_page.get_by_role("link", name="Atom", exact=True)
    assert link.evaluate("link => link.href").endswith("/c/sourdough.atom")


def test_what_the_survey_says_of_a_topic(reader: Reader) -> None:
    reader.open_topic()
    reader.follow("In the whole survey")
    assert reader.render_page.locator("h2:target").inner_text() == TOPIC


def test_how_to_cite_a_paper(reader: Reader) -> None:
    reader.search("rye starter")
    reader.render_page.locator("h1", has_text=PAPER).wait_for()
    reader.follow("Cite")
    reader.click(reader.render_page.get_by_role("button", name="Copy"))
    reader.render_page.get_by_role("button", name="Copied").or_(
        reader.render_page.get_by_role("button", name="Selected")
    ).wait_for()
    section = reader.render_page.get_by_role("region", name="Cite")
    assert section.locator("pre.cite").inner_text().startswith("@misc{")


def test_why_a_paper_has_a_label_and_where_to_say_that_it_is_wrong(reader: Reader) -> None:
    reader.search("rye starter")
    reader.render_page.locator("h1", has_text=PAPER).wait_for()
    reader.click(reader.render_page.locator("aside .machine summary"))
    assert reader.render_page.locator(".reasons").first.is_visible()
    link = reader.render_page.locator("aside").get_by_role("link", name="How to correct it")
    assert link.get_attribute("href") == "../method.html#correct"


def test_which_papers_name_a_benchmark(reader: Reader) -> None:
    reader.follow_menu("Benchmarks")
    number = reader.render_page.locator("tbody tr td a").first
    expected = int(number.inner_text())
    reader.click(number)
    assert len(reader.listed()) == expected


def test_which_papers_of_a_topic_contribute_what(reader: Reader) -> None:
    reader.follow_menu("Method")
    number = reader.render_page.locator("#figure-contribution td a").first
    expected = int(number.inner_text())
    reader.click(number)
    assert len(reader.listed()) == expected


def test_how_good_the_labels_are(reader: Reader) -> None:
    reader.follow_menu("Method")
    assert reader.render_page.get_by_text(
        "The quality of the labels is unknown because readers have not decided any papers"
    ).is_visible()


def test_everything_as_a_table(reader: Reader, bread_folder: Path) -> None:
    reader.follow_menu("Data")
    link = reader.render_page.get_by_role("link", name="labels.csv")
    assert (bread_folder / str(link.get_attribute("href"))).is_file()


def test_on_a_phone_the_papers_are_one_step_from_the_facets(reader: Reader) -> None:
    reader.follow("Browse", "header.site")
    reader.click(reader.render_page.get_by_text("Narrow down").first)
    reader.render_page.locator('[data-term="topic=sourdough"]').click()
    reader.click(reader.render_page.get_by_role("link", name="Show 5 papers"))
    assert reader.render_page.locator("[data-part=papers] .title").first.is_visible()
    assert not reader.render_page.locator("[data-term]").first.is_visible()
    assert reader.render_page.evaluate("document.activeElement.id") == "shown"
