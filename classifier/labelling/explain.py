"""Explain labels: the contributions of cues and terms to the logit."""

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
"""Minimum absolute contribution to the logit of a listed reason."""
MAX_REASONS = 6
"""Maximum number of listed reasons per label."""
_WEIGHT_DIGITS = 9
"""Decimals of a contribution; the last digits of a sum differ between processors."""
_EPSILON = 1e-9
"""Below this, the cues for a category and those against it cancel out."""
PLACES = {
    "title": "in the title",
    "contribution": "in the abstract",
    "anywhere": "in the text",
    "against": "(against)",
}
"""List of cues -> the place of its matches, in words."""


@dataclass(frozen=True, slots=True)
class Contributions:
    """The calibrated logit of one paper and category, as a sum of contributions."""

    names: Sequence[str]
    """Names of the m features that are not zero; see `features`. If votes alone decide, the names
    start with `votes:`."""
    values: Array
    """(m,) weight times value of each feature."""
    intercept: float
    in_votes: bool = False
    """Whether the values are votes, which the intercept converts to log-odds."""

    @property
    def logit(self) -> float:
        """The calibrated logit."""
        return float(self.values.sum() + self.intercept)


def vote_contributions(
    evidence: Evidence, row: int, category_id: str, total: float
) -> Contributions:
    """Return a category's votes in one paper, with an intercept so that they sum to `total`."""
    votes = evidence.log_counts([category_id])[row] * VOTE_WEIGHTS
    names = [f"votes:{category_id}:{view}" for view in CUE_VIEWS]
    return Contributions(names, votes, total - float(votes.sum()), in_votes=True)


class Source(NamedTuple):
    """A cue, term or vote that contributes to a logit."""

    kind: Literal["cue", "term", "vote"]
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class LogitSum:
    """A logit as a sum of numbers with two decimals, which add up exactly.

    `reasons` + `rest` + `intercept` = `logit`.
    """

    reasons: tuple[Reason, ...]
    """The strongest reasons, the strongest first."""
    rest: float
    """Sum of all other reasons, including the rounding error."""
    rest_count: int
    """Number of other reasons."""
    intercept: float
    """The constant of the sum, which is the same for every paper."""
    logit: float
    in_votes: bool = False
    """Whether the reasons have votes as weights, which the intercept converts to log-odds."""


def reasons(category_id: str, parts: Contributions, hits: Sequence[Hit]) -> tuple[Reason, ...]:
    """Return the strongest reasons for or against a category, the strongest first.

    The contribution of a cue feature is divided among the matching cues. Contributions of other
    categories' cues are added up per category.
    """
    weights = _source_weights(category_id, parts, hits, MAX_REASONS)[:MAX_REASONS]
    return tuple(
        _make_reason(category_id, source, weight)
        for source, weight in weights
        if abs(round(weight, 3)) >= MIN_WEIGHT
    )


def logit_sum(
    category_id: str, parts: Contributions, hits: Sequence[Hit], *, max_reasons: int | None
) -> LogitSum:
    """Return a category's logit as a sum with at most `max_reasons` reasons (None for all)."""
    weights = _source_weights(category_id, parts, hits)
    listed = tuple(
        _make_reason(category_id, source, weight, digits=2)
        for source, weight in weights[:max_reasons]
        if abs(round(weight, 3)) >= MIN_WEIGHT
    )
    intercept, logit = round(parts.intercept, 2), round(parts.logit, 2)
    rest = logit - intercept - sum(reason.weight for reason in listed)
    rest = round(rest, 2) + 0.0  # adding 0 turns -0.0 into 0.0
    n_rest = len(weights) - len(listed)
    return LogitSum(listed, rest, n_rest, intercept, logit, parts.in_votes)


def _source_weights(
    category_id: str, parts: Contributions, hits: Sequence[Hit], n_strongest: int | None = None
) -> list[tuple[Source, float]]:
    """Return the sources and their contributions, the strongest first.

    n_strongest: number of sources that the caller needs, to save time; None for all. All
    contributions add up to the logit without the intercept.
    """
    hits_of: dict[str, list[Hit]] = {}
    for hit in hits:
        hits_of.setdefault(hit.category, []).append(hit)
    weights: dict[Source | str, float] = {}  # terms as strings, which are looked up faster
    for name, value in zip(parts.names, parts.values.tolist(), strict=True):
        if not value:
            continue
        if term := _term_of_feature(name):
            weights[term] = weights.get(term, 0.0) + value
            continue
        for source, share in _cues_of_feature(name, category_id, hits_of):
            weights[source] = weights.get(source, 0.0) + share * value
    min_weight = 0.0
    if n_strongest and weights:
        min_weight = nlargest(n_strongest, map(abs, weights.values()))[-1] - _EPSILON
    summed = []
    for key, weight in weights.items():
        if abs(weight) >= min_weight:
            source = Source("term", f"“{key}”") if isinstance(key, str) else key
            summed.append((source, round(weight, _WEIGHT_DIGITS)))
    return sorted(summed, key=lambda item: (-abs(item[1]), item[0]))


def _make_reason(category_id: str, source: Source, weight: float, digits: int = 3) -> Reason:
    """Return a source and its contribution as a reason."""
    return Reason(category_id, source.text, source.kind, round(weight, digits), source.place)


@lru_cache(maxsize=2**16)
def _term_of_feature(name: str) -> str:
    """Return the term of a TF-IDF feature; "" for any other feature."""
    group, _, term = name.partition(":")
    return term if group in ("title", "text") else ""


def _cues_of_feature(
    name: str, category_id: str, hits_of: Mapping[str, Sequence[Hit]]
) -> Iterator[tuple[Source, float]]:
    """Yield the sources of a cue feature, each with its share of the feature's contribution."""
    group, _, rest = name.partition(":")
    if group == "others":
        yield Source("cue", "evidence for other categories"), 1.0
    elif group == "like":
        text = f"its definition: {rest}" if rest else "likeness to its definition"
        yield Source("term", text), 1.0
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


def _cue_sources(group: str, view: str, own_hits: Sequence[Hit]) -> Iterator[tuple[Source, float]]:
    """Yield the cues of one of the category's own cue features, with their shares."""
    if group == "share":
        yield Source("cue", "its share of all cues"), 1.0
        return
    in_view = [hit for hit in own_hits if view in ("", hit.view)]
    votes = [_vote_of(hit, in_view) for hit in in_view]
    total = sum(votes)
    if abs(total) < _EPSILON:
        yield Source("cue", "its cues"), 1.0  # they cancel out
        return
    kind: Literal["cue", "vote"] = "vote" if group == "votes" else "cue"
    for hit, part in zip(in_view, votes, strict=True):
        place = PLACES[hit.view]
        yield Source(kind, f"‘{hit.cue}’ {place}", place), part / total


def _vote_of(hit: Hit, own_hits: Sequence[Hit]) -> float:
    """Return one cue's part of a category's vote, proportional to its matches in its list."""
    count = sum(other.count for other in own_hits if other.view == hit.view)
    weight = float(VOTE_WEIGHTS[CUE_VIEWS.index(hit.view)])
    return weight * float(np.log2(1 + count)) * hit.count / count
