"""How the document is printed: its blocks as templates want them, and as the Markdown of survey.md,
which reads well on a code host."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import get_args

from markupsafe import Markup

from classifier.labelling.labels import Status
from classifier.site.figures.charts import csv_path, level_of, svg_path
from classifier.site.figures.drawing import number
from classifier.site.markup import (
    escape_marks,
    inline_to_html,
    markdown_to_html,
    without_foreign_parts,
)
from classifier.survey.document import (
    Block,
    Document,
    Figure,
    Paragraph,
    Reference,
    Section,
    Sentence,
    Table,
    cell_text,
    cited_in,
    texts_of,
)
from classifier.survey.wording import date_in_words, join_words

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
    """Return whether a sentence is an editors' text of more than one paragraph."""
    if sentence.kind not in "HD":
        return False
    html = markdown_to_html(sentence.text)
    return html.count("<p>") != 1 or not (html.startswith("<p>") and html.endswith("</p>"))


def is_claim(sentence: Sentence) -> bool:
    """Return whether a sentence is a signed claim of the editors."""
    return sentence.source.endswith("/claims") or bool(_CLAIM.search(sentence.id))


def runs(paragraph: Paragraph) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences of each printed paragraph; an editors' block is one of its own."""
    for is_block, run in groupby(paragraph.sentences, key=is_block_text):
        sentences = tuple(run)
        yield from ((each,) for each in sentences) if is_block else (sentences,)


def sentence_html(sentence: Sentence, text: str) -> Markup:
    """Return a sentence as HTML. text: its Markdown, with the links of the page.

    The signature after the last dash of a claim gets a style of its own.
    """
    if is_block_text(sentence):
        return markdown_to_html(text)
    words, dash, signature = text.rpartition(" — ") if is_claim(sentence) else ("", "", "")
    if not dash:
        return inline_to_html(text)
    apart = Markup('<small class="signature">— {}</small>').format(inline_to_html(signature))
    return inline_to_html(words) + Markup(" ") + apart


def column_styles(table: Table) -> list[str]:
    """Return `n` for a column of numbers, `w` for one of prose, which is set wider; else ""."""

    def style(at: int) -> str:
        if at in table.numeric:
            return "n"
        cells = [cell_text(row[at]) for row in table.rows]
        # The address of a link is not visible.
        letters = sum(len(_LINK_TARGET.sub("]", cell)) for cell in cells)
        return "w" if letters > _PROSE_LETTERS * len(table.rows) else ""

    return [style(at) for at in range(len(table.columns))]


def figure_columns(figure: Figure) -> list[str]:
    """Return `n` for each column of numbers of a figure, "" for other columns."""
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


def byline(document: Document, *, with_version: bool = True) -> str:
    """Return who edits the survey, its version and how new it is, as one line of Markdown."""
    parts = [
        f"Edited by {join_words(document.editors)}" if document.editors else "",
        f"version `{document.version}`" if document.version and with_version else "",
        f"newest paper {date_in_words(document.newest)}" if document.newest else "",
    ]
    return " · ".join(part for part in parts if part)


def pipe_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int]
) -> str:
    """Return a pipe table; the numeric columns are set flush right.

    >>> print(pipe_table(["Topic", "n"], [["a|b", "3"]], [1]))
    | Topic | n |
    | --- | ---: |
    | a\\|b | 3 |
    """
    rules = ["---:" if index in numeric else "---" for index in range(len(columns))]
    lines = [list(map(_cell, columns)), rules, *(list(map(_cell, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def title_text(text: str) -> str:
    """Return a title as Markdown that shows it as it is."""
    return one_line(escape_marks(text))


def one_line(text: str) -> str:
    """Return Markdown that is one line, ready to print."""
    return without_foreign_parts(" ".join(text.split()))


def block_text(block: Block) -> str:
    """Return a block as Markdown; figures are pictures next to the file."""
    if isinstance(block, Paragraph):
        return _paragraph(block)
    return _table(block) if isinstance(block, Table) else _figure(block)


def _paragraph(paragraph: Paragraph) -> str:
    """Join the sentences of a paragraph; a text of several blocks stays separate.

    A claim is preceded by its anchor, to which the conclusion links.
    """
    claims = [f'<a id="{each.id}"></a>' for each in paragraph.sentences if is_claim(each)]
    texts = [
        run[0].text.strip()
        if is_block_text(run[0])
        else " ".join(" ".join(sentence.text for sentence in run).split())
        for run in runs(paragraph)
    ]
    return "\n\n".join([*claims, without_foreign_parts("\n\n".join(texts))])


def _table(table: Table) -> str:
    place = f'<a id="{anchor(table)}"></a>'
    caption = f"{_label('Table', table.number)} {without_foreign_parts(table.caption)}"
    rows = [[cell_text(cell) for cell in row] for row in table.rows]
    return f"{place}{caption}\n\n{pipe_table(table.columns, rows, table.numeric)}"


def _figure(figure: Figure) -> str:
    alt = without_foreign_parts(figure.alt).replace("[", "(").replace("]", ")")
    place = f'<a id="{anchor(figure)}"></a>'
    picture = f"![{' '.join(alt.split())}]({svg_path(figure)})"
    caption_text = without_foreign_parts(f"{figure.title}. {figure.caption}")
    caption = f"{_label('Figure', figure.number)} {caption_text}"
    return f"{place}{picture}\n\n{caption} [The numbers]({csv_path(figure)})."


def _label(noun: str, number: int) -> str:
    return f"**{noun} {number}.**" if number else f"**{noun}.**"


def citing_sections(document: Document) -> dict[int, list[Section]]:
    """Return reference number -> the sections that cite it, in reading order."""
    citing: dict[int, list[Section]] = {}
    for section, _, text in texts_of(document.sections):
        for cited in cited_in(text):
            found = citing.setdefault(cited, [])
            if section not in found[-1:]:
                found.append(section)
    return citing


def reference_text(
    reference: Reference, pages: Mapping[str, str], cited_in: Sequence[Section]
) -> str:
    """Return an entry of the reference list, with links back to the sections that cite it.

    pages: paper id -> path of its page.
    """
    place = f'<a id="ref-{reference.number}"></a>'
    page = pages.get(reference.paper_id)
    link = f" [Page]({page})" if page else ""
    text = one_line(reference.text)
    titles = (f"[{title_text(s.title)}](#{s.id})" for s in cited_in)
    back = f" ↑ {', '.join(titles)}" if cited_in else ""
    return f"{place}**{reference.number}.** {text}{link}{back}"


def _cell(text: str) -> str:
    unescaped = " ".join(without_foreign_parts(text).split()).replace("\\|", "|")
    return unescaped.replace("|", "\\|")
