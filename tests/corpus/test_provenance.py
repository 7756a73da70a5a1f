"""Where a field was read is told from the records, and nothing is made up."""

from __future__ import annotations

from dataclasses import replace

from classifier.corpus.combine import combine
from classifier.corpus.paper import Paper, Published, Source
from classifier.corpus.provenance import FIELDS, FieldOrigin, field_origins, missing_fields

HERE, THERE = Source("a.jsonl", "jsonl", 1), Source("b.csv", "csv", 2)
POOR = Paper(
    "Baking", abstract="Own words on bread.", abstract_kind="digest", published=Published("2024"),
    code_urls=("https://github.com/a/b",), sources=(HERE,),
)  # fmt: skip
RICH = Paper(
    "Baking", abstract="We bake.", abstract_kind="abstract", authors=("Ann Oven",),
    published=Published("2024-05"), code_urls=("https://github.com/c/d",), sources=(THERE,),
)  # fmt: skip


def test_each_field_has_the_records_that_state_what_was_kept() -> None:
    assert field_origins(combine([RICH, POOR]), [RICH, POOR]) == (
        FieldOrigin("title", (HERE, THERE), ()),
        FieldOrigin("abstract", (THERE,), (HERE,)),
        FieldOrigin("authors", (THERE,), ()),
        FieldOrigin("author_count", (), ()),  # counted: no record states it
        FieldOrigin("published", (THERE,), (HERE,)),
        FieldOrigin("code_urls", (HERE, THERE), ()),
    )


def test_what_no_record_states_is_missing() -> None:
    paper = combine([POOR])
    stated = {origin.field for origin in field_origins(paper, [POOR])}
    assert stated == {"title", "abstract", "published", "code_urls"}
    assert stated | set(missing_fields(paper)) == set(FIELDS)


def test_a_date_that_is_not_known_is_no_value() -> None:
    undated = replace(POOR, published=Published())
    (origin,) = [o for o in field_origins(combine([undated, RICH]), [undated, RICH])
                 if o.field == "published"]  # fmt: skip
    assert origin == FieldOrigin("published", (THERE,), ())
