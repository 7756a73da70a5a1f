"""Every kind of page: quiet under a strict policy, accessible, valid HTML."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import warnings
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import PAGE_KINDS, examples, kind_of, pages_of, visit, watched
from generated import make_large_survey

from classifier.site.render import render_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_every_page_is_of_a_known_kind(bread_site: dict[str, bytes]) -> None:
    assert [path for path in pages_of(bread_site) if kind_of(path) is None] == []
    assert set(examples(bread_site)) == set(PAGE_KINDS)


def test_no_page_asks_for_anything_outside_or_breaks_the_policy(
    browser: Browser, bread_site: dict[str, bytes], bread_folder: Path, home: str
) -> None:
    page = browser.new_page()
    trouble = watched(page, home)
    for path in examples(bread_site).values():
        visit(page, bread_folder, home, path)
    assert trouble == []
    page.close()


def test_the_policy_allows_no_script_but_those_of_the_site(bread_site: dict[str, bytes]) -> None:
    for path in examples(bread_site).values():
        page = bread_site[path].decode()
        assert "default-src 'none'" in page, path
        assert "script-src 'self'" in page, path
        assert "unsafe" not in page.partition("</head>")[0], path


def test_the_policy_blocks_no_json_ld(
    browser: Browser, bread_site: dict[str, bytes], bread_folder: Path, home: str
) -> None:
    page = browser.new_page()
    page.add_init_script(
        "window.blocked = []; document.addEventListener('securitypolicyviolation',"
        " event => window.blocked.push(event.violatedDirective))"
    )
    trouble = watched(page, home)
    kinds = examples(bread_site)
    for kind, expected in (("home", "Dataset"), ("paper", "ScholarlyArticle")):
        visit(page, bread_folder, home, kinds[kind])
        data = json.loads(page.locator("script[type='application/ld+json']").inner_text())
        assert data["@type"] == expected
        assert page.evaluate("window.blocked") == []
    assert trouble == []
    page.close()


ALL_RULES = ""
OF_COLOURS = "runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }"
"""Of axe, those that another scheme of colours can break."""


def in_use(page: Page, kind: str) -> None:
    """Bring a page into the state in which it holds the most."""
    if kind == "home":
        page.locator("input[name=q]").last.fill("rye")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("ArrowDown")
    if kind == "browse":
        page.locator("[data-part=heading]:not(:empty)").wait_for()
        page.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")


@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_axe_finds_no_violation_in_light_or_dark_on_a_narrow_or_a_wide_screen(
    kind: str, axe: str, open_page: Page, bread_site: dict[str, bytes], bread_folder: Path
) -> None:
    page = open_page
    visit(page, bread_folder, f"{bread_folder.as_uri()}/", examples(bread_site)[kind])
    in_use(page, kind)
    page.evaluate(axe)
    violations: list[str] = []
    for scheme, width in product(("light", "dark"), (360, 1280)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        rules = OF_COLOURS if scheme == "dark" else ALL_RULES
        found: dict[str, Any] = page.evaluate(
            f"axe.run({{ resultTypes: ['violations'], preload: false, {rules} }})"
        )
        violations += [
            f"{scheme} {width}: {rule['id']}: {node['html'][:120]}: {node['failureSummary']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]
    assert not violations, "\n".join(violations)


def test_nothing_moves_for_those_who_ask_for_less_motion(
    browser: Browser, bread_site: dict[str, bytes], bread_folder: Path
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    for path in examples(bread_site).values():
        visit(page, bread_folder, f"{bread_folder.as_uri()}/", path)
        assert page.evaluate("document.getAnimations().length") == 0, path
        scrolling = page.evaluate("getComputedStyle(document.documentElement).scrollBehavior")
        assert scrolling == "auto", path
    context.close()


@pytest.mark.parametrize("name", ["Honey bees", "نحل العسل", "דבורי הדבש"])
def test_a_number_stands_behind_a_name_in_whatever_script(
    name: str, browser: Browser, bread_site: dict[str, bytes]
) -> None:
    page = browser.new_page()
    page.set_content(f'<p><a href="#bees">{name}</a> (29) and more</p>')
    page.add_style_tag(content=bread_site["style.css"].decode())
    places = page.evaluate(
        """() => {
          const link = document.querySelector("a"), number = document.createRange();
          number.setStart(link.nextSibling, 1);
          number.setEnd(link.nextSibling, 5);
          return [link.getBoundingClientRect().right, number.getBoundingClientRect().left];
        }"""
    )
    assert places == sorted(places)
    page.close()


def test_what_is_to_be_cited_is_printed_to_the_end_of_its_lines(
    browser: Browser, bread_folder: Path, bread_site: dict[str, bytes]
) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 900})
    visit(page, bread_folder, f"{bread_folder.as_uri()}/", examples(bread_site)["paper"])
    page.emulate_media(media="print")
    section = page.get_by_role("region", name="Cite")
    assert section.locator(".cite").evaluate("cite => cite.clientWidth") > 0
    assert section.locator(".cite").evaluate("cite => cite.scrollWidth - cite.clientWidth") == 0
    assert not section.locator("button.copy").is_visible()
    page.close()


def test_the_validator_finds_no_error(bread_folder: Path, bread_site: dict[str, bytes]) -> None:
    """vnu.jar, the validator of the W3C; where it is absent the next test still reads strictly."""
    jar = os.environ.get("VNU_JAR", "")
    if not (shutil.which("java") and Path(jar).is_file()):
        pytest.skip("needs Java, and VNU_JAR to name vnu.jar (npm package vnu-jar)")
    paths = [str(bread_folder / path) for path in examples(bread_site).values()]
    run = subprocess.run(
        ["java", "-jar", jar, "--format", "json", "--stdout", *paths],
        capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    messages = json.loads(run.stdout)["messages"]
    errors = [
        f"{Path(m['url']).name}:{m.get('lastLine')}: {m['message']}"
        for m in messages
        if m["type"] == "error"
    ]
    assert errors == []


def test_a_strict_parser_finds_no_error(bread_site: dict[str, bytes]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        html5lib = pytest.importorskip("html5lib", reason="needs html5lib")
    errors: list[str] = []
    for path in examples(bread_site).values():
        parser = html5lib.HTMLParser(namespaceHTMLElements=False)
        parser.parse(bread_site[path])
        errors += [f"{path}:{place}: {error}" for place, error, _ in parser.errors]
    assert errors == []


def test_a_long_table_of_benchmarks_sorts_and_shows_only_the_rows_with_words(
    browser: Browser, tmp_path: Path
) -> None:
    for path, content in render_site(make_large_survey(60)).items():
        if path == "benchmarks.html" or path.endswith(".js"):
            (tmp_path / path).write_bytes(content)
    page = browser.new_page()
    page.goto((tmp_path / "benchmarks.html").as_uri())
    rows = page.locator(".compared tbody tr:visible")
    assert rows.count() > 30
    field = page.get_by_label("Show the rows with these words")
    field.fill("bench-59")
    page.wait_for_function("document.querySelectorAll('.compared tr[hidden]').length > 9")
    assert [row.partition("\t")[0] for row in rows.all_inner_texts()] == ["Bench-59"]
    field.fill("βench")  # as the search reads it
    search = page.get_by_role("link", name="Search for it")
    search.wait_for()
    assert rows.count() == 0
    assert search.get_attribute("href").endswith("/browse.html?q=%CE%B2ench")
    page.locator("tbody th").first.evaluate("cell => cell.textContent = 'τ-bench'")
    field.fill("tau")
    rows.first.wait_for()
    assert rows.count() == 1
    assert search.count() == 0
    page.locator("tbody th").first.evaluate("cell => cell.textContent = 'Bench-0'")
    field.fill("")
    page.wait_for_function("!document.querySelector('.compared tr[hidden]')")
    page.get_by_role("button", name="Benchmark").click()
    numbers = [int(row.partition("\t")[0].rpartition("-")[2]) for row in rows.all_inner_texts()]
    assert numbers == sorted(numbers)
    page.close()
