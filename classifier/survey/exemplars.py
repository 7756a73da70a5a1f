"""Choose example papers of a category: central papers that differ from each other."""

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
"""Weight of relevance against novelty, from 0 to 1."""
_STATUS_BONUS = {"reviewed": 0.05, "imported": 0.02, "confident": 0.02, "provisional": -0.5}
_MIN_CONFIDENCE = 0.7
"""Minimum confidence of a provisional label of an example. Provisional labels are allowed because
no label is confident without a prior and with few decisions."""
_KEY_BONUS = 10.0
"""Added to the relevance of key papers, so that they come before all others."""

Vector = Mapping[str, float]
"""Token -> weight; a vector of length 1."""


def contribution_of(entry: SurveyPaper) -> str:
    """Return the sentence about the contribution of a paper; "" if it cannot be quoted."""
    if is_quotable(entry.contribution, entry.paper):
        return entry.contribution
    return ""


def choose_exemplars(
    entries: Sequence[SurveyPaper],
    max_papers: int = 3,
    get_text: Callable[[SurveyPaper], str] = contribution_of,
) -> list[SurveyPaper]:
    """Return at most `max_papers` papers, chosen by maximal marginal relevance, by number.

    Relevance is the cosine to the centroid of all papers. Key papers come first, then papers with a
    reviewed label. The vectors represent the title and `text_of(paper)`: if they represented the
    whole abstract, the most central papers would be those with the most background. A paper without
    such a text or with a doubtful label is not chosen (Carbonell & Goldstein, "The use of MMR",
    SIGIR 1998).
    """
    candidates, texts = [], []
    for entry in sorted(entries, key=lambda entry: entry.number):
        text = get_text(entry)
        if text and (entry.key or not _is_doubtful(entry)):
            candidates.append(entry)
            texts.append(f"{entry.paper.title} {text}")
    if len(candidates) <= max_papers or not max_papers:
        return candidates[:max_papers]
    rows = _tfidf_vectors(texts)
    relevance = _relevance(rows, candidates)
    similarity = [0.0] * len(rows)  # of each paper to the most similar chosen one
    chosen: list[int] = []
    for _ in range(max_papers):
        scores = {
            place: round(_LAMBDA * relevance[place] - (1 - _LAMBDA) * similarity[place], 9)
            for place in range(len(rows))
            if place not in chosen
        }
        best = max(scores, key=lambda place: (scores[place], -place))
        chosen.append(best)
        similarity = [
            max(old, _cosine(row, rows[best])) for old, row in zip(similarity, rows, strict=True)
        ]
    return [candidates[place] for place in sorted(chosen)]


def _is_doubtful(entry: SurveyPaper) -> bool:
    """Return whether the label of a paper is doubtful."""
    return entry.first.status == "provisional" and entry.first.confidence < _MIN_CONFIDENCE


def central_papers(entries: Sequence[SurveyPaper], n_papers: int) -> list[SurveyPaper]:
    """Return the papers closest to the centroid of all contributions, with key papers first."""
    texts = [f"{entry.paper.title} {entry.contribution}" for entry in entries]
    relevance = _relevance(_tfidf_vectors(texts), entries)
    order = sorted(range(len(texts)), key=lambda i: (-round(relevance[i], 9), i))
    return [entries[place] for place in order[:n_papers]]


def _relevance(rows: Sequence[Vector], entries: Sequence[SurveyPaper]) -> list[float]:
    """Return the cosine of each row to the centroid, plus a bonus for key papers and status."""
    total: dict[str, float] = {}
    for row in rows:
        for token, weight in row.items():
            total[token] = total.get(token, 0.0) + weight
    centroid = _normalise(total)
    return [
        _cosine(row, centroid)
        + (_STATUS_BONUS[entry.first.status] + (_KEY_BONUS if entry.key else 0.0))
        for row, entry in zip(rows, entries, strict=True)
    ]


def _tfidf_vectors(texts: Sequence[str]) -> list[Vector]:
    """Return TF-IDF vectors of length 1, with the weights of scikit-learn.

    They use sublinear tf and smoothed idf. This is plain Python, so that a build without learning
    need not load scikit-learn.
    """
    counts = [Counter(tokens(text)) for text in texts]
    n_texts = Counter(token for count in counts for token in count)
    idf = {token: math.log((1 + len(texts)) / (1 + df)) + 1 for token, df in n_texts.items()}
    return [
        _normalise({token: (1 + math.log(tf)) * idf[token] for token, tf in count.items()})
        for count in counts
    ]


def _normalise(weights: Mapping[str, float]) -> Vector:
    """Scale a vector to length 1."""
    length = math.sqrt(math.fsum(map(mul, weights.values(), weights.values()))) or 1.0
    return {token: weight / length for token, weight in weights.items()}


def _cosine(first_vector: Vector, second_vector: Vector) -> float:
    """Return the cosine of two vectors of length 1."""
    small, large = (
        (first_vector, second_vector)
        if len(first_vector) <= len(second_vector)
        else (second_vector, first_vector)
    )
    return math.fsum(map(mul, small.values(), map(large.get, small, repeat(0.0))))
