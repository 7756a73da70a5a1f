"""The paths of the site's pages, and links between pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import query_id
from classifier.survey.table import Term

STYLE_SHEETS = (("style.css", ""), ("print.css", "print"))
"""(name, medium) of the style sheets that pages link if they exist."""
SCRIPTS = (
    "browse.js",
    "copy.js",
    "search-engine.js",
    "search-papers.js",
    "search-places.js",
    "search.js",
    "sort.js",
    "verify-button.js",
    "verify.js",
)
EVIDENCE = "evidence.js"
"""The data files as a script, with which the browser verifies a page."""
VERIFIER = "verify.py"
"""The program with which readers, and the build itself, verify the survey."""
ICON = "icon.svg"
"""The icon of all pages. Without one, browsers request favicon.ico."""
SEARCH_INDEX = "search-index.js"

_LINK = re.compile(r'(?<!\\)\]\(([^()\s]+)( "[^"]*")?\)')
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


def paper_page_path(entry: SurveyPaper) -> str:
    """Return the path of a paper's page: `p/arxiv-2401.10230.html`."""
    return f"p/{entry.slug}.html"


def category_page_path(category_id: str) -> str:
    """Return the path of a category's page; a child's page is in its parent's folder.

    >>> category_page_path("benchmarks"), category_page_path("benchmarks/judges")
    ('c/benchmarks.html', 'c/benchmarks/judges.html')
    """
    return f"c/{category_id}.html"


def chapter_markdown_path(category_id: str) -> str:
    """Return the path of a chapter's Markdown file, next to its page.

    >>> chapter_markdown_path("benchmarks")
    'c/benchmarks.md'
    """
    return f"c/{category_id}.md"


SURVEY = "survey.html"
"""The page with the whole survey."""


def section_page_path(section_id: str, categories: Collection[str]) -> str:
    """Return the path of the page with a section: its category's page, or the whole survey.

    >>> section_page_path("safety", ["safety"]), section_page_path("landscape", ["safety"])
    ('c/safety.html', 'survey.html')
    """
    return category_page_path(section_id) if section_id in categories else SURVEY


def former_section_page_path(section_id: str) -> str:
    """Return the path of a section's page in earlier versions of Fieldguide.

    >>> former_section_page_path("landscape")
    'survey/landscape.html'
    """
    return f"survey/{section_id}.html"


def numbered_path(path: str, number: int) -> str:
    """Return the path of page `number` of a list; page 1 has the path of the list.

    >>> numbered_path("papers.html", 1), numbered_path("c/benchmarks.html", 3)
    ('papers.html', 'c/benchmarks-3.html')
    """
    return path if number == 1 else f"{path.removesuffix('.html')}-{number}.html"


def browse_address(*terms: Term) -> str:
    """Return the address of the browse page for a query.

    >>> browse_address(("filed", "benchmarks"), ("code", "yes")), browse_address()
    ('browse.html?code=yes&filed=benchmarks', 'browse.html')
    """
    return f"browse.html?{query_id(terms)}" if terms else "browse.html"


def path_to_root(path: str) -> str:
    """Return the relative path from the page at `path` to the root of the site.

    >>> path_to_root("index.html"), path_to_root("c/benchmarks/judges.html")
    ('', '../../')
    """
    return "../" * path.count("/")


def canonical_address(base_url: str, path: str) -> str:
    """Return the address of a page on the published site; "" if there is no base address.

    >>> canonical_address("https://example.org/guide", "p/a.html")
    'https://example.org/guide/p/a.html'
    """
    return f"{base_url.rstrip('/')}/{path.removesuffix('index.html')}" if base_url else ""


def rebase_links(
    markdown: str,
    root: str,
    pages_by_number: Mapping[int, str],
    pages_by_anchor: Mapping[str, str],
) -> str:
    """Rewrite the links in survey Markdown for a page of the site.

    A citation links to the page of its paper; any other anchor links to the page of its section or
    to `survey.html`. root: relative path to the root of the site.

    >>> rebase_links("Won [12](#ref-12), see [below](#safety).", "../", {12: "p/a.html"}, {})
    'Won [12](../p/a.html), see [below](../survey.html#safety).'
    """

    def rebase(match: re.Match[str]) -> str:
        """Return a matched link, rewritten."""
        address, title = match.group(1), match.group(2) or ""
        if address[0] != "#":
            is_relative = address[0] != "/" and not _SCHEME.match(address)
            return f"]({root}{address}{title})" if is_relative else match.group()
        anchor = address[1:]
        if page := pages_by_number.get(_reference_number(anchor)):
            return f"]({root}{page})"
        return f"]({root}{pages_by_anchor.get(anchor, SURVEY)}{address})"

    return _LINK.sub(rebase, markdown) if "](" in markdown else markdown


def _reference_number(anchor: str) -> int:
    """Return the reference number in an anchor; 0 for anchors of other kinds.

    >>> _reference_number("ref-12"), _reference_number("reference-list")
    (12, 0)
    """
    number = anchor.removeprefix("ref-")
    return int(number) if number != anchor and number.isdecimal() else 0


def web_address(address: str) -> str:
    """Return `address` if its scheme is http or https, otherwise "".

    >>> web_address("https://example.org/a"), web_address("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    address = address.strip()
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in {"http", "https"} and parts.netloc else ""


def host_and_path(address: str) -> tuple[str, str]:
    """Return host and path of an address that `web_address` accepts.

    >>> host_and_path("https://github.com/a/b?tab=readme")
    ('github.com', '/a/b')
    """
    parts = urlsplit(address)
    return parts.netloc, parts.path
