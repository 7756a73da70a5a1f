from __future__ import annotations

from classifier.site.blocks import TableView, block_views
from classifier.survey.document import Table


def test_a_column_of_prose_is_set_wider_one_of_titles_is_not() -> None:
    row = (f"[{'t' * 76}](p/a-page-with-a-long-name.html)", "p" * 81)
    (table,) = block_views([Table("papers", "Which?", ("Paper", "What it does"), (row,))])
    assert isinstance(table, TableView)
    assert [cell.style for cell in table.columns] == ["", "w"]
