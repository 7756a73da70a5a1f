"""A small taxonomy of bread."""

from __future__ import annotations

import pytest

from classifier.taxonomy.model import Taxonomy


@pytest.fixture(scope="session")
def taxonomy() -> Taxonomy:
    """A multi facet with a child, an alias and a merged category; a single facet after it."""
    return Taxonomy.model_validate(
        {
            "survey": {"title": "Bread"},
            "facets": {
                "topic": {
                    "kind": "multi",
                    "categories": [
                        {
                            "id": "dough",
                            "name": "Dough & starter",
                            "children": [{"id": "dough/rye"}],
                        },
                        {"id": "ovens", "aliases": ["heat"]},
                        {"id": "stoves", "replaced_by": "ovens"},
                        {"id": "taste"},
                    ],
                },
                "kind": {"kind": "single", "categories": [{"id": "trial"}, {"id": "guide"}]},
            },
        }
    )
