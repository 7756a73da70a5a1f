"""Only links to the web are links in what editors write."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.site.markup import markdown_to_html
from classifier.text.links import dead_links, without_dead_links

LIVE = ["https://a.example/x", "http://a.example", "mailto:ada@a.example", "HTTPS://A.example"]
DEAD = ["#ref-1", "p/a.html", "../x", "//evil.example", "javascript:x", "data:x", "file:///x"]


@pytest.mark.parametrize("address", LIVE)
def test_a_link_to_the_web_stays(address: str) -> None:
    for text in (f"[x]({address})", f"[x]( <{address}> 't')", f"[x]\n\n[x]: {address}"):
        assert (dead_links(text), without_dead_links(text)) == ([], text)


@pytest.mark.parametrize("address", DEAD)
def test_any_other_is_shown_as_it_was_typed(address: str) -> None:
    for text in (f"[x]({address})", f"[x]( <{address}> 't')", f"[x]\n\n[x]: {address}"):
        assert dead_links(text) == [address]
        assert "href" not in markdown_to_html(without_dead_links(text))


def test_a_colon_behind_brackets_is_no_link() -> None:
    assert without_dead_links("as in [12]: ovens, [x](y z)") == snapshot(
        "as in [12]: ovens, [x]\\(y z)"
    )
