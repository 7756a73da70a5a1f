"""Titles and abstracts of a file as other, simple code reads them, to hold ours against.

Each parser knows one format from its description alone: pybtex, the csv and json modules,
xml.etree, html.parser, or a dozen lines. None shares code with our readers but the decoding of the
file. What they leave in a text (markup, LaTeX, entities) is folded away on both sides.
"""

from __future__ import annotations

import contextlib
import csv
import html
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import ftfy
import pybtex.errors
from pybtex.database import parse_string

from classifier.files.content import Content

Texts = tuple[str, str]
"""Title and abstract."""

_LETTERS = {"o": "ø", "l": "ł", "ss": "ß", "ae": "æ", "oe": "œ", "aa": "å", "i": "i",
            "textbackslash": "\\"}  # fmt: skip


def folded(text: str) -> str:
    """Return the letters and digits of a text, without case, accents, markup or LaTeX.

    >>> folded(r"Caf{\\'e} &amp; <i>Rye</i>") == folded("Café & RYE")
    True
    """
    text = ftfy.fix_encoding(html.unescape(html.unescape(text)))
    text = re.sub(r"</?[A-Za-z][^<>]*>|<!\[CDATA\[|\]\]>", "", text)
    for _ in range(2 if "\\" in text else 0):  # Zotero writes LaTeX of LaTeX
        text = re.sub(r"\\([A-Za-z]+)", lambda match: _letter(match[1].lower()), text)
        text = re.sub("[{}]", "", text)
    text = re.sub(r"\\[\"'`^~=.]", "", text)
    text = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[\W_]+", "", "".join(c for c in text if not unicodedata.combining(c)))


def _letter(command: str) -> str:
    """Return what a command of LaTeX stands for; "" for one that only formats."""
    with contextlib.suppress(KeyError):
        return unicodedata.lookup(f"GREEK SMALL LETTER {command}")
    return _LETTERS.get(command, "")


def bibtex(content: Content) -> Iterator[Texts]:
    """Read BibTeX with pybtex."""
    with pybtex.errors.capture():
        entries = parse_string(content.text(), "bibtex").entries.values()
    for entry in entries:
        titles = [entry.fields.get(name, "") for name in ("title", "subtitle")]
        yield " ".join(titles), entry.fields.get("abstract", "")


def tagged(start: str, pattern: str, titles: str, abstracts: str) -> Callable[..., Iterator[Texts]]:
    """Return a reader of lines that begin with a tag: of each record the first tag with a text."""

    def read(content: Content) -> Iterator[Texts]:
        records: list[dict[str, str]] = []
        tag = ""
        for line in content.text().splitlines():
            if found := re.match(pattern, line):
                tag = found[1]
                if tag == start:
                    records.append({})
                if records:
                    tag = tag if tag not in records[-1] else f"{tag} again"
                    records[-1][tag] = found[2]
            elif records and line.strip():
                records[-1][tag] += " " + line.strip()
        for record in records:
            yield _first(record, titles.split()), _first(record, abstracts.split())

    return read


def csv_table(content: Content) -> Iterator[Texts]:
    """Read a table whose columns have the names that these exports give them."""
    rows = list(csv.reader(io.StringIO(content.text()), delimiter=_delimiter(content)))
    for row in rows[1:]:
        record = dict(zip(rows[0], row, strict=False))
        yield (
            _first(record, ["Title", "Article Title", "書名"]),
            _first(record, ["Abstract", "Abstract Note"]),
        )


def json_values(content: Content) -> Iterator[Texts]:
    """Read any object with a title, at whatever depth, that is no journal or feed."""
    text = content.text()
    try:
        values = [json.loads(text)]
    except json.JSONDecodeError:
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    for value in values:
        yield from _json_texts(value)


def atom(content: Content) -> Iterator[Texts]:
    """Read arXiv's Atom."""
    return _xml(content, "{*}entry", "{*}title", "{*}summary")


def pubmed_xml(content: Content) -> Iterator[Texts]:
    """Read PubMed's XML: an abstract is all of its sections, with their labels."""
    for article in _tree(content).iterfind(".//{*}Article"):
        sections = article.findall("Abstract/AbstractText")
        parts = [(s.get("Label", ""), "".join(s.itertext())) for s in sections]
        title = article.find("ArticleTitle")
        texts = "" if title is None else "".join(title.itertext())
        yield texts, " ".join(f"{label} {text}" for label, text in parts)


def endnote_xml(content: Content) -> Iterator[Texts]:
    """Read EndNote's XML."""
    return _xml(content, "record", "titles/title", "abstract")


class _Component(HTMLParser):
    """Collects the data that a page of Hugging Face gives its components."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Texts] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read the data of a component that lists papers."""
        props = dict(attrs).get("data-props") or ""
        if "dailyPapers" in props:
            papers = [entry["paper"] for entry in json.loads(props)["dailyPapers"]]
            self.found += [(paper["title"], paper["summary"]) for paper in papers]


def daily_papers(content: Content) -> Iterator[Texts]:
    """Read a page of Hugging Face Daily Papers."""
    page = _Component()
    page.feed(content.text())
    yield from page.found


RIS = r"\W*([A-Z][A-Z0-9]) {1,2}- ?(.*)"
INDEPENDENT: dict[str, Callable[[Content], Iterator[Texts]]] = {
    "bibtex": bibtex,
    "ris": tagged("TY", RIS, "TI T1 BT TT", "AB N2"),
    "nbib": tagged("PMID", r"([A-Z]{2,4}) *- (.*)", "TI BTI TT", "AB"),
    "web-of-science": tagged("PT", r"([A-Z][A-Z0-9]) (.*)", "TI", "AB"),
    "csv": csv_table,
    "json": json_values,
    "jsonl": json_values,
    "arxiv-atom": atom,
    "pubmed-xml": pubmed_xml,
    "endnote-xml": endnote_xml,
    "hugging-face-html": daily_papers,
}
"""Name of our reader -> another."""


def _first(record: dict[str, str], names: list[str]) -> str:
    return next((record[name] for name in names if record.get(name, "").strip()), "")


def _delimiter(content: Content) -> str:
    return "\t" if "\t" in content.start.partition("\n")[0] else ","


def _json_texts(value: object) -> Iterator[Texts]:
    if isinstance(value, list):
        for item in value:
            yield from _json_texts(item)
    elif isinstance(value, dict):
        titled = value.get("paper_title" if "paper_url" in value else "title")
        inside = [value[name] for name in value if not name.endswith(("_links", "_citations"))]
        if titled and not {"items", "filename"} & value.keys():
            yield _json_text(titled), _first_json(value)
        elif isinstance(value.get("content"), dict):
            yield from _json_texts(value["content"])
        else:
            yield from _json_texts(inside)


def _first_json(value: dict[str, Any]) -> str:
    names = ("abstract", "abstractNote", "summary", "content_text")
    return next((_json_text(value[name]) for name in names if value.get(name)), "")


def _json_text(value: Any) -> str:
    """Return a text that may be wrapped in a list or in OpenReview's `value`."""
    if isinstance(value, list):
        value = value[0]
    return str(value["value"] if isinstance(value, dict) else value)


def _tree(content: Content) -> ElementTree.Element:
    with content.open() as file:
        return ElementTree.parse(file).getroot()


def _xml(content: Content, record: str, title: str, abstract: str) -> Iterator[Texts]:
    for element in _tree(content).iterfind(f".//{record}"):
        found = (element.find(title), element.find(abstract))
        texts = ["" if part is None else "".join(part.itertext()) for part in found]
        yield texts[0], texts[1]
