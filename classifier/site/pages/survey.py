"""The page with the whole survey, and the sections that cite each paper."""

from __future__ import annotations

import re
from collections.abc import Mapping

from classifier.site import paths
from classifier.site.blocks import block_anchor
from classifier.site.outline import document_parts
from classifier.survey.document import (
    Document,
    Section,
    Sentence,
    Table,
    cited_numbers,
    texts_of,
)
from classifier.survey.survey import Survey
from classifier.survey.wording import count_in_digits, join_words

_LINK_TO_PAPER = re.compile(r"\]\((p/[^()\s]+\.html)\)")

CitingSection = tuple[str, str, str]
"""A section that cites a paper: title, address of its first citation, number of citations as text.
"""


def citing_anchors(document: Document) -> dict[int, list[str]]:
    """Return by reference number the anchors of the sentences and tables that cite it."""
    citing: dict[int, list[str]] = {}
    for _, block, text in texts_of(document.sections):
        for number in cited_numbers(text):
            citing.setdefault(number, []).append(_block_anchor(block))
    return citing


def citing_sections(survey: Survey, pages: Mapping[str, str]) -> dict[int, list[CitingSection]]:
    """Return by reference number the sections that cite or list the paper, in reading order.

    pages: pages of the survey by anchor.
    """
    numbers = {paths.paper_page_path(entry): entry.number for entry in survey.entries}
    citing: dict[int, dict[str, list[str]]] = {}
    titles: dict[str, str] = {}
    for section, block, text in texts_of(survey.document.sections):
        titles[section.id] = section.title
        cited = set(cited_numbers(text))
        cited |= {numbers[page] for page in _LINK_TO_PAPER.findall(text) if page in numbers}
        for number in cited:
            citing.setdefault(number, {}).setdefault(section.id, []).append(_block_anchor(block))
    sections_by_number: dict[int, list[CitingSection]] = {}
    for number, anchors_by_section in citing.items():
        sections_by_number[number] = [
            (titles[section_id], f"{pages[anchors[0]]}#{anchors[0]}", _count_citations(anchors))
            for section_id, anchors in anchors_by_section.items()
        ]
    return sections_by_number


def _count_citations(anchors: list[str]) -> str:
    """Return the number of citations as text: `2 sentences and 1 table`."""
    tables = sum(anchor.startswith("table-") for anchor in anchors)
    parts = (len(anchors) - tables, "sentence"), (tables, "table")
    return join_words([count_in_digits(number, noun) for number, noun in parts if number])


def _block_anchor(block: Sentence | Table) -> str:
    """Return the anchor of a sentence or table."""
    return block_anchor(block) if isinstance(block, Table) else block.id


def survey_page(
    document: Document, pages: Mapping[str, str], pages_by_anchor: Mapping[str, str]
) -> dict[str, object]:
    """Return the variables of the survey page's template.

    pages: paths of the pages by paper id. pages_by_anchor: paths of the pages by anchor. The
    variable `apart` contains the sections that have no page; the survey page lists their sources.
    """
    apart: list[Section] = []
    for part in document_parts(document):
        if pages_by_anchor[part[0].id] == paths.SURVEY:
            apart += part
    return {
        "parts": document_parts(document),
        "apart": apart,
        "paper_pages": pages,
        "cited_by": citing_anchors(document),
    }
