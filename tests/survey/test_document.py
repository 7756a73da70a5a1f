"""The records of the document."""

from __future__ import annotations

from classifier.survey.document import Figure, Paragraph, Section, Table, number_blocks


def test_tables_and_figures_are_numbered_separately() -> None:
    table, figure = Table("t", "Which?", (), ()), Figure("f", "Now", "", "")
    sections = [
        Section("one", "One", 1, (figure, Paragraph(()), table)),
        Section("two", "Two", 2, (table, figure)),
    ]
    found = [
        (type(block).__name__, block.number)
        for section in number_blocks(sections)
        for block in section.blocks
        if not isinstance(block, Paragraph)
    ]
    assert found == [("Figure", 1), ("Table", 1), ("Table", 2), ("Figure", 2)]
