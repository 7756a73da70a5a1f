"""What crawlers and browsers look for: sitemap.xml, robots.txt and opensearch.xml."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from classifier.survey.document import Document


def canonical(base_url: str, path: str) -> str:
    """Return the address of a page on the published site, or "" where none is known.

    >>> canonical("https://example.org/guide", "p/a.html")
    'https://example.org/guide/p/a.html'
    """
    return f"{base_url.rstrip('/')}/{path.removesuffix('index.html')}" if base_url else ""


def sitemap(base_url: str, pages: Iterable[str]) -> str:
    """Return the sitemap of the pages, sorted."""
    entries = "".join(
        f"<url><loc>{escape(canonical(base_url, path), quote=False)}</loc></url>\n"
        for path in sorted(pages)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )


def robots(base_url: str) -> str:
    """Return robots.txt: everything may be read, and where the sitemap lies."""
    lines = ["User-agent: *", "Allow: /"]
    if base_url:
        lines.append(f"Sitemap: {canonical(base_url, 'sitemap.xml')}")
    return "\n".join(lines) + "\n"


# https://github.com/dewitt/opensearch/blob/master/opensearch-1-1-draft-6.md
_LONGEST_NAME = 16
_LONGEST_DESCRIPTION = 1024


def search_description(document: Document, base_url: str) -> dict[str, str]:
    """Return what the description of the search of a site says that is published at `base_url`."""
    return {
        "short_name": short_name(document.title),
        "description": document.subtitle[:_LONGEST_DESCRIPTION] or document.title,
        "address": f"{canonical(base_url, 'browse.html')}?q={{searchTerms}}",
    }


def short_name(title: str) -> str:
    """Return as many whole words of a title as sixteen characters hold.

    >>> short_name("Agentic artificial intelligence"), short_name("Counterrevolutionaries")
    ('Agentic', 'Counterrevolutio')
    """
    if len(title) <= _LONGEST_NAME:
        return title
    words = title[: _LONGEST_NAME + 1].rpartition(" ")[0]
    return words or title[:_LONGEST_NAME]
