"""What crawlers and browsers look for: sitemap.xml, robots.txt and opensearch.xml."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from classifier.survey.document import Document


def canonical(base_url: str, path: str) -> str:
    """Return the address of a page on the published site, or "" where none is known.

    >>> canonical("https://example.org/guide", "p/a.html")
    'https://example.org/guide/p/a.html'
    """
    return f"{base_url.rstrip('/')}/{path.removesuffix('index.html')}" if base_url else ""


_MAX_ADDRESSES = 50_000  # in one sitemap: https://www.sitemaps.org/protocol.html#index


def sitemaps(base_url: str, pages: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of the sitemap of the pages, sorted.

    Of more pages than one may hold there are several, and `sitemap.xml` lists those.
    """
    pages = sorted(pages)
    starts = range(0, len(pages), _MAX_ADDRESSES)
    if len(starts) <= 1:
        yield "sitemap.xml", _listing("urlset", "url", base_url, pages)
        return
    parts = [f"sitemap-{number}.xml" for number in range(1, len(starts) + 1)]
    yield "sitemap.xml", _listing("sitemapindex", "sitemap", base_url, parts)
    for part, start in zip(parts, starts, strict=True):
        yield part, _listing("urlset", "url", base_url, pages[start : start + _MAX_ADDRESSES])


def _listing(root: str, tag: str, base_url: str, listed: Iterable[str]) -> str:
    entries = "".join(
        f"<{tag}><loc>{escape(canonical(base_url, path), quote=False)}</loc></{tag}>\n"
        for path in listed
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</{root}>\n'
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


@dataclass(frozen=True, slots=True)
class SearchDescription:
    """What an OpenSearch description says."""

    short_name: str
    """At most 16 characters."""
    description: str
    address: str
    """With `{searchTerms}` where the words go."""


def search_description(document: Document, base_url: str) -> SearchDescription:
    """Return the description of the search of a site that is published at `base_url`."""
    return SearchDescription(
        short_name(document.title),
        document.subtitle[:_LONGEST_DESCRIPTION] or document.title,
        f"{canonical(base_url, 'browse.html')}?q={{searchTerms}}",
    )


def short_name(title: str) -> str:
    """Return as many whole words of a title as sixteen characters hold.

    >>> short_name("Agentic artificial intelligence"), short_name("Counterrevolutionaries")
    ('Agentic', 'Counterrevolutio')
    """
    if len(title) <= _LONGEST_NAME:
        return title
    words = title[: _LONGEST_NAME + 1].rpartition(" ")[0]
    return words or title[:_LONGEST_NAME]
