"""The figures of the home page, in which each paper is a mark with a link and its sentence."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from classifier.site.render import render_site
from classifier.survey.document import Figure, Point, Section
from classifier.survey.survey import Survey

if TYPE_CHECKING:
    from playwright.sync_api import Page

CLAIMS = Figure(
    "claims",
    "One of two claims has papers on more than one side",
    "One dot per paper; n = 3 papers.",
    "Dot chart.",
    ("Claim, as the evidence stands", "Proposition", "For", "Mixed", "Against"),
    (
        ("Some crows plan.", "Crows plan.", "1", "1", "1"),
        ("Jays sing.", "Jays sing.", "1", "0", "0"),
    ),
    "sides",
    points=(
        tuple(
            Point(
                side, f"{side.capitalize()}: Hooks, 2024", "p/arxiv-2401.10230.html", "It <bends>."
            )
            for side in ("for", "mixed", "against")
        ),
        (Point("for", "For: Song", "p/doi-10.1000-abc.html", "“They sing.”"),),
    ),
    anchors=("tools", "song"),
)
LEVELS = Figure(
    "levels",
    "Two levels on Worm count are between 40 % and 61 %",
    "One mark per level; n = 2.",
    "Scatter plot.",
    ("Benchmark", "Date", "Level in %", "Parameters in billions", "Paper"),
    (("Worm count", "2024-01", "40", "7", "Hooks"), ("Worm count", "2024-05", "61", "", "Song")),
    "levels",
    points=(
        (Point("level", "Hooks, 2024", "p/arxiv-2401.10230.html", "A 7B crow gets 40 %."),),
        (Point("level", "Song", "p/doi-10.1000-abc.html", "Song gets 61 %."),),
    ),
)


@pytest.fixture(scope="module")
def drawn(survey: Survey) -> dict[str, bytes]:
    """A site whose survey has both figures."""
    section = Section("landscape", "The field", 1, (CLAIMS, LEVELS))
    document = replace(survey.document, sections=(*survey.document.sections, section))
    return render_site(replace(survey, document=document))


def test_a_dot_leads_to_its_paper_and_carries_its_sentence(drawn: dict[str, bytes]) -> None:
    page = drawn["index.html"].decode()
    dots = re.findall(r'<a class="dot" href="(.+?)">.*?<span class="tip">(.*?)</span></a>', page)
    assert len(dots) == 4
    assert dots[-1] == ("p/doi-10.1000-abc.html", "<b>For: Song.</b> “They sing.”")
    assert "It &lt;bends&gt;." in dots[0][1]
    assert '<a href="c/tools.html#tools">Some crows plan.</a>' in page
    assert "Proposition: Crows plan." in page


def test_a_level_is_drawn_for_wide_and_for_narrow_screens(drawn: dict[str, bytes]) -> None:
    page = drawn["index.html"].decode()
    assert page.count('aria-label="Hooks, 2024. A 7B crow gets 40 %."') == 2
    assert 'href="figures/levels.csv"' in page


def test_the_survey_in_markdown_has_pictures_of_both(drawn: dict[str, bytes]) -> None:
    for name in ("claims", "levels"):
        assert f"(figures/{name}.svg)" in drawn["survey.md"].decode()
        assert drawn[f"figures/{name}.svg"].count(b"<circle ") >= 2


def test_a_strict_parser_finds_no_error(drawn: dict[str, bytes]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        html5lib = pytest.importorskip("html5lib", reason="needs html5lib")
    for path in ("index.html", "survey.html"):
        parser = html5lib.HTMLParser(namespaceHTMLElements=False)
        parser.parse(drawn[path])
        assert parser.errors == [], path


def test_axe_finds_nothing_and_a_focused_mark_shows_its_sentence(
    drawn: dict[str, bytes], axe: str, open_page: Page, tmp_path: Path
) -> None:
    for path, content in drawn.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    page = open_page
    page.goto(f"{tmp_path.as_uri()}/index.html")
    page.evaluate(axe)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        found = page.evaluate("axe.run({ resultTypes: ['violations'], preload: false })")
        assert found["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".dot").nth(1).focus()
    page.keyboard.press("Shift+Tab")
    box = page.locator(".dot:focus .tip").bounding_box()
    assert box is not None
    assert box["width"] > 100
    page.locator(".mark:visible").first.focus()
    page.keyboard.press("Tab")
    assert page.locator(".mark:focus .tip").is_visible()
