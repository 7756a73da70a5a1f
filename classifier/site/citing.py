"""Where the survey cites a paper: in which sentences and tables of which sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from classifier.site.blocks import table_anchor
from classifier.site.wording import counted, joined
from classifier.survey.document import Document, Paragraph, Section, Table

_CITATION = re.compile(r"\]\(#ref-(\d+)\)")
_LISTING = re.compile(r"\]\((p/[^()\s]+\.html)\)")


@dataclass(frozen=True, slots=True)
class CitedIn:
    """A section that cites a paper."""

    title: str
    address: str
    """Path of its page with the anchor of the first place."""
    places: str
    """How often, in words: `2 sentences and 1 table`."""


def citing_anchors(document: Document) -> dict[int, list[str]]:
    """Return reference number -> anchors of what cites it, each once, in reading order."""
    citing: dict[int, list[str]] = {}
    for _, anchor, text in _texts(document):
        for number in dict.fromkeys(map(int, _CITATION.findall(text))):
            citing.setdefault(number, []).append(anchor)
    return citing


def citing_sections(
    document: Document, numbers: Mapping[str, int], pages: Mapping[str, str]
) -> dict[int, tuple[CitedIn, ...]]:
    """Return reference number -> the sections that cite or list the paper, in reading order.

    numbers: page of a paper -> its number; pages: anchor -> page of the survey on which it stands.
    """
    found: dict[int, dict[str, list[str]]] = {}
    titles: dict[str, str] = {}
    for section, anchor, text in _texts(document):
        titles[section.id] = section.title
        cited = {int(number) for number in _CITATION.findall(text)}
        cited |= {numbers[page] for page in _LISTING.findall(text) if page in numbers}
        for number in cited:
            found.setdefault(number, {}).setdefault(section.id, []).append(anchor)
    return {
        number: tuple(
            CitedIn(titles[name], f"{pages[places[0]]}#{places[0]}", _in_words(places))
            for name, places in sections.items()
        )
        for number, sections in found.items()
    }


def _in_words(anchors: list[str]) -> str:
    tables = sum(anchor.startswith("table-") for anchor in anchors)
    sentences = len(anchors) - tables
    parts = [
        counted(sentences, "sentence") if sentences else "",
        counted(tables, "table") if tables else "",
    ]
    return joined([part for part in parts if part])


def _texts(document: Document) -> Iterator[tuple[Section, str, str]]:
    """Yield (section, anchor, Markdown) of every sentence and table."""
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield from ((section, each.id, each.text) for each in block.sentences)
            elif isinstance(block, Table):
                cells = " ".join(cell for row in block.rows for cell in row)
                yield section, table_anchor(block), f"{block.caption} {cells}"
