"""The page of one paper, by the tags that publishers set for search engines and Zotero.

Highwire Press tags (`citation_title`, as Google Scholar asks for), Dublin Core, PRISM, and
schema.org's ScholarlyArticle as JSON-LD: ACL Anthology, OpenReview, CVF, PMLR, arXiv, journals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from classifier.files.content import Content
from classifier.papers.clean import plain_text
from classifier.papers.dates import read_date
from classifier.papers.fields import clean_url, read_fields
from classifier.papers.formats.html_page import html_page, is_html
from classifier.papers.formats.json_paths import (
    line_at,
    names_of,
    object_of,
    objects_of,
    text_at,
    texts_at,
    texts_of,
)
from classifier.papers.formats.xml_elements import Element
from classifier.papers.identifiers import arxiv_id_in
from classifier.papers.paper import Source, clean_arxiv_id, clean_doi
from classifier.papers.reader import Reader, Record, quarantined

_FACE = re.compile(
    r"""<meta\s[^<>]{0,400}\b(?:name|property)\s{0,9}=\s{0,9}["']?
        (?:citation_title|dc(?:terms)?\.title|prism\.title|eprints\.title)["'\s/>]
      | "@type"\s{0,9}:\s{0,9}\[?\s{0,9}"(?:ScholarlyArticle|MedicalScholarlyArticle)" """,
    re.IGNORECASE | re.VERBOSE,
)
_ARTICLES = frozenset({"ScholarlyArticle", "MedicalScholarlyArticle"})

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


def why_not(content: Content) -> str:
    """Say why a file is no page of one paper: it has none of the tags that name a title."""
    if not is_html(content):
        return "no HTML page"
    return "" if _FACE.search(content.start) else "no tag 'citation_title' in the page's head"


def read(content: Content) -> Iterator[Record]:
    """Yield the one paper of a page."""
    page = html_page(content)
    source = Source(content.name, CITATION_META.name, 1)
    fields = {} if page is None else citation_fields(page)
    if fields:
        yield from read_fields(fields, source)
    else:
        reason = "title: found none in the page's tags; wanted the paper's title"
        yield quarantined(source, content.name, reason)


def citation_fields(page: Element) -> dict[str, object]:
    """Return what the tags of a page state, as fields of `read_fields`; {} without a title."""
    tags = meta_tags(page)
    article = _article(page)
    stated = _stated(tags)
    fields = {name: value for name, value in stated.items() if value}
    if article:
        fields = {**_described(article), **fields}
    return fields if fields.get("title") else {}


def meta_tags(page: Element) -> dict[str, list[str]]:
    """Return the contents of a page's meta tags by name in lower case."""
    tags: dict[str, list[str]] = {}
    for tag in page.iter("meta"):
        name = (tag.get("name") or tag.get("property") or "").strip().lower()
        content = " ".join((tag.get("content") or "").split())
        if name and content:
            tags.setdefault(name, []).append(content)
    return tags


def _stated(tags: Tags) -> dict[str, object]:
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


def _article(page: Element) -> Mapping[str, object]:
    """Return the first ScholarlyArticle of the page's JSON-LD, {} without one."""
    for script in page.iter("script"):
        try:
            data = json.loads(script.text or "")
        except (ValueError, RecursionError):
            continue
        for item in objects_of(data):
            for part in (item, *objects_of(item.get("@graph")), object_of(item.get("mainEntity"))):
                if _ARTICLES.intersection(texts_of(part.get("@type"))):
                    return part
    return {}


def _described(article: Mapping[str, object]) -> dict[str, object]:
    """Return what a ScholarlyArticle states."""
    links = [text for name in ("url", "@id", "sameAs") for text in texts_at(article, name)]
    keywords = [part for text in texts_at(article, "keywords") for part in text.split(",")]
    reference = {
        "page": line_at(article, "pagination"),
        "publisher": line_at(article, "publisher.name"),
    }
    stated: dict[str, object] = {
        "title": plain_text(line_at(article, "headline|name")),
        "abstract": plain_text(text_at(article, "abstract|description")),
        "authors": names_of(objects_of(article.get("author"))),
        "published": read_date(text_at(article, "datePublished|dateCreated")),
        "venue": line_at(article, "isPartOf.name"),
        "arxiv_id": arxiv_id_in(links),
        "doi": next(filter(None, map(clean_doi, links)), ""),
        "url": next(filter(None, map(clean_url, links)), ""),
        "keywords": [word for part in keywords if (word := part.strip())],
        "reference": {name: value for name, value in reference.items() if value},
    }
    return {name: value for name, value in stated.items() if value}


def _all(tags: Tags, *names: str) -> list[str]:
    return [text for name in names for text in tags.get(name, ())]


def _first(tags: Tags, *names: str) -> str:
    return next(iter(_all(tags, *names)), "")


CITATION_META = Reader(
    name="citation-meta",
    why_not=why_not,
    read=read,
    wants="the saved page of one paper, with tags such as <meta name='citation_title'>",
)
