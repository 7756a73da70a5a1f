"""Which papers of a category are shown as examples: central ones, and not three of a kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.survey.edition import Entry
from classifier.text.normalise import tokens

_LAMBDA = 0.7
_STATUS_BONUS = {"reviewed": 0.05, "confident": 0.02, "provisional": -0.5}
# More than any cosine and status: what the editors mark comes before what the machine finds.
_KEY_BONUS = 10.0


# "Analyzes this overthinking …": what "this" is stands in the sentence before.
_POINTS_BACK = re.compile(
    r"^(?!in this )\w+(?: \w+)? (?:this|these|those|such(?! (?:as|that))|it)\b", re.IGNORECASE
)


def _stands_alone(entry: Entry) -> bool:
    return bool(entry.contribution) and not _POINTS_BACK.match(entry.contribution)


def _bonus(entry: Entry) -> float:
    return _STATUS_BONUS[entry.first.status] + (_KEY_BONUS if entry.key else 0.0)


def choose_exemplars(entries: Sequence[Entry], most: int = 3) -> list[Entry]:
    """Return up to `most` papers by maximal marginal relevance over their contribution sentences.

    Relevance is the cosine to the category's centroid, within this one role of sentences: over
    all sentences the most central ones are background (Carbonell & Goldstein, "The use of MMR",
    SIGIR 1998; lambda 0.7). Key papers come first of all; then reviewed labels are preferred, and
    provisional ones come last.
    """
    stated = sorted((e for e in entries if _stands_alone(e)), key=lambda entry: entry.number)
    if len(stated) < 4:
        return stated[:most]
    texts = [" ".join(tokens(f"{entry.paper.title} {entry.contribution}")) for entry in stated]
    vectorizer = TfidfVectorizer(tokenizer=str.split, token_pattern=None, sublinear_tf=True)
    rows = vectorizer.fit_transform(texts).toarray()
    centroid = rows.mean(axis=0)
    relevance = rows @ (centroid / np.linalg.norm(centroid))
    relevance += np.array([_bonus(entry) for entry in stated])
    similar = rows @ rows.T
    chosen: list[int] = []
    while len(chosen) < min(most, len(stated)):
        closest = similar[:, chosen].max(axis=1) if chosen else np.zeros(len(stated))
        worth = _LAMBDA * relevance - (1 - _LAMBDA) * closest
        worth[chosen] = -np.inf
        chosen.append(int(np.argmax(np.round(worth, 9))))
    return [stated[position] for position in sorted(chosen)]
