"""Why a paper has a label: the cues and terms behind a logit, which they add up to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.evidence import Hit
from classifier.labelling.labels import Reason

Array = NDArray[np.float64]
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
    the intercept to the logit. The share of a cue column goes to the cues that fired in it, by
    their counts; columns of other categories' cues are gathered under the category's name.
    """
    gathered: dict[tuple[str, str], float] = {}
    for column in np.flatnonzero(contributions).tolist():
        view, _, term = names[column].partition(":")
        if view == "cue":
            for text, share in _cue_shares(term, category_id, hits):
                key = ("cue", text)
                gathered[key] = gathered.get(key, 0.0) + share * float(contributions[column])
        else:
            key = ("term", f"“{term}”")
            gathered[key] = gathered.get(key, 0.0) + float(contributions[column])
    strongest = sorted(gathered.items(), key=lambda item: (-abs(item[1]), item[0]))
    return tuple(
        Reason(category_id, text, "cue" if kind == "cue" else "term", round(weight, 3))
        for (kind, text), weight in strongest[:most]
        if abs(weight) >= 0.05
    )


def _cue_shares(column: str, category_id: str, hits: Sequence[Hit]) -> list[tuple[str, float]]:
    """Split a cue column (`category:view`) over the cues that fired in it."""
    owner, _, view = column.rpartition(":")
    if owner != category_id:
        return [(f"cues of {owner} {_VIEW_NAMES[view]}", 1.0)]
    fired = [
        hit
        for hit in hits
        if hit.view == view and (hit.category == owner or hit.category.startswith(f"{owner}/"))
    ]
    total = sum(hit.count for hit in fired)
    return [(f"‘{hit.cue}’ {_VIEW_NAMES[view]}", hit.count / total) for hit in fired]
