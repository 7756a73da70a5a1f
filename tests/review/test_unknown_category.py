"""The fault of a cell whose text is not a category."""

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
def test_an_unknown_category_has_a_hint(unknown: list[str], cure: str) -> None:
    assert spelling_hint(unknown, TOPICS) == cure


@pytest.mark.parametrize(("count", "more"), [(15, "."), (16, ", ….")])
def test_a_hint_lists_at_most_fifteen_categories(count: int, more: str) -> None:
    names = [f"loaf-{number}" for number in range(count)]
    assert spelling_hint(["xyz"], facet(*names)) == f"Categories: {', '.join(names[:15])}{more}"
