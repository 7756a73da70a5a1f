"""Why a paper has a label: the cues and terms behind a logit, which they add up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_index import VOTE_WEIGHTS, Evidence, Hit
from classifier.labelling.labels import Reason
from classifier.taxonomy.model import CUE_VIEWS

Array = NDArray[np.float64]

MIN_WEIGHT = 0.05
"""A reason that moves a logit by less is not worth a reader's time."""
MAX_REASONS = 6
"""How many a label is shown with."""
_WEIGHT_DIGITS = 9
"""Digits of what a source adds to a logit: the last ones of a sum differ between processors."""
_NO_WORTH = 1e-9
"""Where the cues for a category and those against it come to less, they cancel out."""
PLACES = {
    "title": "in the title",
    "contribution": "in the abstract",
    "anywhere": "in the text",
    "against": "(against)",
}
"""List of cues -> where one of it fired, in words."""


@dataclass(frozen=True, slots=True)
class Contributions:
    """The sum that makes the calibrated logit of one paper and category."""

    names: Sequence[str]
    """Of the m features that are not zero; see `features`. Where votes alone decide, names begin
    with `votes:`."""
    values: Array
    """(m,) weight times value."""
    intercept: float
    in_votes: bool = False
    """Whether the values are votes; the intercept then turns them into log-odds."""

    @property
    def logit(self) -> float:
        """The logit."""
        return float(self.values.sum() + self.intercept)


def vote_contributions(
    evidence: Evidence, row: int, category_id: str, total: float
) -> Contributions:
    """Return the votes of a category's lists in one paper, and what makes `total` of them."""
    votes = evidence.logs([category_id])[row] * VOTE_WEIGHTS
    names = [f"votes:{category_id}:{view}" for view in CUE_VIEWS]
    return Contributions(names, votes, total - float(votes.sum()), in_votes=True)


class Source(NamedTuple):
    """What stands behind a contribution."""

    kind: Literal["cue", "term", "vote"]
    text: str
    place: str = ""


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


def reasons(category_id: str, parts: Contributions, hits: Sequence[Hit]) -> tuple[Reason, ...]:
    """Return the strongest reasons for or against a category, strongest first.

    What a cue column contributes goes to the cues that fired in it; columns of other categories'
    cues are gathered under the category's name.
    """
    gathered = _gathered(category_id, parts, hits, MAX_REASONS)[:MAX_REASONS]
    return tuple(
        _reason(category_id, source, weight)
        for source, weight in gathered
        if abs(round(weight, 3)) >= MIN_WEIGHT
    )


def account_for(
    category_id: str, parts: Contributions, hits: Sequence[Hit], *, most: int | None
) -> Account:
    """Return the sum that makes the logit of a category; `most` of its reasons, or all."""
    gathered = _gathered(category_id, parts, hits)
    shown = tuple(
        _reason(category_id, source, weight, digits=2)
        for source, weight in gathered[:most]
        if abs(round(weight, 3)) >= MIN_WEIGHT
    )
    intercept, logit = round(parts.intercept, 2), round(parts.logit, 2)
    rest = logit - intercept - sum(reason.weight for reason in shown)
    # Adding 0 turns -0.0 into 0.0.
    left = len(gathered) - len(shown)
    return Account(shown, round(rest, 2) + 0.0, left, intercept, logit, parts.in_votes)


def _gathered(
    category_id: str, parts: Contributions, hits: Sequence[Hit], most: int | None = None
) -> list[tuple[Source, float]]:
    """Return the sources, strongest first; all add up to the whole, `most` are the strongest."""
    hits_of: dict[str, list[Hit]] = {}
    for hit in hits:
        hits_of.setdefault(hit.category, []).append(hit)
    weights: dict[Source | str, float] = {}  # a term stands for itself: strings are looked up fast
    for name, value in zip(parts.names, parts.values.tolist(), strict=True):
        if not value:
            continue
        if term := _term(name):
            weights[term] = weights.get(term, 0.0) + value
            continue
        for source, share in _sources(name, category_id, hits_of):
            weights[source] = weights.get(source, 0.0) + share * value
    least = nlargest(most, map(abs, weights.values()))[-1] - _NO_WORTH if most and weights else 0.0
    summed = [
        (Source("term", f"“{key}”") if isinstance(key, str) else key, round(weight, _WEIGHT_DIGITS))
        for key, weight in weights.items()
        if abs(weight) >= least
    ]
    return sorted(summed, key=lambda item: (-abs(item[1]), item[0]))


def _reason(category_id: str, source: Source, weight: float, digits: int = 3) -> Reason:
    return Reason(category_id, source.text, source.kind, round(weight, digits), source.place)


@lru_cache(maxsize=2**16)
def _term(name: str) -> str:
    """Return the term of a column of TF-IDF; "" for another column."""
    group, _, term = name.partition(":")
    return term if group in ("title", "text") else ""


def _sources(
    name: str, category_id: str, hits_of: Mapping[str, Sequence[Hit]]
) -> Iterator[tuple[Source, float]]:
    """Yield what stands behind a column of cues, and the share of its contribution of each."""
    group, _, rest = name.partition(":")
    if group == "others":
        yield Source("cue", "evidence for other categories"), 1.0
    elif group == "like":
        yield (
            Source("term", f"its definition: {rest}" if rest else "likeness to its definition"),
            1.0,
        )
    elif group.startswith("first-"):
        yield Source("cue", f"evidence of {rest}"), 1.0
    else:
        owner, _, view = rest.partition(":")
        own = hits_of.get(owner, ())
        if owner == category_id:
            yield from _cue_sources(group, view, own)
        else:
            only_against = bool(own) and all(hit.view == "against" for hit in own)
            yield Source("cue", f"cues {'against' if only_against else 'of'} {owner}"), 1.0


def _cue_sources(group: str, view: str, own: Sequence[Hit]) -> Iterator[tuple[Source, float]]:
    """Yield the cues behind a column of a category's own cue features."""
    if group == "share":
        yield Source("cue", "its share of all cues"), 1.0
        return
    meant = [hit for hit in own if view in ("", hit.view)]
    worth = [_worth(hit, meant) for hit in meant]
    total = sum(worth)
    if abs(total) < _NO_WORTH:
        yield Source("cue", "its cues"), 1.0  # which cancel out
        return
    kind: Literal["cue", "vote"] = "vote" if group == "votes" else "cue"
    for hit, part in zip(meant, worth, strict=True):
        place = PLACES[hit.view]
        yield Source(kind, f"‘{hit.cue}’ {place}", place), part / total


def _worth(hit: Hit, own: Sequence[Hit]) -> float:
    """What a cue adds to its category's vote: its part of its list's weighted log count."""
    count = sum(other.count for other in own if other.view == hit.view)
    weight = float(VOTE_WEIGHTS[CUE_VIEWS.index(hit.view)])
    return weight * float(np.log2(1 + count)) * hit.count / count
