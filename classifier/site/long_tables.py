"""Tables of very many papers, which stand on the page of their section and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from classifier.survey.document import Block, Paragraph, Section, Table
from classifier.survey.sections.category.comparison import SELECTION

MAX_COMPARED = 40
"""A table of more papers is left to the page of the survey's section."""


def without_long_tables(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks without the tables of very many papers, and without what is said of those."""
    for block in blocks:
        if isinstance(block, Paragraph):
            kept = tuple(
                sentence
                for sentence in block.sentences
                if not sentence.id.endswith(f"-{SELECTION}")
            )
            if kept:
                yield Paragraph(kept)
        elif not is_long(block):
            yield block


def long_tables(section: Section) -> list[Table]:
    """Return the tables of a section that are left to its page."""
    return [block for block in section.blocks if isinstance(block, Table) and is_long(block)]


def is_long(block: Block) -> bool:
    """Say whether a block is a table of very many papers."""
    return isinstance(block, Table) and len(block.rows) > MAX_COMPARED
