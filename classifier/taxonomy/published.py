"""taxonomy.json: what the categories of an edition are called and mean, for programs and `diff`."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from classifier.taxonomy.model import Taxonomy

# What seeds the classifier or is printed elsewhere says nothing of what a label means.
_LEFT_OUT = frozenset({"cues", "exemplars", "claims"})


def published_taxonomy(taxonomy: Taxonomy) -> dict[str, Any]:
    """Return `digest`, `survey` (its title) and `facets` as plain values, without cues."""
    facets = {
        facet_id: facet.model_dump(mode="json") for facet_id, facet in taxonomy.facets.items()
    }
    title = taxonomy.survey.title
    return {"digest": taxonomy.digest, "survey": {"title": title}, "facets": _stripped(facets)}


def taxonomy_as_published(record: object) -> Taxonomy | None:
    """Return the taxonomy behind a taxonomy.json; None where it is of another form."""
    if not isinstance(record, dict):
        return None
    try:
        return Taxonomy.model_validate({"survey": record["survey"], "facets": record["facets"]})
    except (KeyError, ValidationError):
        return None


def _stripped(value: Any) -> Any:
    """Return nested values without the keys that are left out, and without empty ones."""
    if isinstance(value, dict):
        kept = {key: _stripped(inner) for key, inner in value.items() if key not in _LEFT_OUT}
        return {key: inner for key, inner in kept.items() if inner not in (None, "", [], False)}
    return [_stripped(inner) for inner in value] if isinstance(value, list) else value
