"""A taxonomy as a person has it after the first day: a few cues a category, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.taxonomy.model import Category, Cues, Facet, Taxonomy, spelling_key

MOST_CUES = 5
_QUOTAS = {"title": 2, "contribution": 1, "anywhere": 2}
"""How many cues of each list come first; the order is that in which lists are filled up."""


def first_day(taxonomy: Taxonomy) -> Taxonomy:
    """Return `taxonomy` with at most five cues a category, no children and no exemplars.

    The rule looks at no paper: the first two cues of `title`, the first of `contribution` and the
    first two of `anywhere`, as written; where a list is too short, or a cue stands in an earlier
    list already, the first unused cues of title, contribution and anywhere, in that order, fill
    up. No cue speaks against a category. Ids, names and definitions stay.
    """
    facets = {facet_id: _first_day_facet(facet) for facet_id, facet in taxonomy.facets.items()}
    return Taxonomy(survey=taxonomy.survey, facets=facets)


def _first_day_facet(facet: Facet) -> Facet:
    """Return the facet with its top categories; what refers to a child refers to its top."""
    applies_to = tuple(
        dict.fromkeys(facet.top_id_of(identifier) for identifier in facet.applies_to)
    )
    categories = tuple(_first_day_category(facet, category) for category in facet.categories)
    fields = {name: getattr(facet, name) for name in type(facet).model_fields}
    return Facet.model_validate({**fields, "applies_to": applies_to, "categories": categories})


def _first_day_category(facet: Facet, category: Category) -> Category:
    replaced_by = facet.top_id_of(category.replaced_by) if category.replaced_by else None
    return category.model_copy(
        update={
            "cues": first_cues(category.cues),
            "exemplars": (),
            "children": (),
            "claims": (),
            "replaced_by": replaced_by,
        }
    )


def first_cues(cues: Cues) -> Cues:
    """Return the five cues that come first by the rule of `first_day`, in their lists.

    >>> first_cues(Cues(title=("loaf", "rye", "bun"), anywhere=("rye", "oven", "crumb")))
    Cues(title=('loaf', 'rye', 'bun'), contribution=(), anywhere=('oven', 'crumb'), against=())
    """
    taken: dict[str, tuple[str, str]] = {}
    for view, cue in (*_quota(cues), *_all(cues)):
        if len(taken) < MOST_CUES:
            taken.setdefault(spelling_key(cue), (view, cue))
    kept = set(taken.values())
    lists = {
        view: tuple(cue for cue in getattr(cues, view) if (view, cue) in kept) for view in _QUOTAS
    }
    return Cues(**lists)


def _quota(cues: Cues) -> Iterator[tuple[str, str]]:
    """Yield (list, cue) of the cues that come first."""
    seen: set[str] = set()
    for view, quota in _QUOTAS.items():
        new = [cue for cue in getattr(cues, view) if spelling_key(cue) not in seen]
        for cue in new[:quota]:
            seen.add(spelling_key(cue))
            yield view, cue


def _all(cues: Cues) -> Iterator[tuple[str, str]]:
    for view in _QUOTAS:
        for cue in getattr(cues, view):
            yield view, cue
