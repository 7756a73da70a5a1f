"""What verify.py reads of a page, held against the parser of the standard library."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.site.verify import LINKS, read_page

NAMED = ("id", "href", "src", "srcset", "rel")

ODD = [
    '<a title="a > b" href="x.html">',
    "<a href='it&#39;s.html' id=plain>",
    '<a data-id="no" data-href="no">',
    '<!-- <a href="hidden.html"> --><p id="seen">',
    '<script src="a.js">var x = "<a href=\'no.html\'>";</script><i id="seen"></i>',
    '<script type="application/ld+json">{"a": "<p id=no>"}</script>',
    '<A HREF="Upper.html?a=1&amp;b=2">',
    '<p\n  id="two-lines"\n>',
    '<img src="a.svg" srcset="b.svg 2x"/>',
    "<p id='say \"hi\"'>",
    "a < b <p id=x>",
    '<meta content="a <img src=x href=y> b"><i id="seen">',
    "<meta content=\"say id='x' src=y\">",
]


class Standard(HTMLParser):
    """Collects the attributes that name something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.found += [named["id"] or ""] if "id" in named else []
        self.found += [named[n] or "" for n in ("href", "src", "srcset") if n in named]


def scanned(page: str) -> list[str]:
    tags = [attributes for _, tag, attributes, _ in read_page(page.encode()) if tag]
    return sorted(value for tag in tags for name, value in tag.items() if name in {"id", *LINKS})


def standard(page: str) -> list[str]:
    parser = Standard()
    parser.feed(page)
    parser.close()
    return sorted(parser.found)


@pytest.mark.parametrize("page", ODD)
def test_odd_pages(page: str) -> None:
    assert scanned(page) == standard(page)


TEXT = st.text("ab&;<>\"' =/-\n", max_size=12)


@given(st.lists(st.tuples(st.sampled_from("apq"), st.sampled_from(NAMED), TEXT, TEXT), max_size=6))
def test_pages_as_templates_write_them(tags: list[tuple[str, str, str, str]]) -> None:
    """Autoescaped: a value holds no quote and no angle bracket, and is quoted."""
    from markupsafe import escape

    page = "".join(
        f'<{tag} title="{escape(title)}" {name}="{escape(value)}">{escape(title)}</{tag}>\n'
        for tag, name, title, value in tags
    )
    assert scanned(page) == standard(page)
