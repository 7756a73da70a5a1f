from __future__ import annotations

import re
from html import unescape

import pytest
from inline_snapshot import snapshot

PAPER = "p/arxiv-2401.10230.html"


def named(page: bytes) -> list[tuple[str, str]]:
    """Return (name, content) of the meta elements of a page."""
    found = re.findall(r'<meta name="([^"]+)" content="([^"]*)">', page.decode())
    return [(name, unescape(content)) for name, content in found]


def test_reference_managers_find_the_paper(site: dict[str, bytes]) -> None:
    tags = [item for item in named(site[PAPER]) if item[0].startswith("citation_")]
    assert tags == snapshot(
        [
            ("citation_title", "Hooks: bending 100% of wires"),
            ("citation_author", "de la Cruz, Ada"),
            ("citation_author", "Müller, Ben"),
            ("citation_publication_date", "2024/01/20"),
            ("citation_arxiv_id", "2401.10230"),
            ("citation_abstract_html_url", "https://arxiv.org/abs/2401.10230"),
            ("citation_pdf_url", "https://arxiv.org/pdf/2401.10230"),
        ]
    )


def test_only_what_a_source_states_is_told(site: dict[str, bytes]) -> None:
    page = site["p/p-0123456789.html"]
    tags = [item for item in named(page) if item[0].startswith("citation_")]
    assert tags == snapshot([("citation_title", "A title and nothing else")])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("index.html", ["feed.atom"]),
        ("c/tools/hooks.html", ["../../c/tools/hooks.atom"]),
        ("c/flight.html", []),
        ("p/doi-10.1000-abc.html", []),
    ],
)
def test_a_page_names_its_other_forms(
    path: str, expected: list[str], site: dict[str, bytes]
) -> None:
    found = re.findall(r'<link rel="alternate" .*?href="(.+?)">', site[path].decode())
    assert found == expected
