"""The index of a large survey, in parts: in a browser, beside the index that is read whole."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import serve, watched
from generated import make_large_edition

from classifier.site import search_shards
from classifier.site.pages import references as references_page
from classifier.site.render import render_site
from classifier.site.search_shards import written_numbers, written_set
from classifier.site.search_words import fold, indexed_words
from classifier.survey.survey import Survey

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAPERS = 400
TEXTS = [
    "The WebArena of SWE-bench: GPT-4o's XMLHttpRequest, aBCd iPhoneOS",
    "Łukasz Müller-Øst’s naïve İstanbul ſtraße, Ærøskøbing, AÉrÉa, ΣΊΣΥΦΟΣ",
    "大模型 agents 多智能体-AI 々〇 ﾊﾝｶｸ カタカナ 한국어 x² ½ ① Ⅳ ٣٤",
    "a-b.c'd‐e‑f–g—h _under_score 3.5% e.g. U.S.A. ÉCOLE ǅungla ﬁne",
    "of the and 'quoted' --dashes-- ... \U00020000\U0001d400 emoji😀word zero\u200bwidth",
]  # fmt: skip
QUERIES = (
    "Bench-3", "topic 3", "ba", "plantool graph", "zatiseke", "graphtool xyzzyqq",
    "Tool", "ra se ti", "keli", "1", "...",
)  # fmt: skip


@pytest.fixture(scope="module")
def large_edition() -> Survey:
    return make_large_edition(PAPERS)


@pytest.fixture(scope="module")
def folders(large_edition: Survey, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The same survey with its index whole, in parts, and in very small parts."""
    with pytest.MonkeyPatch.context() as patch:
        found = {"whole": _written(large_edition, tmp_path_factory.mktemp("whole"))}
        patch.setattr(search_shards, "MAX_PAPERS_READ_WHOLE", 0)
        patch.setattr(references_page, "REFERENCES_ON_THE_SURVEY", 0)
        patch.setattr(search_shards, "_LETTERS_IN_A_PART", 2_000)
        found["small"] = _written(large_edition, tmp_path_factory.mktemp("small"))
        patch.setattr(search_shards, "_LETTERS_IN_A_PART", 20_000)
        found["parts"] = tmp_path_factory.mktemp("parts") / "site"
        shutil.copytree(found["small"], found["parts"])
        for path, text in search_shards.search_shards(large_edition):
            (found["parts"] / path).write_text(text, "utf-8")
    return found


def _written(edition: Survey, folder: Path) -> Path:
    for path, content in render_site(edition).items():
        if not path.startswith(("p/", "c/", "survey")):
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(content)
    return folder


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


def visit(page: Page, folder: Path, query: str = "") -> None:
    page.goto(f"{(folder / 'browse.html').as_uri()}{query}")
    page.locator("[data-part=heading]:not(:empty)").wait_for()


def shown(page: Page) -> list[str]:
    return page.locator("[data-part=papers] .title").all_inner_texts()


def answers(page: Page, folder: Path, queries: list[tuple[str, str]]) -> list[Any]:
    """Return for each (words, query string) what the library of a site answers."""
    visit(page, folder)
    script = """async (queries) => {
      const { index, engine, sift, byTitle, counts } = await fieldguide.load();
      const answers = [];
      for (const [words, asked] of queries) {
        const found = words ? await engine.find(words) : null;
        const { terms } = fieldguide.readQuery(asked, index);
        const papers = await sift(found, terms);
        answers.push({
          papers: [...papers].sort((one, other) => one - other),
          byTitle: await byTitle(papers),
          counts: await Promise.all(index.keys.map((key) => counts(key, papers))),
          held: found && found.held, readings: found && found.readings,
        });
      }
      return answers;
    }"""
    return list(page.evaluate(script, queries))


def test_what_terms_hold_and_how_often_is_the_same_as_of_the_whole_index(
    page: Page, folders: Mapping[str, Path]
) -> None:
    queries = [
        ("", asked)
        for asked in (
            "", "?topic=topic-3", "?topic=topic-3&topic=topic-4&code=yes", "?benchmarks=Bench-3",
            "?year=2023&filed=topic-1", "?month=undated", "?status=confident", "?topic=nothing",
        )
    ]  # fmt: skip
    assert answers(page, folders["parts"], queries) == answers(page, folders["whole"], queries)


def test_words_find_the_papers_that_the_whole_index_finds(
    page: Page, folders: Mapping[str, Path]
) -> None:
    queries = [(words, asked) for words in QUERIES for asked in ("", "?topic=topic-3")]
    in_parts = answers(page, folders["parts"], queries)
    whole = answers(page, folders["whole"], queries)
    for query, one, other in zip(queries, in_parts, whole, strict=True):
        assert one == other, query
    assert sum(bool(answer["papers"]) for answer in whole) > len(QUERIES)


