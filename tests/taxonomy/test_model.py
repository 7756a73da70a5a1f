from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from classifier.taxonomy.model import Taxonomy, name_from_id

TOPIC: dict[str, Any] = {
    "kind": "multi",
    "categories": [
        {
            "id": "benchmarks",
            "name": "Benchmarks & evaluation",
            "aliases": ["evals"],
            "children": [{"id": "benchmarks/judges", "name": "Judges"}],
        },
        {"id": "recall", "replaced_by": "memory", "children": [{"id": "recall/long"}]},
        {"id": "memory", "definition": "What is kept.\n"},
        {"id": "other", "out_of_scope": True},
    ],
}


def make(topic: dict[str, Any] = TOPIC, **keys: Any) -> Taxonomy:
    return Taxonomy.model_validate({"survey": {"title": "One"}, "facets": {"topic": topic}, **keys})


def test_a_facet_is_named_after_its_key() -> None:
    assert (make().first.id, make().first.name) == ("topic", "Topic")
    assert name_from_id("training_material") == "Training material"


def test_texts_are_trimmed() -> None:
    memory = make().first.get("memory")
    assert memory is not None
    assert memory.definition == "What is kept."


def test_walk_goes_depth_first_and_leaves_out_what_was_replaced() -> None:
    facet = make().first
    in_use = ["benchmarks", "benchmarks/judges", "memory", "other"]
    assert [category.id for category in facet.walk()] == in_use
    assert len(list(facet.walk(include_retired=True))) == 6
    assert facet.ids == ("benchmarks", "memory", "other")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("benchmarks", "benchmarks"),
        ("  BENCHMARKS &  evaluation ", "benchmarks"),
        ("Evals", "benchmarks"),
        ("judges", "benchmarks/judges"),
        ("recall", "memory"),
        ("planning", None),
        ("", None),
    ],
)
def test_resolve(text: str, expected: str | None) -> None:
    found = make().first.resolve(text)
    assert (found.id if found else None) == expected


def test_the_category_for_papers_that_do_not_belong() -> None:
    category = make().first.out_of_scope
    assert category is not None
    assert category.id == "other"


def test_top_of() -> None:
    assert make().first.top_id_of("benchmarks/judges") == "benchmarks"


def test_records_are_frozen() -> None:
    with pytest.raises(ValidationError):
        make().survey.title = "Two"


def changed(**keys: Any) -> Taxonomy:
    first, *rest = TOPIC["categories"]
    return make({**TOPIC, "categories": [{**first, **keys}, *rest]})


@pytest.mark.parametrize(
    "keys",
    [
        {"name": "Evaluation"},
        {"definition": "How well agents do."},
        {"includes": ["suites"]},
        {"excludes": ["training"]},
        {"children": []},
    ],
)
def test_the_digest_changes_with_the_meaning(keys: dict[str, Any]) -> None:
    assert changed(**keys).digest != make().digest


@pytest.mark.parametrize(
    "keys",
    [
        {"cues": {"title": ["benchmark~"]}},
        {"claims": [{"text": "It grew.", "by": "Ada"}]},
        {"aliases": []},
        {"exemplars": ["A title"]},
    ],
)
def test_the_digest_stays_where_the_meaning_stays(keys: dict[str, Any]) -> None:
    assert changed(**keys).digest == make().digest


def test_the_digest_is_the_same_everywhere() -> None:
    assert make(lexicons={"games": {"Chess": []}}).digest == "c292e7118637"
