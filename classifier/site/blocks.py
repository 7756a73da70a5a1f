"""Sections of the document as pages print them: prose runs, tables, figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import get_args

from markupsafe import Markup, escape

from classifier.labelling.labels import Status
from classifier.site.figures.drawing import number
from classifier.site.figures.files import csv_path, narrow_path, svg_path
from classifier.site.figures.heat_map import level_of
from classifier.site.markup import inline_to_html, markdown_to_html, plain_text
from classifier.survey.document import Block, Figure, Paragraph, Section, Sentence, Table

Relink = Callable[[str], str]
"""Rewrites the links of survey Markdown for the page on which it is printed."""

_MAX_BESIDE_PROSE = 2
_PROSE_LETTERS = 80
_CLAIM = re.compile(r"-claim-[0-9a-f]{6}$")
_STATUSES: tuple[str, ...] = get_args(Status)
_SIGN = Markup('<span class="badge sign {0}" title="{0}"><span class="unseen">{0}</span></span>')
_NUMBER = re.compile(r"[\d,.]*%?")
_LINK_TARGET = re.compile(r'\]\([^()\s]*(?: "[^"]*")?\)')


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence with its provenance, ready to print."""

    id: str
    kind: str
    source: str
    html: Markup
    is_block: bool
    """Whether it holds blocks (paragraphs, lists) and not one line."""
    is_claim: bool = False
    """Whether the editors claim it, over their signature."""


@dataclass(frozen=True, slots=True)
class ProseView:
    """Sentences that stand in one paragraph, or one block of the editors."""

    sentences: tuple[SentenceView, ...]
    shape: str = "prose"

    @property
    def is_block(self) -> bool:
        """Whether this is one block of the editors and not a paragraph of sentences."""
        return self.sentences[0].is_block

    @property
    def is_claim(self) -> bool:
        """Whether this is a claim of the editors, which stands in a paragraph of its own."""
        return all(sentence.is_claim for sentence in self.sentences)


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell of a table."""

    html: Markup
    column: str
    """Heading of its column, shown beside the cell where a narrow screen stacks the row."""
    style: str
    """`n` in a column of numbers, `w` in a column of prose, which is set wider; else ""."""


@dataclass(frozen=True, slots=True)
class TableView:
    """A table, ready to print."""

    id: str
    caption: Markup
    label: str
    """The caption without markup."""
    columns: tuple[CellView, ...]
    rows: tuple[tuple[CellView, ...], ...]
    stacks: bool
    """Whether rows become cards on a narrow screen; otherwise the table scrolls in its box."""
    is_long: bool
    """Whether it compares papers: then its head stays in sight, and its columns sort."""
    number: int
    """Its place among the tables of the survey; 0 where it is printed without."""
    signs: tuple[str, ...] = ()
    """The statuses that stand in it as signs."""
    shape: str = "table"


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure, ready to print."""

    id: str
    file: str
    narrow_file: str
    """The same figure for a narrow screen."""
    title: Markup
    """What was found."""
    caption: Markup
    label: str
    """The title without markup."""
    alt: str
    is_grid: bool
    """Whether its numbers are shown as a table of shaded cells, where links work."""
    data_file: str
    """Its numbers as CSV."""
    columns: tuple[CellView, ...]
    rows: tuple[tuple[CellView, ...], ...]
    """Its numbers; none where the document gives none."""
    number: int
    """Its place among the figures of the survey; 0 where it is printed without."""
    shape: str = "figure"


