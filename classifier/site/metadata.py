"""What a page tells machines: Highwire tags, OpenGraph, JSON-LD, other forms of the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from classifier.papers.names import Name, split_name
from classifier.site import paths
from classifier.site.exports.citation import Citation, citation, one_line
from classifier.site.exports.feeds import ATOM, JSON_FEED, Feed
from classifier.site.exports.sitemap import canonical
from classifier.site.listing import category_name
from classifier.site.markup import plain_text
from classifier.survey.entry import Entry
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Category

# Reference managers need the first; a list of hundreds, which the BibTeX holds, triples the page.
_MOST_AUTHORS = 30
_MAX_DESCRIBED_AUTHORS = 5
_DESCRIPTION_LETTERS = 200
_FORMATS = (
    (".bib", "application/x-bibtex", "BibTeX"),
    (".ris", "application/x-research-info-systems", "RIS"),
    (".json", "application/vnd.citationstyles.csl+json", "CSL-JSON"),
)
_IN_SCRIPT = (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"))
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Alternate:
    """Another form of what a page shows."""

    path: str
    """From the top of the site."""
    media_type: str
    title: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """What stands in the head of a page for machines."""

    named: Pairs
    """(name, content) of meta elements with a name."""
    properties: Pairs
    """(property, content) of meta elements with a property: OpenGraph."""
    alternates: tuple[Alternate, ...]
    json_ld: Markup
    """A schema.org description as JSON in which nothing can end the script element."""


def paper_metadata(edition: Survey, entry: Entry) -> Metadata:
    """Return the metadata of a paper's page: they describe the paper, not the page."""
    cited = citation(entry.paper)
    page = paths.paper_page(entry)
    base_url = edition.taxonomy.survey.base_url
    text = one_line(entry.contribution) or one_line(entry.paper.abstract_display)
    return Metadata(
        named=_highwire(cited),
        properties=_open_graph(edition, page, "article", cited.title, text),
        alternates=tuple(
            Alternate(page.removesuffix(".html") + ending, media_type, title)
            for ending, media_type, title in _FORMATS
        ),
        json_ld=json_in_script(_article(edition, entry, cited, canonical(base_url, page))),
    )


def home_metadata(edition: Survey, feed: Feed | None) -> Metadata:
    """Return the metadata of the front page: the survey as a data set."""
    title, subtitle = one_line(edition.document.title), one_line(edition.document.subtitle)
    return Metadata(
        named=(),
        properties=_open_graph(edition, "index.html", "website", title, subtitle),
        alternates=_feeds(feed),
        json_ld=json_in_script({"@context": "https://schema.org", **_survey(edition)}),
    )


def category_metadata(edition: Survey, category: Category, feed: Feed | None) -> Metadata:
    """Return the metadata of a category's page: a collection within the survey."""
    page = paths.category_page(category.id)
    title, text = one_line(category.name), plain_text(" ".join(category.definition.split()))
    collection = {
        "@context": "https://schema.org",
        "@type": "CollectionPage",
        "name": title,
        "description": text,
        "url": canonical(edition.taxonomy.survey.base_url, page),
        "isPartOf": {"@type": "Dataset", **_survey_name(edition)},
        "mainEntity": {
            "@type": "ItemList",
            "numberOfItems": len(edition.with_category(category)),
        },
    }
    return Metadata(
        named=(),
        properties=_open_graph(edition, page, "website", title, text),
        alternates=_feeds(feed),
        json_ld=json_in_script(collection),
    )


def json_in_script(content: Mapping[str, object]) -> Markup:
    """Return an object as JSON that may stand in a script element; empty values are left out.

    >>> print(json_in_script({"name": "</script>", "url": ""}))
    {"name":"\\u003c/script\\u003e"}
    """
    stated = {name: value for name, value in content.items() if value not in ("", [], {}, None)}
    text = _JSON.encode(stated)
    for sign, escaped in _IN_SCRIPT:
        text = text.replace(sign, escaped)
    return Markup(text)


def _highwire(cited: Citation) -> Pairs:
    """Return the tags that Google Scholar and Zotero read; an author each, dates with slashes."""
    is_pdf = cited.url.lower().endswith(".pdf")
    pdf = f"https://arxiv.org/pdf/{cited.arxiv_id}" if cited.arxiv_id else cited.url * is_pdf
    return _stated(
        ("citation_title", cited.title),
        *(("citation_author", str(name)) for name in cited.authors[:_MOST_AUTHORS]),
        ("citation_publication_date", cited.date.replace("-", "/")),
        ("citation_arxiv_id", cited.arxiv_id),
        ("citation_doi", cited.doi),
        ("citation_abstract_html_url", cited.url),
        ("citation_pdf_url", pdf),
    )


def _open_graph(edition: Survey, page: str, kind: str, title: str, text: str) -> Pairs:
    return _stated(
        ("og:type", kind),
        ("og:site_name", one_line(edition.document.title)),
        ("og:title", title),
        ("og:description", _shortened(text)),
        ("og:url", canonical(edition.taxonomy.survey.base_url, page)),
    )


def _stated(*pairs: tuple[str, str]) -> Pairs:
    return tuple((name, content) for name, content in pairs if content)


def _shortened(text: str) -> str:
    """Return the text, cut at a word where it is long."""
    if len(text) <= _DESCRIPTION_LETTERS:
        return text
    cut = text[: _DESCRIPTION_LETTERS - 1]
    return (cut.rpartition(" ")[0] or cut) + "…"


def _article(edition: Survey, entry: Entry, cited: Citation, address: str) -> dict[str, object]:
    return {
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "@id": cited.url,
        "name": cited.title,
        "author": [_person(name) for name in cited.authors[:_MAX_DESCRIBED_AUTHORS]],
        "datePublished": cited.date,
        "identifier": [
            f"{name}:{value}"
            for name, value in (("arXiv", cited.arxiv_id), ("doi", cited.doi))
            if value
        ],
        "url": cited.url,
        "about": [
            one_line(category_name(edition, category)) for category in entry.first.categories
        ],
        "mainEntityOfPage": address,
    }


def _person(name: Name) -> dict[str, str]:
    if not name.given:
        return {"@type": "Organization" if " " in name.family else "Person", "name": name.family}
    return {"@type": "Person", "name": f"{name.given} {name.family}"}


def _survey(edition: Survey) -> dict[str, object]:
    document, survey = edition.document, edition.taxonomy.survey
    files = (("BibTeX", "references.bib"), ("CSV", "labels.csv"), ("JSON", "papers.json"))
    return {
        "@type": "Dataset",
        **_survey_name(edition),
        "description": one_line(document.subtitle),
        "version": document.version,
        "creator": [_person(split_name(one_line(editor))) for editor in document.editors],
        "sameAs": survey.repository,
        "distribution": [
            {
                "@type": "DataDownload",
                "encodingFormat": encoding,
                "contentUrl": canonical(survey.base_url, path) or path,
            }
            for encoding, path in files
        ],
    }


def _survey_name(edition: Survey) -> dict[str, str]:
    name = {"name": one_line(edition.document.title)}
    address = canonical(edition.taxonomy.survey.base_url, "index.html")
    return {**name, "url": address} if address else name


def _feeds(feed: Feed | None) -> tuple[Alternate, ...]:
    if feed is None:
        return ()
    return (
        Alternate(feed.atom_path, ATOM, feed.title),
        Alternate(feed.json_path, JSON_FEED, feed.title),
    )