def test_a_slip_is_read_alike_and_as_the_likeliest_words_only(
    page: Page, folders: Mapping[str, Path]
) -> None:
    [in_parts] = answers(page, folders["parts"], [("zatisekk", "")])
    [whole] = answers(page, folders["whole"], [("zatisekk", "")])
    assert in_parts["readings"] == whole["readings"] == [["zatisekk", "zatiseke"]]
    assert 0 < len(in_parts["papers"]) <= len(whole["papers"])
    assert set(in_parts["papers"]) <= set(whole["papers"])


def test_what_very_many_words_begin_with_is_looked_for_as_a_whole_word(
    page: Page, folders: Mapping[str, Path]
) -> None:
    visit(page, folders["small"], "?q=tool")
    notes = page.locator("[data-part=notes]").inner_text()
    assert "“tool” is looked for as a whole word, since very many begin with it." in notes
    visit(page, folders["small"], "?q=toolgraphba")
    assert "whole word" not in page.locator("[data-part=notes]").inner_text()


def test_texts_are_cut_into_the_words_of_the_script(
    page: Page, folders: Mapping[str, Path]
) -> None:
    visit(page, folders["parts"])
    script = "(texts) => texts.map((t) => [fieldguide.fold(t), [...fieldguide.indexedWords(t)]])"
    for text, (folded, words) in zip(TEXTS, page.evaluate(script, TEXTS), strict=True):
        assert fold(text) == folded
        assert indexed_words(text) == set(words)


def test_the_script_reads_sets_as_they_are_written(page: Page, folders: Mapping[str, Path]) -> None:
    sets = [[], [0], [5, 37, 38, 1100, 40_000], list(range(0, 50_000, 3)), list(range(50_000))]
    visit(page, folders["parts"])
    written = [written_set(numbers, 50_000) for numbers in sets]
    assert page.evaluate("(sets) => sets.map((s) => fieldguide.numberSet(s))", written) == sets
    script = "(text) => [...fieldguide.numbersOf(text, 3)]"
    assert page.evaluate(script, written_numbers(sets[2], 3)) == sets[2]


def test_only_what_is_asked_for_is_loaded(page: Page, folders: Mapping[str, Path]) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("site/")[2]))
    visit(page, folders["parts"])
    parts = [path.rpartition("search/")[2] for path in loaded if "search/" in path]
    assert parts == ["papers-0.js"]
    assert page.locator("[data-part=heading]").inner_text() == f"All {PAPERS} papers"
    page.locator('[data-term="topic=topic-3"]').click()
    page.locator("[data-part=chips] li").first.wait_for()
    assert any("key-0.js" in path for path in loaded)
    assert not [path for path in loaded if "words-" in path or "spelling" in path]


@pytest.mark.parametrize("over", ["file", "http"])
def test_the_browse_page_and_the_field_of_the_header_work_by_parts(
    over: str, page: Page, folders: Mapping[str, Path]
) -> None:
    with serve(folders["parts"]) as address:
        home = address if over == "http" else f"{folders['parts'].as_uri()}/"
        trouble = watched(page, home)
        page.goto(f"{home}browse.html?q=bench-3&sort=title")
        page.locator("[data-part=heading]:not(:empty)").wait_for()
        titles = shown(page)
        assert titles == sorted(titles, key=str.lower)
        page.get_by_text("Year", exact=True).click()
        page.locator('[data-term^="year="]').first.wait_for()
        numbers = page.locator('[data-term^="year="] + .count').all_inner_texts()
        assert (
            page.locator("[data-part=heading]")
            .inner_text()
            .startswith(f"{sum(map(int, numbers))} of ")
        )
        page.goto(f"{home}index.html")
        page.locator("header input[name=q]").press_sequentially("bench-3")
        page.locator("[role=option]").first.wait_for()
        assert page.locator("[role=option]").count() == 9
        assert trouble == []


def test_parts_are_the_same_whatever_the_order_of_papers(large_edition: Survey) -> None:
    parts = dict(search_shards.search_shards(large_edition))
    assert all(len(text) < 120_000 for text in parts.values())
    content = parts["search/papers-0.js"]
    assert content.startswith('fieldguide.shard("papers-0",{"pages":[')
    assert len(json.loads(content[len('fieldguide.shard("papers-0",') : -3])["pages"]) == 25


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1280)])
@pytest.mark.parametrize("path", ["browse.html?q=bench-3&topic=topic-3", "references.html"])
def test_axe_finds_no_violation(
    path: str, scheme: str, width: int, page: Page, folders: Mapping[str, Path]
) -> None:
    package = pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{folders['small'].as_uri()}/{path}")
    if "?" in path:
        page.locator("[data-part=heading]:not(:empty)").wait_for()
    page.evaluate((Path(package.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run({ resultTypes: ['violations'], preload: false })")
    assert [violation["id"] for violation in found["violations"]] == []
    widths = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
