"""Which papers of a category are shown as examples: central ones, and not three of a kind."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from operator import mul

from classifier.survey.entry import SurveyPaper
from classifier.survey.quotation import is_quotable
from classifier.text.normalise import tokens

_LAMBDA = 0.7
_STATUS_BONUS = {"reviewed": 0.05, "imported": 0.02, "confident": 0.02, "provisional": -0.5}
_MIN_CONFIDENCE = 0.7
"""Minimum confidence of a provisional label of an example: without a prior and with few decisions
no label is confident."""
# More than any cosine and status: what the editors mark comes before what the machine finds.
_KEY_BONUS = 10.0

Vector = Mapping[str, float]
"""Token -> weight, of length 1."""


def contribution_of(entry: SurveyPaper) -> str:
    """Return what the paper does, or "" where no sentence says so by itself."""
    return entry.contribution if is_quotable(entry.contribution, entry.paper) else ""


def choose_exemplars(
    entries: Sequence[SurveyPaper],
    most: int = 3,
    stated: Callable[[SurveyPaper], str] = contribution_of,
) -> list[SurveyPaper]:
    """Return up to `most` papers by maximal marginal relevance over what they state, by number.

    Relevance is the cosine to the centroid, within one role of sentences (`stated`): over all
    sentences the most central ones are background (Carbonell & Goldstein, "The use of MMR", SIGIR
    1998; lambda 0.7). Key papers come first of all; then reviewed labels are preferred. A
    paper that states nothing, or that may well be filed wrongly, is never chosen.
    """
    sure = [e for e in entries if e.key or not _is_doubtful(e)]
    told = [(e, text) for e in sorted(sure, key=lambda e: e.number) if (text := stated(e))]
    able = [entry for entry, _ in told]
    if len(able) <= most or not most:
        return able[:most]
    rows = _vectors([f"{entry.paper.title} {text}" for entry, text in told])
    relevance = _relevance(rows, able)
    closest = [0.0] * len(rows)
    chosen: list[int] = []
    for _ in range(most):
        if chosen:
            last = rows[chosen[-1]]
            closest = [
                max(near, _cosine(row, last)) for near, row in zip(closest, rows, strict=True)
            ]
        worth = [
            round(_LAMBDA * here - (1 - _LAMBDA) * near, 9)
            for here, near in zip(relevance, closest, strict=True)
        ]
        left = (place for place in range(len(rows)) if place not in chosen)
        chosen.append(max(left, key=lambda place: (worth[place], -place)))
    return [able[place] for place in sorted(chosen)]


def _is_doubtful(entry: SurveyPaper) -> bool:
    return entry.first.status == "provisional" and entry.first.confidence < _MIN_CONFIDENCE


def most_central(entries: Sequence[SurveyPaper], most: int) -> list[SurveyPaper]:
    """Return the `most` papers closest to the common vocabulary, key papers first of all."""
    texts = [f"{entry.paper.title} {entry.contribution}" for entry in entries]
    relevance = _relevance(_vectors(texts), entries)
    order = sorted(range(len(texts)), key=lambda i: (-round(relevance[i], 9), i))
    return [entries[place] for place in order[:most]]


def _relevance(rows: Sequence[Vector], entries: Sequence[SurveyPaper]) -> list[float]:
    """Return the cosine of each row to the centroid, and what speaks for the paper besides."""
    total: dict[str, float] = {}
    for row in rows:
        for token, weight in row.items():
            total[token] = total.get(token, 0.0) + weight
    centroid = _of_length_one(total)
    return [
        _cosine(row, centroid)
        + (_STATUS_BONUS[entry.first.status] + (_KEY_BONUS if entry.key else 0.0))
        for row, entry in zip(rows, entries, strict=True)
    ]


def _vectors(texts: Sequence[str]) -> list[Vector]:
    """Return TF-IDF rows of length 1: sublinear tf, smoothed idf, as scikit-learn weighs them.

    In plain Python, so that a build that learns nothing need not load scikit-learn.
    """
    counts = [Counter(tokens(text)) for text in texts]
    holding = Counter(token for count in counts for token in count)
    idf = {token: math.log((1 + len(texts)) / (1 + df)) + 1 for token, df in holding.items()}
    return [
        _of_length_one({token: (1 + math.log(tf)) * idf[token] for token, tf in count.items()})
        for count in counts
    ]


def _of_length_one(weights: Mapping[str, float]) -> Vector:
    length = math.sqrt(math.fsum(map(mul, weights.values(), weights.values()))) or 1.0
    return {token: weight / length for token, weight in weights.items()}


def _cosine(one: Vector, other: Vector) -> float:
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return math.fsum(map(mul, small.values(), map(large.get, small, repeat(0.0))))
