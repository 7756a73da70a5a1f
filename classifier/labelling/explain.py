"""Why a paper has a label: the cues and terms behind a logit, which they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.evidence import VIEWS, VOTE_WEIGHTS, Hit
from classifier.labelling.labels import Reason

Array = NDArray[np.float64]
Kind = Literal["cue", "term"]
_VIEW_NAMES = {
    "title": "in the title",
    "contribution": "in the contribution",
    "anywhere": "in the text",
    "against": "against",
}


def reasons(
    category_id: str,
    names: Sequence[str],
    contributions: Array,
    hits: Sequence[Hit],
    *,
    most: int = 6,
) -> tuple[Reason, ...]:
    """Return the strongest reasons for or against a category, strongest first.

    names: of the feature columns; contributions: (features,) weight times value, which sum with
    the intercept to the logit. What a cue column contributes goes to the cues that fired in it;
    columns of other categories' cues are gathered under the category's name.
    """
    gathered: dict[tuple[Kind, str], float] = {}
    for column in np.flatnonzero(contributions).tolist():
        for kind, text, share in _sources(names[column], category_id, hits):
            weight = share * float(contributions[column])
            gathered[kind, text] = gathered.get((kind, text), 0.0) + weight
    strongest = sorted(gathered.items(), key=lambda item: (-abs(item[1]), item[0]))
    return tuple(
        Reason(category_id, text, kind, round(weight, 3))
        for (kind, text), weight in strongest[:most]
        if abs(weight) >= 0.05
    )


def _sources(name: str, category_id: str, hits: Sequence[Hit]) -> list[tuple[Kind, str, float]]:
    """Return what stands behind a column: (kind, text, share of its contribution)."""
    group, _, rest = name.partition(":")
    if group in ("title", "contribution", "whole"):
        return [("term", f"“{rest}”", 1.0)]
    if group.startswith("first-"):
        return [("cue", f"evidence of {rest}", 1.0)]
    owner, _, view = rest.partition(":")
    if owner != category_id:
        return [("cue", f"cues of {owner}", 1.0)]
    if group == "share":
        return [("cue", "its share of the evidence", 1.0)]
    own = [hit for hit in hits if hit.category == owner and view in ("", hit.view)]
    worth = [_worth(hit, own) for hit in own]
    total = sum(worth)
    if abs(total) < 1e-9:  # for and against cancel out
        return [("cue", "its cues", 1.0)]
    return [
        ("cue", f"‘{hit.cue}’ {_VIEW_NAMES[hit.view]}", w / total)
        for hit, w in zip(own, worth, strict=True)
    ]


def _worth(hit: Hit, own: Sequence[Hit]) -> float:
    """What a cue adds to its category's vote: its part of its view's weighted log count."""
    count = sum(other.count for other in own if other.view == hit.view)
    weight = float(VOTE_WEIGHTS[VIEWS.index(hit.view)])
    return weight * float(np.log2(1 + count)) * hit.count / count
