"""What the library that knows a format takes to read a file, nothing made of what it gives.

Each function reads a file as its library's manual says and counts its records, so that the time of
our readers can be held against it. A format that no library knows has none.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import bibtexparser
import markdown
import rispy
from lxml import etree, html

from classifier.files.content import Content

Bare = Callable[[Content], int]


def bibtex(content: Content) -> int:
    """Read BibTeX with bibtexparser, LaTeX left as it is."""
    return len(bibtexparser.parse_string(content.text()).entries)


def ris(content: Content) -> int:
    """Read RIS with rispy."""
    return len(rispy.loads(content.text()))


def web_of_science(content: Content) -> int:
    """Read Web of Science's plain text with rispy."""
    return len(rispy.loads(content.text(), implementation=rispy.WokParser))


def nbib(content: Content) -> int:
    """Split PubMed's tagged text by hand: a pattern a line, a list a tag."""
    records: list[dict[str, list[str]]] = []
    tag = ""
    for line in content.text().splitlines():
        if found := re.match(r"([A-Z]{2,4}) *- (.*)", line):
            tag, value = found.groups()
            if tag == "PMID":
                records.append({})
            records[-1].setdefault(tag, []).append(value)
        elif line.strip() and records:
            records[-1][tag][-1] += " " + line.strip()
    return len(records)


def json_text(content: Content) -> int:
    """Decode JSON, JSON Lines, or lines of Python literals."""
    text = content.text()
    try:
        return len(json.loads(text))
    except json.JSONDecodeError:
        decode: Callable[[str], Any] = ast.literal_eval if text.startswith("{'") else json.loads
        return len([decode(line) for line in text.splitlines() if line.strip()])


def delimited(content: Content) -> int:
    """Read a table with the csv module."""
    delimiter = "\t" if "\t" in content.start.partition("\n")[0] else ","
    return len(list(csv.DictReader(io.StringIO(content.text()), delimiter=delimiter)))


def xml(content: Content) -> int:
    """Parse XML with lxml and count its elements."""
    with content.open() as file:
        return sum(1 for _ in etree.iterparse(file, huge_tree=True))


def html_page(content: Content) -> int:
    """Parse HTML with lxml and count its elements."""
    with content.open() as file:
        return sum(1 for _ in html.parse(file).iter())


def markdown_text(content: Content) -> int:
    """Convert Markdown, tables too, to HTML."""
    return len(markdown.markdown(content.text(), extensions=["tables"]))


BARE: dict[str, tuple[str, Bare]] = {
    "arxiv-atom": ("lxml", xml),
    "oai-pmh": ("lxml", xml),
    "pubmed-xml": ("lxml", xml),
    "endnote-xml": ("lxml", xml),
    "bibtex": ("bibtexparser", bibtex),
    "ris": ("rispy", ris),
    "web-of-science": ("rispy", web_of_science),
    "nbib": ("re, a line at a time", nbib),
    "json": ("json", json_text),
    "jsonl": ("json", json_text),
    "csv": ("csv", delimited),
    "hugging-face-html": ("lxml", html_page),
    "daily-papers": ("lxml", html_page),
    "markdown": ("markdown", markdown_text),
}
"""Name of a reader -> the library, and how it reads."""
