from __future__ import annotations

import re

import pytest

from classifier.site.exports import sitemap
from classifier.site.exports.sitemap import sitemaps

HOME = "https://example.org/guide"


def test_a_sitemap_lists_pages_by_their_canonical_address() -> None:
    [(path, text)] = sitemaps(HOME, ["p/b.html", "index.html", "p/a.html"])
    assert path == "sitemap.xml"
    assert re.findall("<loc>(.+?)</loc>", text) == [
        f"{HOME}/", f"{HOME}/p/a.html", f"{HOME}/p/b.html",
    ]  # fmt: skip


def test_more_pages_than_one_may_hold_stand_in_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "_MAX_ADDRESSES", 2)
    index, *parts = sitemaps(HOME, (f"p/{name}.html" for name in "edcba"))
    assert index[0] == "sitemap.xml"
    assert "<sitemapindex " in index[1]
    assert re.findall("<loc>(.+?)</loc>", index[1]) == [f"{HOME}/{path}" for path, _ in parts]
    listed = [re.findall("/p/(.).html", text) for _, text in parts]
    assert listed == [["a", "b"], ["c", "d"], ["e"]]
