"""Which papers speak of the same things: cosine over TF-IDF of title and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from classifier.survey.edition import Entry
from classifier.text.normalise import tokens

MOST = 8
LEAST_COSINE = 0.05
"""Below it two texts share little but function words."""
_MOST_COMMON = 0.2
"""A word in a larger share of the texts tells them apart too little for what it costs."""
_FEW_TEXTS = 50
"""Of fewer texts every word counts."""

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


def related_papers(entries: Sequence[Entry], most: int = MOST) -> Mapping[str, tuple[str, ...]]:
    """Return paper id -> ids of the papers whose title and text are nearest, the nearest first.

    The weight of a word in a text is (1 + ln tf) * ln(n / df), the title counted twice, rows scaled
    to length 1 (Salton and Buckley, "Term-weighting approaches in automatic text retrieval",
    Information Processing & Management 24(5), 1988). Equal cosines go by reference number. Sums run
    text by text over the lists of texts that hold a word, so that memory stays linear.
    """
    texts = [_counts(entry) for entry in entries]
    rows = _weighted(texts)
    postings = _postings(rows)
    found: dict[str, tuple[str, ...]] = {}
    for position, (entry, row) in enumerate(zip(entries, rows, strict=True)):
        cosines = np.zeros(len(entries))
        for word, weight in row.items():
            places, weights = postings[word]
            cosines[places] += weight * weights
        cosines[position] = 0.0
        near = _nearest(cosines, most)
        found[entry.paper.id] = tuple(entries[place].paper.id for place in near)
    return found


def _counts(entry: Entry) -> Counter[str]:
    paper = entry.paper
    title = [word for word in tokens(paper.title_display) if len(word) > 1]
    text = [word for word in tokens(paper.abstract_display) if len(word) > 1]
    return Counter([*title, *title, *text])


def _weighted(texts: Sequence[Counter[str]]) -> list[dict[str, float]]:
    """Return word -> weight of each text, of length 1; words of one text alone are left out."""
    total = len(texts)
    held = Counter(word for text in texts for word in text)
    most = max(_FEW_TEXTS, total * _MOST_COMMON)
    inverse = {
        word: float(np.log(total / number))
        for word, number in held.items()
        if 1 < number <= most and number < total
    }
    logs = [0.0, *(1.0 + float(np.log(count)) for count in range(1, _longest(texts) + 1))]
    rows = []
    for text in texts:
        row = {word: logs[text[word]] * inverse[word] for word in sorted(text) if word in inverse}
        length = float(np.sqrt(sum(weight * weight for weight in row.values()))) or 1.0
        rows.append({word: weight / length for word, weight in row.items()})
    return rows


def _longest(texts: Sequence[Counter[str]]) -> int:
    return max((count for text in texts for count in text.values()), default=0)


def _postings(rows: Sequence[Mapping[str, float]]) -> dict[str, tuple[Rows, Floats]]:
    """Return word -> (rows that hold it, its weight in each)."""
    held: dict[str, tuple[list[int], list[float]]] = {}
    for position, row in enumerate(rows):
        for word, weight in row.items():
            places, weights = held.setdefault(word, ([], []))
            places.append(position)
            weights.append(weight)
    return {
        word: (np.array(places, dtype=np.intp), np.array(weights))
        for word, (places, weights) in held.items()
    }


def _nearest(cosines: Floats, most: int) -> list[int]:
    """Return the places of the largest cosines; rounding hides the last digits of processors."""
    near = np.flatnonzero(cosines >= LEAST_COSINE)
    ranked = np.lexsort((near, -np.round(cosines[near], 9)))
    return [int(place) for place in near[ranked[:most]]]
