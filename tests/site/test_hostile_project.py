"""A project whose papers and editors try to break out of every file that a build writes.

From the files of the project to those of the site: what a listing, a database or a joke may hold
stands in titles, texts, authors, venues, addresses, names, claims and definitions.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
import yaml
from browsing import examples, watched
from page_tags import Tags

from classifier.errors import InputError
from classifier.pipeline import compute
from classifier.project import Project
from classifier.site.markup import markdown_to_html
from classifier.survey.survey import Survey
from classifier.taxonomy.document import parse_document

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
MARKUP = '"><img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>'
HOSTILE = {
    "markup": MARKUP,
    "end of a script": "</script><script>alert(4)</script> ]]> <!-- --> <![CDATA[ x",
    "Markdown": '[x](javascript:alert(5)) ![y](x" onerror=alert(6)) `c` **b** | p | # h\n\n## H',
    "anchors": 'see [1](#ref-1), \\[3\\] <a id="ref-1"></a> **Table.** x',
    "direction": "\u202eevil\u202c \u2066x\u2069 \u0639\u0631\u0628\u0649 \u200b\ufeff a\u00adb",
    "LaTeX": r"$\frac{1}{2}$ \href{javascript:alert(7)}{b} {{{ }} \\ % & # ~ \input{/etc/passwd}",
    "controls": "nul\x00 bell\x07 \x1b[31m \x7f \x0b \u2028 \u2029 \x85",
    "pictures": "\U0001f469\u200d\U0001f467 e\u0301\u0301\u0301 Z\u0351\u036b\u0343",
    "formula": "=cmd|' /C calc'!A0",
    "another formula": "@SUM(1+1)",
    "template": "{{ 7*7 }} {% raw %} {# x #} ${7*7}",
    "address": 'data:text/html,<script>alert(8)</script> //evil.example "onmouseover=alert(9)',
    "references": '@article{x, title={y}} \\}{ % #" , } \nTY  - JOUR\nER  - ',
    "quotation marks": "“a” ‘b’ 'c' \"d\" “unclosed — “",
}
UNREADABLE = {"length": "Long" + "g" * 10_000, "half a sign": "lone \ud800 half"}
NAMED = ("markup", "formula", "template", "quotation marks")
"""What stands in the names of four categories."""


def records(text: str, number: int) -> list[dict[str, object]]:
    """Return three papers that hold a text: in all fields, in a digest, in the title alone."""
    told = f"Bakers fail. We propose a sourdough method, {text}. It wins 12% on the Rapeseed test."
    everywhere = {
        "title": f"{text} sourdough {number}",
        "abstract": f"{told} Code is available. Still, {text} stays open.",
        "authors": [text, f"Ada {text}"],
        "organisation": text,
        "venue": text,
        "published": f"2024-01-{number + 1:02}",
        "url": "javascript:alert(10)" if number % 2 else f"https://a.example/{text}",
        "code_urls": [f"https://github.com/a/b{text}", "javascript:alert(11)"],
    }
    digest = {"title": f"Gluten {number}", "abstract": text, "abstract_kind": "digest"}
    return [everywhere, {**digest, "authors": [text]}, {"title": text}]


def hostile_taxonomy(path: Path) -> None:
    """Write the golden taxonomy with hostile names, definitions and claims."""
    text = (BREAD / "taxonomy" / "taxonomy.yaml").read_text("utf-8")
    taxonomy: dict[str, Any] = parse_document(text, "taxonomy.yaml")[0].value()
    taxonomy["survey"].update(
        title=MARKUP, subtitle=MARKUP, editors=[MARKUP, "B"], scope=MARKUP, abstract=MARKUP
    )
    topic = taxonomy["facets"]["topic"]
    for category, kind in zip(topic["categories"], NAMED, strict=False):
        category["name"] = HOSTILE[kind]
        category["definition"] = HOSTILE[kind]
        category["includes"] = [HOSTILE[kind]]
    topic["categories"][0]["claims"] = [
        {"text": MARKUP, "by": MARKUP, "on": "2025-03", "evidence": ["fed_by", "code"]}
    ]
    kinds = taxonomy["facets"]["contribution"]["categories"]
    for category, kind in zip(kinds, NAMED, strict=False):
        category["name"] = HOSTILE[kind]
    taxonomy["facets"]["fed_by"]["name"] = MARKUP
    taxonomy["facets"]["fed_by"]["categories"][0]["name"] = MARKUP
    taxonomy["lexicons"]["benchmarks"] = {MARKUP: ["rapeseed test"]}
    with path.open("w", encoding="utf-8") as file:
        yaml.safe_dump(taxonomy, file, allow_unicode=True, sort_keys=False)


def write_project(folder: Path, texts: Mapping[str, str]) -> Project:
    (folder / "papers").mkdir(parents=True)
    (folder / "taxonomy").mkdir()
    papers = [paper for n, text in enumerate(texts.values()) for paper in records(text, n)]
    lines = "".join(f"{json.dumps(paper)}\n" for paper in papers)
    (folder / "papers" / "all.jsonl").write_text(lines, "utf-8")
    hostile_taxonomy(folder / "taxonomy" / "taxonomy.yaml")
    return Project(folder)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Mapping[str, bytes], Survey]:
    """The site of all hostile texts: that it is built at all is half of the test."""
    project = write_project(tmp_path_factory.mktemp("hostile") / "p", HOSTILE | UNREADABLE)
    result = compute(project)
    assert len(result.edition.entries) > 2 * len(HOSTILE)
    assert len(result.corpus.quarantined) == len([*records("", 0), *records("", 0)]) - 1
    return result.files, result.edition


@pytest.fixture(scope="module")
def files(built: tuple[Mapping[str, bytes], Survey]) -> Mapping[str, bytes]:
    return built[0]


def test_every_file_is_read_by_the_readers_of_its_kind(files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        text = content.decode("utf-8")
        if not path.endswith(".csv") and path != "papers.json":  # these hold titles as read
            assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text), path
        if path.endswith((".svg", ".atom", ".xml")):
            ElementTree.fromstring(content)
        elif path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".jsonl"):
            assert all(json.loads(line) for line in content.split(b"\n") if line)
        elif path == "search-index.js":
            json.loads(text.partition("=")[2].strip().removesuffix(";"))


def test_no_cell_of_a_table_is_a_formula(files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        if path.endswith(".csv"):
            for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))):
                assert not [cell for cell in row if re.match(r"[=+@\t\r]|-(?![\d.])", cell)], path


def test_nothing_in_a_page_runs(files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        if path.endswith(".html"):
            page = Tags(content)
            ours = content.count(b'<script src="') + content.count(b'<script type="application/ld')
            assert content.count(b"<script") == ours, path
            assert not [name for name, _ in page.attributes if name.startswith("on")], path
            addresses = [value for name, value in page.attributes if name in {"href", "src"}]
            assert not [a for a in addresses if re.match(r"\s*(javascript:|data:|//)", a)], path


def test_survey_md_holds_no_tag_and_no_address_that_runs(files: Mapping[str, bytes]) -> None:
    survey = files["survey.md"].decode("utf-8")
    assert not re.search(r"(?<!\\)<(?!a id=\"[^\"<>]*\"></a>|/a>)[a-z/!]", survey)
    assert "](javascript:" not in survey
    assert "alert" in markdown_to_html(survey)


def test_each_text_is_built_alone_too(tmp_path: Path) -> None:
    """With the golden taxonomy: the first and the widest sentences are about it."""
    for number, (kind, text) in enumerate(HOSTILE.items()):
        project = write_project(tmp_path / str(number), {kind: text})
        shutil.copy(BREAD / "taxonomy" / "taxonomy.yaml", project.taxonomy_file)
        assert len(compute(project).edition.entries) == 3, kind


def test_where_no_record_can_be_read_the_message_says_why(tmp_path: Path) -> None:
    project = write_project(tmp_path / "half", {"half a sign": UNREADABLE["half a sign"]})
    with pytest.raises(InputError, match=r"found half of a surrogate(?s:.*)no paper in any file"):
        compute(project)


def test_nothing_runs_in_a_browser(
    browser: Browser, files: Mapping[str, bytes], tmp_path: Path
) -> None:
    for path, content in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    page = browser.new_page()
    trouble = watched(page)
    titles_of = sorted(path for path in files if path.startswith("p/") and path.endswith(".html"))
    shown = {*examples(files).values(), *titles_of} - {"404.html"}  # works only at its home
    for path in sorted(shown):
        page.goto((tmp_path / path).as_uri())
    page.goto((tmp_path / "browse.html").as_uri() + "?q=alert")
    page.locator("[data-part=heading]:not(:empty)").wait_for()
    assert page.locator("img[onerror], svg[onload]").count() == 0
    assert trouble == []
    page.close()
