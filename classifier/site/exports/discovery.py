"""Metadata for search engines and language models: JSON-LD, sitemap.xml, robots.txt, llms.txt.

JSON-LD is in the pages and uses the terms of schema.org. Addresses are absolute if the survey has a
`base_url`, else relative to the page. Only dates from inputs are stated, so sitemap.xml has no
`lastmod`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from markupsafe import escape

from classifier.papers.names import Name, plain_name, split_name
from classifier.papers.paper import Paper
from classifier.site import paths
from classifier.site.exports.citation import make_citation, one_line
from classifier.site.markup import plain_text
from classifier.survey.entry import SurveyPaper
from classifier.survey.survey import Survey
from classifier.survey.wording import count_in_digits

MAX_ADDRESSES = 50_000
"""Maximum number of addresses in a sitemap. Source: https://www.sitemaps.org/protocol.html"""
_MAX_AUTHORS = 30
_CONTEXT = "https://schema.org"
_DATA = {
    "papers.json": "application/json",
    "labels.csv": "text/csv",
    "sentences.jsonl": "application/jsonl",
    "references.bib": "application/x-bibtex",
    "survey.md": "text/markdown",
}
"""Files of the dataset and their media types."""
_LISTED = {
    "survey.md": "the whole survey with its references",
    "papers.json": "each paper with its labels and the numbers that it states",
    "sentences.jsonl": "each sentence of the survey with its kind and source",
    "facts.json": "each number of the survey with its query",
    "taxonomy.json": "the categories and their definitions",
    "references.bib": "the papers as BibTeX",
}
"""Files that llms.txt lists, with a description."""

Json = Mapping[str, object]


def describe_survey(survey: Survey) -> str:
    """Describe the survey in one or two sentences of plain text."""
    n_papers = count_in_digits(len(survey.entries), "paper")
    subtitle = one_line(survey.document.subtitle)
    stop = "" if subtitle.endswith((".", "?", "!")) else "."
    lead = f"{subtitle}{stop} " if subtitle else ""
    return f"{lead}A survey of {n_papers}, with the labels of each paper and a source per sentence."


def survey_data(survey: Survey) -> Json:
    """Return the survey as a schema.org `Dataset`, for the front page."""
    settings, address = survey.taxonomy.survey, survey.taxonomy.survey.base_url
    licence = settings.licence_id
    return _non_empty(
        {
            "@context": _CONTEXT,
            "@type": "Dataset",
            "name": one_line(survey.document.title),
            "description": describe_survey(survey),
            "url": paths.canonical_address(address, "index.html"),
            "version": survey.version,
            "license": f"https://spdx.org/licenses/{licence}.html" if licence else "",
            "creator": [
                _author_json(split_name(one_line(name))) for name in survey.document.editors
            ],
            "keywords": [one_line(category.name) for category in survey.categories],
            "isAccessibleForFree": True if address else "",
            "distribution": [
                {
                    "@type": "DataDownload",
                    "name": path,
                    "contentUrl": paths.canonical_address(address, path) or path,
                    "encodingFormat": media_type,
                }
                for path, media_type in _DATA.items()
            ],
        }
    )


def paper_data(entry: SurveyPaper, topics: Iterable[str]) -> Json:
    """Return a paper as a schema.org `ScholarlyArticle`.

    topics: names of its categories.
    """
    paper, cited = entry.paper, make_citation(entry.paper)
    return _non_empty(
        {
            "@context": _CONTEXT,
            "@type": "ScholarlyArticle",
            "name": cited.title,
            "author": [_author_json(name) for name in cited.authors[:_MAX_AUTHORS]],
            "datePublished": cited.date,
            "creativeWorkStatus": "Retracted" if paper.retracted else "",
            "identifier": _identifiers_json(paper),
            "isPartOf": {"@type": "CreativeWork", "name": cited.venue} if cited.venue else "",
            "url": cited.url,
            "keywords": list(topics),
        }
    )


def _identifiers_json(paper: Paper) -> list[Json]:
    """Return the identifiers of a paper."""
    known = {"DOI": paper.doi, "arXiv": paper.arxiv_id}
    return [
        {"@type": "PropertyValue", "propertyID": name, "value": value}
        for name, value in known.items()
        if value
    ]


def _author_json(name: Name) -> Json:
    """Return an author as JSON-LD: a person, or an organisation if there is no given name."""
    if not name.given:
        return {"@type": "Organization", "name": name.family}
    full = plain_name(str(name))
    return {"@type": "Person", "name": full, "givenName": name.given, "familyName": name.family}


def _non_empty(fields: Json) -> Json:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value not in ("", [])}


def sitemap_xml(base_url: str, pages: Iterable[str]) -> str:
    """Return the sitemap of a site: at most `MAX_ADDRESSES` pages, with those of papers last."""
    ordered = sorted(pages, key=lambda path: (path.startswith("p/"), path))[:MAX_ADDRESSES]
    places = "".join(
        f"<url><loc>{escape(paths.canonical_address(base_url, path))}</loc></url>\n"
        for path in ordered
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'{head}<urlset xmlns="{space}">\n{places}</urlset>\n'


def robots_txt(base_url: str) -> str:
    """Return a robots.txt that allows everything and contains the address of the sitemap."""
    return (
        f"User-agent: *\nAllow: /\n\nSitemap: {paths.canonical_address(base_url, 'sitemap.xml')}\n"
    )


def _without_links(text: str) -> str:
    """Escape a text so that it contains no link or tag.

    Examples are `[x](javascript:…)` and `<img>`.
    """
    return text.replace("[", r"\[").replace("<", "&lt;")


def llms_txt(survey: Survey, files: Iterable[str]) -> str:
    """Return the survey as an llms.txt: its chapters and data as links to plain text.

    Source: https://llmstxt.org
    """
    written, base_url = set(files), survey.taxonomy.survey.base_url

    def link(name: str, path: str, text: str) -> str:
        """Return a link to a file."""
        address = paths.canonical_address(base_url, path) or path
        return f"- [{_without_links(name)}]({address}){f': {_without_links(text)}' if text else ''}"

    chapters = [
        link(one_line(each.name), path, plain_text(one_line(each.definition)))
        for each in survey.categories
        if (path := paths.chapter_markdown_path(each.id)) in written
    ]
    data = [link(path, path, text) for path, text in _LISTED.items() if path in written]
    title, lead = (
        _without_links(one_line(survey.document.title)),
        _without_links(describe_survey(survey)),
    )
    parts = [f"# {title}", f"> {lead}"]
    parts += ["## Chapters\n\n" + "\n".join(chapters)] if chapters else []
    parts += ["## Data\n\n" + "\n".join(data)]
    return "\n\n".join(parts) + "\n"


def discovery_files(survey: Survey, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield llms.txt and, if the survey has a `base_url`, sitemap.xml and robots.txt.

    files: paths of the files of the site, without redirect pages.
    """
    files = list(files)
    yield "llms.txt", llms_txt(survey, files)
    if base_url := survey.taxonomy.survey.base_url:
        pages = [p for p in files if PurePosixPath(p).suffix == ".html" and p != "404.html"]
        yield "sitemap.xml", sitemap_xml(base_url, pages)
        yield "robots.txt", robots_txt(base_url)
