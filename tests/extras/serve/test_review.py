"""`review serve`: in a real browser, and asked by strangers."""

from __future__ import annotations

import json
import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from inline_snapshot import snapshot

from classifier.commands.apply import apply_sheets
from classifier.commands.review_page import Review, review_server, with_row
from classifier.errors import UsageError
from classifier.pipeline import build
from classifier.project import Project
from classifier.review.ledger import read_ledger
from classifier.review.sheet_file import read_sheet
from classifier.survey.last_build import BuildOptions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.fixture
def project(built_bread: Path, tmp_path: Path) -> Project:
    return Project(shutil.copytree(built_bread, tmp_path / "bread"))


@pytest.fixture
def address(project: Project) -> Iterator[str]:
    server, address = review_server(project, "ada", 0)
    server.start()
    yield address
    server.stop()


def filled(project: Project) -> dict[str, dict[str, str]]:
    """Paper -> the cells that people filled."""
    names = ("verdict", "review_primary", "review_topics", "reviewer")
    return {
        row.cells["id"]: cells
        for row in read_sheet(project.out / "labels.csv").rows
        if (cells := {name: row.cells[name] for name in names if row.cells[name]})
    }


def asked(address: str, path: str, content: Any = None, **headers: str) -> tuple[int, str]:
    """Return what the server answers, asked as the page asks unless headers say otherwise."""
    home, _, token = address.partition("?token=")
    given = {
        "X-Fieldguide-Token": token,
        "Content-Type": "application/json",
        "Origin": home.rstrip("/"),
    } | {name.replace("_", "-"): text for name, text in headers.items()}
    data = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(f"{home.rstrip('/')}{path}", data, given)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_ten_minutes_in_a_browser(project: Project, address: str, browser: Browser) -> None:
    """ok, another category by its key, undo, a list for the rest; then the ledger."""
    ledger = project.ledger_file.read_bytes()
    page = browser.new_page()
    trouble: list[str] = []
    page.on("console", lambda line: trouble.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(address)
    counts, changed = page.locator("#counts"), page.locator("#changed")

    def press(key: str, answered: int) -> None:
        page.keyboard.press(key)
        counts.get_by_text(f"{answered} answered").wait_for()

    counts.get_by_text("0 answered").wait_for()
    first = page.locator("#title").inner_text()
    press("o", 1)
    assert "decided by ada (as shown)" in changed.inner_text()
    assert page.locator("#title").inner_text() != first
    press("1", 2)
    assert "(was: " in changed.inner_text()
    assert sorted(map(sorted, filled(project).values())) == [
        ["review_topics", "reviewer"], ["reviewer", "verdict"],
    ]  # fmt: skip
    press("u", 1)
    assert [*filled(project).values()] == [{"verdict": "ok", "reviewer": "ada"}]
    page.locator("#category").select_option(index=0)
    page.get_by_role("button", name="File it there").click()
    counts.get_by_text("2 answered").wait_for()
    assert project.ledger_file.read_bytes() == ledger
    page.get_by_role("button", name="Write the answers").click()
    changed.get_by_text("are in the ledger").wait_for()
    page.close()
    assert trouble == []
    decided = read_ledger(project.ledger_file, "reviews.csv").entries
    assert len({entry.id for entry in decided if entry.reviewer == "ada"}) >= 2


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
def test_every_answer_is_in_sight(address: str, browser: Browser, size: tuple[int, int]) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(address)
    page.locator("#answers [data-key='1']").wait_for()
    for button in page.locator("#answers button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.close()


def test_the_transcript_of_the_docs(project: Project, address: str, browser: Browser) -> None:
    """Ten answers, key by key, as the page of the documentation shows them; then the build."""
    text = (DOCS / "review-labels.md").read_text(encoding="utf-8")
    lines = re.search(r"^```text[^\n]*\nkey  (.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert lines is not None
    played = [line.split(maxsplit=1) for line in lines[1].splitlines()[1:]]
    page = browser.new_page()
    page.goto(address)
    counts, changed = page.locator("#counts"), page.locator("#changed")
    counts.get_by_text("0 answered").wait_for()
    for key, told in played:
        page.keyboard.press(key)
        changed.get_by_text(told, exact=True).wait_for()
    counts.get_by_text("10 answered").wait_for()
    page.get_by_role("button", name="Write the answers").click()
    changed.get_by_text("Answers on 10 papers are in the ledger").wait_for()
    page.get_by_role("button", name="Build anew").click()
    changed.get_by_text("0 wait for review").wait_for(timeout=60_000)
    page.close()
    mine = [
        entry
        for entry in read_ledger(project.ledger_file, "reviews.csv").entries
        if entry.reviewer == "ada" and entry.reviewed_on > "2025-12"
    ]
    assert {entry.drawn_by for entry in mine} == {"queue"}


def test_another_category_leaves_further_topics_in_place(project: Project, address: str) -> None:
    waiting = len(read_sheet(project.out / "labels.csv").rows)
    for _ in range(waiting):
        paper = json.loads(asked(address, "/-/paper")[1])
        row = next(
            row for row in read_sheet(project.out / "labels.csv").rows
            if row.cells["id"] == paper["id"]
        )  # fmt: skip
        first, *further = row.cells["topics"].split("; ")
        for category in paper["categories"]:
            expected = [each for each in further if not each.startswith(f"{first}/")]
            expected = [each for each in expected if not each.startswith(category["id"])]
            if category["id"] == "other":
                expected = []
            assert category["topics"].split("; ") == [category["id"], *expected]
        asked(address, "/-/skip", {"id": paper["id"]})


def test_the_cues_of_the_likeliest_categories_are_marked(address: str) -> None:
    papers = []
    for _ in range(8):
        paper = json.loads(asked(address, "/-/paper")[1])
        papers.append(paper)
        asked(address, "/-/skip", {"id": paper["id"]})
    for paper in papers:
        assert "".join(text for text, _ in paper["abstract"]).split() or not paper["abstract"]
    assert any(cue for paper in papers for _, cue in paper["abstract"])


@pytest.mark.parametrize(
    ("path", "content", "headers", "status"),
    [
        ("/", None, {}, 403),
        ("/?token=guessed", None, {}, 403),
        ("/-/paper", None, {"X_Fieldguide_Token": "guessed"}, 403),
        ("/-/undo", {}, {"X_Fieldguide_Token": "guessed"}, 403),
        ("/-/undo", {}, {"Origin": "http://bread.example"}, 403),
        ("/-/undo", {}, {"Origin": "null"}, 403),
        ("/-/paper", None, {"Host": "bread.example"}, 421),
        ("/-/undo", {}, {"Host": "bread.example"}, 421),
        ("/-/undo", {}, {"Content_Type": "text/plain"}, 415),
        ("/-/undo", {"id": "x" * 20_000}, {}, 413),
        ("/-/undo", [], {}, 400),
        ("/-/delete", {}, {}, 400),
        ("/labels.csv", None, {}, 403),
        ("/-/../review.py", None, {}, 400),
    ],
)
def test_strangers_are_refused(
    project: Project, address: str, path: str, content: Any, headers: dict[str, str], status: int
) -> None:
    before = (project.out / "labels.csv").read_bytes()
    assert asked(address, path, content, **headers)[0] == status
    assert (project.out / "labels.csv").read_bytes() == before


def test_what_is_no_answer_is_told_and_not_written(project: Project, address: str) -> None:
    paper = json.loads(asked(address, "/-/paper")[1])["id"]
    before = (project.out / "labels.csv").read_bytes()
    for cells in ({"review_topics": "cakes"}, {"title": "Mine"}, {}, "ok"):
        _, answer = asked(address, "/-/answer", {"id": paper, "cells": cells})
        assert "problem" in json.loads(answer)
    assert (project.out / "labels.csv").read_bytes() == before


def test_what_somebody_typed_meanwhile_is_not_overwritten(project: Project, address: str) -> None:
    paper = json.loads(asked(address, "/-/paper")[1])["id"]
    path = project.out / "labels.csv"
    sheet = read_sheet(path)
    row = next(row for row in sheet.rows if row.cells["id"] == paper)
    typed = replace(row, cells={**row.cells, "verdict": "key"})
    path.write_bytes(with_row(sheet, typed))
    _, answer = asked(address, "/-/answer", {"id": paper, "cells": {"verdict": "ok"}})
    assert json.loads(answer) == snapshot(
        {"problem": "Somebody has filled this row of the sheet meanwhile."}
    )
    assert filled(project) == {paper: {"verdict": "key"}}
    assert apply_sheets(project, reviewer="bo").taken


def test_an_answer_over_which_another_program_saved_is_asked_again(project: Project) -> None:
    review, path = Review(project, "ada"), project.out / "labels.csv"
    before, paper = path.read_bytes(), str(review.paper()["id"])
    assert review.answer(paper, {"verdict": "ok"})["answered"] == 1
    path.write_bytes(before)
    found = review.paper()
    assert (found["answered"], found["id"]) == (0, paper)
    assert str(found["changed"]).startswith("['Another program saved labels.csv without 1 answer")


def test_nothing_is_served_of_a_project_that_was_not_built(project: Project) -> None:
    shutil.rmtree(project.out)
    with pytest.raises(UsageError, match="run `fieldguide build`"):
        review_server(project, "ada", 0)


def test_a_category_is_named_as_in_its_own_facet(project: Project) -> None:
    """Two facets have a category `study`, with two names."""
    path = project.taxonomy_file
    text = path.read_text(encoding="utf-8")
    assert "      - id: signal\n" in text
    text = text.replace("      - id: signal\n", "      - id: study\n        aliases: [signal]\n")
    path.write_text(text, encoding="utf-8")
    build(project, project.out, BuildOptions(ignore_sheet=True))
    review = Review(project, "ada")
    shown = set()
    while (found := review.paper())["left"] and found["id"] not in shown:
        shown.add(found["id"])
        labels = found["labels"]
        assert isinstance(labels, dict)
        assert labels["Contribution"] != "a signal"
        review.skip(str(found["id"]))
    assert shown
