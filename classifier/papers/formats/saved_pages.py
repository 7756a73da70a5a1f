"""Saved pages: a day of Hugging Face's Daily Papers, and the page of one paper by its tags.

The server of Hugging Face puts what it shows as JSON into `data-props` of the page's components.
Publishers set tags for search engines and Zotero: Highwire Press (`citation_title`, as Google
Scholar asks for), Dublin Core, PRISM: ACL Anthology, OpenReview, CVF, PMLR, arXiv, journals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from classifier.files.content import Content
from classifier.papers.clean import plain_text
from classifier.papers.dates import read_date
from classifier.papers.fields import clean_url, read_fields
from classifier.papers.formats.json_paths import Object, object_of, objects_of
from classifier.papers.formats.json_sources import source_named
from classifier.papers.formats.xml_elements import Element, line_of
from classifier.papers.identifiers import arxiv_id_in
from classifier.papers.paper import Source, clean_arxiv_id, clean_doi
from classifier.papers.reader import Reader, Record, quarantined

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


def _why_no_page(content: Content, face: re.Pattern[str], missing: str) -> str:
    if content.start.lstrip()[:1] != "<" or not _HTML.search(content.start):
        return "no HTML page"
    return "" if face.search(content.start) else missing


# --- Hugging Face -------------------------------------------------------------------------------

_COMPONENT = re.compile(r"""data-target=["'](?:DailyPapers|PaperPage|PaperContent)\b""")
_HUGGING_FACE = source_named("hugging-face")
# What a list of papers may be called in the data of a component.
_LISTS = ("dailyPapers", "papers", "results", "items")


def _read_hugging_face(content: Content) -> Iterator[Record]:
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
    why_not=lambda content: _why_no_page(
        content, _COMPONENT, "no page of papers of huggingface.co with its data"
    ),
    read=_read_hugging_face,
    wants="a page of huggingface.co/papers, saved as HTML source",
)

# --- The page of one paper ----------------------------------------------------------------------

_TITLE_TAG = re.compile(
    r"""<meta\s[^<>]{0,400}\b(?:name|property)\s{0,9}=\s{0,9}["']?
        (?:citation_title|dc(?:terms)?\.title|prism\.title|eprints\.title)["'\s/>]""",
    re.IGNORECASE | re.VERBOSE,
)

_TITLES = ("citation_title", "dc.title", "dcterms.title", "prism.title", "eprints.title")
_ABSTRACTS = (
    "citation_abstract", "dc.description.abstract", "dcterms.abstract", "eprints.abstract",
    "dc.description", "dcterms.description",
)  # fmt: skip
_AUTHORS = ("citation_author", "dc.creator", "dcterms.creator", "eprints.creators_name")
_DATES = (
    "citation_publication_date", "citation_date", "citation_online_date", "citation_cover_date",
    "prism.publicationdate", "dc.date.issued", "dcterms.issued", "dc.date", "dcterms.date",
    "eprints.date", "citation_year",
)  # fmt: skip
_VENUES = (
    "citation_journal_title", "citation_conference_title", "citation_inbook_title",
    "citation_conference", "prism.publicationname", "dc.source", "citation_book_title",
)  # fmt: skip
_URLS = (
    "citation_abstract_html_url", "citation_public_url", "og:url", "citation_fulltext_html_url",
    "dc.identifier", "citation_pdf_url",
)  # fmt: skip
_DOIS = ("citation_doi", "prism.doi", "dc.identifier.doi", "dc.identifier", "bepress_citation_doi")

Tags = Mapping[str, list[str]]
"""Name of a meta tag in lower case -> its contents in page order."""


def _read_citation(content: Content) -> Iterator[Record]:
    """Yield the one paper of a page."""
    page = _html_page(content)
    source = Source(content.name, CITATION_META.name, 1)
    fields = {} if page is None else _tagged(_meta_tags(page))
    if fields.get("title"):
        yield from read_fields(fields, source)
    else:
        reason = "title: found none in the page's tags; wanted the paper's title"
        yield quarantined(source, content.name, reason)


