"""Which files a reader may take away, by the names under which the exports write them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

_FORMATS = (("BibTeX", ".bib"), ("RIS", ".ris"), ("CSL-JSON", ".json"), ("CSV", ".csv"))
_FEEDS = (("Atom", ".atom"), ("JSON Feed", ".feed.json"))


@dataclass(frozen=True, slots=True)
class Downloads:
    """Files with the same papers in several formats."""

    name: str
    """Which papers."""
    files: tuple[tuple[str, str], ...]
    """(format, path from the top of the site)."""


def category_downloads(category_id: str, written: Collection[str]) -> tuple[Downloads, ...]:
    """Return the files of a category, of those that are written.

    >>> category_downloads("safety", {"c/safety.bib", "c/safety-filed.bib", "c/safety.atom"})[1]
    Downloads(name='Filed here', files=(('BibTeX', 'c/safety-filed.bib'),))
    """
    base = f"c/{category_id}"
    groups = (
        _there("All with this topic", base, _FORMATS, written),
        _there("Filed here", f"{base}-filed", _FORMATS, written),
        _there("Feed", base, _FEEDS, written),
    )
    return tuple(group for group in groups if group.files)


def paper_downloads(slug: str, written: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Return (format, path) of the files with the reference of one paper, as far as written."""
    return _there("", f"p/{slug}", _FORMATS[:3], written).files


def _there(
    name: str, base: str, formats: tuple[tuple[str, str], ...], written: Collection[str]
) -> Downloads:
    files = ((called, base + ending) for called, ending in formats)
    return Downloads(name, tuple(file for file in files if file[1] in written))
