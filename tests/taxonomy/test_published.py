from __future__ import annotations

import json

import pytest

from classifier.taxonomy.dump import parse_published_taxonomy, published_taxonomy
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy
from tests.conftest import ROOT


def test_a_taxonomy_comes_back_with_the_same_meaning() -> None:
    taxonomy = load_taxonomy(ROOT / "taxonomy" / "taxonomy.yaml").taxonomy
    record = json.loads(json.dumps(published_taxonomy(taxonomy)))
    again = parse_published_taxonomy(record)
    assert again is not None
    assert again.digest == record["digest"] == taxonomy.digest
    assert again.first.id == taxonomy.first.id
    assert [c.aliases for c in again.first.walk()] == [c.aliases for c in taxonomy.first.walk()]


def test_it_holds_no_cues() -> None:
    taxonomy = Taxonomy.model_validate(
        {
            "survey": {"title": "Ponds", "scope": "Water."},
            "facets": {
                "topic": {
                    "kind": "multi",
                    "categories": [
                        {"id": "frogs", "cues": {"title": ["frog~"]}, "exemplars": ["On Frogs"]}
                    ],
                }
            },
        }
    )
    assert published_taxonomy(taxonomy) == {
        "digest": taxonomy.digest,
        "survey": {"title": "Ponds"},
        "facets": {
            "topic": {
                "id": "topic",
                "name": "Topic",
                "kind": "multi",
                "categories": [{"id": "frogs", "name": "Frogs"}],
            }
        },
    }


@pytest.mark.parametrize("record", [None, [], {}, {"survey": {}, "facets": {}}, {"facets": 3}])
def test_another_form_is_unknown(record: object) -> None:
    assert parse_published_taxonomy(record) is None
