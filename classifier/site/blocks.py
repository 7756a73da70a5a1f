"""How templates print the blocks of the document: runs of prose, cells of tables and figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import get_args

from markupsafe import Markup

from classifier.labelling.labels import Status
from classifier.site.figures.charts import level_of
from classifier.site.figures.drawing import number
from classifier.site.markup import inline_to_html, markdown_to_html
from classifier.survey.document import Figure, Paragraph, Sentence, Table

STATUSES: tuple[str, ...] = get_args(Status)
_PROSE_LETTERS = 80
_CLAIM = re.compile(r"-claim-[0-9a-f]{6}$")
_NUMBER = re.compile(r"[\d,.]*%?")
_LINK_TARGET = re.compile(r'\]\([^()\s]*(?: "[^"]*")?\)')


def anchor(block: Table | Figure) -> str:
    """Return the id of a table or figure on a page, apart from those of sections."""
    kind = "table-" if isinstance(block, Table) else "figure-"
    return block.id if block.id.startswith(kind) else f"{kind}{block.id}"


def is_block_text(sentence: Sentence) -> bool:
    """Say whether a sentence is a text of the editors that holds more than one paragraph."""
    if sentence.kind not in "HD":
        return False
    html = markdown_to_html(sentence.text)
    return html.count("<p>") != 1 or not (html.startswith("<p>") and html.endswith("</p>"))


def is_claim(sentence: Sentence) -> bool:
    """Say whether the editors claim a sentence, over their signature."""
    return sentence.source.endswith("/claims") or bool(_CLAIM.search(sentence.id))


def runs(paragraph: Paragraph) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences that stand in one paragraph, or one block of the editors."""
    for is_block, run in groupby(paragraph.sentences, key=is_block_text):
        sentences = tuple(run)
        yield from ((each,) for each in sentences) if is_block else (sentences,)


def sentence_html(sentence: Sentence, text: str) -> Markup:
    """Return a sentence as HTML; text: its Markdown with the links of the page.

    The signature behind the last dash of a claim is set apart.
    """
    if is_block_text(sentence):
        return markdown_to_html(text)
    words, dash, signature = text.rpartition(" — ") if is_claim(sentence) else ("", "", "")
    if not dash:
        return inline_to_html(text)
    apart = Markup('<span class="signature">— {}</span>').format(inline_to_html(signature))
    return inline_to_html(words) + Markup(" ") + apart


def column_styles(table: Table) -> list[str]:
    """Return `n` for a column of numbers, `w` for one of prose, which is set wider; else ""."""

    def style(at: int) -> str:
        if at in table.numeric:
            return "n"
        letters = sum(len(row[at]) for row in table.rows)
        # A link's address is not seen.
        letters -= sum(len(link) for row in table.rows for link in _LINK_TARGET.findall(row[at]))
        return "w" if letters > _PROSE_LETTERS * len(table.rows) else ""

    return [style(at) for at in range(len(table.columns))]


def figure_columns(figure: Figure) -> list[str]:
    """Return `n` for each column of the numbers of a figure that holds numbers, else ""."""
    return [
        "n" if all(_NUMBER.fullmatch(row[at]) for row in figure.rows) else ""
        for at in range(len(figure.columns))
    ]


def figure_rows(figure: Figure) -> Iterator[list[tuple[str, str, str]]]:
    """Yield (text, query or "", style) of the cells of each row of a figure's numbers.

    A zero leads nowhere; the cells of a heat map are shaded, `l1` to `l5`.
    """
    numeric, is_grid = figure_columns(figure), figure.chart == "heat-map"
    counts = [number(cell) for row in figure.rows for cell in row[1:]] if is_grid else []
    links = figure.links or (("",) * (len(figure.columns) - 1),) * len(figure.rows)
    for row, queries in zip(figure.rows, links, strict=True):
        cells = []
        for text, query, style in zip(row, ("", *queries), numeric, strict=True):
            level = level_of(number(text), max(counts)) if is_grid and query and style else 0
            is_zero = text == "0"
            shown, led = "" if is_grid and is_zero else text, "" if is_zero else query
            cells.append((shown, led, f"n l{level}" if level else style))
        yield cells
