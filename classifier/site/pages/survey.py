"""The whole survey on one page, and the sections that cite each paper."""

from __future__ import annotations

import re
from collections.abc import Mapping

from classifier.site import paths
from classifier.site.blocks import anchor
from classifier.site.outline import parts
from classifier.survey.document import (
    Document,
    Sentence,
    Table,
    cited_in,
    texts_of,
)
from classifier.survey.survey import Survey
from classifier.survey.wording import count_in_digits, join_words

_LISTING = re.compile(r"\]\((p/[^()\s]+\.html)\)")


CitedIn = tuple[str, str, str]
"""A section that cites a paper: its title, the address of the first place, how often in words."""


def citing_anchors(document: Document) -> dict[int, list[str]]:
    """Return reference number -> anchors of the sentences and tables that cite it."""
    citing: dict[int, list[str]] = {}
    for _, block, text in texts_of(document.sections):
        for number in cited_in(text):
            citing.setdefault(number, []).append(_anchor(block))
    return citing


def sections_citing(survey: Survey, pages: Mapping[str, str]) -> dict[int, tuple[CitedIn, ...]]:
    """Return reference number -> the sections that cite or list the paper, in reading order.

    pages: anchor -> page of the survey.
    """
    numbers = {paths.paper_page(entry): entry.number for entry in survey.entries}
    found: dict[int, dict[str, list[str]]] = {}
    titles: dict[str, str] = {}
    for section, block, text in texts_of(survey.document.sections):
        titles[section.id] = section.title
        cited = set(cited_in(text))
        cited |= {numbers[page] for page in _LISTING.findall(text) if page in numbers}
        for number in cited:
            found.setdefault(number, {}).setdefault(section.id, []).append(_anchor(block))
    return {
        number: tuple(
            (titles[name], f"{pages[places[0]]}#{places[0]}", _in_words(places))
            for name, places in sections.items()
        )
        for number, sections in found.items()
    }


def _in_words(anchors: list[str]) -> str:
    """Return how often a section cites a paper: `2 sentences and 1 table`."""
    tables = sum(anchor.startswith("table-") for anchor in anchors)
    parts = (len(anchors) - tables, "sentence"), (tables, "table")
    return join_words([count_in_digits(number, noun) for number, noun in parts if number])


def _anchor(block: Sentence | Table) -> str:
    return anchor(block) if isinstance(block, Table) else block.id


def survey_page(
    document: Document, pages: Mapping[str, str], pages_by_anchor: Mapping[str, str]
) -> dict[str, object]:
    """Return the content of the whole survey on one page.

    pages: paper id -> path of its page; pages_by_anchor: anchor -> path of its page. Sections
    without a page of their own are `apart`: the sources of their sentences are listed here.
    """
    return {
        "parts": parts(document),
        "apart": [
            section
            for part in parts(document)
            if pages_by_anchor[part[0].id] == paths.SURVEY
            for section in part
        ],
        "paper_pages": pages,
        "cited_by": citing_anchors(document),
    }
