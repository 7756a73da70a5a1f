"""What the writer of a cell is told that names no category."""

from __future__ import annotations

import pytest

from classifier.review.spelling import spelling_hint
from classifier.taxonomy.model import Facet


def facet(*names: str) -> Facet:
    categories = [{"id": name} for name in names]
    return Facet.model_validate({"id": "topic", "kind": "multi", "categories": categories})


TOPICS = facet("dough", "ovens", "taste", "salt-bread")


@pytest.mark.parametrize(
    ("unknown", "cure"),
    [
        (["tatse"], "Did you mean 'taste'?"),
        (["tatse", "tatse", "oevns"], "Did you mean 'taste'? Did you mean 'ovens'?"),
        (["#NAME?"], "Categories: dough, ovens, taste, salt-bread."),
    ],
)
def test_what_to_do(unknown: list[str], cure: str) -> None:
    assert spelling_hint(unknown, TOPICS) == cure


@pytest.mark.parametrize(("count", "more"), [(15, "."), (16, ", ….")])
def test_of_many_categories_the_first_fifteen_are_named(count: int, more: str) -> None:
    names = [f"loaf-{number}" for number in range(count)]
    assert spelling_hint(["xyz"], facet(*names)) == f"Categories: {', '.join(names[:15])}{more}"
