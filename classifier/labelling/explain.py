"""Why a paper has a label: the cues and terms behind a logit, which they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.evidence import VIEWS, VOTE_WEIGHTS, Hit
from classifier.labelling.labels import Reason
from classifier.labelling.reason_sources import (
    ITS_CUES,
    NO_WORTH,
    Source,
    cue_source,
    feature_of,
    others_cues,
)
from classifier.labelling.scores import Contributions

Array = NDArray[np.float64]

LEAST_WEIGHT = 0.05
"""A reason that moves a logit by less is not worth a reader's time."""
MOST_REASONS = 6
"""How many a label is shown with."""
WEIGHT_DIGITS = 9
"""Digits of what a source adds to a logit: the last ones of a sum differ between processors."""


@dataclass(frozen=True, slots=True)
class Account:
    """A logit as a sum, to two decimals, in which the printed numbers add up exactly.

    `reasons` + `rest` + `intercept` = `logit`.
    """

    reasons: tuple[Reason, ...]
    """The strongest, strongest first."""
    rest: float
    """What all other reasons add, with what rounding leaves."""
    rest_count: int
    """How many they are."""
    intercept: float
    """What the model holds of any paper before it has read a word."""
    logit: float
    in_votes: bool = False
    """Whether cues stand with their votes, of which the intercept makes log-odds."""


def reasons(
    category_id: str,
    names: Sequence[str],
    contributions: Array,
    hits: Sequence[Hit],
    *,
    most: int = MOST_REASONS,
) -> tuple[Reason, ...]:
    """Return the strongest reasons for or against a category, strongest first.

    names: of the feature columns; contributions: (features,) weight times value, which sum with
    the intercept to the logit. What a cue column contributes goes to the cues that fired in it;
    columns of other categories' cues are gathered under the category's name.

    This says what reasons are; `bulk_reasons` finds those of many papers.
    """
    gathered = _gathered(category_id, names, contributions, hits)
    return tuple(reason for reason in gathered[:most] if abs(reason.weight) >= LEAST_WEIGHT)


def account_for(
    category_id: str, parts: Contributions, hits: Sequence[Hit], *, most: int | None
) -> Account:
    """Return the sum that makes the logit of a category; `most` of its reasons, or all."""
    gathered = _gathered(category_id, parts.names, parts.values, hits)
    shown = tuple(
        replace(reason, weight=round(reason.weight, 2))
        for reason in gathered[:most]
        if abs(reason.weight) >= LEAST_WEIGHT
    )
    intercept = round(parts.intercept, 2)
    logit = round(float(parts.values.sum()) + parts.intercept, 2)
    rest = logit - intercept - sum(reason.weight for reason in shown)
    # Adding 0 turns -0.0 into 0.0.
    left = len(gathered) - len(shown)
    return Account(shown, round(rest, 2) + 0.0, left, intercept, logit, parts.in_votes)


def _gathered(
    category_id: str, names: Sequence[str], contributions: Array, hits: Sequence[Hit]
) -> list[Reason]:
    """Return all reasons, strongest first; together they are the whole of `contributions`."""
    weights: dict[Source, float] = {}
    for column in np.flatnonzero(contributions).tolist():
        for source, share in _sources(names[column], category_id, hits):
            weights[source] = weights.get(source, 0.0) + share * float(contributions[column])
    summed = {source: round(weight, WEIGHT_DIGITS) for source, weight in weights.items()}
    strongest = sorted(summed.items(), key=lambda item: (-abs(item[1]), item[0]))
    return [
        Reason(category_id, source.text, source.kind, round(weight, 3), source.place)
        for source, weight in strongest
    ]


def _sources(name: str, category_id: str, hits: Sequence[Hit]) -> list[tuple[Source, float]]:
    """Return what stands behind a column, and the share of its contribution that each has."""
    feature = feature_of(name)
    if feature.owner not in ("", category_id):
        views = {hit.view for hit in hits if hit.category == feature.owner}
        return [(others_cues(feature.owner, only_against=views == {"against"}), 1.0)]
    if feature.source is not None:
        return [(feature.source, 1.0)]
    own = [hit for hit in hits if hit.category == feature.owner and feature.view in ("", hit.view)]
    worth = [_worth(hit, own) for hit in own]
    total = sum(worth)
    if abs(total) < NO_WORTH:
        return [(ITS_CUES, 1.0)]
    return [
        (cue_source(hit.cue, hit.view, in_votes=feature.in_votes), w / total)
        for hit, w in zip(own, worth, strict=True)
    ]


def _worth(hit: Hit, own: Sequence[Hit]) -> float:
    """What a cue adds to its category's vote: its part of its view's weighted log count."""
    count = sum(other.count for other in own if other.view == hit.view)
    weight = float(VOTE_WEIGHTS[VIEWS.index(hit.view)])
    return weight * float(np.log2(1 + count)) * hit.count / count
