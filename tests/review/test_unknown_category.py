"""What the writer of a cell is told that names no category."""

from __future__ import annotations

import pytest

from classifier.review.spelling import Spellings, cure_of
from classifier.taxonomy.model import Facet

TOPICS = Facet.model_validate(
    {
        "id": "topic",
        "kind": "multi",
        "categories": [{"id": "dough"}, {"id": "ovens"}, {"id": "taste"}, {"id": "salt-bread"}],
    }
)
KINDS = Facet.model_validate(
    {"id": "kind", "kind": "single", "categories": [{"id": "trial"}, {"id": "guide"}]}
)
FORMULA = "A spreadsheet took it for a formula; write 'add safety; drop benchmarks'."
BETWEEN = "Put ; between the categories."
ALL = "There are: dough, ovens, taste, salt-bread."


@pytest.mark.parametrize(
    ("cell", "cure"),
    [
        ("#NAME?", FORMULA),
        ("#VALUE!", FORMULA),
        ("#REF!", FORMULA),
        ("#N/A", FORMULA),
        ("Err:509", FORMULA),
        ("OK", "ok goes into verdict."),
        ("dough and taste", BETWEEN),
        ("dough und taste", BETWEEN),
        ("dough et ovens", BETWEEN),
        ("dough | taste", BETWEEN),
        ("dough/taste", BETWEEN),
        ("dough & taste", BETWEEN),
        ("dough taste", BETWEEN),
        ("dough +taste", BETWEEN),
        ("add dough drop taste", BETWEEN),
        ("and dough", "Did you mean 'dough'?"),
        ("dough and spelt", "Did you mean 'dough'?"),
        ("guide", "'guide' goes into review_kind."),
        ("tatse", "Did you mean 'taste'?"),
        ("spelt flour of old", ALL),
    ],
)
def test_what_to_do(cell: str, cure: str) -> None:
    assert cure_of(cell, [cell], Spellings(TOPICS), {"review_kind": Spellings(KINDS)}) == cure


def test_each_cure_is_told_once() -> None:
    unknown = ["tatse", "guide", "tatse"]
    cure = cure_of(
        "; ".join(unknown), unknown, Spellings(TOPICS), {"review_kind": Spellings(KINDS)}
    )
    assert cure == "Did you mean 'taste'? 'guide' goes into review_kind."


@pytest.mark.parametrize(("count", "more"), [(15, "."), (16, ", ….")])
def test_of_many_categories_the_first_fifteen_are_named(count: int, more: str) -> None:
    names = [f"loaf-{number}" for number in range(count)]
    facet = Facet.model_validate(
        {"id": "topic", "kind": "multi", "categories": [{"id": name} for name in names]}
    )
    cure = cure_of("xyz", ["xyz"], Spellings(facet), {})
    assert cure == f"There are: {', '.join(names[:15])}{more}"
