"""JSON written a row at a time is the JSON that is written at once."""

from __future__ import annotations

from classifier.files.json_text import compact_json, compact_rows


def test_what_is_written_row_by_row_is_what_is_written_at_once() -> None:
    rows: list[object] = [["é", 1.5, None], {"a": [True]}, []]
    assert compact_rows(rows) == compact_json(rows)
    assert compact_rows([]) == b"[]"
