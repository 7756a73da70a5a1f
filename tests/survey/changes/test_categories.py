"""What became of categories, told to whoever reads a comparison."""

from __future__ import annotations

from typing import Any

import pytest

from classifier.survey.changes.compare import category_changes
from classifier.taxonomy.model import Taxonomy

BEFORE: tuple[dict[str, Any], ...] = ({"id": "dough"}, {"id": "ovens"}, {"id": "taste"})


def bread(*categories: dict[str, Any]) -> Taxonomy:
    facets = {"topic": {"kind": "multi", "categories": list(categories)}}
    return Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": facets})


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (BEFORE, []),
        ((*BEFORE, {"id": "crumb"}), [("crumb", "new")]),
        (BEFORE[:2], [("taste", "gone")]),
        ((*BEFORE[:2], {"id": "aroma", "aliases": ["Taste"]}), [("aroma", "was taste")]),
        (
            (*BEFORE[:2], {"id": "taste", "replaced_by": "dough"}),
            [("taste", "merged into dough")],
        ),
        (
            (*BEFORE[:2], {"id": "taste", "name": "Flavour", "definition": "How it tastes."}),
            [("taste", "named 'Flavour', was 'Taste'"), ("taste", "another definition")],
        ),
        (
            (*BEFORE[:2], {"id": "taste", "children": [{"id": "taste/sour"}]}),
            [("taste/sour", "new")],
        ),
    ],
)
def test_each_change_is_told(now: tuple[dict[str, Any], ...], told: list[tuple[str, str]]) -> None:
    changes = category_changes(bread(*BEFORE), bread(*now))
    assert [(change.category, change.change) for change in changes] == told
    assert {change.facet for change in changes} <= {"topic"}


def test_cues_and_what_is_not_known_are_no_change() -> None:
    cues = {"id": "dough", "cues": {"title": ["rye"]}}
    assert category_changes(bread(*BEFORE), bread(cues, *BEFORE[1:])) == ()
    assert category_changes(None, bread(*BEFORE)) == ()
