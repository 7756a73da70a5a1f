"""The survey as records: sections, and in them paragraphs of sourced sentences, tables, figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import Selection, fact_ids
from classifier.survey.quotation import quoted_span

Kind = Literal["Q", "P", "C", "T", "H", "D"]
"""Q verbatim quote · P paraphrase (a digest sentence) · C computed fact · T template join over
papers that share a fact · H editors' text, signed · D definition."""

Chart = Literal["bars", "flow", "heat-map", "panels", "sides", "levels"]
"""How the numbers of a figure are drawn; what each kind asks of them stands in
`classifier/site/figures/`."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence (of H and D: one block of the editors' Markdown) with where it comes from."""

    id: str
    """Stable anchor: section and position, such as `benchmarks-3`."""
    text: str
    """Markdown, citations as `[12](#ref-12)`; plain otherwise."""
    kind: Kind
    source: str
    """What it can be checked against: `facts: topic.benchmarks.papers`, `paper: arxiv:2401.10230`,
    `taxonomy: topic/benchmarks/definition`."""
    span: tuple[int, int] | None = None
    """Of Q and P: where what it says stands in the paper's text in display form, as offsets of the
    first character and behind the last."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences that are read as one."""

    sentences: tuple[Sentence, ...]


Cell = str | Sentence
"""A cell of a table: Markdown, or a sentence with its source."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that answers a question, which its caption names."""

    id: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """One cell per column."""
    numeric: tuple[int, ...] = ()
    """Columns that are aligned to the right."""
    number: int = 0
    """Its place among the tables of the document, from 1; 0 outside of one."""


@dataclass(frozen=True, slots=True)
class Point:
    """A paper as a mark in a figure."""

    style: str
    """The side of its evidence, `for`, `mixed` or `against`; or `level`."""
    label: str
    """The words before the sentence, such as the name and the date of the paper."""
    page: str
    """Path of the paper's page."""
    sentence: str
    """The sentence that puts it there."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, kept as SVG with its own light and dark style."""

    id: str
    """File name without folder or ending: `figures/{id}.svg`."""
    title: str
    """What was found, computed, as Markdown without a full stop."""
    caption: str
    """What is counted, and of how many papers."""
    alt: str
    """What a person who cannot see it needs to know beside the title."""
    columns: tuple[str, ...] = ()
    """Headings of the numbers that it shows, as plain text."""
    rows: tuple[tuple[str, ...], ...] = ()
    """The numbers that it shows, as plain text: the table and the CSV file beside the picture."""
    chart: Chart = "bars"
    """How they are drawn."""
    links: tuple[tuple[str, ...], ...] = ()
    """Of each number the query that lists what it counts, "" where there is none."""
    points: tuple[tuple[Point, ...], ...] = ()
    """Of each row the papers that it shows; () for figures that show counts."""
    anchors: tuple[str, ...] = ()
    """Of each row the anchor of the survey that it leads to; () if rows lead nowhere."""
    number: int = 0
    """Its place among the figures of the document, from 1; 0 outside of one."""


Block = Paragraph | Table | Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it."""

    id: str
    title: str
    level: int
    """1 for a section, 2 for a subsection."""
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of the reference list."""

    number: int
    paper_id: str
    text: str
    """Markdown: authors, title, venue, date, link; only what some input states."""


@dataclass(frozen=True, slots=True)
class Document:
    """The whole survey."""

    title: str
    subtitle: str
    editors: tuple[str, ...]
    version: str
    """Hash of the data it was built from."""
    newest: str
    """Date of the newest dated paper, or ""."""
    sections: tuple[Section, ...]
    references: tuple[Reference, ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence of every section, in reading order."""
        return tuple(sentences_of(self.sections))


def sentences_of(sections: Iterable[Section]) -> Iterator[Sentence]:
    """Yield every sentence of sections, in reading order."""
    for section in sections:
        for block in section.blocks:
            yield from sentences_of_block(block)


def sentences_of_block(block: Block) -> Iterator[Sentence]:
    """Yield the sentences of a paragraph or a table, in reading order."""
    if isinstance(block, Paragraph):
        yield from block.sentences
    elif isinstance(block, Table):
        yield from (cell for row in block.rows for cell in row if not isinstance(cell, str))


def cell_text(cell: Cell) -> str:
    """Return the Markdown of a cell."""
    return cell if isinstance(cell, str) else cell.text


_CITATION = re.compile(r"\]\(#ref-(\d+)\)")


def texts_of(sections: Iterable[Section]) -> Iterator[tuple[Section, Sentence | Table, str]]:
    """Yield every sentence and table with its section and its whole Markdown, in reading order."""
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield from ((section, each, each.text) for each in block.sentences)
            elif isinstance(block, Table):
                cells = (cell_text(cell) for row in block.rows for cell in row)
                yield section, block, " ".join((block.caption, *cells))


def cited_in(text: str) -> list[int]:
    """Return the numbers of the references that Markdown cites, each once, in their order."""
    return list(dict.fromkeys(map(int, _CITATION.findall(text))))


def numbered(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Return the sections with their tables and figures numbered, each kind in reading order."""
    tables, figures = count(1), count(1)

    def blocks(section: Section) -> Iterator[Block]:
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
    """One sentence to be."""

    name: str
    """What it says, in a word or two, once a section: `scale`. With the section's id it makes the
    sentence's anchor, which stays when other sentences come and go."""
    text: str
    kind: Kind
    source: str
    span: tuple[int, int] | None = None
    """Of Q and P: where it stands in the paper's text."""


Run = list[Draft | None]
"""The sentences of a paragraph to be; None where there is nothing to say."""


def computed(name: str, text: str, *sources: Selection | str) -> Draft:
    """Return a computed sentence (C); `sources` are all facts whose value it states."""
    return Draft(name, text, "C", fact_ids(sources))


def shared(name: str, text: str, *sources: Selection | str) -> Draft:
    """Return a join over papers that share a fact (T); `sources` are the facts that give them."""
    return Draft(name, text, "T", fact_ids(sources))


def method_text(name: str, text: str) -> Draft:
    """Return a sentence in Fieldguide's own fixed words on its method (H)."""
    return Draft(name, text, "H", "fieldguide: method")


def quote_paper(name: str, text: str, entry: SurveyPaper, words: str = "") -> Draft:
    """Return what a text says: a paraphrase (P) of a digest, else a verbatim quote (Q).

    `text` may put words of our own around the words of the paper; those are `words`, or else found
    again in it.
    """
    kind: Kind = "P" if entry.paper.abstract_kind == "digest" else "Q"
    source = entry.paper.abstract_display
    start = source.find(words) if words else -1
    span = (start, start + len(words)) if start >= 0 else None
    span = span or quoted_span(text, source, entry.sentences)
    return Draft(name, text, kind, f"paper: {entry.paper.id}", span)


def paragraphs(section_id: str, *runs: Sequence[Draft | None]) -> list[Paragraph]:
    """Return a paragraph a run; runs without a sentence leave none."""
    drafts = (list(filter(None, run)) for run in runs)
    return [
        Paragraph(tuple(sentence_of(section_id, draft) for draft in run)) for run in drafts if run
    ]


def sentence_of(section_id: str, draft: Draft) -> Sentence:
    """Return the sentence of a draft within a section."""
    name = f"{section_id}-{draft.name}"
    return Sentence(name, draft.text, draft.kind, draft.source, draft.span)
