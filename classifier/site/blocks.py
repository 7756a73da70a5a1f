"""Convert the document's blocks to HTML for templates, and to the Markdown of survey.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import get_args

from markupsafe import Markup

from classifier.labelling.labels import Status
from classifier.site.figures.charts import csv_path, shade_of, svg_path
from classifier.site.figures.drawing import parse_count
from classifier.site.markup import (
    escape_markdown_characters,
    inline_to_html,
    markdown_to_html,
    plain_text,
    remove_active_content,
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
    cited_numbers,
    texts_of,
)
from classifier.survey.wording import date_in_words, join_words

STATUSES: tuple[str, ...] = get_args(Status)
_MIN_PROSE_LETTERS = 80
"""Mean number of letters per cell above which a column is wide."""
_CLAIM = re.compile(r"-claim-[0-9a-f]{6}$")
_NUMBER = re.compile(r"[\d,.]*%?")
_LINK_TARGET = re.compile(r'\]\([^()\s]*(?: "[^"]*")?\)')


def block_anchor(block: Table | Figure) -> str:
    """Return the id of a table or figure on a page; it differs from the ids of sections."""
    kind = "table-" if isinstance(block, Table) else "figure-"
    return block.id if block.id.startswith(kind) else f"{kind}{block.id}"


def is_block_text(sentence: Sentence) -> bool:
    """Return whether a sentence is a text of the editors with several paragraphs."""
    if sentence.kind not in "HD":
        return False
    html = markdown_to_html(sentence.text)
    return html.count("<p>") != 1 or not (html.startswith("<p>") and html.endswith("</p>"))


def is_claim(sentence: Sentence) -> bool:
    """Return whether a sentence is a signed claim of the editors."""
    return sentence.source.endswith("/claims") or bool(_CLAIM.search(sentence.id))


def split_paragraph(paragraph: Paragraph) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences of each printed paragraph.

    Each block text is printed as a separate paragraph.
    """
    for is_block, run in groupby(paragraph.sentences, key=is_block_text):
        sentences = tuple(run)
        if is_block:
            yield from ((each,) for each in sentences)
        else:
            yield sentences


def sentence_html(sentence: Sentence, text: str) -> Markup:
    """Return a sentence as HTML.

    text: the sentence as Markdown, with links relative to the page. In a claim, the signature after
    the last dash is set in small type.
    """
    if is_block_text(sentence):
        return markdown_to_html(text)
    # A text that its signature does not follow ends with a full stop.
    if is_claim(sentence) and " — " in text and not text.endswith("."):
        words, _, signature = text.rpartition(" — ")
        small = Markup('<small class="signature">— {}</small>').format(inline_to_html(signature))
        return inline_to_html(words) + Markup(" ") + small
    return inline_to_html(text)


def column_styles(table: Table) -> list[str]:
    """Return the style of each column: `n` for numbers, `w` for prose (wide), else ""."""
    styles: list[str] = []
    for at in range(len(table.columns)):
        # The address of a link is not visible.
        cells = [_LINK_TARGET.sub("]", cell_text(row[at])) for row in table.rows]
        if at in table.numeric:
            styles.append("n")
        elif sum(map(len, cells)) > _MIN_PROSE_LETTERS * len(table.rows):
            styles.append("w")
        else:
            styles.append("")
    return styles


def figure_columns(figure: Figure) -> list[str]:
    """Return the style of each column of a figure: `n` for numbers, else ""."""
    return [
        "n" if all(_NUMBER.fullmatch(row[at]) for row in figure.rows) else ""
        for at in range(len(figure.columns))
    ]


def figure_rows(figure: Figure) -> Iterator[list[tuple[str, str, str]]]:
    """Yield the cells of each row of a figure's numbers as (text, query or "", style).

    Zeros have no query. The styles `l1` to `l5` shade the cells of a heat map.
    """
    numeric, is_grid = figure_columns(figure), figure.chart == "heat-map"
    counts = [parse_count(cell) for row in figure.rows for cell in row[1:]] if is_grid else []
    links = figure.links or (("",) * (len(figure.columns) - 1),) * len(figure.rows)
    for row, queries in zip(figure.rows, links, strict=True):
        cells = []
        for text, query, style in zip(row, ("", *queries), numeric, strict=True):
            is_shaded = is_grid and query and style
            shade = shade_of(parse_count(text), max(counts)) if is_shaded else 0
            if shade:
                cells.append((text, query, f"n l{shade}"))
            elif text == "0":
                cells.append(("" if is_grid else text, "", style))
            else:
                cells.append((text, query, style))
        yield cells


