"""What is printed, what stands, and by what a page is known again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from jinja2 import DictLoader, Environment

from classifier.files.memo import Memos
from classifier.files.output_folder import write_folder
from classifier.files.standing import Standing
from classifier.files.volume import Volume
from classifier.site.check import check_site
from classifier.site.outline import Outline, outline_of, site_faults
from classifier.site.plate import Blank, Bundle, File, Plate, digest_of, texts
from classifier.site.printer import Printer, Prints, keep_prints, recall_prints
from classifier.site.template_digests import TemplateDigests, references

PAGE = '<a id="top" href="b.html#end">b</a> <a href="style.css">s</a>'


class Shop:
    """An output folder with what was printed into it, and how often each file was."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.prints = Prints()
        self.printed: list[str] = []

    def plate(self, path: str, made_of: str, text: str = PAGE) -> Plate:
        def print_it() -> str:
            self.printed.append(path)
            return text

        return Plate(path, made_of, print_it)

    def build(self, *files: File) -> list[str]:
        """Print files, and return which of them were printed."""
        self.printed = []
        printer = Printer(Volume(Standing(self.out)), self.prints)
        printer.take_all(files)
        write_folder(self.out, printer.volume, beside={})
        memos = Memos(self.out)
        keep_prints(memos, printer.prints)
        (self.out / ".cache" / "site.json").write_bytes(memos.made[".cache/site.json"])
        self.prints = recall_prints(Memos(self.out))
        assert self.prints == printer.prints
        return self.printed


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "out")


def test_a_plate_is_printed_where_it_is_made_of_something_else(shop: Shop) -> None:
    assert shop.build(shop.plate("a.html", "1"), shop.plate("b.html", "1")) == ["a.html", "b.html"]
    assert shop.build(shop.plate("a.html", "1"), shop.plate("b.html", "2")) == ["b.html"]
    (shop.out / "a.html").write_text("mine", encoding="utf-8")
    assert shop.build(shop.plate("a.html", "1"), shop.plate("b.html", "2")) == ["a.html"]
    assert (shop.out / "a.html").read_text(encoding="utf-8") == PAGE


def test_a_blank_spares_the_plate_and_the_plate_spares_the_page(shop: Shop) -> None:
    made: list[str] = []

    def blank(made_of: str, plate_of: str) -> Blank:
        def plate() -> Plate:
            made.append(made_of)
            return shop.plate("a.html", plate_of)

        return Blank("a.html", made_of, plate)

    assert shop.build(blank("1", "x")) == ["a.html"]
    assert shop.build(blank("1", "y")) == []
    assert shop.build(blank("2", "x")) == []
    assert shop.build(blank("2", "y")) == []
    assert shop.build(blank("3", "z")) == ["a.html"]
    assert made == ["1", "2", "3"]


def bundle(shop: Shop, made_of: str, asked: list[str]) -> Bundle:
    def files() -> list[File]:
        asked.append(made_of)
        return [shop.plate("a.html", "1"), ("a.bib", "@misc{a}")]

    return Bundle("papers", made_of, files)


def test_a_bundle_that_stands_is_not_even_asked_for_its_files(shop: Shop) -> None:
    asked: list[str] = []
    for made_of in ("1", "1", "2"):
        shop.build(bundle(shop, made_of, asked), ("c.txt", "c"))
    assert asked == ["1", "2"]
    (shop.out / "a.bib").unlink()
    assert shop.build(bundle(shop, "2", asked)) == []
    assert asked == ["1", "2", "2"]
    assert sorted(dict(Volume(Standing(shop.out)).standing(["a.html", "a.bib"]) or {})) == [
        "a.bib",
        "a.html",
    ]
    assert dict(texts([bundle(shop, "2", asked)])) == {"a.html": PAGE, "a.bib": "@misc{a}"}


# --- outlines -------------------------------------------------------------------------------------

SITES: dict[str, dict[str, str]] = {
    "all is well": {"a.html": PAGE, "b.html": '<p id="end">', "style.css": "a {}"},
    "no such file": {"a.html": PAGE, "b.html": '<p id="end">'},
    "no such anchor": {"a.html": PAGE, "b.html": "<p>", "style.css": ""},
    "an id twice": {"a.html": '<p id="x"><p id="x">'},
    "from outside": {"style.css": 'a { background: url("https://example.org/a.png") }'},
    "a scheme": {"a.html": '<a href="javascript:alert(1)">'},
    "a sign in a name": {"a.html": '<a href="b%23c.html#d">', "b#c.html": '<p id="d">'},
    "below": {"p/a.html": '<a href="../index.html#a"> <a href="#x" id="x">', "index.html": "<p>"},
}


