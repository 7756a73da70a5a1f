"""The browser verifies a page and a survey as verify.py does, from the disk and over HTTP."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from damages import DAMAGES, damaged, with_evidence
from fields import FIELDS, make_field

from classifier.pipeline import compute
from classifier.site import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = ("index.html", "survey.html", "method.html", "c/ovens.html", "p/p-e1267a85a1.html")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    yield page
    page.close()


@pytest.fixture(scope="module")
def engine(browser: Browser, bread_folder: Path) -> Iterator[Page]:
    """A page in which verify.js is loaded."""
    page = browser.new_page(bypass_csp=True)
    page.goto((bread_folder / "method.html").as_uri())
    page.add_script_tag(path=bread_folder / "verify.js")
    yield page
    page.close()


def in_browser(engine: Page, site: dict[str, bytes]) -> dict[str, Any]:
    """Return what the browser checked in the files of a survey, and its failures."""
    is_text = re.compile(r"\.(?:html|js|jsonl?|csv|md)$")
    texts = {p: c.decode() if is_text.search(p) else "" for p, c in site.items()}
    texts["manifest.json"] = ""
    found: dict[str, Any] = engine.evaluate("files => fieldguideVerify.verifyFolder(files)", texts)
    return found


def in_python(site: dict[str, bytes]) -> tuple[set[str], set[tuple[str, str]]]:
    """Return the same by verify.py, without its checks of other files than pages."""
    pages = {path: verify.read_page(site[path]) for path in sorted(site) if path.endswith(".html")}
    pages = {
        path: [part for part in parts if "data-ld" not in part[2]] for path, parts in pages.items()
    }
    proof = verify.Proof(site)
    known = {*site, "manifest.json"}
    failures = [*proof.statement_failures(pages), *verify.dead_links(pages, known)]
    proof.checked["links"] = verify.count_links(pages)
    checked = {f"{number:,} {what}" for what, number in proof.checked.items()}
    return checked, {(file, actual) for file, _, actual, _ in failures}


def assert_both_agree(engine: Page, site: dict[str, bytes]) -> set[tuple[str, str]]:
    found = in_browser(engine, site)
    checked = {f"{number:,} {what}" for what, number in found["checked"].items()}
    failures = {(each["file"], each["found"]) for each in found["failures"]}
    assert (checked, failures) == in_python(site)
    return failures


def test_both_verifiers_pass_on_the_golden_survey(
    engine: Page, bread_site: dict[str, bytes]
) -> None:
    assert assert_both_agree(engine, bread_site) == set()


@pytest.mark.parametrize("field", FIELDS)
def test_both_verifiers_pass_on_another_field(field: str, engine: Page, tmp_path: Path) -> None:
    assert assert_both_agree(engine, dict(compute(make_field(tmp_path, field)).files)) == set()


@pytest.mark.parametrize("name", DAMAGES)
def test_both_verifiers_find_a_damage(
    name: str, engine: Page, bread_site: dict[str, bytes]
) -> None:
    assert assert_both_agree(engine, with_evidence(damaged(bread_site, name)))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_verified_at_the_press_of_a_button(path: str, page: Page, home: str) -> None:
    page.goto(home + path)
    page.get_by_role("button", name="Verify this page").focus()
    page.keyboard.press("Enter")
    status = page.get_by_role("status").filter(has_text="Checked")
    status.wait_for()
    assert re.fullmatch(r"Checked .*\d links in \d\.\d s: 0 failures\.", status.inner_text())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_damaged_page_names_its_failures(
    page: Page, bread_folder: Path, bread_site: dict[str, bytes], tmp_path: Path
) -> None:
    folder = shutil.copytree(bread_folder, tmp_path / "bread")
    (folder / "index.html").write_bytes(damaged(bread_site, "a count on a page")["index.html"])
    page.goto((folder / "index.html").as_uri())
    page.get_by_role("button", name="Verify this page").click()
    failure = page.get_by_role("region", name="Verify").get_by_role("listitem")
    failure.wait_for()
    assert failure.all_inner_texts() == ["index.html: found “6”; expected “5”."]


def test_a_survey_is_verified_with_all_pages_of_its_folder(
    page: Page, bread_folder: Path, home: str
) -> None:
    (bread_folder / "manifest.json").touch()
    page.goto(home + "index.html")
    page.get_by_role("button", name="Verify this survey").click()
    status = page.get_by_role("status").filter(has_text="Checked")
    status.wait_for()
    facts = json.loads((bread_folder / "facts.json").read_bytes()).values()
    n_computed = sum(fact["query"] != "stated" for fact in facts)
    assert f"{n_computed} facts" in status.inner_text()
    assert status.inner_text().endswith(": 0 failures.")
    page.get_by_label("choose the folder of this survey").set_input_files(bread_folder)
    page.get_by_role("status").filter(has_text="links").wait_for()
    assert status.inner_text().endswith(": 0 failures.")
