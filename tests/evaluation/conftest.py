"""A small taxonomy and papers of our own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy


@pytest.fixture
def taxonomy() -> Taxonomy:
    """Two core categories, one with a child, one more, one out of scope; a single facet behind."""
    return Taxonomy.model_validate(
        {
            "survey": {"title": "Gardens"},
            "facets": {
                "topic": {
                    "kind": "multi",
                    "categories": [
                        {
                            "id": "soil",
                            "core": True,
                            "name": "Soil & compost",
                            "cues": {"title": ["compost", "soil"]},
                            "exemplars": ["Compost in Ten Weeks"],
                            "children": [
                                {
                                    "id": "soil/worms",
                                    "cues": {"title": ["worm~"]},
                                    "exemplars": ["Worms at Work"],
                                }
                            ],
                        },
                        {"id": "water", "core": True, "cues": {"title": ["irrigation", "rain"]}},
                        {"id": "tools", "aliases": ["gear"], "cues": {"title": ["spade"]}},
                        {"id": "other", "out_of_scope": True},
                    ],
                },
                "kind": {
                    "kind": "single",
                    "categories": [
                        {"id": "trial", "cues": {"anywhere": ["we measure"]}},
                        {"id": "guide", "cues": {"anywhere": ["how to"]}},
                    ],
                },
            },
        }
    )


@pytest.fixture
def paper() -> Callable[..., Paper]:
    """Return a function that makes a paper of an id, a title and, if need be, more."""

    def make(paper_id: str, title: str, **more: str) -> Paper:
        return Paper(title=title, id=paper_id, **more)  # type: ignore[arg-type]

    return make
