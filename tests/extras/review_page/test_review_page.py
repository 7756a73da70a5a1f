"""The review page in a real browser, opened from a file, and its answers in the ledger."""

from __future__ import annotations

import csv
import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from classifier.commands.apply import apply_sheets
from classifier.commands.review_page import ReviewPage, review_page
from classifier.labelling.labels import Decision
from classifier.learning import train_and_label
from classifier.project import Project
from classifier.review.queue import alternate_categories, insert_second_looks
from classifier.review.sheet import QueuedPaper
from classifier.survey.inputs import read_inputs
from classifier.taxonomy.load import load_taxonomy

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opener = Callable[..., "Page"]


@pytest.fixture(scope="module")
def bread(built_bread: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that no test changes."""
    return Project(shutil.copytree(built_bread, tmp_path_factory.mktemp("page") / "bread"))


@pytest.fixture
def project(built_bread: Path, tmp_path: Path) -> Project:
    return Project(shutil.copytree(built_bread, tmp_path / "bread"))


@pytest.fixture(scope="module")
def asked(bread: Project) -> ReviewPage:
    return review_page(bread, reviewer="ada")


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    """Open the HTML of a page from a file, in a browser context of its own."""
    contexts = []

    def opened(found: ReviewPage, script: str = "", **options: Any) -> Page:
        path = tmp_path / "review.html"
        path.write_bytes(found.html())
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.trouble = []  # type: ignore[attr-defined]
        page.on("console", lambda line: page.trouble.append(line.text))  # type: ignore[attr-defined]
        page.on("pageerror", lambda error: page.trouble.append(str(error)))  # type: ignore[attr-defined]
        page.on("request", lambda request: note_request(page, request.url))
        if script:
            page.add_init_script(script)
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


def note_request(page: Page, url: str) -> None:
    if not url.startswith(("file:", "blob:file:", "blob:null")):
        page.trouble.append(url)  # type: ignore[attr-defined]


def open_second_tab(page: Page) -> Page:
    """Open the page in a tab that shares its storage, which a busy Chromium does not always do."""
    for _ in range(10):
        tab = page.context.new_page()
        tab.goto(page.url)
        page.evaluate("localStorage.setItem('shared', 'yes')")
        for _ in range(20):
            if tab.evaluate("localStorage.getItem('shared')"):
                page.evaluate("localStorage.removeItem('shared')")
                return tab
            tab.wait_for_timeout(100)
        tab.close()
        page.reload()
    raise AssertionError("no two tabs share their storage")


def save(page: Page, folder: Path) -> Path:
    """Press “Save answers” and return the file."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save answers").click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: cell for name, cell in row.items() if cell} for row in csv.DictReader(file)]


def title(page: Page) -> str:
    return page.locator("#title").inner_text()


def decisions(project: Project) -> dict[str, dict[str, Decision]]:
    """Return title -> facet -> decision."""
    inputs = read_inputs(project)
    titles = {paper.id: paper.title_display for paper in inputs.corpus.papers}
    return {titles[key]: dict(found) for key, found in inputs.decisions.items()}


