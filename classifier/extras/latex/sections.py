"""Sections of the survey as LaTeX, with tables, figures and labels to which links lead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby

from classifier.extras.latex.markup import (
    Links,
    blocks_to_latex,
    guarded,
    inline_to_latex,
    plain_to_latex,
)
from classifier.site.blocks import anchor, is_block_text
from classifier.site.markup import plain_text
from classifier.survey.document import Figure, Paragraph, Section, Sentence, Table

_COMMANDS = {1: "section", 2: "subsection", 3: "subsubsection"}
_MOST_UPRIGHT = 6
"""Columns that a page holds; a table of more lies on its side."""
_MOST_FLOATING = 25
"""Rows of a table that stands on one page."""
_WORDS = (8, 40)
"""Letters that a column counts for, at least and at most, when widths are shared out."""
_SPACED = r"\renewcommand{\arraystretch}{1.15}"

TableWriter = Callable[[Table, Links], str]


def long_table(table: Table, links: Links) -> str:
    """Return a table that runs over pages, on its side where it has many columns."""
    head = _row(table.columns, links, bold=True)
    lines = [
        rf"\begin{{longtable}}{{{_columns(table)}}}",
        rf"\caption{{{inline_to_latex(table.caption, links)}}}\label{{{anchor(table)}}}\\",
        rf"\toprule {head} \\ \midrule \endfirsthead",
        rf"\toprule {head} \\ \midrule \endhead",
        r"\bottomrule \endfoot",
        *(rf"{_row(row, links)} \\" for row in table.rows),
        r"\end{longtable}",
    ]
    size = r"\scriptsize" if len(table.columns) > _MOST_UPRIGHT else r"\footnotesize"
    body = "\n".join(["{" + size + r"\setlength{\tabcolsep}{3pt}", _SPACED, *lines, "}"])
    if len(table.columns) <= _MOST_UPRIGHT:
        return body
    return f"\\begin{{landscape}}\n{body}\n\\end{{landscape}}"


def floating_table(table: Table, links: Links) -> str:
    """Return a table as a paper includes it: across both columns, or a long one where it must."""
    if len(table.rows) > _MOST_FLOATING:
        return long_table(table, links)
    rows = "\n".join(rf"{_row(row, links)} \\" for row in table.rows)
    return "\n".join(
        [
            r"\begin{table*}\footnotesize\centering\setlength{\tabcolsep}{3pt}",
            rf"\caption{{{inline_to_latex(table.caption, links)}}}\label{{{anchor(table)}}}",
            rf"\begin{{tabular}}{{{_columns(table)}}}",
            rf"\toprule {_row(table.columns, links, bold=True)} \\ \midrule",
            rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table*}",
        ]
    )


def picture(figure: Figure, links: Links) -> str:
    """Return a figure that shows figures/ID.pdf."""
    caption = inline_to_latex(f"{figure.title}. {figure.caption}", links)
    size = r"width=\linewidth,height=.8\textheight,keepaspectratio"
    return "\n".join(
        [
            r"\begin{figure}[htbp]\centering",
            rf"\includegraphics[{size}]{{figures/{figure.id}.pdf}}",
            rf"\caption{{{caption}}}\label{{{anchor(figure)}}}",
            r"\end{figure}",
        ]
    )


def _row(cells: Sequence[str], links: Links, *, bold: bool = False) -> str:
    # Without the space of no width TeX hyphenates no first word, and narrow columns run over.
    texts = (inline_to_latex(cell, links) for cell in cells)
    shown = (rf"\textbf{{{text}}}" if bold and text else text for text in texts)
    return " & ".join(rf"\hspace{{0pt}}{text}" if text else "" for text in map(guarded, shown))


def _columns(table: Table) -> str:
    """Return the columns, which share the width of the page by what stands in them."""
    shares = [_share(table, index) for index in range(len(table.columns))]
    total = sum(shares)
    return "@{}" + "".join(
        rf">{{\ragged{'left' if index in table.numeric else 'right'}\arraybackslash}}"
        rf"p{{\dimexpr {share / total:.4f}\linewidth-2\tabcolsep}}"
        for index, share in enumerate(shares)
    )


def _share(table: Table, index: int) -> float:
    """Return how wide a column should be, in letters: its cells on average, no word divided."""
    texts = [plain_text(row[index]) for row in table.rows]
    words = [
        len(word) for text in (*texts, plain_text(table.columns[index])) for word in text.split()
    ]
    average = sum(map(len, texts)) / max(len(texts), 1)
    least, most = _WORDS
    return min(max(average, 1.3 * min(max(words, default=least), 12), least), most)


def section_to_latex(
    section: Section, links: Links, pictures: Collection[str], table: TableWriter = long_table
) -> str:
    """Return a section with its heading; pictures: ids of the figures that there is a file of."""
    command = _COMMANDS.get(section.level, "paragraph")
    heading = rf"\{command}{{{plain_to_latex(section.title)}}}\label{{{section.id}}}"
    return "\n\n".join([heading, *body_to_latex(section, links, pictures, table)])


def body_to_latex(
    section: Section, links: Links, pictures: Collection[str], table: TableWriter = long_table
) -> Iterator[str]:
    """Yield what stands in a section, block by block; a figure without a picture is left out."""
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield from _paragraphs(block, links)
        elif isinstance(block, Table):
            yield table(block, links)
        elif block.id in pictures:
            yield picture(block, links)


def sentence_to_latex(sentence: Sentence, links: Links) -> str:
    """Return one sentence, or one block of the editors."""
    write = blocks_to_latex if is_block_text(sentence) else inline_to_latex
    return write(sentence.text, links)


def anchors_of(sections: Iterable[Section], pictures: Collection[str]) -> set[str]:
    """Return every label that the sections have."""
    found = set()
    for section in sections:
        found.add(section.id)
        for block in section.blocks:
            if isinstance(block, Table) or (isinstance(block, Figure) and block.id in pictures):
                found.add(anchor(block))
    return found


def _paragraphs(paragraph: Paragraph, links: Links) -> Iterator[str]:
    for is_block, run in groupby(paragraph.sentences, key=is_block_text):
        texts: Sequence[str] = [sentence_to_latex(sentence, links) for sentence in run]
        yield from texts if is_block else [" ".join(texts)]
