"""The document of a survey: sections with paragraphs, tables and figures; sentences with sources.

`Draft` and the functions that return drafts are for the code that writes sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import Selection, facts_source
from classifier.survey.quotation import quoted_span

Kind = Literal["Q", "P", "C", "T", "H", "D"]
"""Kind of a sentence: Q verbatim quote, P paraphrase (from a digest), C computed fact, T list of
papers that share a fact, H text of the editors (signed) or of Fieldguide, D definition."""

Chart = Literal["bars", "flow", "heat-map", "panels", "sides", "levels"]
"""Type of chart; `classifier/site/figures/` describes the rows that each type expects."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its source; if its kind is H or D, a block of the editors' Markdown."""

    id: str
    """Stable anchor, from the ids of its section and its draft: `method-flow`."""
    text: str
    """Markdown, with citations as `[12](#ref-12)`."""
    kind: Kind
    source: str
    """Source to check it against: `facts: filed=benchmarks`, `paper: arxiv:2401.10230`,
    `taxonomy: topic/benchmarks/definition`."""
    span: tuple[int, int] | None = None
    """For kinds Q and P: (start, end) of the words in the display form of the paper's text."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Consecutive sentences."""

    sentences: tuple[Sentence, ...]


Cell = str | Sentence
"""Content of a table cell: Markdown, or a sentence with its source."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption."""

    id: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """One cell per column."""
    numeric: tuple[int, ...] = ()
    """Positions of the columns that are aligned to the right, from 0."""
    number: int = 0
    """Number among the tables of the document, from 1; 0 before `number_blocks`."""


@dataclass(frozen=True, slots=True)
class Point:
    """A paper that is drawn as a mark in a figure."""

    style: str
    """`level`, or the side of the paper's evidence: `for`, `mixed` or `against`."""
    label: str
    """Text before the sentence, such as the name and the date of the paper."""
    page: str
    """Path of the paper's page."""
    sentence: str
    """The sentence of the paper that decides the place of the mark."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The numbers and texts of a figure; `classifier/site/figures/` draws it as SVG."""

    id: str
    """File name without folder or ending: `figures/{id}.svg`."""
    title: str
    """The finding, as Markdown without a full stop."""
    caption: str
    """Description of the counts, with the number of papers."""
    alt: str
    """Description for people who cannot see the figure, in addition to the title."""
    columns: tuple[str, ...] = ()
    """Headings of `rows`, as plain text."""
    rows: tuple[tuple[str, ...], ...] = ()
    """The drawn numbers, as plain text; also printed as a table and a CSV file."""
    chart: Chart = "bars"
    links: tuple[tuple[str, ...], ...] = ()
    """For each number in `rows`, the query that finds the counted papers; "" without one."""
    points: tuple[tuple[Point, ...], ...] = ()
    """For each row, the papers that are drawn; () for figures of counts."""
    anchors: tuple[str, ...] = ()
    """For each row, the anchor in the survey that it links to; () without links."""
    number: int = 0
    """Number among the figures of the document, from 1; 0 before `number_blocks`."""


Block = Paragraph | Table | Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its blocks."""

    id: str
    title: str
    level: int
    """1 for a section, 2 for a subsection."""
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry in the reference list."""

    number: int
    paper_id: str
    text: str
    """Markdown: authors, title, venue, id and date, as far as an input file states them."""


