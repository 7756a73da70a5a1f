"""Where each page of the site lies, and how a page names another one."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from classifier.survey.edition import Entry

STYLE_SHEET = "style.css"
PRINT_STYLE = "print.css"
SCRIPTS = ("browse.js", "search-papers.js", "search-words.js", "search.js")
SEARCH_INDEX = "search-index.js"
OPENSEARCH = "opensearch.xml"

WRITTEN_ELSEWHERE = ("facts.json", "labels.csv", "sentences.jsonl")
"""Files that the site links to and that other steps of the build write beside it."""

_RELATIVE_LINK = re.compile(r"\]\((?![a-zA-Z][a-zA-Z0-9+.-]*:|/|#)([^()\s]+)\)")
_REFERENCE_LINK = re.compile(r"\]\(#ref-(\d+)\)")
_ANCHOR_LINK = re.compile(r"\]\(#([^()\s]+)\)")


def paper_page(entry: Entry) -> str:
    """Return the path of a paper's page: `p/arxiv-2401.10230.html`."""
    return f"p/{entry.slug}.html"


def category_page(category_id: str) -> str:
    """Return the path of a category's page; a child lies below its parent.

    >>> category_page("benchmarks"), category_page("benchmarks/judges")
    ('c/benchmarks.html', 'c/benchmarks/judges.html')
    """
    return f"c/{category_id}.html"


def root_of(path: str) -> str:
    """Return the prefix that leads from the page at `path` to the top of the site.

    >>> root_of("index.html"), root_of("c/benchmarks/judges.html")
    ('', '../../')
    """
    return "../" * path.count("/")


def rebase_links(markdown: str, root: str, pages_by_number: dict[int, str]) -> str:
    """Return survey Markdown so that its links work on another page of the site.

    A citation leads to the page of its paper, any other anchor into `survey.html`.

    >>> rebase_links("Won [12](#ref-12), see [below](#safety).", "../", {12: "p/a.html"})
    'Won [12](../p/a.html), see [below](../survey.html#safety).'
    """

    def to_paper(match: re.Match[str]) -> str:
        page = pages_by_number.get(int(match.group(1)))
        return f"]({root}{page})" if page else f"]({root}survey.html#ref-{match.group(1)})"

    markdown = _RELATIVE_LINK.sub(rf"]({root}\1)", markdown)
    markdown = _REFERENCE_LINK.sub(to_paper, markdown)
    return _ANCHOR_LINK.sub(rf"]({root}survey.html#\1)", markdown)


def web_address(address: str) -> str:
    """Return `address` where it is plain http or https, else "": the only links that we follow.

    >>> web_address("https://example.org/a"), web_address("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    address = address.strip()
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in {"http", "https"} and parts.netloc else ""


def title_search(title: str) -> str:
    """Return a scholarly search for a paper of which no address is known."""
    return "https://scholar.google.com/scholar?q=" + quote(title, safe="")
