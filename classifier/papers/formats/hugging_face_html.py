"""Pages of Hugging Face saved as HTML: Daily Papers of a day, week or month, and single papers.

The server puts what it shows as JSON into `data-props` of the page's components.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.formats.json_paths import Object, object_of, objects_of
from classifier.papers.formats.json_sources import source_named
from classifier.papers.formats.xml_elements import Element, line_of
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record

_COMPONENT = re.compile(r"""data-target=["'](?:DailyPapers|PaperPage|PaperContent)\b""")
_HUGGING_FACE = source_named("hugging-face")
# What a list of papers may be called in the data of a component.
_LISTS = ("dailyPapers", "papers", "results", "items")
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|meta|div)\b", re.IGNORECASE)


def _html_page(content: Content) -> Element | None:
    """Return the root element of a page, or None where there is no element."""
    from lxml import etree

    # With `huge_tree` elements may be 2,048 deep; the page of a person easily is beyond 256.
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    try:
        return etree.fromstring(content.text().encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:  # nothing but blanks or comments
        return None


def why_not(content: Content) -> str:
    """Say why a file is no such page."""
    if content.start.lstrip()[:1] != "<" or not _HTML.search(content.start):
        return "no HTML page"
    is_known = _COMPONENT.search(content.start)
    return "" if is_known else "no page of papers of huggingface.co with its data"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a page in its order, each once."""
    page = _html_page(content)
    seen: set[str] = set()
    for element, item in () if page is None else _stated(page):
        fields = _HUGGING_FACE.read(item)
        identity = str(fields.get("arxiv_id") or fields.get("title"))
        if identity not in seen:
            seen.add(identity)
            # The page shows an abstract as one line.
            abstract = " ".join(str(fields.get("abstract", "")).split())
            source = Source(content.name, HUGGING_FACE_HTML.name, line_of(element))
            yield from read_fields({**fields, "abstract": abstract}, source)


def _stated(page: Element) -> list[tuple[Element, Object]]:
    """Return what the data of the components states: entries of a list, or the one paper."""
    components = [(element, _data(element)) for element in page.xpath("//*[@data-props]")]
    single = [(e, data) for e, data in components if "title" in object_of(data.get("paper"))]
    listed = [
        (element, item)
        for element, data in components
        for name in _LISTS
        for item in objects_of(data.get(name))
        if _HUGGING_FACE.is_record(item)
    ]
    # A paper's page also lists others that are like it; they are not what was saved.
    return single[:1] or listed


def _data(element: Element) -> Object:
    props = element.get("data-props")
    # Most components (menus, buttons) hold no papers.
    if '"title"' not in props:
        return {}
    try:
        return object_of(json.loads(props))
    except (ValueError, RecursionError):
        return {}


HUGGING_FACE_HTML = Reader(
    name="hugging-face-html",
    why_not=why_not,
    read=read,
    wants="a page of huggingface.co/papers, saved as HTML source",
)
