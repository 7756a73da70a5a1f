"""The survey on one page: table of contents, sections, references with their back-links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from classifier.site.blocks import SectionView, section_views, table_anchor
from classifier.site.markup import inline_to_html
from classifier.survey.document import Document, Paragraph, Table

_CITATION = re.compile(r"\]\(#ref-(\d+)\)")


@dataclass(frozen=True, slots=True)
class ReferenceView:
    """One entry of the reference list."""

    number: int
    html: Markup
    page: str
    """Path of the paper's page, or ""."""
    cited_by: tuple[str, ...]
    """Anchors of the sentences and tables that cite it, in reading order."""


@dataclass(frozen=True, slots=True)
class Heading:
    """One line of the table of contents."""

    id: str
    title: str
    children: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True)
class SurveyPage:
    """What the survey page shows."""

    contents: tuple[Heading, ...]
    sections: tuple[SectionView, ...]
    references: tuple[ReferenceView, ...]


def survey_page(document: Document, pages: Mapping[str, str]) -> SurveyPage:
    """Return the survey; `pages` maps a paper's id to the path of its page."""
    citing = _citing_anchors(document)
    return SurveyPage(
        contents=contents(document),
        sections=tuple(section_views(document.sections)),
        references=tuple(
            ReferenceView(
                number=reference.number,
                html=inline_to_html(reference.text),
                page=pages.get(reference.paper_id, ""),
                cited_by=tuple(citing.get(reference.number, ())),
            )
            for reference in document.references
        ),
    )


def contents(document: Document) -> tuple[Heading, ...]:
    """Return the headings as a tree of two levels."""
    tree: list[Heading] = []
    for section in document.sections:
        heading = Heading(section.id, section.title)
        if section.level > 1 and tree:
            parent = tree.pop()
            heading = Heading(parent.id, parent.title, (*parent.children, heading))
        tree.append(heading)
    return tuple(tree)


def _citing_anchors(document: Document) -> dict[int, list[str]]:
    """Return reference number -> anchors of what cites it, each once."""
    citing: dict[int, list[str]] = {}
    for anchor, text in _citing_texts(document):
        for number in dict.fromkeys(map(int, _CITATION.findall(text))):
            citing.setdefault(number, []).append(anchor)
    return citing


def _citing_texts(document: Document) -> Iterator[tuple[str, str]]:
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield from ((sentence.id, sentence.text) for sentence in block.sentences)
            elif isinstance(block, Table):
                cells = " ".join(cell for row in block.rows for cell in row)
                yield table_anchor(block), f"{block.caption} {cells}"
