from __future__ import annotations

import re

from classifier.site.exports.sitemap import sitemap

HOME = "https://example.org/guide"


def test_a_sitemap_lists_pages_by_their_canonical_address() -> None:
    text = sitemap(HOME, ["p/b.html", "index.html", "p/a.html"])
    assert re.findall("<loc>(.+?)</loc>", text) == [
        f"{HOME}/", f"{HOME}/p/a.html", f"{HOME}/p/b.html",
    ]  # fmt: skip
