"""Sections of the survey as LaTeX, with a label for everything that a link may lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby

from classifier.extras.latex.markup import (
    Links,
    blocks_to_latex,
    inline_to_latex,
    plain_to_latex,
)
from classifier.extras.latex.tables import long_table, picture
from classifier.site.blocks import figure_anchor, is_block_text, table_anchor
from classifier.survey.document import Figure, Paragraph, Section, Sentence, Table

_COMMANDS = {1: "section", 2: "subsection", 3: "subsubsection"}

TableWriter = Callable[[Table, Links], str]


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
            if isinstance(block, Table):
                found.add(table_anchor(block))
            elif isinstance(block, Figure) and block.id in pictures:
                found.add(figure_anchor(block))
    return found


def _paragraphs(paragraph: Paragraph, links: Links) -> Iterator[str]:
    for is_block, run in groupby(paragraph.sentences, key=is_block_text):
        texts: Sequence[str] = [sentence_to_latex(sentence, links) for sentence in run]
        yield from texts if is_block else [" ".join(texts)]