@dataclass(frozen=True, slots=True)
class Document:
    """The text of the survey."""

    title: str
    subtitle: str
    editors: tuple[str, ...]
    version: str
    """Hash of all inputs of the build."""
    newest: str
    """Date of the newest dated paper, or ""."""
    sections: tuple[Section, ...]
    references: tuple[Reference, ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences in reading order."""
        return tuple(sentences_of(self.sections))


def sentences_of(sections: Iterable[Section]) -> Iterator[Sentence]:
    """Yield the sentences in sections, in reading order."""
    for section in sections:
        for block in section.blocks:
            yield from sentences_of_block(block)


def sentences_of_block(block: Block) -> Iterator[Sentence]:
    """Yield the sentences in a paragraph or a table, in reading order."""
    if isinstance(block, Paragraph):
        yield from block.sentences
    elif isinstance(block, Table):
        yield from (cell for row in block.rows for cell in row if not isinstance(cell, str))


def cell_text(cell: Cell) -> str:
    """Return a cell as Markdown."""
    return cell if isinstance(cell, str) else cell.text


_CITATION = re.compile(r"\]\(#ref-(\d+)\)")


def texts_of(sections: Iterable[Section]) -> Iterator[tuple[Section, Sentence | Table, str]]:
    """Yield section, sentence or table, and its Markdown, in reading order.

    A table is yielded as a whole; the sentences in its cells are not yielded separately.
    """
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield from ((section, each, each.text) for each in block.sentences)
            elif isinstance(block, Table):
                cells = (cell_text(cell) for row in block.rows for cell in row)
                yield section, block, " ".join((block.caption, *cells))


def cited_numbers(text: str) -> list[int]:
    """Return the distinct reference numbers that Markdown cites, in the order of the text."""
    return list(dict.fromkeys(map(int, _CITATION.findall(text))))


def number_blocks(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Number tables and figures separately from 1, in reading order."""
    tables, figures = count(1), count(1)

    def blocks(section: Section) -> Iterator[Block]:
        """Yield the blocks of a section, with numbers."""
        for block in section.blocks:
            if isinstance(block, Table):
                yield replace(block, number=next(tables))
            elif isinstance(block, Figure):
                yield replace(block, number=next(figures))
            else:
                yield block

    return tuple(replace(section, blocks=tuple(blocks(section))) for section in sections)


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence that is not yet part of a section."""

    name: str
    """Short name, unique in its section: `flow`. With the id of the section it is the anchor of the
    sentence, which therefore does not depend on the sentences before it."""
    text: str
    kind: Kind
    source: str
    span: tuple[int, int] | None = None
    """As in `Sentence`."""


Run = list[Draft | None]
"""The sentences of a future paragraph; None is left out."""


def computed_sentence(name: str, text: str, *sources: Selection | str) -> Draft:
    """Draft a computed sentence (C).

    sources: the facts whose values the sentence states.
    """
    return Draft(name, text, "C", facts_source(sources))


def paper_list(name: str, text: str, *sources: Selection | str) -> Draft:
    """Draft a list of papers that share a fact (T).

    sources: the facts that select the papers.
    """
    return Draft(name, text, "T", facts_source(sources))


def method_text(name: str, text: str) -> Draft:
    """Draft a fixed sentence about Fieldguide's method (H)."""
    return Draft(name, text, "H", "fieldguide: method")


def quote_paper(name: str, text: str, entry: SurveyPaper, words: str = "") -> Draft:
    """Draft a sentence with words of a paper: a quote (Q), or a paraphrase of a digest (P).

    text: the complete sentence, which may have other words before and after those of the paper.
    words: the words of the paper in it; if they are "" or not in the paper's text, they are
    searched for in `text`.
    """
    kind: Kind = "P" if entry.paper.abstract_kind == "digest" else "Q"
    source = entry.paper.abstract_display
    start = source.find(words) if words else -1
    span = (start, start + len(words)) if start >= 0 else None
    span = span or quoted_span(text, source, entry.sentences)
    return Draft(name, text, kind, f"paper: {entry.paper.id}", span)


def make_paragraphs(section_id: str, *runs: Sequence[Draft | None]) -> list[Paragraph]:
    """Return one paragraph per run of drafts; runs without sentences are omitted."""
    found = []
    for run in runs:
        sentences = tuple(make_sentence(section_id, draft) for draft in run if draft)
        if sentences:
            found.append(Paragraph(sentences))
    return found


def make_sentence(section_id: str, draft: Draft) -> Sentence:
    """Return a draft as a sentence of a section."""
    name = f"{section_id}-{draft.name}"
    return Sentence(name, draft.text, draft.kind, draft.source, draft.span)