def byline(document: Document, *, with_version: bool = True) -> str:
    """Return editors, version and date of the newest paper as a line of Markdown."""
    parts = [
        f"Edited by {join_words(document.editors)}" if document.editors else "",
        f"version `{document.version}`" if document.version and with_version else "",
        f"newest paper {date_in_words(document.newest)}" if document.newest else "",
    ]
    return " · ".join(part for part in parts if part)


def markdown_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int]
) -> str:
    r"""Return a Markdown table.

    numeric: indexes of the columns that are aligned to the right.

    >>> print(markdown_table(["Topic", "n"], [["a|b", "3"]], [1]))
    | Topic | n |
    | --- | ---: |
    | a\|b | 3 |
    """
    rules = ["---:" if index in numeric else "---" for index in range(len(columns))]
    lines = [
        list(map(_escape_cell, columns)),
        rules,
        *(list(map(_escape_cell, row)) for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escape_title(text: str) -> str:
    """Escape a title for Markdown, on one line."""
    return one_line(escape_markdown_characters(text))


def one_line(text: str) -> str:
    """Return Markdown on one line, without raw HTML and images."""
    return remove_active_content(" ".join(text.split()))


def block_markdown(block: Block) -> str:
    """Return a block as Markdown; a figure becomes an image with a relative address."""
    if isinstance(block, Paragraph):
        return _paragraph_markdown(block)
    if isinstance(block, Table):
        return _table_markdown(block)
    return _figure_markdown(block)


def _paragraph_markdown(paragraph: Paragraph) -> str:
    """Return a paragraph as Markdown; block texts become separate paragraphs.

    The anchors of claims come first, because the conclusion links to them.
    """
    anchors = [f'<a id="{each.id}"></a>' for each in paragraph.sentences if is_claim(each)]
    texts: list[str] = []
    for run in split_paragraph(paragraph):
        if is_block_text(run[0]):
            texts.append(run[0].text.strip())
        else:
            texts.append(" ".join(" ".join(sentence.text for sentence in run).split()))
    return "\n\n".join([*anchors, remove_active_content("\n\n".join(texts))])


def _table_markdown(table: Table) -> str:
    """Return a table as Markdown."""
    place = f'<a id="{block_anchor(table)}"></a>'
    caption = f"{_numbered_label('Table', table.number)} {remove_active_content(table.caption)}"
    rows = [[cell_text(cell) for cell in row] for row in table.rows]
    return f"{place}{caption}\n\n{markdown_table(table.columns, rows, table.numeric)}"


def _figure_markdown(figure: Figure) -> str:
    """Return a figure as Markdown."""
    alt = remove_active_content(plain_text(figure.title)).replace("[", "(").replace("]", ")")
    place = f'<a id="{block_anchor(figure)}"></a>'
    picture = f"![{' '.join(alt.split())}]({svg_path(figure)})"
    caption_text = remove_active_content(f"{figure.title}. {figure.caption}")
    caption = f"{_numbered_label('Figure', figure.number)} {caption_text}"
    return f"{place}{picture}\n\n{caption} [The numbers]({csv_path(figure)})."


def _numbered_label(noun: str, number: int) -> str:
    """Return the label of a table or figure, such as "Table 3"."""
    return f"**{noun} {number}.**" if number else f"**{noun}.**"


def citing_sections(document: Document) -> dict[int, list[Section]]:
    """Return by reference number the sections that cite it, in reading order."""
    citing: dict[int, list[Section]] = {}
    for section, _, text in texts_of(document.sections):
        for number in cited_numbers(text):
            sections = citing.setdefault(number, [])
            if section not in sections[-1:]:
                sections.append(section)
    return citing


def reference_text(
    reference: Reference, pages: Mapping[str, str], sections: Sequence[Section]
) -> str:
    """Return an entry of the reference list, with links to the sections that cite it.

    pages: paths of the pages, by paper id.
    """
    place = f'<a id="ref-{reference.number}"></a>'
    page = pages.get(reference.paper_id)
    link = f" [Page]({page})" if page else ""
    text = one_line(reference.text)
    titles = (f"[{escape_title(section.title)}](#{section.id})" for section in sections)
    back = f" ↑ {', '.join(titles)}" if sections else ""
    return f"{place}**{reference.number}.** {text}{link}{back}"


def _escape_cell(text: str) -> str:
    """Escape the text of a table cell."""
    unescaped = " ".join(remove_active_content(text).split()).replace("\\|", "|")
    return unescaped.replace("|", "\\|")