def _meta_tags(page: Element) -> dict[str, list[str]]:
    """Return the contents of a page's meta tags by name in lower case."""
    tags: dict[str, list[str]] = {}
    for tag in page.iter("meta"):
        name = (tag.get("name") or tag.get("property") or "").strip().lower()
        content = " ".join((tag.get("content") or "").split())
        if name and content:
            tags.setdefault(name, []).append(content)
    return tags


def _tagged(tags: Tags) -> dict[str, object]:
    identifiers = [text for name in (*_DOIS, *_URLS) for text in tags.get(name, ())]
    arxiv_id = clean_arxiv_id(_first(tags, "citation_arxiv_id")) or arxiv_id_in(identifiers)
    return {
        "title": plain_text(_first(tags, *_TITLES)),
        "abstract": _abstract(tags),
        "authors": _authors(tags),
        "published": next(filter(None, map(read_date, _all(tags, *_DATES))), ""),
        "venue": plain_text(_first(tags, *_VENUES)),
        "arxiv_id": arxiv_id,
        "doi": next((doi for text in _all(tags, *_DOIS) if (doi := clean_doi(text))), ""),
        "url": next((url for text in _all(tags, *_URLS) if (url := clean_url(text))), ""),
        "keywords": _keywords(tags),
        "reference": _reference(tags, bool(arxiv_id)),
    }


def _abstract(tags: Tags) -> str:
    text = plain_text(_first(tags, *_ABSTRACTS))
    return re.sub(r"\Aabstract\s*[:.]\s*", "", text, flags=re.IGNORECASE)


def _authors(tags: Tags) -> list[str]:
    """Return the names of the first kind of tag that has any; one tag may hold several."""
    for name in _AUTHORS:
        if found := tags.get(name):
            return [part.strip() for text in found for part in text.split(";") if part.strip()]
    listed = _first(tags, "citation_authors")
    return [part.strip() for part in listed.split(";") if part.strip()]


def _keywords(tags: Tags) -> list[str]:
    texts = _all(tags, "citation_keywords", "citation_keyword", "dc.subject", "dcterms.subject")
    words = [part.strip() for text in texts for part in re.split(r"[;,]", text)]
    return [word for word in dict.fromkeys(words) if word]


_VARIABLES = {
    "volume": ("citation_volume", "prism.volume"),
    "issue": ("citation_issue", "prism.number"),
    "publisher": (
        "citation_publisher", "dc.publisher", "citation_technical_report_institution",
        "citation_dissertation_institution",
    ),
    "ISSN": ("citation_issn", "prism.issn"),
    "ISBN": ("citation_isbn",),
    "language": ("citation_language", "dc.language"),
    "PMID": ("citation_pmid",),
}  # fmt: skip


def _reference(tags: Tags, is_on_arxiv: bool) -> dict[str, str]:
    first = _first(tags, "citation_firstpage", "prism.startingpage")
    last = _first(tags, "citation_lastpage", "prism.endingpage")
    found = {name: _first(tags, *names) for name, names in _VARIABLES.items()} | {
        "type": _type(tags, is_on_arxiv),
        "page": f"{first}-{last}" if first and last and first != last else first,
        "editor": "; ".join(tags.get("citation_editor", ())),
    }
    return {name: value for name, value in found.items() if value}


def _type(tags: Tags, is_on_arxiv: bool) -> str:
    """Return the kind of work as CSL names it, by the tags that only this kind has."""
    for name, kind in (
        ("citation_dissertation_institution", "thesis"),
        ("citation_technical_report_institution", "report"),
        ("citation_journal_title", "article-journal"),
        ("citation_conference_title", "paper-conference"),
        ("citation_inbook_title", "chapter"),
    ):
        if tags.get(name):
            return kind
    return "article" if is_on_arxiv else ""


def _all(tags: Tags, *names: str) -> list[str]:
    return [text for name in names for text in tags.get(name, ())]


def _first(tags: Tags, *names: str) -> str:
    return next(iter(_all(tags, *names)), "")


CITATION_META = Reader(
    name="citation-meta",
    why_not=lambda content: _why_no_page(
        content, _TITLE_TAG, "no tag 'citation_title' in the page's head"
    ),
    read=_read_citation,
    wants="the saved page of one paper, with tags such as <meta name='citation_title'>",
)