def test_answers_of_the_page_are_applied_to_the_ledger(
    project: Project, asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    assert page.locator("#counts").inner_text().startswith("0 answered")
    approved = title(page)
    page.keyboard.press("o")
    refiled = title(page)
    page.locator("#answers [data-key='1']").click()
    outside = title(page)
    page.keyboard.press("x")
    left_out = title(page)
    page.keyboard.press("e")
    page.keyboard.type("about cakes")
    page.keyboard.press("Enter")
    noted = title(page)
    page.keyboard.press("n")
    page.keyboard.type("=1+1, unsure")
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    path = save(page, tmp_path)
    assert page.trouble == []  # type: ignore[attr-defined]
    assert path.name == "reviews-ada.csv"
    assert [row["title"] for row in rows(path)] == [approved, refiled, outside, left_out, noted]
    assert all(re.search(r"\[[0-9a-f]{6}\]$", row["why"]) for row in rows(path))
    applied = apply_sheets(project, [path])
    assert (applied.refused, applied.faults) == ((), ())
    found = decisions(project)
    assert found[approved]["topic"].reviewer == "ada"
    assert found[outside]["topic"].values == ("other",)
    acts = {e.title: e for e in read_inputs(project).ledger.entries if e.facet == "exclude"}
    assert acts[left_out].value == "about cakes"
    assert found[noted]["topic"].note == "=1+1, unsure"
    assert {found[each]["topic"].drawn_by for each in (approved, refiled)} == {"queue"}


def test_a_new_primary_keeps_the_earlier_category_unless_it_is_dropped(
    project: Project, asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    """The page reports each answer as the ledger records it."""
    page = open_page(asked)
    expected: dict[str, set[str]] = {}
    for number, key in enumerate("12312312"):
        if number % 2:
            page.keyboard.press("d")
        name = title(page)
        page.keyboard.press(key)
        stored = page.evaluate("answersByTime().at(-1)[1]")
        expected[name] = set(stored["topics"])
    apply_sheets(project, [save(page, tmp_path)])
    found = decisions(project)
    tops = {
        name: {each for each in found[name]["topic"].values if "/" not in each} for name in expected
    }
    assert tops == expected
    assert {len(each) for each in tops.values()} == {1, 2}


def test_labels_of_every_facet_can_be_changed(
    project: Project, asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    name = title(page)
    box = page.locator("[data-facet=contribution]")
    box.locator("summary").click()
    option = box.locator("input:not(:checked)").first
    chosen = option.get_attribute("value")
    option.click()
    assert box.locator("input:checked").count() == 1
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    (row,) = rows(path := save(page, tmp_path))
    assert (row["verdict"], row["review_contribution"]) == ("ok", chosen)
    apply_sheets(project, [path])
    assert decisions(project)[name]["contribution"].values == (chosen,)


def test_answers_are_stored_over_a_reload_and_per_reviewer(
    asked: ReviewPage, open_page: Opener
) -> None:
    page = open_page(asked)
    page.on("dialog", lambda dialog: dialog.accept())
    first = title(page)
    page.keyboard.press("o")
    second = title(page)
    page.reload()
    assert title(page) == second
    assert page.locator("#counts").inner_text().startswith("1 answered")
    page.keyboard.press("u")
    assert title(page) == first
    page.keyboard.press("o")
    page.locator("#reviewer").fill("bo")
    page.locator("#reviewer").press("Tab")
    assert page.locator("#counts").inner_text().startswith("0 answered")
    assert title(page) == first


def test_two_tabs_share_their_answers(asked: ReviewPage, open_page: Opener) -> None:
    page = open_page(asked)
    other = open_second_tab(page)
    first = title(page)
    page.keyboard.press("o")
    other.get_by_text("answered in another tab").wait_for()
    assert title(other) != first
    other.keyboard.press("o")
    page.get_by_text("2 answered").wait_for()


def test_a_reload_restores_answers_that_the_storage_lost(
    asked: ReviewPage, open_page: Opener
) -> None:
    page = open_page(asked)
    page.on("dialog", lambda dialog: dialog.accept())
    page.keyboard.press("o")
    type_text(page, "n", "two loaves")
    page.evaluate("localStorage.clear()")
    page.reload()
    assert page.locator("#counts").inner_text().startswith("1 answered")
    assert page.locator("#note").input_value() == "two loaves"
    assert page.evaluate("localStorage.length") == 2
    page.keyboard.press("u")
    page.reload()
    assert page.locator("#counts").inner_text().startswith("0 answered")


NO_STORAGE = """
Object.defineProperty(window, "localStorage", { get() { throw new Error("denied"); } });
"""


def test_a_browser_without_storage_is_reported_before_the_first_answer(
    asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked, NO_STORAGE)
    assert "does not store answers for this page" in page.get_by_role("alert").inner_text()
    page.keyboard.press("o")
    assert len(rows(save(page, tmp_path))) == 1


def test_leaving_with_unsaved_answers_asks_for_confirmation(
    asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    dialogs: list[str] = []

    def note(dialog: Any) -> None:
        dialogs.append(dialog.type)
        dialog.accept()

    page.on("dialog", note)
    page.keyboard.press("o")
    page.reload()
    assert dialogs == ["beforeunload"]
    save(page, tmp_path)
    page.keyboard.press("Escape")
    page.reload()
    assert dialogs == ["beforeunload"]


def test_a_page_without_a_reviewer_asks_for_the_name_first(
    bread: Project, open_page: Opener
) -> None:
    page = open_page(review_page(bread))
    first = title(page)
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    assert (title(page), page.evaluate("document.activeElement.id")) == (first, "reviewer")
    page.keyboard.type("Bo Ek")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    assert title(page) != first
    assert page.evaluate("fileName()") == "reviews-bo-ek.csv"


@pytest.mark.parametrize(("queue", "blind"), [("audit", False), ("next", True)])
def test_a_blind_page_hides_labels_until_the_paper_is_answered(
    queue: str, blind: bool, project: Project, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(review_page(project, queue, reviewer="ada", blind=blind))
    name = title(page)
    assert page.locator("mark").count() == 0
    assert "%" not in page.locator("main").inner_text()
    assert page.locator("[data-key=o]").count() == 0
    page.keyboard.press("2")
    assert "The classifier: " in page.locator("#status").inner_text()
    (row,) = rows(path := save(page, tmp_path))
    assert not {"primary", "topics", "why", "status"} & set(row)
    assert not apply_sheets(project, [path]).refused
    expected = "audit" if queue == "audit" else "queue"
    assert decisions(project)[name]["topic"].drawn_by == expected


def test_an_earlier_decision_is_withdrawn(
    project: Project, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(review_page(project, reviewer="ada"))
    name = title(page)
    page.keyboard.press("o")
    apply_sheets(project, [save(page, tmp_path)])
    assert name in decisions(project)
    path = tmp_path / "withdrawn.csv"
    sheet = (tmp_path / "reviews-ada.csv").read_text(encoding="utf-8")
    path.write_text(sheet.replace(",ok,", ",withdraw,"), encoding="utf-8")
    (taken,) = apply_sheets(project, [path]).answers
    assert str(taken).endswith("all decisions → withdrawn by ada")
    assert name not in decisions(project)
    assert [each.state for each in apply_sheets(project, [path]).answers] == ["known"]


def test_the_whole_form_fits_on_one_screen(asked: ReviewPage, open_page: Opener) -> None:
    page = open_page(asked, viewport={"width": 1280, "height": 900})
    for _ in range(5):
        for place in ("#title", "#abstract", "#labels", "#answers", "#skip"):
            box = page.locator(place).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 900, place
        page.keyboard.press("s")


def test_a_narrow_screen_needs_no_scrolling_to_the_side(
    asked: ReviewPage, open_page: Opener
) -> None:
    page = open_page(asked, viewport={"width": 375, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_axe_finds_no_violation(asked: ReviewPage, open_page: Opener) -> None:
    package = pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")
    axe = (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")
    page = open_page(asked, bypass_csp=True)
    page.keyboard.press("o")
    page.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")
    page.evaluate(axe)
    found: list[str] = []
    for scheme, width in product(("light", "dark"), (375, 1280)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        result = page.evaluate("axe.run({ resultTypes: ['violations'], preload: false })")
        found += [
            f"{scheme} {width}: {rule['id']}: {node['html'][:120]}: {node['failureSummary']}"
            for rule in result["violations"]
            for node in rule["nodes"]
        ]
    assert found == []


def test_text_of_papers_never_becomes_markup(project: Project, open_page: Opener) -> None:
    hostile = "</script><img src=x onerror=alert(1)><!-- {{script}} “rye”"
    papers = next((project.root / "papers").glob("*.jsonl"))
    line = f'{{"title": "{hostile}", "abstract": "Rye <b>dough</b> {hostile}"}}\n'
    papers.write_text(papers.read_text(encoding="utf-8") + line, encoding="utf-8")
    found = review_page(project, reviewer="ada")
    page = open_page(found)
    texts = page.evaluate("data.papers.map((paper) => paper.title)")
    assert any("onerror" in text for text in texts)
    while "onerror" not in title(page):
        page.keyboard.press("s")
    assert page.locator("img").count() == 0
    assert page.trouble == []  # type: ignore[attr-defined]


def test_the_policy_allows_only_the_style_and_scripts_of_the_page(asked: ReviewPage) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', asked.html().decode())
    assert policy is not None
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; "
        r"connect-src 'none'; base-uri 'none'; form-action 'none'",
        policy[1],
    )


def test_the_page_of_a_category_has_its_likeliest_papers(bread: Project) -> None:
    papers = review_page(bread, "sourdough").data["papers"]
    assert isinstance(papers, list)
    assert papers[0]["cells"]["primary"] == "sourdough"


def test_without_answers_the_page_has_the_labels_and_order_of_the_build(
    asked: ReviewPage, open_page: Opener
) -> None:
    page = open_page(asked)
    found = page.evaluate(
        """() => {
          refit();
          return {
            ordered: reorder(data.papers, "").map((paper) => paper.id),
            papers: data.papers.map((paper) => ({
              id: paper.id, primary: paper.primary, learned: paper.newLabels.primary,
              topics: paper.predicted[first.id], now: paper.newLabels.topics,
              error: Math.max(...paper.newProbabilities.map((probability, at) => Math.abs(probability - paper.probabilities[at]))),
            })),
          };
        }"""
    )
    assert found["ordered"] == [paper["id"] for paper in found["papers"]]
    for paper in found["papers"]:
        assert (paper["learned"], paper["now"]) == (paper["primary"], paper["topics"])
        assert paper["error"] < 0.001


@pytest.mark.parametrize("seed", range(4))
def test_the_page_orders_papers_by_the_rules_of_the_queue(
    asked: ReviewPage, open_page: Opener, seed: int
) -> None:
    chance = random.Random(seed)
    papers = [
        {
            "id": f"p{number:02}",
            "waits": kind == "waits",
            "decided": kind == "second look",
            "isSecondLook": kind == "second look",
            "benefit": chance.randrange(5) / 4,  # papers may be equal
            "auditRank": number,
            "cells": {"primary": chance.choice(["rye", "rye", "wheat", "spelt"])},
        }
        for number in range(40)
        for kind in [chance.choice(["waits", "waits", "waits", "second look", "confident"])]
    ]
    waiting = [paper for paper in papers if paper["waits"]]
    waiting.sort(key=lambda paper: (-paper["benefit"], paper["id"]))
    order = alternate_categories([paper["cells"]["primary"] for paper in waiting])
    second_looks = [QueuedPaper(paper["id"], "") for paper in papers if paper["isSecondLook"]]
    queue = insert_second_looks([QueuedPaper(waiting[n]["id"], "") for n in order], second_looks)
    audit = [paper["id"] for paper in papers if not paper["waits"] and not paper["isSecondLook"]]
    page = open_page(asked)
    found = page.evaluate("(papers) => reorder(papers, '').map((paper) => paper.id)", papers)
    assert found == [*(each.paper_id for each in queue), *audit]


def test_undecided_papers_get_the_labels_of_the_next_build(
    project: Project, asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    for key in "1o1":
        page.keyboard.press(key)
        assert "still wait" in page.locator("#status").inner_text()
    predicted = page.evaluate(
        """() => Object.fromEntries(data.papers
          .filter((paper) => isUnanswered(paper) && !paper.decided)
          .map((paper) => [paper.id, paper.newLabels.primary]))"""
    )
    apply_sheets(project, [save(page, tmp_path)])
    _, machine = train_and_label(read_inputs(project))
    built = {label.paper_id: label.facets["topic"].primary for label in machine}
    same = sum(built[paper_id] == primary for paper_id, primary in predicted.items())
    assert predicted
    assert same / len(predicted) >= 0.97


def test_a_page_of_a_large_project_reports_omitted_papers(
    bread: Project, open_page: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("classifier.commands.review_page.MAX_PAPERS", 3)
    page = open_page(review_page(bread, reviewer="ada"))
    assert "This page has the first 3 papers of the queue" in page.get_by_role("alert").inner_text()
    page.keyboard.press("o")
    assert "still wait" in page.locator("#status").inner_text()


def with_cue(found: ReviewPage) -> ReviewPage:
    """Return a page on which all papers wait, and which has a question on a cue."""
    first = found.data["facets"][0]  # type: ignore[index]
    papers = [{**paper, "waits": True} for paper in found.data["papers"]]  # type: ignore[attr-defined]
    cue = {
        "category": first["tops"][0],
        "phrase": "slow ferment~",
        "n": 9,
        "likely": 7,
        "papers": [paper["id"] for paper in papers],
        "titles": ["Rye at Night", "Wheat by Day", "<b>Oats</b>"],
    }
    data = {**found.data, "papers": papers, "cues": [cue], "fit": None}
    return replace(found, data=data)


@pytest.mark.parametrize(("key", "verdict"), [("y", "yes"), ("n", "no"), ("s", "unsure")])
def test_an_accepted_cue_is_added_to_the_taxonomy(
    key: str, verdict: str, project: Project, asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(with_cue(asked))
    category = asked.data["facets"][0]["categories"][0]  # type: ignore[index]
    for _ in range(3):
        assert page.locator("#cue").is_hidden()
        page.keyboard.press("o")
    question = page.locator("#cue-title").inner_text()
    assert re.fullmatch(
        r"\d+ of the \d+ waiting papers have “slow ferment”\. Is it a cue of .+\?", question
    )
    assert category["name"] in question
    assert page.locator("#cue-papers li").all_inner_texts()[2] == "<b>Oats</b>"
    assert page.locator("main").is_hidden()
    page.keyboard.press(key)
    assert page.locator("main").is_visible()
    assert page.locator("#cue").is_hidden()
    page.keyboard.press("o")
    found = rows(path := save(page, tmp_path))
    assert page.trouble == []  # type: ignore[attr-defined]
    assert found[3] == {
        "id": "cue",
        "title": "slow ferment~",
        "review_primary": category["id"],
        "verdict": verdict,
        "reviewer": "ada",
    }
    before = project.taxonomy_file.read_text(encoding="utf-8")
    applied = apply_sheets(project, [path])
    assert (applied.refused, applied.faults) == ((), ())
    cues = load_taxonomy(project.taxonomy_file).taxonomy.first.tops[0].cues
    assert ("slow ferment~" in cues.anywhere) == (verdict == "yes")
    assert ("slow ferment~" in cues.rejected) == (verdict == "no")
    changed = project.taxonomy_file.read_text(encoding="utf-8") != before
    assert changed == (verdict != "unsure")


def test_an_answer_on_a_cue_is_stored_over_a_reload_and_can_be_undone(
    asked: ReviewPage, open_page: Opener
) -> None:
    page = open_page(with_cue(asked))
    page.on("dialog", lambda dialog: dialog.accept())
    for key in ("o", "o", "o", "y"):
        page.keyboard.press(key)
    after = title(page)
    page.reload()
    assert page.locator("#counts").inner_text().startswith("3 answered and 1 phrase · 7 left")
    assert title(page) == after
    page.keyboard.press("u")
    assert page.locator("#cue").is_visible()
    page.keyboard.press("n")
    assert page.locator("#counts").inner_text().startswith("3 answered and 1 phrase · 7 left")
    page.locator("#answer-list summary").click()
    assert "“slow ferment”: not a cue of" in page.locator("#answer-list li").first.inner_text()


@pytest.fixture
def disputed(project: Project) -> str:
    """Return the title of a paper on which Ada and Bo disagree."""
    sheet = project.root / "mine.csv"
    for reviewer, topic in (("ada", "ovens"), ("bo", "flour")):
        sheet.write_text(f"id,review_topics\np-ac982c6689,{topic}\n", encoding="utf-8")
        assert apply_sheets(project, [sheet], reviewer=reviewer).is_whole
    return "Proofing by Sound"


def test_a_conflict_is_settled_on_the_page(
    project: Project, disputed: str, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(review_page(project, "conflicts", reviewer="cy"))
    assert title(page).startswith(disputed)
    why = page.locator("#why").inner_text()
    assert "ada: ovens" in why
    assert "bo: flour" in why
    page.locator("#answers [data-key='1']").click()
    (row,) = rows(save(page, tmp_path))
    assert row["reviewer"] == "adjudicated"
    assert apply_sheets(project, [tmp_path / "reviews-cy.csv"]).is_whole
    assert review_page(project, "conflicts").n_papers == 0


def test_an_earlier_decision_is_withdrawn_on_the_page(
    project: Project, disputed: str, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(review_page(project, "conflicts", reviewer="ada"))
    page.locator("#more-summary").click()
    page.get_by_role("button", name="Withdraw your earlier decision").click()
    assert apply_sheets(project, [save(page, tmp_path)]).is_whole
    assert review_page(project, "conflicts").n_papers == 0
    (decided,) = [found for name, found in decisions(project).items() if name.startswith(disputed)]
    assert decided["topic"].reviewer == "bo"


def test_answers_are_copied_as_text(asked: ReviewPage, open_page: Opener, tmp_path: Path) -> None:
    keep = "navigator.clipboard.writeText = async (text) => { window.copied = text; };"
    page = open_page(asked, keep)
    page.keyboard.press("o")
    page.get_by_role("button", name="Copy the answers as text").click()
    page.get_by_text("Copied 1 answer.").wait_for()
    copied = page.evaluate("window.copied")
    saved = save(page, tmp_path).read_bytes().decode("utf-8-sig")
    assert copied.replace("\r\n", "\n").strip() == saved.replace("\r\n", "\n").strip()


def test_a_page_of_a_locked_survey_has_a_warning(
    locked_bread: Path, asked: ReviewPage, open_page: Opener
) -> None:
    warning = "The labels of this survey are locked: published labels do not change"
    assert open_page(asked).get_by_text(warning).count() == 0
    page = open_page(review_page(Project(locked_bread), reviewer="ada"))
    assert page.get_by_text(warning).is_visible()


def type_text(page: Page, field: str, text: str) -> None:
    """Type a text into the note (n), remark (r) or reason (e), and return to the keys."""
    page.keyboard.press(field)
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def status(page: Page) -> str:
    return page.locator("#status").inner_text()


def test_typed_texts_are_kept_until_they_are_saved(
    asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    page.on("dialog", lambda dialog: dialog.accept())
    name = title(page)
    type_text(page, "n", "two loaves")
    page.keyboard.press("s")
    assert title(page) != name
    page.reload()
    assert (title(page), page.locator("#note").input_value()) == (name, "two loaves")
    type_text(page, "r", "baked twice")
    page.keyboard.press("o")
    assert "note saved: “two loaves”; remark saved: “baked twice”" in status(page)
    page.locator("#answer-list summary").click()
    assert "note saved: “two loaves”" in page.locator("#answer-list li").inner_text()
    page.keyboard.press("u")
    assert (title(page), page.locator("#note").input_value()) == (name, "two loaves")
    assert "note not saved yet: “two loaves”" in page.locator("#answer-list li").inner_text()
    page.keyboard.press("o")
    (row,) = rows(save(page, tmp_path))
    assert (row["note"], row["remark"]) == ("two loaves", "baked twice")


def test_a_reason_that_another_answer_does_not_use_is_kept(
    asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    page.keyboard.press("e")
    page.keyboard.type("a cake")
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    assert "reason not saved yet: “a cake”" in status(page)
    save(page, tmp_path)
    assert "Not in the file: texts typed on 1 paper without an answer." in status(page)


def test_a_text_survives_an_answer_in_another_tab(asked: ReviewPage, open_page: Opener) -> None:
    page = open_page(asked)
    other = open_second_tab(page)
    type_text(other, "n", "from the other tab")
    page.keyboard.press("o")
    other.get_by_text("answered in another tab. Your text is kept").wait_for()
    other.locator("#answer-list summary").click()
    other.get_by_role("button", name="Change the answer on").click()
    assert other.locator("#note").input_value() == "from the other tab"


def test_a_text_typed_before_the_name_is_kept(bread: Project, open_page: Opener) -> None:
    page = open_page(review_page(bread))
    page.keyboard.press("Escape")
    type_text(page, "n", "first")
    page.keyboard.press("o")
    page.keyboard.type("bo")
    page.keyboard.press("Enter")
    assert page.locator("#note").input_value() == "first"
    page.keyboard.press("o")
    assert "note saved: “first”" in status(page)


def test_undo_undoes_the_last_action_and_names_the_paper(
    asked: ReviewPage, open_page: Opener
) -> None:
    page = open_page(asked)
    answered = title(page)
    page.keyboard.press("o")
    skipped = title(page)
    page.keyboard.press("s")
    page.keyboard.press("U")  # Caps Lock
    assert (title(page), status(page)) == (skipped, f"Undone: the skip of “{skipped}”.")
    assert page.locator("#counts").inner_text().startswith("1 answered")
    page.keyboard.press("u")
    assert title(page) == answered
    assert f"Undone: the answer on “{answered}”." in status(page)
    page.keyboard.press("u")
    assert status(page) == "There is nothing to undo."


def test_a_blind_page_shows_no_reason_of_the_classifier(bread: Project, open_page: Opener) -> None:
    for queue in ("next", "ovens", "audit"):
        page = open_page(review_page(bread, queue, reviewer="ada", blind=True))
        assert page.locator("#why").inner_text() == ""
        assert page.locator("#keep-option").is_hidden()
        page.keyboard.press("d")
        assert status(page) == "There is no earlier category to keep."
        page.keyboard.press("o")
        assert status(page) == "Choose labels first, or a category."


def test_a_note_alone_leaves_the_paper_in_the_queue(
    project: Project, asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    name = title(page)
    type_text(page, "r", "baked twice")
    page.locator("#comment").click()
    assert title(page) == name
    assert "labels undecided; remark saved: “baked twice”" in status(page)
    assert page.locator("#counts").inner_text().startswith("0 answered · 10 left")
    path = save(page, tmp_path)
    assert apply_sheets(project, [path]).is_whole
    assert name not in decisions(project)
    page.keyboard.press("o")
    (row,) = rows(save(page, tmp_path))
    assert (row["verdict"], row["remark"]) == ("ok", "baked twice")


def test_an_answer_can_be_changed_from_the_list(
    asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    name = title(page)
    page.keyboard.press("1")
    page.locator("#answer-list summary").click()
    page.get_by_role("button", name="Change the answer on").click()
    assert title(page) == name
    assert page.locator("#labels em").inner_text() == "changed"
    page.keyboard.press("x")
    (row,) = rows(save(page, tmp_path))
    assert row["review_topics"] == "other"


def test_the_page_explains_categories_marks_and_kept_topics(
    asked: ReviewPage, open_page: Opener
) -> None:
    page = open_page(asked)
    facets: Any = asked.data["facets"]
    page.locator("#meanings summary").click()
    expected = [each["definition"] for facet in facets for each in facet["categories"]]
    assert page.locator("#meanings dd").all_inner_texts() == expected
    primary = page.evaluate("nameOf(first, labels.primary)")
    assert f"Another category keeps {primary} as a topic" in page.locator("main").inner_text()
    papers: Any = asked.data["papers"]
    cued = [name for _, name in papers[0]["abstract"] if name]
    assert page.locator("#marks").inner_text() == (
        f"Highlighted: cues of {', '.join(dict.fromkeys(cued))}." if cued else ""
    )


def test_keys_that_cannot_work_are_not_listed_and_say_why(
    asked: ReviewPage, open_page: Opener
) -> None:
    topic, *others = asked.data["facets"]  # type: ignore[misc]
    data = {**asked.data, "facets": [{**topic, "outOfScope": ""}, *others]}
    page = open_page(replace(asked, data=data))
    page.locator("#help summary").click()
    assert "out of scope" not in page.locator("#help").inner_text()
    assert page.locator("#more-summary").inner_text() == "Note, remark, exclude"
    for key, reason in {
        "x": "This survey has no out-of-scope category.",
        "9": "No category has this key.",
    }.items():
        page.keyboard.press(key)
        assert status(page) == reason


def test_more_topics_than_allowed_are_refused(asked: ReviewPage, open_page: Opener) -> None:
    topic, *others = asked.data["facets"]  # type: ignore[misc]
    page = open_page(
        replace(asked, data={**asked.data, "facets": [{**topic, "atMost": 1}, *others]})
    )
    box = page.locator(f"[data-facet={topic['id']}]")
    box.locator("summary").click()
    option = box.locator("input:not(:checked)").first
    option.click()
    assert "at most 1 categories. Remove one first." in status(page)
    assert not option.is_checked()


def test_a_change_of_the_name_reports_the_kept_answers(
    asked: ReviewPage, open_page: Opener
) -> None:
    page = open_page(asked)
    page.keyboard.press("o")
    page.locator("#reviewer").fill("bo")
    page.locator("#reviewer").press("Enter")
    assert status(page) == "1 answer of ada is kept; type that name to see them."
    assert page.evaluate("document.activeElement.id") == "title"


def test_a_changed_blind_answer_keeps_nothing_of_the_earlier_one(
    bread: Project, open_page: Opener
) -> None:
    page = open_page(review_page(bread, reviewer="ada", blind=True))
    page.keyboard.press("1")
    page.locator("#answer-list summary").click()
    page.get_by_role("button", name="Change the answer on").click()
    page.keyboard.press("3")
    assert page.evaluate("answersByTime().map(([, each]) => each.topics)") == [["ovens"]]


def test_a_note_saved_alone_in_another_tab_is_not_lost(
    asked: ReviewPage, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(asked)
    other = open_second_tab(page)
    type_text(other, "n", "from the other tab")
    other.locator("#comment").click()
    page.wait_for_function("document.getElementById('note').value")
    page.keyboard.press("o")
    (row,) = rows(save(page, tmp_path))
    assert (row["verdict"], row["note"]) == ("ok", "from the other tab")


def test_a_single_moved_paper_is_named(asked: ReviewPage, open_page: Opener) -> None:
    page = open_page(asked)
    moved, text = page.evaluate(
        """() => {
          const moved = data.papers.at(-1);
          refit = () => { moved.movedLabels = { primary: "other", topics: ["other"] }; };
          return [moved.title, learnFromAnswers()];
        }"""
    )
    assert text.startswith(f"“{moved}” moved to Out of scope, ")


def test_no_bare_number_or_letter_is_highlighted(
    bread: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = [("Rye", "ovens"), (" on ", ""), ("40", "ovens"), (" ", ""), ("C", "ovens")]
    monkeypatch.setattr("classifier.commands.review_page.marked_text", lambda *_: pieces)
    papers: Any = review_page(bread).data["papers"]
    assert [text for text, category in papers[0]["abstract"] if category] == ["Rye"]
