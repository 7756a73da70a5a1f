"""What crawlers read: sitemap.xml, every page by its canonical address, and robots.txt."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def canonical(base_url: str, path: str) -> str:
    """Return the address of a page on the published site, or "" where none is known.

    >>> canonical("https://example.org/guide", "p/a.html")
    'https://example.org/guide/p/a.html'
    """
    return f"{base_url.rstrip('/')}/{path.removesuffix('index.html')}" if base_url else ""


def sitemap(base_url: str, pages: Iterable[str]) -> str:
    """Return a sitemap of the pages, sorted."""
    entries = "".join(
        f"<url><loc>{escape(canonical(base_url, page), quote=False)}</loc></url>\n"
        for page in sorted(pages)
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
