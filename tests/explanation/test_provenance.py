"""Where a field was read is told from the records, and nothing is made up."""

from __future__ import annotations

from dataclasses import replace

from classifier.explanation.explanation import (
    FIELDS,
    FieldOrigin,
    field_origins,
    joins,
    missing_fields,
)
from classifier.papers.identity import Identity
from classifier.papers.merge import combine_records
from classifier.papers.paper import Paper, Published, Source

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
    assert field_origins(combine_records([RICH, POOR]), [RICH, POOR]) == (
        FieldOrigin("title", (HERE, THERE), ()),
        FieldOrigin("abstract", (THERE,), (HERE,)),
        FieldOrigin("authors", (THERE,), ()),
        FieldOrigin("published", (THERE,), (HERE,)),
        FieldOrigin("code_urls", (HERE, THERE), ()),
    )


def test_what_no_record_states_is_missing() -> None:
    paper = combine_records([POOR])
    stated = {origin.field for origin in field_origins(paper, [POOR])}
    assert stated == {"title", "abstract", "published", "code_urls"}
    assert stated | set(missing_fields(paper)) == set(FIELDS)


def test_a_date_that_is_not_known_is_no_value() -> None:
    undated = replace(POOR, published=Published())
    (origin,) = [o for o in field_origins(combine_records([undated, RICH]), [undated, RICH])
                 if o.field == "published"]  # fmt: skip
    assert origin == FieldOrigin("published", (THERE,), ())


def test_a_reference_is_of_the_record_that_gave_all_but_the_cite_key() -> None:
    keyed = replace(POOR, reference=(("citation-key", "oven2024"),))
    paged = replace(RICH, reference=(("page", "1-9"), ("volume", "3")))
    (origin,) = [o for o in field_origins(combine_records([keyed, paged]), [keyed, paged])
                 if o.field == "reference"]  # fmt: skip
    assert origin == FieldOrigin("reference", (HERE, THERE), ())


def test_why_records_are_one_paper() -> None:
    def record(line: int, title: str, **fields: str) -> Paper:
        return Paper(title, sources=(Source("a.bib", "bibtex", line),), **fields)  # type: ignore[arg-type]

    records = [
        record(1, "Rye", doi="10.1000/1"),
        record(2, "rye"),
        record(3, "On rye", doi="10.1000/1"),
        record(4, "Secale cereale", id="p-0123456789"),
    ]
    identity = Identity({"p-0123456789": "doi:10.1000/1"})
    told = [(j.source.line, j.other.line, j.evidence.description) for j in joins(records, identity)]
    assert told == [(2, 1, "title"), (3, 1, "DOI"), (4, 1, "taxonomy/identity.csv")]