@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
def test_outlines_find_what_reading_every_page_finds(site: dict[str, str]) -> None:
    files = {path: text.encode() for path, text in site.items()}
    outlines = {path: outline_of(path, content) for path, content in files.items()}
    assert site_faults(files, outlines) == check_site(files)


def test_an_outline_holds_where_a_page_leads_once() -> None:
    content = (PAGE + PAGE.replace('id="top"', "")).encode()
    assert outline_of("a.html", content) == Outline(("top",), ("b.html#end", "style.css"), True)


def test_where_outlines_fit_no_page_is_read() -> None:
    class Unread(dict[str, bytes]):
        def __getitem__(self, name: str) -> bytes:
            raise AssertionError(name)

    outlines = {"a.html": outline_of("a.html", b'<a href="b.html">')}
    assert site_faults(Unread({"a.html": b"", "b.html": b""}), outlines) == []


# --- templates ------------------------------------------------------------------------------------

TEMPLATES = {
    "page.html": '{% extends "frame.html" %}{% block main %}{{ page }}{% endblock %}',
    "frame.html": '{{ byline }}{% from "macros.html" import item %}{% block main %}{% endblock %}',
    "macros.html": "{% macro item() %}{% endmacro %}",
    "other.html": "{{ document.title }}{{ document . subtitle }}",
    "whole.html": '{{ document["title"] }}',
    "any.html": "{% include name %}",
}


def digests(changed: dict[str, str], **frame: object) -> Callable[[str], str]:
    document = SimpleNamespace(title="Birds", subtitle="of Europe", sections=1)
    environment = Environment(loader=DictLoader(TEMPLATES | changed))
    return TemplateDigests(environment, {"byline": "A", "document": document, **frame}).of


DEPENDENT: dict[str, set[str]] = {
    "page.html": {"page.html", "any.html"},
    "frame.html": {"page.html", "frame.html", "any.html"},
    "macros.html": {"page.html", "frame.html", "macros.html", "any.html"},
    "any.html": {"any.html"},
}


@pytest.mark.parametrize(("name", "wanted"), DEPENDENT.items())
def test_a_template_changes_those_that_may_use_it(name: str, wanted: set[str]) -> None:
    before, after = digests({}), digests({name: TEMPLATES[name] + "!"})
    assert {each for each in TEMPLATES if before(each) != after(each)} == wanted


FRAMES: dict[str, tuple[dict[str, object], set[str]]] = {
    "byline": ({"byline": "B"}, {"page.html", "frame.html", "any.html"}),
    "what no template names": ({"base_url": "https://example.org"}, set()),
    "a part that none prints": (
        {"document": SimpleNamespace(title="Birds", subtitle="of Europe", sections=2)},
        {"whole.html", "any.html"},
    ),
    "a part that some print": (
        {"document": SimpleNamespace(title="Birds", subtitle="of Asia", sections=1)},
        {"other.html", "whole.html", "any.html"},
    ),
}


@pytest.mark.parametrize(("frame", "wanted"), FRAMES.values(), ids=FRAMES)
def test_a_value_changes_the_templates_that_name_it(
    frame: dict[str, object], wanted: set[str]
) -> None:
    before, after = digests({}), digests({}, **frame)
    assert {each for each in TEMPLATES if before(each) != after(each)} == wanted


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ('{% extends "a.html" %}', ["a.html"]),
        ("{%- include 'a.html' ignore missing -%}", ["a.html"]),
        (
            '{% import "a.html" as a %}{% from "b.html" import x with context %}',
            ["a.html", "b.html"],
        ),
        ('{% include ["a.html", "b.html"] %}', None),
        ('{% extends "a.html" if x else "b.html" %}', None),
        ('{% include "a" ~ x %}', None),
        ("{% include name %}", None),
        ("{{ include }}", []),
    ],
)
def test_references_are_names_or_unknown(source: str, named: list[str] | None) -> None:
    assert references(source) == named


def test_a_record_is_known_by_all_that_it_holds() -> None:
    assert digest_of("ab", "c") != digest_of("a", "bc")
    assert digest_of(["1"]) != digest_of([1])
    assert digest_of("\ud83c") == digest_of("\ud83c")