BlockView = ProseView | TableView | FigureView


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section, ready to print."""

    id: str
    title: str
    level: int
    blocks: tuple[BlockView, ...]


def section_views(sections: Sequence[Section], relink: Relink = str) -> list[SectionView]:
    """Return sections ready to print, their links rewritten by `relink`."""
    return [
        SectionView(section.id, section.title, section.level, block_views(section.blocks, relink))
        for section in sections
    ]


def block_views(blocks: Sequence[Block], relink: Relink = str) -> tuple[BlockView, ...]:
    """Return blocks ready to print; a paragraph becomes one run of prose or several."""
    views: list[BlockView] = []
    for block in blocks:
        if isinstance(block, Paragraph):
            views.extend(_prose(block, relink))
        elif isinstance(block, Table):
            views.append(_table(block, relink))
        else:
            views.append(_figure(block, relink))
    return tuple(views)


def sentence_view(sentence: Sentence, relink: Relink = str) -> SentenceView:
    """Return a sentence ready to print, its links rewritten by `relink`."""
    text = relink(sentence.text)
    is_block = is_block_text(sentence)
    is_claim = sentence.source.endswith("/claims") or bool(_CLAIM.search(sentence.id))
    html = markdown_to_html(text) if is_block else inline_to_html(text)
    if is_claim and not is_block:
        html = _signed(text)
    return SentenceView(sentence.id, sentence.kind, sentence.source, html, is_block, is_claim)


def _signed(claim: str) -> Markup:
    """Return a claim with the signature behind its last dash set apart."""
    words, dash, signature = claim.rpartition(" — ")
    if not dash:
        return inline_to_html(claim)
    apart = Markup('<span class="signature">— {}</span>').format(inline_to_html(signature))
    return inline_to_html(words) + Markup(" ") + apart


def table_anchor(table: Table) -> str:
    """Return the id of a table on a page, apart from those of sections."""
    return table.id if table.id.startswith("table-") else f"table-{table.id}"


def figure_anchor(figure: Figure) -> str:
    """Return the id of a figure on a page, apart from those of sections."""
    return figure.id if figure.id.startswith("figure-") else f"figure-{figure.id}"


def is_block_text(sentence: Sentence) -> bool:
    """Say whether a sentence is a text of the editors that holds more than one paragraph."""
    if sentence.kind not in "HD":
        return False
    html = markdown_to_html(sentence.text)
    return html.count("<p>") != 1 or not (html.startswith("<p>") and html.endswith("</p>"))


def _prose(paragraph: Paragraph, relink: Relink) -> list[ProseView]:
    sentences = [sentence_view(sentence, relink) for sentence in paragraph.sentences]
    runs: list[ProseView] = []
    for is_block, run in groupby(sentences, key=lambda sentence: sentence.is_block):
        if is_block:
            runs.extend(ProseView((sentence,)) for sentence in run)
        else:
            runs.append(ProseView(tuple(run)))
    return runs


def _table(table: Table, relink: Relink) -> TableView:
    is_long = table.id.startswith("papers-")
    styles = [_column_style(table, index) for index in range(len(table.columns))]
    headings = [plain_text(column) for column in table.columns]

    def cells(texts: Sequence[str]) -> tuple[CellView, ...]:
        return tuple(
            CellView(
                _SIGN.format(text)
                if is_long and text in _STATUSES
                else inline_to_html(relink(text)),
                heading,
                style,
            )
            for text, heading, style in zip(texts, headings, styles, strict=True)
        )

    return TableView(
        id=table_anchor(table),
        caption=inline_to_html(relink(table.caption)),
        label=plain_text(table.caption),
        columns=cells(table.columns),
        rows=tuple(cells(row) for row in table.rows),
        stacks="w" in styles and len(styles) > _MAX_BESIDE_PROSE,
        is_long=is_long,
        number=table.number,
        signs=tuple(s for s in _STATUSES if is_long and any(s in row for row in table.rows)),
    )


def _column_style(table: Table, index: int) -> str:
    if index in table.numeric:
        return "n"
    letters = sum(len(row[index]) for row in table.rows)
    # A link's address is not seen.
    letters -= sum(len(target) for row in table.rows for target in _LINK_TARGET.findall(row[index]))
    return "w" if letters > _PROSE_LETTERS * len(table.rows) else ""


def _figure(figure: Figure, relink: Relink) -> FigureView:
    is_grid = figure.chart == "heat-map"
    numeric = [
        all(_NUMBER.fullmatch(row[at]) for row in figure.rows) for at in range(len(figure.columns))
    ]
    most = (
        max((number(cell) for row in figure.rows for cell in row[1:]), default=0) if is_grid else 0
    )

    def cell(text: str, column: str, at: int, query: str = "") -> CellView:
        level = level_of(number(text), most) if is_grid and query and numeric[at] else 0
        style = f"n l{level}" if level else "n" if numeric[at] else ""
        if not query or text == "0":
            return CellView(Markup("") if is_grid and text == "0" else escape(text), column, style)
        return CellView(inline_to_html(relink(f"[{text}](browse.html?{query})")), column, style)

    def row(cells: Sequence[str], queries: Sequence[str]) -> tuple[CellView, ...]:
        return tuple(
            cell(text, figure.columns[at], at, query)
            for at, (text, query) in enumerate(zip(cells, ("", *queries), strict=True))
        )

    unlinked = ("",) * (len(figure.columns) - 1)
    return FigureView(
        id=figure_anchor(figure),
        file=svg_path(figure),
        narrow_file=narrow_path(figure),
        title=inline_to_html(relink(figure.title)),
        caption=inline_to_html(relink(figure.caption)),
        label=plain_text(figure.title),
        alt=figure.alt,
        is_grid=is_grid,
        data_file=csv_path(figure),
        columns=tuple(cell(name, name, at) for at, name in enumerate(figure.columns)),
        rows=tuple(
            row(cells, links)
            for cells, links in zip(
                figure.rows, figure.links or (unlinked,) * len(figure.rows), strict=True
            )
        ),
        number=figure.number,
    )
