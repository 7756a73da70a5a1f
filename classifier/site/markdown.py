"""The survey as plain Markdown that reads well on a code host: sections, tables, references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from classifier.site.blocks import anchor, is_block_text, is_claim
from classifier.site.figures.files import csv_path, svg_path
from classifier.site.markup import escape_marks, without_foreign_parts
from classifier.survey.document import (
    Block,
    Document,
    Figure,
    Paragraph,
    Reference,
    Section,
    Table,
    cited_in,
    texts_of,
)
from classifier.survey.wording import date_in_words, joined


def byline(document: Document, *, with_version: bool = True) -> str:
    """Return who edits the survey, its version and how new it is, as one line of Markdown."""
    shows_version = document.version and with_version
    parts = [
        f"Edited by {joined(document.editors)}" if document.editors else "",
        f"version `{document.version}`" if shows_version else "",
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
    """Return a block as Markdown; figures are pictures beside the file."""
    if isinstance(block, Paragraph):
        return _paragraph(block)
    return _table(block) if isinstance(block, Table) else _figure(block)


def _paragraph(paragraph: Paragraph) -> str:
    """Join the sentences of a paragraph; a text of several blocks stands alone.

    Before a claim stands its anchor, to which the conclusion leads.
    """
    claims = [f'<a id="{each.id}"></a>' for each in paragraph.sentences if is_claim(each)]
    runs: list[str] = []
    for is_block, run in groupby(paragraph.sentences, key=is_block_text):
        texts = [sentence.text.strip() for sentence in run]
        runs.extend(texts if is_block else [" ".join(" ".join(texts).split())])
    return "\n\n".join([*claims, without_foreign_parts("\n\n".join(runs))])


def _table(table: Table) -> str:
    place = f'<a id="{anchor(table)}"></a>'
    caption = f"{_label('Table', table.number)} {without_foreign_parts(table.caption)}"
    return f"{place}{caption}\n\n{pipe_table(table.columns, table.rows, table.numeric)}"


def _figure(figure: Figure) -> str:
    alt = without_foreign_parts(figure.alt).replace("[", "(").replace("]", ")")
    place = f'<a id="{anchor(figure)}"></a>'
    picture = f"![{' '.join(alt.split())}]({svg_path(figure)})"
    told = without_foreign_parts(f"{figure.title}. {figure.caption}")
    caption = f"{_label('Figure', figure.number)} {told}"
    return f"{place}{picture}\n\n{caption} [The numbers]({csv_path(figure)})."


def _label(noun: str, number: int) -> str:
    return f"**{noun} {number}.**" if number else f"**{noun}.**"


def citing_sections(document: Document) -> dict[int, list[Section]]:
    """Return reference number -> the sections that cite it, in reading order."""
    citing: dict[int, list[Section]] = {}
    for section, _, text in texts_of(document.sections):
        for number in cited_in(text):
            found = citing.setdefault(number, [])
            if section not in found[-1:]:
                found.append(section)
    return citing


def reference_text(
    reference: Reference, pages: Mapping[str, str], cited_in: Sequence[Section]
) -> str:
    """Return an entry of the reference list, with links back to the sections that cite it.

    pages: paper id -> path of its page.
    """
    anchor = f'<a id="ref-{reference.number}"></a>'
    page = pages.get(reference.paper_id)
    link = f" [Page]({page})" if page else ""
    text = one_line(reference.text)
    titles = (f"[{title_text(s.title)}](#{s.id})" for s in cited_in)
    back = f" ↑ {', '.join(titles)}" if cited_in else ""
    return f"{anchor}**{reference.number}.** {text}{link}{back}"


def _cell(text: str) -> str:
    unescaped = " ".join(without_foreign_parts(text).split()).replace("\\|", "|")
    return unescaped.replace("|", "\\|")
