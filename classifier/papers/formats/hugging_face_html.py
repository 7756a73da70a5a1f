"""Pages of Hugging Face saved as HTML: Daily Papers of a day, week or month, and single papers.

The server puts what it shows as JSON into `data-props` of the page's components; a page that was
saved without is read from what it shows: the cards of a list, or heading and abstract of a paper.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.formats.html_page import html_page, is_html, line_text
from classifier.papers.formats.json_paths import object_of, objects_of
from classifier.papers.formats.json_sources import source_named
from classifier.papers.formats.xml_elements import Element, line_of
from classifier.papers.paper import Source, clean_arxiv_id
from classifier.papers.reader import Reader, Record

_FACE = re.compile(
    r"""data-target=["'](?:DailyPapers|PaperPage|PaperContent)\b|\b(?:Daily)?PapersPage\b"""
    r"""|<title>[^<]{0,300}-\s{0,9}Hugging\s+Face"""
    r"""|["'](?:https?://huggingface\.co)?/papers/\d{4}\.\d{4,5}["']""",
    re.IGNORECASE,
)
_SOURCE = source_named("hugging-face")
_PAPER = re.compile(r"(?:\A|huggingface\.co)/papers/(\d{4}\.\d{4,5})/?\Z")
_COMMENTS = re.compile(r"/papers/\d{4}\.\d{4,5}#community\Z")
_AUTHORS = re.compile(r"(\d{1,6}) authors?\b", re.ASCII)
# What a list of papers may be called in the data of a component.
_LISTS = ("dailyPapers", "papers", "results", "items")


def why_not(content: Content) -> str:
    """Say why a file is no such page."""
    if not is_html(content):
        return "no HTML page"
    if "hugging" not in content.start.lower() or not _FACE.search(content.start):
        return "no page of papers of huggingface.co"
    return ""


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a page in its order, each once."""
    page = html_page(content)
    if page is None:
        return
    seen: set[str] = set()
    for element, fields in list(_stated(page)) or [*_cards(page)] or [*_shown(page)]:
        identity = str(fields.get("arxiv_id") or fields.get("title"))
        if identity not in seen:
            seen.add(identity)
            source = Source(content.name, HUGGING_FACE_HTML.name, line_of(element))
            yield from read_fields(_cleaned(fields), source)


def _cleaned(fields: Mapping[str, object]) -> dict[str, object]:
    """Return fields whose abstract is one line, as the page shows it."""
    return {**fields, "abstract": " ".join(str(fields.get("abstract", "")).split())}


def _stated(page: Element) -> Iterator[tuple[Element, dict[str, object]]]:
    """Yield what the data of the components states: entries of a list, or the one paper."""
    components = [
        (element, data) for element in page.xpath("//*[@data-props]") if (data := _data(element))
    ]
    listed = [
        (element, item)
        for element, data in components
        for name in _LISTS
        for item in objects_of(data.get(name))
        if _SOURCE.is_record(item)
    ]
    single = [
        (element, data)
        for element, data in components
        if "title" in object_of(data.get("paper")) and "id" in object_of(data.get("paper"))
    ]
    # A paper's page also lists others that are like it; they are not what was saved.
    for element, item in single[:1] or listed:
        yield element, _SOURCE.read(item)


def _data(element: Element) -> Mapping[str, object]:
    props = element.get("data-props")
    # Most components (menus, buttons) hold no papers.
    if '"title"' not in props:
        return {}
    try:
        return object_of(json.loads(props))
    except (ValueError, RecursionError):
        return {}


def _cards(page: Element) -> Iterator[tuple[Element, dict[str, object]]]:
    """Yield what the cards of a list show."""
    for card in page.iter("article"):
        heading = next(card.iter("h2", "h3", "h4"), None)
        arxiv_id = _arxiv_id(card)
        if heading is None or not arxiv_id:
            continue
        paragraphs = [line_text(element) for element in card.iter("p")]
        authors = _AUTHORS.search(line_text(card))
        yield (
            card,
            {
                "title": line_text(heading),
                "abstract": max(paragraphs, key=len, default=""),
                "author_count": int(authors[1]) if authors else None,
                "arxiv_id": arxiv_id,
                "comment_count": _comment_count(card),
                "reference": {"type": "article"},
            },
        )


def _comment_count(card: Element) -> int | None:
    for link in card.iter("a"):
        text = line_text(link)
        if _COMMENTS.search(link.get("href", "")) and re.fullmatch(r"\d{1,6}", text, re.ASCII):
            return int(text)
    return None


def _shown(page: Element) -> Iterator[tuple[Element, dict[str, object]]]:
    """Yield what a paper's page shows: the heading, the authors, and the text below `Abstract`."""
    heading = next(page.iter("h1"), None)
    links = [link.get("href", "") for link in page.iter("a")]
    found = [clean_arxiv_id(link) for link in links if "arxiv.org/" in link]
    arxiv_id = next(filter(None, found), "")
    if heading is None or not arxiv_id:
        return
    below = [element for element in page.iter("h2", "h3") if line_text(element) == "Abstract"]
    paragraphs = list(below[0].itersiblings("p", "div")) if below else []
    texts = [line_text(element) for element in paragraphs]
    authors = [line_text(element) for element in page.xpath("//*[contains(@class, 'author')]")]
    yield (
        heading,
        {
            "title": line_text(heading),
            "abstract": max(texts, key=len, default=""),
            "authors": [name for text in authors if (name := text.strip(" ,")) and len(name) < 80],
            "arxiv_id": arxiv_id,
            "reference": {"type": "article"},
        },
    )


def _arxiv_id(card: Element) -> str:
    matches = (_PAPER.search(link.get("href", "")) for link in card.iter("a"))
    return next((match[1] for match in matches if match), "")


HUGGING_FACE_HTML = Reader(
    name="hugging-face-html",
    why_not=why_not,
    read=read,
    wants="a saved page of huggingface.co/papers",
)
