"""The browse page in a browser: words, facets, and the state in the address."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import tab_to_search, watched
from inline_snapshot import snapshot

from classifier.site.search_index import search_index
from classifier.survey.survey import Survey

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


def visit(page: Page, home: str, query: str = "") -> None:
    page.goto(f"{home}browse.html{query}")
    page.locator("[data-part=heading]:not(:empty)").wait_for()


def heading(page: Page) -> str:
    return page.locator("[data-part=heading]").inner_text()


def shown(page: Page) -> list[str]:
    return page.locator("[data-part=papers] .title").all_inner_texts()


def query_of(page: Page) -> str:
    return page.url.partition("?")[2]


def test_every_query_of_the_survey_lists_the_papers_that_its_number_counts(
    page: Page, home: str, bread_site: dict[str, bytes]
) -> None:
    facts = json.loads(bread_site["facts.json"])
    counted = {key: fact["value"] for key, fact in facts.items() if "=" in key or key == "all"}
    assert len(counted) > 50
    visit(page, home)
    script = """async (ids) => {
      const { index, papers } = await fieldguide.load();
      return Object.fromEntries(ids.map((id) => {
        const { terms, strange } = fieldguide.readQuery(`?${id}`, index);
        const number = index.titles.filter((_, paper) => papers.hasTerms(terms)(paper)).length;
        return [id, strange.length ? strange : number];
      }));
    }"""
    assert page.evaluate(script, list(counted)) == counted


def test_a_query_is_written_as_the_survey_writes_it(
    page: Page, bread_folder: Path, bread_site: dict[str, bytes]
) -> None:
    visit(page, f"{bread_folder.as_uri()}/")
    ids = [key for key in json.loads(bread_site["facts.json"]) if "=" in key]
    ids += ["benchmarks=a%20%26%20b%27s%20%28%2B%29", "topic=sourdough/cultures"]
    script = """async (ids) => {
      const { index } = await fieldguide.load();
      return ids.map((id) => fieldguide.writeQuery(fieldguide.readQuery(`?${id}`, index)));
    }"""
    assert page.evaluate(script, ids) == [f"?{key}" for key in ids]


def test_a_filter_with_one_value_is_neither_visible_nor_filled(page: Page, home: str) -> None:
    visit(page, home, "?topic=sourdough/cultures")
    groups = page.locator("[data-part=facets] details")
    values = groups.evaluate_all("all => all.map(g => [g.hidden, g.querySelectorAll('li').length])")
    assert any(hidden for hidden, _ in values)
    assert all((number == 0) == hidden for hidden, number in values)


def test_all_papers_are_shown_at_first_the_newest_on_top(
    page: Page, home: str, bread_site: dict[str, bytes]
) -> None:
    papers = json.loads(bread_site["papers.json"])
    trouble = watched(page, home)
    visit(page, home)
    assert heading(page) == f"All {len(papers)} papers"
    assert sorted(shown(page)) == sorted(paper["title_display"] for paper in papers)
    dates = page.locator("[data-part=papers] time").evaluate_all("all => all.map(t => t.dateTime)")
    assert dates == sorted(dates, reverse=True)
    assert not page.locator("[data-part=chips]").is_visible()
    assert trouble == []


def test_a_facet_narrows_and_the_back_button_widens(page: Page, home: str) -> None:
    visit(page, home)
    before = shown(page)
    page.locator('[data-term="topic=sourdough"]').click()
    assert query_of(page) == "topic=sourdough"
    narrowed = shown(page)
    assert 0 < len(narrowed) < len(before)
    assert heading(page) == f"{len(narrowed)} of 15 papers: about Sourdough & fermentation"
    assert page.locator(".browse [role=status]").inner_text() == f"{len(narrowed)} papers"
    page.locator('[data-term="contribution=method"]').click()
    assert query_of(page) == "contribution=method&topic=sourdough"
    page.go_back()
    assert (query_of(page), shown(page)) == ("topic=sourdough", narrowed)
    page.go_back()
    assert (query_of(page), shown(page)) == ("", before)
    page.go_forward()
    assert shown(page) == narrowed


def test_a_number_beside_a_value_is_what_the_value_gives(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?status=provisional&topic=sourdough")
    script = """async () => {
      const { index, papers } = await fieldguide.load();
      return [...document.querySelectorAll("a[data-term]")].map((link) => {
        const { terms } = fieldguide.readQuery(new URL(link.href).search, index);
        const [key, value] = link.dataset.term.split(/=(.*)/s);
        const alone = terms.filter(([one, other]) => one !== key || other === value);
        const number = index.titles.filter((_, paper) => papers.hasTerms(alone)(paper)).length;
        const said = Number(link.parentElement.querySelector(".count").textContent);
        return [link.dataset.term, said, link.ariaCurrent ? said : number];
      });
    }"""
    rows = page.evaluate(script)
    assert len(rows) > 20
    assert [row for row in rows if row[1] != row[2]] == []


def test_values_of_one_key_are_alternatives(page: Page, bread_folder: Path) -> None:
    home = f"{bread_folder.as_uri()}/"
    counts = {}
    for query in ("?year=2023", "?year=2024", "?year=2023&year=2024", "?code=no&year=2024"):
        visit(page, home, query)
        counts[query] = len(shown(page))
    assert counts["?year=2023"] > 0
    assert counts["?year=2023&year=2024"] == counts["?year=2023"] + counts["?year=2024"]
    page.locator('[data-term="year=2023"]').click()
    assert query_of(page) == "code=no&year=2023&year=2024"
    assert "of 2023 or of 2024" in heading(page)
    page.locator('[data-term="year=2023"]').click()
    assert query_of(page) == "code=no&year=2024"
    assert len(shown(page)) == counts["?code=no&year=2024"]


def test_a_part_of_a_chosen_topic_narrows_it(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?topic=sourdough")
    before = len(shown(page))
    page.locator('[data-term="topic=sourdough/cultures"]').click()
    assert query_of(page) == "topic=sourdough/cultures"
    assert 0 < len(shown(page)) < before


def test_years_can_be_typed_as_a_span(page: Page, bread_folder: Path) -> None:
    home = f"{bread_folder.as_uri()}/"
    visit(page, home, "?since=2024")
    since = shown(page)
    assert since
    visit(page, home, "?q=since:2024")
    assert (shown(page), query_of(page)) == (since, "q=since:2024")
    visit(page, home)
    page.locator("#q").fill("bread since:2024")
    page.wait_for_url("**since=2024**")
    assert query_of(page) == "since=2024&q=bread"


def test_a_chip_takes_its_part_away(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?code=no&topic=sourdough&q=starter")
    chips = page.locator("[data-part=chips] a")
    assert chips.all_inner_texts() == [
        "without code", "about Sourdough & fermentation", "“starter”", "clear all",
    ]  # fmt: skip
    page.get_by_role("link", name="Remove: without code").click()
    assert query_of(page) == "topic=sourdough&q=starter"
    page.get_by_role("link", name="Remove: clear all").click()
    assert (query_of(page), heading(page)) == ("", "All 15 papers")
    assert page.locator("#q").input_value() == ""


def test_typing_filters_and_is_one_step_back(page: Page, home: str) -> None:
    visit(page, home)
    page.locator("#q").press_sequentially("rye startr", delay=5)
    page.wait_for_url("**/browse.html?q=rye%20startr")
    assert "Keeping a Rye Starter" in shown(page)[0]
    assert "“startr” is searched as “starter”." in page.locator("[data-part=notes]").inner_text()
    assert page.locator("[data-part=sorts] [aria-current]").inner_text() == "Relevance"
    page.go_back()
    assert (query_of(page), page.locator("#q").input_value()) == ("", "")
    assert heading(page) == "All 15 papers"


def test_papers_with_half_of_the_words_are_folded_behind_a_place(page: Page, home: str) -> None:
    visit(page, home, "?q=cite starter")
    first = page.locator("[data-part=papers] > li").first
    assert not first.is_visible()
    assert "how to cite" in page.locator("[data-part=notes] p").first.inner_text()
    page.locator("[data-part=folded]").click()
    assert first.is_visible()
    visit(page, home, "?q=starter")
    assert first.is_visible()
    assert not page.locator("[data-part=folded]").is_visible()


def test_the_order_stands_in_the_address(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/")
    page.get_by_role("link", name="Title", exact=True).click()
    assert query_of(page) == "sort=title"
    assert shown(page) == sorted(shown(page), key=str.lower)
    page.reload()
    page.locator("[data-part=heading]:not(:empty)").wait_for()
    assert shown(page) == sorted(shown(page), key=str.lower)


def test_the_oldest_come_first_and_undated_papers_last_in_both_orders(
    page: Page, bread_folder: Path
) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?sort=oldest")
    dates = page.locator("[data-part=papers] time").evaluate_all("all => all.map(t => t.dateTime)")
    assert dates == sorted(dates)
    assert page.locator("[data-part=sorts] [aria-current]").inner_text() == "Oldest first"
    undated = page.locator("[data-part=papers] li").filter(has_text="undated")
    assert undated.count() == len(shown(page)) - len(dates) > 0
    assert "listed last" in page.locator("[data-part=notes]").inner_text()
    for order in ("Oldest first", "Newest first"):
        page.get_by_role("link", name=order).click()
        assert "undated" in page.locator("[data-part=papers] li").last.inner_text()


def test_a_row_links_the_code(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?code=linked")
    links = page.locator("[data-part=papers]").get_by_role("link", name="code", exact=True)
    assert links.count() == len(shown(page)) > 0
    assert str(links.first.get_attribute("href")).startswith("https://github.com/")


def test_a_list_of_what_is_unsolved_shows_the_sentence_that_says_so(
    page: Page, bread_folder: Path
) -> None:
    visit(page, f"{bread_folder.as_uri()}/")
    said = page.evaluate(
        """async () => {
      const { index } = await fieldguide.load();
      const [whole] = index.texts[0].split("\\n").slice(1);
      index.keys.push({ id: "unsolved", name: "Unsolved", values: [["heat", "heat", "heat"]] });
      index.said[0] = [[index.keys.flatMap((key) => key.values).length - 1, 0, 12]];
      const { papers } = fieldguide.makeLibrary(index, "");
      const [said] = papers.paper(0).said.values();
      return [said, whole.slice(0, 12)];
    }"""
    )
    assert said[0] == said[1] != ""


def test_the_list_is_saved_as_bibtex(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?q=rye")
    with page.expect_download() as saved:
        page.get_by_role("button", name="BibTeX of this list").click()
    written = Path(saved.value.path()).read_text("utf-8")
    assert saved.value.suggested_filename == "references.bib"
    assert written.count("\n  title = ") == len(shown(page)) > 0


def test_what_is_no_query_is_named_and_left_out(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?colour=blue&topic=sourdough&page=x&sort=size")
    *notes, about = page.locator("[data-part=notes] p").all_inner_texts()
    assert about.startswith("See Sourdough & fermentation")
    assert notes == [
        f"Not understood, so ignored: {part}." for part in ("colour=blue", "page=x", "sort=size")
    ]
    assert "about Sourdough & fermentation" in heading(page)


def test_a_value_that_no_paper_has_gives_none(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?topic=cakes")
    assert heading(page) == snapshot("0 of 15 papers: topic cakes")
    assert page.locator("[data-part=notes]").inner_text() == "No paper matches."
    page.get_by_role("link", name="Remove: topic cakes").click()
    assert heading(page) == "All 15 papers"


def test_where_no_paper_matches_near_words_lead_on(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?q=fermentet")
    assert heading(page).startswith("0 of 15 papers")
    page.locator("[data-part=notes] a").first.click()
    assert len(shown(page)) > 0


def test_the_keyboard_alone_is_enough_and_keeps_its_place(page: Page, home: str) -> None:
    visit(page, home)
    tab_to_search(page)
    assert page.evaluate("document.activeElement.id") == "q"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.term") == "topic=sourdough":
            break
    page.keyboard.press("Enter")
    assert query_of(page) == "topic=sourdough"
    assert page.evaluate("document.activeElement.dataset.term") == "topic=sourdough"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    assert query_of(page) == ""


def test_on_a_narrow_screen_the_facets_are_folded(browser: Browser, bread_folder: Path) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    visit(page, f"{bread_folder.as_uri()}/")
    assert not page.locator("[data-term]").first.is_visible()
    page.get_by_text("Narrow down").first.click()
    assert page.locator("[data-term]").first.is_visible()
    widths = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    page.close()


def test_many_papers_come_page_by_page(
    page: Page, bread_folder: Path, survey: Survey, tmp_path: Path
) -> None:
    for name in ("browse.html", "style.css", "browse.js", "search.js",
                 "search-engine.js", "search-papers.js", "search-places.js"):  # fmt: skip
        (tmp_path / name).write_bytes((bread_folder / name).read_bytes())
    first = survey.entries[0]
    entries = tuple(
        replace(first, number=n, paper=replace(first.paper, id=f"p-{n:010}", title=f"Paper {n:03}"))
        for n in range(1, 121)
    )
    many = replace(survey, entries=entries, facts=None)
    (tmp_path / "search-index.js").write_text(search_index(many), "utf-8")
    visit(page, f"{tmp_path.as_uri()}/")
    assert (len(shown(page)), shown(page)[0]) == (50, "Paper 001")
    page.get_by_role("link", name="Further").click()
    assert (query_of(page), shown(page)[0]) == ("page=2", "Paper 051")
    assert page.evaluate("document.activeElement.dataset.part") == "heading"
    page.get_by_role("link", name="Further").click()
    assert (len(shown(page)), query_of(page)) == (20, "page=3")
    assert page.locator("[data-part=papers]").get_attribute("start") == "101"
    page.locator("#q").fill("paper 07")
    page.wait_for_url(re.compile(r"\?q=paper%2007$"))
    assert shown(page)[0] == "Paper 070"
    visit(page, f"{tmp_path.as_uri()}/", "?page=99")
    assert len(shown(page)) == 20
    assert page.evaluate("document.querySelectorAll('*').length") < 1500


def test_an_index_that_cannot_be_loaded_leaves_a_way_on(
    page: Page, bread_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "browse.html").write_bytes((bread_folder / "browse.html").read_bytes())
    (tmp_path / "search.js").write_bytes((bread_folder / "search.js").read_bytes())
    (tmp_path / "browse.js").write_bytes((bread_folder / "browse.js").read_bytes())
    page.goto((tmp_path / "browse.html").as_uri())
    page.get_by_text("The index of the papers cannot be loaded.").wait_for()
    assert page.get_by_role("link", name="topics").last.is_visible()


def test_a_word_that_no_paper_holds_is_named(page: Page, bread_folder: Path) -> None:
    visit(page, f"{bread_folder.as_uri()}/", "?q=rye+quokka")
    notes = page.locator("[data-part=notes] p").all_inner_texts()
    assert "No paper has “quokka”." in notes
    assert shown(page)


def test_a_list_of_a_label_shows_the_sentence_that_speaks_for_it(
    page: Page, bread_folder: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(bread_folder, tmp_path / "site")
    index = (site / "search-index.js").read_text("utf-8")
    cues = "acidity, by sound, microphone"
    assert index.count(cues) == 1
    (site / "search-index.js").write_text(index.replace(cues, "wild yeast"), "utf-8")
    visit(page, f"{site.as_uri()}/", "?fed_by=signal")
    assert any(
        "wild yeast" in text for text in page.locator("[data-part=papers] li").all_inner_texts()
    )
