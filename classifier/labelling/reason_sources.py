"""What a reason is called: the source behind each feature of a model, and all in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.bulk_labels import NONE
from classifier.labelling.evidence import VIEWS
from classifier.taxonomy.model import Facet

Positions = NDArray[np.int64]

NO_WORTH = 1e-9
"""Where the cues for a category and those against it come to less, they cancel out."""
ALL_VIEWS = -1
"""In a column of positions in VIEWS: whichever list of cues it was."""
_PLACES = {
    "title": "in the title",
    "contribution": "in the contribution",
    "anywhere": "in the text",
    "against": "(against)",
}


class Source(NamedTuple):
    """What stands behind a contribution."""

    kind: Literal["cue", "term", "vote"]
    text: str
    place: str = ""


ITS_SHARE = Source("cue", "its share of all cues")
ITS_CUES = Source("cue", "its cues")
"""Of cues that cancel out."""


def cue_source(cue: str, view: str, *, in_votes: bool) -> Source:
    """Return a cue that fired; in_votes: where votes alone decide."""
    return Source("vote" if in_votes else "cue", f"‘{cue}’ {_PLACES[view]}", _PLACES[view])


def others_cues(owner: str, *, only_against: bool) -> Source:
    """Return the cues of another category, of which maybe none but those against it fired."""
    return Source("cue", f"cues against {owner}" if only_against else f"cues of {owner}")


@dataclass(frozen=True, slots=True)
class Feature:
    """What the name of a feature says."""

    source: Source | None
    """What stands behind it; of a feature with an owner, in the eyes of that category. None where
    its cues do."""
    owner: str = ""
    """The category whose cues it counts; "" for a term, and for the evidence of other facets."""
    view: str = ""
    """The list of cues that it counts; "" for all of them."""
    in_votes: bool = False


def feature_of(name: str) -> Feature:
    """Return what a name says: `title:rye`, `first-vote:dough`, `cue:dough:title`."""
    group, _, rest = name.partition(":")
    if group in ("title", "contribution", "whole"):
        return Feature(Source("term", f"“{rest}”"))
    if group.startswith("first-"):
        return Feature(Source("cue", f"evidence of {rest}"))
    owner, _, view = rest.partition(":")
    return Feature(ITS_SHARE if group == "share" else None, owner, view, group == "votes")


@dataclass(frozen=True, slots=True)
class ReasonSources:
    """What may stand behind the w features of a facet with k categories."""

    table: tuple[Source, ...]
    """In order: of two sources as strong as each other the first in it comes first."""
    fixed: Positions
    """(w,) place of `Feature.source` in `table`; `NONE` where cues stand behind it."""
    owners: Positions
    """(w,) column of the owner; `NONE` where there is none."""
    views: Positions
    """(w,) place in VIEWS, or `ALL_VIEWS`."""
    in_votes: NDArray[np.bool_]
    """(w,)."""
    others: Positions
    """(k, 2) places of the cues of a category, and of cues against it, in the eyes of others."""
    its_cues: int
    """The place of `ITS_CUES`."""
    cues: Mapping[tuple[str, str, str], tuple[int, int]]
    """(category, view, cue) -> the cue's place, and its place where votes decide."""


def reason_sources(facet: Facet, names: Sequence[str]) -> ReasonSources:
    """Return the sources of features with these names."""
    column = {category_id: place for place, category_id in enumerate(facet.ids)}
    # An owner that the taxonomy has no longer counts nothing any more.
    features = [feature_of(name) for name in names]
    cues = {
        (category_id, view, cue): (
            cue_source(cue, view, in_votes=False),
            cue_source(cue, view, in_votes=True),
        )
        for category_id in facet.ids
        for view, texts in _cues(facet, category_id)
        for cue in texts
    }
    others = [
        [others_cues(name, only_against=against) for against in (False, True)] for name in facet.ids
    ]
    table = sorted(
        {
            ITS_CUES,
            *(feature.source for feature in features if feature.source),
            *(source for pair in (*cues.values(), *others) for source in pair),
        }
    )
    place = {source: index for index, source in enumerate(table)}
    return ReasonSources(
        tuple(table),
        np.array([place[f.source] if f.source else NONE for f in features], dtype=np.int64),
        np.array([column.get(f.owner, NONE) for f in features], dtype=np.int64),
        np.array([VIEWS.index(f.view) if f.view else ALL_VIEWS for f in features], dtype=np.int64),
        np.array([f.in_votes for f in features], dtype=bool),
        np.array([[place[source] for source in pair] for pair in others], dtype=np.int64),
        place[ITS_CUES],
        {key: (place[as_cue], place[as_vote]) for key, (as_cue, as_vote) in cues.items()},
    )


def _cues(facet: Facet, category_id: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    category = facet.get(category_id)
    return category.cues.views() if category else ()
